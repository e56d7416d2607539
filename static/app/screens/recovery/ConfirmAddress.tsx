import { Button, LinkButton } from '../../components/Button';
import { SkeletonRows } from '../../components/States';
import { toasts } from '../../components/Toasts';
import { isError } from '../../data/client';
import { useUser } from '../../data/configuration';
import { useOnce } from '../../lib/useOnce';
import { withParameters } from '../../navigation/location';
import { paths } from '../../navigation/paths';
import { useNavigate } from '../../navigation/useNavigate';
import { useErrorText } from '../../texts/errorText';
import { translate, useTranslation } from '../../texts/i18n';
import { Card } from '../login/Card';
import styles from '../login/Card.module.css';
import { useConfirm } from './recoveryCalls';

/**
 * The link of a mail that confirms an address, of a new account or of a changed one. Leads to the sign-in screen, or
 * back to the account.
 */
export function ConfirmAddress({ token }: { token: string }) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const user = useUser();
  const navigate = useNavigate();
  const { mutateAsync, error } = useConfirm();
  const own = user?.login;
  const confirm = async (): Promise<void> => {
    try {
      const login = await mutateAsync(token);
      navigate(login === own ? paths.account : withParameters('/login', { login }), { replace: true });
      toasts.success(translate('recovery.confirm.done'));
    } catch {
      // The error is shown through `error`.
    }
  };
  useOnce(() => void confirm());
  if (error === null) {
    return (
      <Card title={t('recovery.confirm.title')}>
        <SkeletonRows rows={1} />
      </Card>
    );
  }
  const gone = isError(error, 'BACKEND.ERROR.TOKEN.EXPIRED', 'BACKEND.ERROR.TOKEN.INCORRECT');
  return (
    <Card title={t('recovery.confirm.refused')}>
      <div className={styles.sent} role="alert">
        <p>{errorText(error)}</p>
        {gone && <p>{t('recovery.confirm.again')}</p>}
        {!gone && (
          <Button kind="primary" onClick={() => void confirm()}>
            {t('action.retry')}
          </Button>
        )}
        <LinkButton href={own === undefined ? '/login' : paths.account}>
          {own === undefined ? t('action.toSignIn') : t('recovery.toAccount')}
        </LinkButton>
      </div>
    </Card>
  );
}
