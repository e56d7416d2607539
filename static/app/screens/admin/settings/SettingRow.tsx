import type { FormEvent, ReactNode } from 'react';
import type { AdminSetting } from '../../../../../api/admin/schema';
import { Switch } from '../../../components/Checkbox';
import { ChipInput } from '../../../components/ChipInput';
import { Field } from '../../../components/Field';
import { PasswordInput } from '../../../components/PasswordInput';
import { Select } from '../../../components/Select';
import { TextArea, TextInput } from '../../../components/TextInput';
import { useSettings } from '../../../data/queries';
import { hasText, useTranslation } from '../../../i18n';
import { SettingButtons, SettingNotes } from './SettingState';
import styles from './Settings.module.css';
import { type SettingState, useSetting } from './useSetting';

/** Label and explanation of a setting. One that this page does not know has its key as label. */
export function useSettingTexts(): (setting: AdminSetting) => { label: string; help: string | undefined } {
  const { t } = useTranslation();
  return ({ key }) => {
    const label = `admin.setting.${key}`;
    const help = `admin.setting.${key}.help`;
    return { label: hasText(label) ? t(label) : key, help: hasText(help) ? t(help) : undefined };
  };
}

export interface SettingProps {
  setting: AdminSetting;
  /** For a secret: whether it has a value, which is never sent. */
  isSet?: boolean;
}

/** One setting. Switches and choices are saved at once, texts and numbers with a button that appears. */
export function SettingRow({ setting, isSet = false }: SettingProps) {
  const { label, help } = useSettingTexts()(setting);
  const state = useSetting(setting);
  const { type } = setting.schema;
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    if (state.dirty && !state.busy) void state.save();
  };
  return (
    <li className={styles.setting}>
      {type === 'boolean' ? (
        <Switch
          label={label}
          help={help}
          checked={state.value === true}
          disabled={setting.locked || state.busy}
          onChange={async (event) => {
            const next = event.target.checked;
            state.change(next);
            if ((await state.save(next)) !== undefined) state.revert();
          }}
        />
      ) : (
        <form noValidate onSubmit={onSubmit} aria-label={label}>
          <Field label={label} help={help}>
            <Input setting={setting} state={state} isSet={isSet} />
          </Field>
          <SettingButtons state={state} />
        </form>
      )}
      <SettingNotes setting={setting} state={state} isSet={isSet} />
    </li>
  );
}

interface InputProps {
  setting: AdminSetting;
  state: SettingState;
  isSet: boolean;
}

/** The input that fits the type of the setting. */
function Input({ setting, state, isSet }: InputProps): ReactNode {
  const { t } = useTranslation();
  const { key, schema, locked } = setting;
  const shared = { disabled: locked, 'aria-required': false } as const;
  const text = String(state.value ?? '');
  if (Array.isArray(schema.enum)) return <Choice setting={setting} state={state} />;
  if (schema.type === 'array') {
    if (locked) return <TextInput {...shared} value={[state.value].flat().join(', ')} readOnly />;
    return (
      <ChipInput value={Array.isArray(state.value) ? state.value.map(String) : []} onChange={state.change} />
    );
  }
  const onChange = (event: { target: { value: string } }): void => state.change(event.target.value);
  if (key === 'SMTPPass') {
    return (
      <PasswordInput
        {...shared}
        autoComplete="new-password"
        placeholder={isSet ? t('admin.settings.secret.set') : t('admin.settings.secret.notSet')}
        value={text}
        onChange={onChange}
      />
    );
  }
  if (key === 'HTMLExtraHead') {
    return (
      <TextArea {...shared} className={styles.code} spellCheck={false} value={text} onChange={onChange} />
    );
  }
  if (schema.type === 'integer') {
    return (
      <TextInput
        {...shared}
        className={styles.number}
        inputMode="numeric"
        value={text}
        onChange={onChange}
        autoComplete="off"
      />
    );
  }
  const most = typeof schema.maxLength === 'number' ? schema.maxLength : undefined;
  return (
    <TextInput
      {...shared}
      maxLength={most}
      value={text}
      onChange={onChange}
      autoComplete="off"
      spellCheck={false}
    />
  );
}

/** A choice between a few values. */
function Choice({ setting, state }: Omit<InputProps, 'isSet'>) {
  const { t } = useTranslation();
  const { languages } = useSettings();
  const { key, schema, locked } = setting;
  const labelOf = (value: string): string => {
    const text = `admin.${key}.${value}`;
    return languages[value] ?? (hasText(text) ? t(text) : value);
  };
  const values = Array.isArray(schema.enum) ? schema.enum.map(String) : [];
  return (
    <Select
      aria-required={false}
      disabled={locked || state.busy}
      value={String(state.value ?? '')}
      options={values.map((value) => ({ value, label: labelOf(value) }))}
      onChange={async (event) => {
        const next = event.target.value;
        state.change(next);
        if ((await state.save(next)) !== undefined) state.revert();
      }}
    />
  );
}
