import { useEffect, useState } from 'react';
import { Button } from '../../components/Button';
import { useRefuseInvitations } from '../../data/ownInvitation';
import { hideAddress } from '../../navigation/location';
import { paths } from '../../navigation/paths';
import { useErrorText } from '../../texts/errorText';
import { useTranslation } from '../../texts/i18n';
import { Card } from '../login/Card';
import styles from '../login/Card.module.css';

/** The other link of an invitation: its address gets none any more. Only the button changes something. */
export function NoInvitations({ token: given }: { token: string }) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const [token] = useState(given);
  const { mutate, error, isPending, isSuccess } = useRefuseInvitations();
  useEffect(() => hideAddress(paths.noInvitations), []);
  return (
    <Card title={t('invitations.never.title')}>
      <div className={styles.sent} role={isSuccess ? 'status' : undefined}>
        <p>{t(isSuccess ? 'invitations.never.done' : 'invitations.never.text')}</p>
        {error !== null && <p role="alert">{errorText(error)}</p>}
        {!isSuccess && (
          <Button kind="primary" busy={isPending} onClick={() => mutate(token)}>
            {t('invitations.never.action')}
          </Button>
        )}
      </div>
    </Card>
  );
}
