import { useQueryClient } from '@tanstack/react-query';
import { Button } from '../../components/Button';
import { Dialog } from '../../components/Dialog';
import { Field } from '../../components/Field';
import { Form, FormActions } from '../../components/Form';
import { PasswordInput } from '../../components/PasswordInput';
import { TextInput } from '../../components/TextInput';
import { useForm } from '../../components/useForm';
import { leave, useSignIn } from '../../data/mutations';
import { useUser } from '../../data/queries';
import { signInPlace, useSessionState } from '../../data/session';
import { useTranslation } from '../../i18n';
import { navigate } from '../../location';

/** When the server has ended the session: asks to sign in again over the screen that is open, so that nothing typed there is lost. */
export function SignInAgain() {
  const { ended } = useSessionState();
  return ended ? <Question /> : null;
}

function Question() {
  const { t } = useTranslation();
  const client = useQueryClient();
  const user = useUser();
  const signIn = useSignIn();
  const form = useForm({
    initial: { login: user?.login ?? '', password: '' },
    check: ({ login, password }) => ({
      login: login.trim() === '' ? t('sessionEnded.login.required') : undefined,
      password: password === '' ? t('access.password.required') : undefined,
    }),
    submit: ({ login, password }) => signIn.mutateAsync({ login: login.trim(), password }),
  });
  const stop = (): void => {
    const place = signInPlace();
    leave(client);
    navigate(place);
  };
  return (
    <Dialog title={t('sessionEnded.title')} onClose={stop}>
      <p>{t('sessionEnded.text')}</p>
      <Form form={form} label={t('sessionEnded.title')}>
        <Field {...form.field('login')} label={t('sessionEnded.login')}>
          <TextInput {...form.text('login')} autoComplete="username" autoCapitalize="none" />
        </Field>
        <Field {...form.field('password')} label={t('sessionEnded.password')}>
          <PasswordInput {...form.text('password')} autoComplete="current-password" data-first />
        </Field>
        <FormActions>
          <Button kind="primary" type="submit" busy={form.busy}>
            {t('sessionEnded.submit')}
          </Button>
          <Button onClick={stop}>{t('sessionEnded.leave')}</Button>
        </FormActions>
      </Form>
    </Dialog>
  );
}
