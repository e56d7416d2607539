import { useEffect, useRef, useState } from 'react';
import { Button, LinkButton } from '../../components/Button';
import { Field } from '../../components/Field';
import { Form } from '../../components/Form';
import { keepFocus } from '../../components/keepFocus';
import { PasswordInput } from '../../components/PasswordInput';
import { SkeletonRows } from '../../components/States';
import { toasts } from '../../components/Toasts';
import { notSaved, useForm } from '../../components/useForm';
import { isError } from '../../data/client';
import { useSettings } from '../../data/configuration';
import { newPasswordErrors } from '../../forms/fieldRules';
import { withParameters } from '../../navigation/location';
import { useNavigate } from '../../navigation/useNavigate';
import { useErrorText } from '../../texts/errorText';
import { translate, useTranslation } from '../../texts/i18n';
import { Card } from '../login/Card';
import styles from '../login/Card.module.css';
import { useChoosePassword, useLinkCheck } from './recoveryCalls';

/** Whether no attempt with this link can succeed. */
const isFinal = (error: unknown): boolean =>
  isError(
    error,
    'BACKEND.ERROR.TOKEN.EXPIRED',
    'BACKEND.ERROR.TOKEN.INCORRECT',
    'BACKEND.ERROR.AUTHENTICATION.NO_RECOVER',
  );

/**
 * The link of a mail for a new password: asks for it, then leads to the sign-in screen. Says at once if the link does
 * not work.
 */
export function ChoosePassword({ token }: { token: string }) {
  const { t } = useTranslation();
  const [refused, setRefused] = useState<unknown>(null);
  const { isPending, error } = useLinkCheck(token);
  if (refused !== null || isFinal(error)) return <Refused error={refused ?? error} />;
  if (!isPending) return <Choosing token={token} onRefused={setRefused} />;
  return (
    <Card title={t('recovery.choose.title')}>
      <SkeletonRows rows={2} />
    </Card>
  );
}

/** A link that cannot be used any more, and a way to get a new one. */
function Refused({ error }: { error: unknown }) {
  const { t } = useTranslation();
  useEffect(keepFocus, []);
  const errorText = useErrorText();
  const { passwordRecovery } = useSettings();
  return (
    <Card title={t('recovery.choose.refused')}>
      <div className={styles.sent} role="alert">
        <p>{errorText(error)}</p>
        {passwordRecovery && (
          <LinkButton kind="primary" href="/passrecover">
            {t('recovery.choose.again')}
          </LinkButton>
        )}
        <LinkButton href="/login">{t('action.toSignIn')}</LinkButton>
      </div>
    </Card>
  );
}

function Choosing({ token, onRefused }: { token: string; onRefused: (error: unknown) => void }) {
  const { t } = useTranslation();
  const settings = useSettings();
  const choose = useChoosePassword(token);
  const navigate = useNavigate();
  /** The password of an attempt whose answer was lost: the link may have been used up. */
  const unanswered = useRef('');
  const form = useForm({
    initial: { password: '', passwordConfirm: '' },
    check: (values) => newPasswordErrors(values, settings, t),
    submit: async (values) => {
      try {
        const login = await choose.mutateAsync(values).catch((error: unknown) => {
          const isUsed = isError(error, 'BACKEND.ERROR.TOKEN.INCORRECT');
          if (isUsed && unanswered.current === values.password) return null;
          if (isError(error, 'CLIENT.ERROR.NETWORK', 'CLIENT.ERROR.TIMEOUT'))
            unanswered.current = values.password;
          throw error;
        });
        navigate(withParameters('/login', { login }), { replace: true });
        toasts.success(translate('recovery.choose.done'));
      } catch (error) {
        if (!isFinal(error)) throw error;
        onRefused(error);
        return notSaved;
      }
    },
  });
  return (
    <Card title={t('recovery.choose.title')}>
      <Form form={form}>
        <Field
          {...form.field('password')}
          label={t('account.password.new')}
          help={t('form.password.rule', { least: settings.passwordMin, most: settings.passwordMax })}
        >
          <PasswordInput {...form.text('password')} autoComplete="new-password" autoFocus />
        </Field>
        <Field {...form.field('passwordConfirm')} label={t('account.password.again')}>
          <PasswordInput {...form.text('passwordConfirm')} autoComplete="new-password" />
        </Field>
        <p>{t('recovery.choose.ends')}</p>
        <Button kind="primary" type="submit" wide busy={form.busy}>
          {t('account.password.submit')}
        </Button>
      </Form>
    </Card>
  );
}
