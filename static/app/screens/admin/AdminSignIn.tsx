import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Button } from '../../components/Button';
import { Dialog } from '../../components/Dialog';
import { Field } from '../../components/Field';
import { Form, FormActions } from '../../components/Form';
import { PasswordInput } from '../../components/PasswordInput';
import { TextInput } from '../../components/TextInput';
import { useForm } from '../../components/useForm';
import { useAdminSignIn, useHostSignIn } from '../../data/administration';
import { forgetAdminSession } from '../../data/adminSession';
import { useConfiguration } from '../../data/configuration';
import { keys } from '../../data/keys';
import { Link, leaveScreen } from '../../navigation/location';
import { CardFrame } from '../../shell/Frame';
import { useErrorText } from '../../texts/errorText';
import { useTranslation } from '../../texts/i18n';
import { Card } from '../login/Card';
import styles from './AdminSignIn.module.css';

/** Name and password of an account of Etherpad. */
function useSignInForm() {
  const { t } = useTranslation();
  const signIn = useAdminSignIn();
  return useForm({
    initial: { login: '', password: '' },
    mayBeLost: true,
    check: ({ login, password }) => ({
      login: login.trim() === '' ? t('admin.signIn.login.required') : undefined,
      password: password === '' ? t('access.password.required') : undefined,
    }),
    submit: ({ login, password }) => signIn.mutateAsync({ login: login.trim(), password }),
    texts: { 'BACKEND.ERROR.AUTHENTICATION.ADMIN': t('admin.signIn.notAdmin') },
  });
}

function Fields({ form, focus }: { form: ReturnType<typeof useSignInForm>; focus: boolean }) {
  const { t } = useTranslation();
  return (
    <>
      <Field {...form.field('login')} label={t('admin.signIn.login')}>
        <TextInput
          {...form.text('login')}
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          autoFocus={focus}
          data-first
        />
      </Field>
      <Field {...form.field('password')} label={t('account.password')}>
        <PasswordInput {...form.text('password')} autoComplete="current-password" />
      </Field>
    </>
  );
}

/** Signs in without a password, if an administrator is signed in at Etherpad in this browser. */
function HostSignIn() {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const client = useQueryClient();
  const { data } = useConfiguration();
  const signIn = useHostSignIn();
  // They may have signed in at Etherpad after this page was opened.
  useEffect(() => void client.invalidateQueries({ queryKey: keys.configuration }), [client]);
  const name = data?.hostAdministrator;
  if (name === undefined) return null;
  return (
    <div className={styles.host}>
      <p className={styles.text}>{t('admin.signIn.host', { name })}</p>
      <Button wide busy={signIn.isPending} onClick={() => signIn.mutate()}>
        {t('admin.signIn.host.submit', { name })}
      </Button>
      <p role="alert" className={styles.failure}>
        {signIn.error !== null && errorText(signIn.error)}
      </p>
    </div>
  );
}

/** The sign-in of server administrators. Afterwards the screen that was asked for is shown. */
export function AdminSignIn() {
  const { t } = useTranslation();
  const form = useSignInForm();
  return (
    <CardFrame>
      <Card title={t('admin.signIn.title')} footer={<Link href="/login">{t('admin.signIn.toLogin')}</Link>}>
        <HostSignIn />
        <Form form={form}>
          <p className={styles.text}>{t('admin.signIn.text')}</p>
          <Fields form={form} focus />
          <Button kind="primary" type="submit" wide busy={form.busy}>
            {t('action.signIn')}
          </Button>
        </Form>
      </Card>
    </CardFrame>
  );
}

/** Asks to sign in again in a dialog over the screen, so that typed text is not lost. */
export function AdminSignInAgain() {
  const { t } = useTranslation();
  const form = useSignInForm();
  const leave = (): void => leaveScreen(forgetAdminSession);
  return (
    <Dialog title={t('sessionEnded.title')} onClose={leave}>
      <p>{t('sessionEnded.text')}</p>
      <Form form={form} label={t('sessionEnded.title')}>
        <Fields form={form} focus={false} />
        <FormActions
          form={form}
          submit={t('action.signIn')}
          cancel={leave}
          cancelText={t('sessionEnded.leave')}
        />
      </Form>
    </Dialog>
  );
}
