import type { OwnUser } from '../../../../api/answers';
import { limits } from '../../../../model/limits';
import { Dialog } from '../../components/Dialog';
import { Field } from '../../components/Field';
import { Form, FormActions } from '../../components/Form';
import { PasswordInput } from '../../components/PasswordInput';
import { TextInput } from '../../components/TextInput';
import { toasts } from '../../components/Toasts';
import { useForm } from '../../components/useForm';
import { emailError } from '../../forms/fieldRules';
import { useTranslation } from '../../texts/i18n';
import { useChangeAccount } from './accountCalls';

/**
 * Asks for another e-mail address. If addresses must be confirmed, the old one stays until the mailed link is opened.
 */
export function ChangeEmail({ user, onClose }: { user: OwnUser; onClose: () => void }) {
  const { t } = useTranslation();
  const change = useChangeAccount(user.login);
  const form = useForm({
    initial: { email: user.pendingEmail ?? '', currentPassword: '' },
    check: ({ email, currentPassword }) => ({
      email: emailError(email, t),
      currentPassword: currentPassword === '' ? t('account.current.required') : undefined,
    }),
    texts: { 'BACKEND.ERROR.AUTHENTICATION.PASSWORD_INCORRECT': t('account.current.wrong') },
    submit: async ({ email, currentPassword }) => {
      const saved = await change.mutateAsync({ email: email.trim(), currentPassword });
      onClose();
      if (saved.pendingEmail === undefined) toasts.success(t('account.email.done', { email: saved.email }));
      else toasts.success(t('account.email.sent', { email: saved.pendingEmail }));
    },
  });
  return (
    <Dialog title={t('account.email.title')} onClose={() => !form.busy && onClose()}>
      <Form form={form} label={t('account.email.title')}>
        <Field {...form.field('email')} label={t('account.email.new')}>
          <TextInput
            {...form.text('email')}
            type="email"
            maxLength={limits.email}
            autoComplete="email"
            data-first
          />
        </Field>
        <Field
          {...form.field('currentPassword')}
          label={t('account.current')}
          help={t('account.email.current.help')}
        >
          <PasswordInput {...form.text('currentPassword')} autoComplete="current-password" />
        </Field>
        <FormActions form={form} submit={t('account.email.submit')} cancel={onClose} />
      </Form>
    </Dialog>
  );
}
