import { nameFields } from '../../../model/fullName';
import { limits } from '../../../model/limits';
import { useTranslation } from '../texts/i18n';
import { Field } from './Field';
import { TextInput } from './TextInput';
import type { FormState } from './useForm';

interface Names {
  firstname: string;
  lastname: string;
}

interface NameFieldsProps<Values extends Names> {
  form: FormState<Values>;
  /** By default the browser completes the own names of the person. */
  autoComplete?: 'off';
}

/** The fields for first and last name, in the order of the language. */
export function NameFields<Values extends Names>({ form, autoComplete }: NameFieldsProps<Values>) {
  const { t, language } = useTranslation();
  const labels = { firstname: t('account.firstname'), lastname: t('account.lastname') };
  const kinds = { firstname: 'given-name', lastname: 'family-name' };
  return nameFields(language).map((name) => (
    <Field key={name} {...form.field(name)} label={labels[name]} optional>
      <TextInput {...form.text(name)} maxLength={limits.text} autoComplete={autoComplete ?? kinds[name]} />
    </Field>
  ));
}
