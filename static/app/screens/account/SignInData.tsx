import { useState } from 'react';
import type { OwnUser } from '../../../../api/answers';
import { Button } from '../../components/Button';
import { toasts, useErrorToast } from '../../components/Toasts';
import { useTranslation } from '../../texts/i18n';
import styles from './Account.module.css';
import { useChangeAccount } from './accountCalls';
import { ChangeEmail } from './ChangeEmail';
import { ChangePassword } from './ChangePassword';
import { Fact, Section } from './Section';

/** E-mail address and password. People of a directory or a sign-on server change them there, and not here. */
export function SignInData({ user }: { user: OwnUser }) {
  const { t } = useTranslation();
  const [asked, setAsked] = useState<'email' | 'password' | null>(null);
  const own = user.passwordAt === 'here';
  const close = (): void => setAsked(null);
  return (
    <Section
      part="sign-in"
      title={t('account.signIn')}
      intro={user.passwordAt === 'here' ? undefined : t(`account.owned.${user.passwordAt}`)}
    >
      <dl className={styles.facts}>
        <Fact
          name={t('account.email')}
          action={own && <Button onClick={() => setAsked('email')}>{t('account.email.open')}</Button>}
        >
          {user.email}
        </Fact>
        {own && (
          <Fact
            name={t('account.password')}
            action={<Button onClick={() => setAsked('password')}>{t('account.password.open')}</Button>}
          >
            <span aria-hidden="true">••••••••</span>
          </Fact>
        )}
      </dl>
      {user.pendingEmail !== undefined && <PendingEmail user={user} pending={user.pendingEmail} />}
      {asked === 'email' && <ChangeEmail user={user} onClose={close} />}
      {asked === 'password' && <ChangePassword user={user} onClose={close} />}
    </Section>
  );
}

/** The new address that must be confirmed, and a button that cancels the change. */
function PendingEmail({ user, pending }: { user: OwnUser; pending: string }) {
  const { t } = useTranslation();
  const showError = useErrorToast();
  const change = useChangeAccount(user.login);
  const { email } = user;
  const keep = () =>
    change.mutateAsync({ email }).then(() => toasts.success(t('account.email.kept', { email })), showError);
  return (
    <div className={styles.pending} role="status">
      <p>{t('account.email.pending', { email: pending })}</p>
      <Button small busy={change.isPending} onClick={() => void keep()}>
        {t('account.email.keep')}
      </Button>
    </div>
  );
}
