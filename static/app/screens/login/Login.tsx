import { useEffect } from 'react';
import { Button } from '../../components/Button';
import { Field } from '../../components/Field';
import { Form } from '../../components/Form';
import { PasswordInput } from '../../components/PasswordInput';
import { TextInput } from '../../components/TextInput';
import { useForm } from '../../components/useForm';
import { useServiceReady, useSettings, useUser } from '../../data/configuration';
import { returnPath } from '../../data/session';
import { leadsToPassword, useSignIn } from '../../data/signIn';
import { Link, navigate, useQueryParams, withParameters } from '../../navigation/location';
import { useTranslation } from '../../texts/i18n';
import { Redirect } from '../home/Home';
import { Card } from './Card';
import { Starting } from './Starting';

export interface LoginProps {
  /** Loads the scripts of the next screen while the person types. */
  prepare: () => Promise<unknown>;
}

/** Sign-in with login or e-mail and password. Afterwards it opens the requested path, or the folders. */
export function Login({ prepare }: LoginProps) {
  const { t } = useTranslation();
  const user = useUser();
  const { openRegistration, authMethod, passwordRecovery } = useSettings();
  const [parameters] = useQueryParams();
  const ready = useServiceReady();
  const signIn = useSignIn();
  const next = returnPath(parameters);
  const typed = parameters.get('login') ?? '';
  const form = useForm({
    initial: { login: typed, password: '' },
    mayBeLost: true,
    check: ({ login, password }) => ({
      login: login.trim() === '' ? t('login.login.required') : undefined,
      password: password === '' ? t('login.password.required') : undefined,
    }),
    submit: async ({ login, password }) => {
      try {
        await signIn.mutateAsync({ login: login.trim(), password });
        navigate(next, { replace: true });
      } catch (error) {
        if (!leadsToPassword(error)) throw error;
      }
    },
  });
  useEffect(() => {
    const timer = setTimeout(() => void prepare().catch(() => undefined), 1000);
    return () => clearTimeout(timer);
  }, [prepare]);
  if (user !== undefined && !form.busy) return <Redirect to={next} />;
  const mayRegister = openRegistration && authMethod === 'internal';
  return (
    <Card
      title={t('login.title')}
      withMessage
      footer={
        <>
          {passwordRecovery && (
            <p>
              <Link href="/passrecover">{t('login.forgotten')}</Link>
            </p>
          )}
          {mayRegister && (
            <p>
              {t('login.noAccount')}{' '}
              <Link href={withParameters('/subscribe', { return: parameters.get('return') })}>
                {t('login.register')}
              </Link>
            </p>
          )}
        </>
      }
    >
      <Form form={form}>
        <Starting ready={ready} />
        <Field {...form.field('login')} label={t('login.login')}>
          <TextInput
            {...form.text('login')}
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            autoFocus={typed === ''}
          />
        </Field>
        <Field {...form.field('password')} label={t('account.password')}>
          <PasswordInput
            {...form.text('password')}
            autoComplete="current-password"
            autoFocus={typed !== ''}
          />
        </Field>
        <Button kind="primary" type="submit" wide busy={form.busy}>
          {t('action.signIn')}
        </Button>
      </Form>
    </Card>
  );
}
