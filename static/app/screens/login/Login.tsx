import { useEffect } from 'react';
import { Button } from '../../components/Button';
import { Field } from '../../components/Field';
import { Form } from '../../components/Form';
import { PasswordInput } from '../../components/PasswordInput';
import { TextInput } from '../../components/TextInput';
import { useForm } from '../../components/useForm';
import { useSignIn } from '../../data/mutations';
import { useServiceReady, useSettings, useUser } from '../../data/queries';
import { returnPlace } from '../../data/session';
import { useTranslation } from '../../i18n';
import { Link, navigate, placeWith, useQueryParams } from '../../location';
import { Redirect } from '../home/Home';
import { Card } from './Card';
import { Starting } from './Starting';

export interface LoginProps {
  /** Fetches what most people need next, while they type. */
  prepare: () => Promise<unknown>;
}

/** Signing in by login or e-mail and password. Leads to the place that asked for it, else to the folders. */
export function Login({ prepare }: LoginProps) {
  const { t } = useTranslation();
  const user = useUser();
  const { openRegistration, authMethod } = useSettings();
  const [parameters] = useQueryParams();
  const ready = useServiceReady();
  const signIn = useSignIn();
  const next = returnPlace(parameters);
  const form = useForm({
    initial: { login: '', password: '' },
    check: ({ login, password }) => ({
      login: login.trim() === '' ? t('login.login.required') : undefined,
      password: password === '' ? t('login.password.required') : undefined,
    }),
    submit: async ({ login, password }) => {
      await signIn.mutateAsync({ login: login.trim(), password });
      navigate(next, { replace: true });
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
        mayRegister && (
          <>
            {t('login.noAccount')}{' '}
            <Link href={placeWith('/subscribe', { return: parameters.get('return') })}>
              {t('login.register')}
            </Link>
          </>
        )
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
            autoFocus
          />
        </Field>
        <Field {...form.field('password')} label={t('login.password')}>
          <PasswordInput {...form.text('password')} autoComplete="current-password" />
        </Field>
        <Button kind="primary" type="submit" wide busy={form.busy}>
          {t('login.submit')}
        </Button>
      </Form>
    </Card>
  );
}
