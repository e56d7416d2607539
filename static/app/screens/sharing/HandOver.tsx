import { Button } from '../../components/Button';
import { Field } from '../../components/Field';
import { Form, FormActions } from '../../components/Form';
import { TextInput } from '../../components/TextInput';
import { toasts } from '../../components/Toasts';
import { useFirstFocus } from '../../components/useFirstFocus';
import { useForm } from '../../components/useForm';
import { useHandOver } from '../../data/folderChanges';
import { useTranslation } from '../../texts/i18n';

export interface HandOverProps {
  group: { _id: string; name: string };
  onClose: () => void;
}

/** The form that makes somebody else the only manager of a folder. */
export function HandOver({ group, onClose }: HandOverProps) {
  const { t } = useTranslation();
  const { mutateAsync } = useHandOver(group._id);
  const form = useForm({
    initial: { to: '' },
    mayBeLost: true,
    check: ({ to }) => ({ to: to.trim() === '' ? t('handover.required') : undefined }),
    texts: { 'BACKEND.ERROR.USER.NOT_FOUND': t('handover.unknown') },
    submit: async ({ to }) => {
      await mutateAsync(to.trim());
      onClose();
      toasts.success(t('handover.done', { to: to.trim(), name: group.name }));
    },
  });
  useFirstFocus(form.field('to').id);
  return (
    <Form form={form} label={t('handover.action')}>
      <p>{t('handover.text')}</p>
      <Field {...form.field('to')} label={t('handover.to')}>
        <TextInput {...form.text('to')} autoComplete="off" autoCapitalize="none" />
      </Field>
      <FormActions>
        <Button kind="primary" type="submit" busy={form.busy}>
          {t('handover.action')}
        </Button>
        <Button onClick={onClose}>{t('action.cancel')}</Button>
      </FormActions>
    </Form>
  );
}
