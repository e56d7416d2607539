import { settingPages } from 'docs:settings';
import type { FormEvent, ReactNode } from 'react';
import type { AdminSetting } from '../../../../../api/admin/schema';
import { Checkbox, Switch } from '../../../components/Checkbox';
import { ChipInput } from '../../../components/ChipInput';
import { Field } from '../../../components/Field';
import { PasswordInput } from '../../../components/PasswordInput';
import { Select } from '../../../components/Select';
import { TextArea, TextInput } from '../../../components/TextInput';
import { useSettings } from '../../../data/configuration';
import { hasText, useTranslation } from '../../../texts/i18n';
import { DocsLink } from '../DocsLink';
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

/** The explanation of a setting, with a link to the page of the documentation that says more. */
export function SettingHelp({ setting }: { setting: AdminSetting }) {
  const { label, help } = useSettingTexts()(setting);
  const page = settingPages[setting.key];
  return (
    <>
      {help} {page !== undefined && <DocsLink page={page} about={label} />}
    </>
  );
}

/** Whether there is something to explain. */
const isExplained = (setting: AdminSetting, help: string | undefined): boolean =>
  help !== undefined || settingPages[setting.key] !== undefined;

export interface SettingProps {
  setting: AdminSetting;
  /** For a secret: whether it has a value, which is never sent. */
  isSet?: boolean;
}

/** One setting. Switches and checkboxes are saved at once, all others with a button that appears. */
export function SettingRow({ setting, isSet = false }: SettingProps) {
  const { label, help: text } = useSettingTexts()(setting);
  const help = isExplained(setting, text) ? <SettingHelp setting={setting} /> : undefined;
  const state = useSetting(setting);
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    if (state.dirty && !state.busy) void state.save();
  };
  const isForm = setting.kind !== 'flag' && setting.kind !== 'someOf';
  return (
    <li tabIndex={-1} className={styles.setting} data-setting={setting.key}>
      {setting.kind === 'flag' ? (
        <Switch
          label={label}
          help={help}
          checked={state.value === true}
          disabled={setting.locked}
          onChange={({ target }) => void state.set(target.checked)}
        />
      ) : setting.kind === 'someOf' ? (
        <Several setting={setting} state={state} label={label} help={help} />
      ) : (
        <form noValidate onSubmit={onSubmit} aria-label={label}>
          <Field label={label} help={help} error={state.failure ?? undefined} announced>
            <Input setting={setting} state={state} isSet={isSet} />
          </Field>
          <SettingButtons state={state} />
        </form>
      )}
      <SettingNotes setting={setting} state={state} isSet={isSet} atField={isForm} />
    </li>
  );
}

interface InputProps {
  setting: AdminSetting;
  state: SettingState;
  isSet: boolean;
}

/** The input that fits the kind of the setting. */
function Input({ setting, state, isSet }: InputProps): ReactNode {
  const { t } = useTranslation();
  const { kind, schema, locked } = setting;
  const shared = {
    disabled: locked,
    'aria-required': false,
    value: String(state.value ?? ''),
    onChange: (event: { target: { value: string } }): void => state.change(event.target.value),
  } as const;
  switch (kind) {
    case 'choice':
      return <Choice setting={setting} state={state} />;
    case 'list':
      return <Names setting={setting} state={state} />;
    case 'secret': {
      const placeholder = isSet ? t('admin.settings.secret.set') : t('admin.settings.secret.notSet');
      return <PasswordInput {...shared} autoComplete="new-password" placeholder={placeholder} />;
    }
    case 'html':
      return <TextArea {...shared} className={styles.code} spellCheck={false} />;
    case 'integer':
      return <TextInput {...shared} className={styles.number} inputMode="numeric" autoComplete="off" />;
    default: {
      const most = typeof schema.maxLength === 'number' ? schema.maxLength : undefined;
      return <TextInput {...shared} maxLength={most} autoComplete="off" spellCheck={false} />;
    }
  }
}

/** A list of names. */
function Names({ setting, state }: Omit<InputProps, 'isSet'>) {
  const names = [state.value ?? []].flat().map(String);
  return setting.locked ? (
    <TextInput disabled aria-required={false} value={names.join(', ')} readOnly />
  ) : (
    <ChipInput value={names} onChange={state.change} />
  );
}

interface SeveralProps extends Omit<InputProps, 'isSet'> {
  label: string;
  help: ReactNode;
}

/** Some of a few values. Their order is that in which they are chosen. */
function Several({ setting, state, label, help }: SeveralProps) {
  const { t } = useTranslation();
  const { schema, locked } = setting;
  const { items } = schema as { items?: { enum?: unknown[] } };
  const all = items?.enum?.map(String) ?? [];
  const chosen = [state.value ?? []].flat().map(String);
  const labelOf = (value: string): string => {
    // The values are those of the setting with one value.
    const text = `admin.${setting.key.replace(/s$/, '')}.${value}`;
    return hasText(text) ? t(text) : value;
  };
  return (
    <fieldset className={styles.several}>
      <legend>{label}</legend>
      {help !== undefined && <p>{help}</p>}
      {all.map((value) => (
        <Checkbox
          key={value}
          label={labelOf(value)}
          checked={chosen.includes(value)}
          disabled={locked}
          onChange={({ target }) => {
            const others = chosen.filter((one) => one !== value);
            void state.set(target.checked ? [...others, value] : others);
          }}
        />
      ))}
    </fieldset>
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
      disabled={locked}
      value={String(state.value ?? '')}
      options={values.map((value) => ({ value, label: labelOf(value) }))}
      onChange={({ target }) => state.change(target.value)}
    />
  );
}
