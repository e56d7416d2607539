import { useQueryClient } from '@tanstack/react-query';
import { Button } from '../../components/Button';
import { Dialog } from '../../components/Dialog';
import { Field } from '../../components/Field';
import { Form, FormActions } from '../../components/Form';
import { PasswordInput } from '../../components/PasswordInput';
import { TextInput } from '../../components/TextInput';
import { useForm } from '../../components/useForm';
import { useSettings, useUser } from '../../data/configuration';
import { signInPath } from '../../data/session';
import { clearSession, useSignIn } from '../../data/signIn';
import { leaveScreen, navigate, toUrl } from '../../navigation/location';
import { useTranslation } from '../../texts/i18n';
import { PasskeyButton } from '../login/PasskeyButton';

/**
 * After the server has ended the session: asks to sign in again in a dialog over the screen, so that typed text is not
 * lost.
 */
export function SignInAgain() {
  return useUser()?.passwordAt === 'none' ? <SignInInNewTab /> : <SignInDialog />;
}

/** Gives up the screen and shows the sign-in screen. */
function useLeave(): () => void {
  const client = useQueryClient();
  return () =>
    leaveScreen(() => {
      const path = signInPath();
      clearSession(client);
      navigate(path);
    });
}

/** With single sign-on: the person uses a new tab to sign in, and this tab then has the new session too. */
function SignInInNewTab() {
  const { t } = useTranslation();
  const [first, ...others] = useSettings().signInMethods.filter(({ proof }) => proof !== 'typed');
  // With several services, the sign-in screen asks which one. A proxy has no page of its own.
  const signInUrl = (others.length === 0 && first?.url) || toUrl('/login');
  const leave = useLeave();
  return (
    <Dialog
      title={t('sessionEnded.title')}
      onClose={leave}
      actions={
        <>
          <Button onClick={leave}>{t('sessionEnded.leave')}</Button>
          <Button kind="primary" data-first onClick={() => open(signInUrl, '_blank', 'noopener')}>
            {t('action.signIn')}
          </Button>
        </>
      }
    >
      <p>{t('sessionEnded.elsewhere')}</p>
    </Dialog>
  );
}

function SignInDialog() {
  const { t } = useTranslation();
  const user = useUser();
  const signIn = useSignIn();
  const form = useForm({
    initial: { login: user?.login ?? '', password: '' },
    mayBeLost: true,
    check: ({ login, password }) => ({
      login: login.trim() === '' ? t('login.login.required') : undefined,
      password: password === '' ? t('access.password.required') : undefined,
    }),
    submit: ({ login, password }) => signIn.mutateAsync({ login: login.trim(), password }),
  });
  const leave = useLeave();
  return (
    <Dialog title={t('sessionEnded.title')} onClose={leave}>
      <p>{t('sessionEnded.text')}</p>
      <Form form={form} label={t('sessionEnded.title')}>
        <Field {...form.field('login')} label={t('login.login')}>
          <TextInput {...form.text('login')} autoComplete="username" autoCapitalize="none" />
        </Field>
        <Field {...form.field('password')} label={t('account.password')}>
          <PasswordInput {...form.text('password')} autoComplete="current-password" data-first />
        </Field>
        <FormActions
          form={form}
          submit={t('action.signIn')}
          cancel={leave}
          cancelText={t('sessionEnded.leave')}
        />
        <PasskeyButton />
      </Form>
    </Dialog>
  );
}
