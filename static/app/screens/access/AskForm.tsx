import { limits } from '../../../../model/limits';
import { Dialog } from '../../components/Dialog';
import { Field } from '../../components/Field';
import { Form, FormActions } from '../../components/Form';
import { TextArea } from '../../components/TextInput';
import { useFirstFocus } from '../../components/useFirstFocus';
import { useForm } from '../../components/useForm';
import { type AskedFor, useAskForAccess } from '../../data/asking';
import { useTranslation } from '../../texts/i18n';

export interface AskFormProps {
  asked: AskedFor;
  title: string;
  onClose: () => void;
  onSent: () => void;
}

/** Asks for a sentence for the managers, and sends the request. */
export function AskForm({ asked, title, onClose, onSent }: AskFormProps) {
  const { t } = useTranslation();
  const ask = useAskForAccess(asked);
  const form = useForm({
    initial: { text: '' },
    submit: async ({ text }) => {
      await ask.mutateAsync(text.trim());
      onSent();
    },
  });
  useFirstFocus(form.field('text').id);
  return (
    <Dialog title={title} onClose={onClose}>
      <Form form={form} label={title}>
        <p>{t('requests.ask.text')}</p>
        <Field {...form.field('text')} label={t('requests.sentence')} optional>
          <TextArea {...form.text('text')} rows={3} maxLength={limits.sentence} />
        </Field>
        <FormActions form={form} submit={t('requests.send')} cancel={onClose} />
      </Form>
    </Dialog>
  );
}
