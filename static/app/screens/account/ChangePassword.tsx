import type { OwnUser } from '../../../../api/answers';
import { Dialog } from '../../components/Dialog';
import { Field } from '../../components/Field';
import { Form, FormActions } from '../../components/Form';
import { PasswordInput } from '../../components/PasswordInput';
import { toasts } from '../../components/Toasts';
import { useForm } from '../../components/useForm';
import { useSettings } from '../../data/configuration';
import { leadsToPassword } from '../../data/signIn';
import { newPasswordErrors } from '../../forms/fieldRules';
import { useTranslation } from '../../texts/i18n';
import { useChangeAccount } from './accountCalls';

/** Asks for a new password. It ends all other sessions. */
export function ChangePassword({ user, onClose }: { user: OwnUser; onClose: () => void }) {
  const { t } = useTranslation();
  const settings = useSettings();
  const change = useChangeAccount(user.login);
  const form = useForm({
    initial: { currentPassword: '', password: '', passwordConfirm: '' },
    check: (values) => ({
      currentPassword: values.currentPassword === '' ? t('account.current.required') : undefined,
      ...newPasswordErrors(values, settings, t),
    }),
    texts: { 'BACKEND.ERROR.AUTHENTICATION.PASSWORD_INCORRECT': t('account.current.wrong') },
    submit: async (values) => {
      try {
        await change.mutateAsync(values);
      } catch (error) {
        if (leadsToPassword(error)) return;
        throw error;
      }
      onClose();
      toasts.success(t('account.password.done'));
    },
  });
  return (
    <Dialog title={t('account.password.title')} onClose={() => !form.busy && onClose()}>
      <Form form={form} label={t('account.password.title')}>
        <input type="text" name="login" value={user.login} autoComplete="username" readOnly hidden />
        <Field {...form.field('currentPassword')} label={t('account.current')}>
          <PasswordInput {...form.text('currentPassword')} autoComplete="current-password" data-first />
        </Field>
        <Field
          {...form.field('password')}
          label={t('account.password.new')}
          help={t('form.password.rule', { least: settings.passwordMin, most: settings.passwordMax })}
        >
          <PasswordInput {...form.text('password')} autoComplete="new-password" />
        </Field>
        <Field {...form.field('passwordConfirm')} label={t('account.password.again')}>
          <PasswordInput {...form.text('passwordConfirm')} autoComplete="new-password" />
        </Field>
        <p>{t('account.password.ends')}</p>
        <FormActions form={form} submit={t('account.password.submit')} cancel={onClose} />
      </Form>
    </Dialog>
  );
}
