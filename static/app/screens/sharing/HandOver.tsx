import type { ReactNode } from 'react';
import { Dialog } from '../../components/Dialog';
import { Field } from '../../components/Field';
import { Form, FormActions } from '../../components/Form';
import { TextInput } from '../../components/TextInput';
import { toasts } from '../../components/Toasts';
import { useFirstFocus } from '../../components/useFirstFocus';
import { useForm } from '../../components/useForm';
import { useHandOver } from '../../data/folderChanges';
import { useTranslation } from '../../texts/i18n';

interface HandOverProps {
  group: { _id: string; name: string };
  onClose: () => void;
}

/** Makes somebody else the only manager of a folder. */
export function HandOverDialog({ group, onClose }: HandOverProps) {
  const { t } = useTranslation();
  const { mutateAsync } = useHandOver(group._id);
  return (
    <Dialog title={t('handover.title', { name: group.name })} onClose={onClose}>
      <HandOverForm
        action={t('handover.action')}
        handOver={mutateAsync}
        done={(to) => t('handover.done', { to, name: group.name })}
        onClose={onClose}
      >
        <p>{t('handover.text')}</p>
      </HandOverForm>
    </Dialog>
  );
}

export interface HandOverFormProps {
  /** The text of the button. */
  action: string;
  /** Gets a username or an email address. */
  handOver: (to: string) => Promise<unknown>;
  /** What is said afterwards. */
  done: (to: string) => string;
  onClose: () => void;
  /** Says what happens. */
  children: ReactNode;
}

/** Asks for the new manager. */
export function HandOverForm({ action, handOver, done, onClose, children }: HandOverFormProps) {
  const { t } = useTranslation();
  const form = useForm({
    initial: { to: '' },
    mayBeLost: true,
    check: ({ to }) => ({ to: to.trim() === '' ? t('handover.required') : undefined }),
    texts: {
      'BACKEND.ERROR.USER.NOT_FOUND': t('handover.unknown'),
      // The person themselves.
      'BACKEND.ERROR.TYPE.PARAM_INVALID': t('handover.unknown'),
    },
    submit: async ({ to: typed }) => {
      const to = typed.trim();
      await handOver(to);
      onClose();
      toasts.success(done(to));
    },
  });
  useFirstFocus(form.field('to').id);
  return (
    <Form form={form} label={action}>
      {children}
      <Field {...form.field('to')} label={t('handover.to')}>
        <TextInput {...form.text('to')} autoComplete="off" autoCapitalize="none" />
      </Field>
      <FormActions form={form} submit={action} cancel={onClose} />
    </Form>
  );
}
