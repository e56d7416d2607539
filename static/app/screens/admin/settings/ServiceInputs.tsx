import { Switch } from '../../../components/Checkbox';
import { ChipInput } from '../../../components/ChipInput';
import { Field } from '../../../components/Field';
import { PasswordInput } from '../../../components/PasswordInput';
import { Select } from '../../../components/Select';
import { TextArea, TextInput } from '../../../components/TextInput';
import { languageOptions } from '../../../shell/preferenceItems';
import { useTranslation } from '../../../texts/i18n';
import styles from './Settings.module.css';
import { type ServiceField, type ServiceValue, valueAt, withValueAt } from './serviceFields';

export interface ServiceInputsProps {
  /** The whole value of the setting. */
  value: ServiceValue;
  disabled: boolean;
  /** Whether the secret at this path has a value, which is never sent. */
  isSet: (path: string) => boolean;
  /** Why the server has refused the value at this path. */
  errorAt: (path: string) => string | undefined;
  onChange: (value: ServiceValue) => void;
}

/** Inputs for some fields. `within`: the path of the object that has them, with a dot at its end. */
export function ServiceInputs({
  fields,
  within = '',
  ...props
}: ServiceInputsProps & { fields: readonly ServiceField[]; within?: string }) {
  const { value, disabled, isSet, errorAt, onChange } = props;
  return fields.map((field) => {
    const path = within + field.path;
    return (
      <ServiceInput
        key={path}
        field={field}
        value={valueAt(value, path)}
        isSet={isSet(path)}
        disabled={disabled}
        error={errorAt(path)}
        onChange={(next) => onChange(withValueAt(value, path, next))}
      />
    );
  });
}

interface ServiceInputProps {
  field: ServiceField;
  value: unknown;
  isSet: boolean;
  disabled: boolean;
  error: string | undefined;
  onChange: (value: unknown) => void;
}

const asText = (value: unknown): string => (value === undefined ? '' : [value].flat().join('\n'));

function ServiceInput({ field, value, isSet, disabled, error, onChange }: ServiceInputProps) {
  const { t } = useTranslation();
  const { kind, placeholder } = field;
  const label = t(field.label);
  const help = field.help === undefined ? undefined : t(field.help);
  if (kind === 'off' || kind === 'on') {
    const { chosen = true } = field;
    const checked = kind === 'on' ? value !== false : value === chosen;
    return (
      <Switch
        label={label}
        help={help}
        disabled={disabled}
        checked={checked}
        onChange={({ target }) => onChange(target.checked ? chosen : chosen === true ? false : undefined)}
      />
    );
  }
  const shared = {
    disabled,
    'aria-required': false,
    value: asText(value),
    onChange: (event: { target: { value: string } }) => onChange(event.target.value || undefined),
  };
  return (
    <Field label={label} help={help} error={error}>
      {kind === 'text' && (
        <TextInput
          {...shared}
          placeholder={placeholder}
          spellCheck={false}
          autoComplete="off"
          autoCapitalize="none"
        />
      )}
      {kind === 'secret' && (
        <PasswordInput
          {...shared}
          autoComplete="new-password"
          placeholder={isSet ? t('admin.settings.secret.set') : t('admin.settings.secret.notSet')}
        />
      )}
      {kind === 'certificate' && (
        <TextArea
          {...shared}
          className={styles.code}
          spellCheck={false}
          placeholder="-----BEGIN CERTIFICATE-----"
        />
      )}
      {kind === 'lines' && (
        <TextArea
          {...shared}
          className={styles.lines}
          rows={2}
          spellCheck={false}
          onChange={(event) => {
            const lines = event.target.value.split('\n');
            onChange(lines.length > 1 ? lines : event.target.value);
          }}
        />
      )}
      {kind === 'list' && <ServiceList value={value} disabled={disabled} onChange={onChange} />}
      {(kind === 'language' || kind === 'scope' || kind === 'version') && (
        <ServiceChoice kind={kind} value={value} disabled={disabled} onChange={onChange} />
      )}
    </Field>
  );
}

function ServiceList({ value, disabled, onChange }: Omit<ServiceChoiceProps, 'kind'>) {
  const entries = [value ?? []].flat().map(String);
  return disabled ? (
    <TextInput disabled aria-required={false} value={entries.join(', ')} readOnly />
  ) : (
    <ChipInput value={entries} onChange={(next) => onChange(next.length === 0 ? undefined : next)} />
  );
}

interface ServiceChoiceProps {
  kind: 'language' | 'scope' | 'version';
  value: unknown;
  disabled: boolean;
  onChange: (value: unknown) => void;
}

function ServiceChoice({ kind, value, disabled, onChange }: ServiceChoiceProps) {
  const { t } = useTranslation();
  const options = {
    language: [{ value: '', label: t('admin.service.lang.default') }, ...languageOptions],
    scope: [
      { value: '', label: t('admin.ldap.scope.sub') },
      { value: 'one', label: t('admin.ldap.scope.one') },
      { value: 'base', label: t('admin.ldap.scope.base') },
    ],
    version: ['3', '2', '1'].map((version) => ({ value: version, label: version })),
  }[kind];
  // `sub` is the default scope. Old databases have versions such as `"3.0"`.
  const text = value === undefined || value === 'sub' ? '' : String(value);
  return (
    <Select
      aria-required={false}
      disabled={disabled}
      value={kind === 'version' ? String(Number(text || 3)) : text}
      options={options}
      onChange={({ target }) =>
        onChange(kind === 'version' ? Number(target.value) : target.value === '' ? undefined : target.value)
      }
    />
  );
}
