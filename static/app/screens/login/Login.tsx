import { useEffect } from 'react';
import { Button } from '../../components/Button';
import { Field } from '../../components/Field';
import { Form } from '../../components/Form';
import { PasswordInput } from '../../components/PasswordInput';
import { TextInput } from '../../components/TextInput';
import { notSaved, useForm } from '../../components/useForm';
import { useServiceReady, useSettings, useUser } from '../../data/configuration';
import { returnPath } from '../../data/session';
import { leadsToPassword, useSignIn } from '../../data/signIn';
import { fillIn } from '../../forms/drafts';
import { Link, navigate, useQueryParams, withParameters } from '../../navigation/location';
import { useTranslation } from '../../texts/i18n';
import { Redirect } from '../home/Home';
import { Card } from './Card';
import { PasskeyButton } from './PasskeyButton';
import { Starting } from './Starting';

export interface LoginProps {
  /** Loads the scripts of the next screen while the person types. */
  prepare: () => Promise<unknown>;
}

/** Sign-in with login or e-mail and password. Afterwards it opens the requested path, or the folders. */
export function Login({ prepare }: LoginProps) {
  const { t } = useTranslation();
  const user = useUser();
  const [parameters] = useQueryParams();
  const ready = useServiceReady();
  const next = returnPath(parameters);
  const form = usePasswordForm(next);
  useEffect(() => {
    const timer = setTimeout(() => void prepare().catch(() => undefined), 1000);
    return () => clearTimeout(timer);
  }, [prepare]);
  if (user !== undefined && !form.busy) return <Redirect to={next} />;
  return (
    <Card title={t('login.title')} withMessage footer={<OtherWays form={form} />}>
      <Starting ready={ready} />
      <PasswordForm form={form} />
    </Card>
  );
}

/** The form for a password. `next`: the path to open afterwards. `onSignedIn` is called before. */
export function usePasswordForm(next: string, onSignedIn?: () => void) {
  const { t } = useTranslation();
  const [parameters] = useQueryParams();
  const signIn = useSignIn();
  return useForm({
    initial: { login: parameters.get('login') ?? '', password: '' },
    mayBeLost: true,
    check: ({ login, password }) => ({
      login: login.trim() === '' ? t('login.login.required') : undefined,
      password: password === '' ? t('login.password.required') : undefined,
    }),
    submit: async ({ login, password }) => {
      try {
        const result = await signIn.mutateAsync({ login: login.trim(), password });
        if (result === notSaved) return result;
        onSignedIn?.();
        navigate(next, { replace: true });
      } catch (error) {
        if (!leadsToPassword(error)) throw error;
      }
      return undefined;
    },
  });
}

export interface PasswordFormProps {
  form: ReturnType<typeof usePasswordForm>;
  /** Other ways to sign in are offered above it. */
  isSecond?: boolean;
}

export function PasswordForm({ form, isSecond = false }: PasswordFormProps) {
  const { t } = useTranslation();
  const [parameters] = useQueryParams();
  const typed = parameters.has('login');
  return (
    <Form form={form}>
      <Field {...form.field('login')} label={t('login.login')}>
        <TextInput
          {...form.text('login')}
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          autoFocus={!typed && !isSecond}
        />
      </Field>
      <Field {...form.field('password')} label={t('account.password')}>
        <PasswordInput {...form.text('password')} autoComplete="current-password" autoFocus={typed} />
      </Field>
      <Button kind={isSecond ? 'secondary' : 'primary'} type="submit" wide busy={form.busy}>
        {t('action.signIn')}
      </Button>
      <PasskeyButton />
    </Form>
  );
}

/** Links to the recovery of a password, which takes over a typed address, and to the registration. */
export function OtherWays({ form }: Pick<PasswordFormProps, 'form'>) {
  const { t } = useTranslation();
  const { openRegistration, storesPasswords, passwordRecovery } = useSettings();
  const [parameters] = useQueryParams();
  const { login } = form.values;
  return (
    <>
      {passwordRecovery && (
        <p>
          <Link
            href="/passrecover"
            onClick={() => login.includes('@') && fillIn('/passrecover', { email: login })}
          >
            {t('login.forgotten')}
          </Link>
        </p>
      )}
      {openRegistration && storesPasswords && (
        <p>
          {t('login.noAccount')}{' '}
          <Link href={withParameters('/subscribe', { return: parameters.get('return') })}>
            {t('login.register')}
          </Link>
        </p>
      )}
    </>
  );
}
