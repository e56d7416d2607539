import { useState } from 'react';
import { Button } from '../../components/Button';
import { useRefuseInvitations } from '../../data/ownInvitation';
import { readItem, writeItem } from '../../lib/storage';
import { useOnce } from '../../lib/useOnce';
import { hideAddress } from '../../navigation/location';
import { paths } from '../../navigation/paths';
import { useErrorText } from '../../texts/errorText';
import { useTranslation } from '../../texts/i18n';
import { Card } from '../login/Card';
import styles from '../login/Card.module.css';

/** For a tab that is loaded again. */
const tokenItem = 'mypads_noinvitations';

/** The other link of an invitation: its address gets none any more. Only the button changes something. */
export function NoInvitations({ token: given }: { token: string }) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  // Of the first time: the address does not have it any more.
  const [token] = useState(() => given || (readItem(tokenItem, 'sessionStorage') ?? ''));
  const { mutate, error, isPending, isSuccess } = useRefuseInvitations();
  useOnce(() => {
    writeItem(tokenItem, token, 'sessionStorage');
    hideAddress(paths.noInvitations);
  });
  return (
    <Card title={t('invitations.never.title')}>
      <div className={styles.sent}>
        <p role="status">{t(isSuccess ? 'invitations.never.done' : 'invitations.never.text')}</p>
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
