import { type FormEvent, useState } from 'react';
import type { TestableSetting } from '../../../../../api/admin/schema';
import { Button } from '../../../components/Button';
import { Switch } from '../../../components/Checkbox';
import { Field } from '../../../components/Field';
import { PasswordInput } from '../../../components/PasswordInput';
import { Select } from '../../../components/Select';
import { ExpandIcon } from '../../../components/screenIcons';
import { TextArea, TextInput } from '../../../components/TextInput';
import { isError } from '../../../data/client';
import { languageOptions } from '../../../shell/preferenceItems';
import { useTranslation } from '../../../texts/i18n';
import { type SettingProps, useSettingTexts } from './SettingRow';
import { SettingNotes } from './SettingState';
import styles from './Settings.module.css';
import { parseService, type ServiceField, type ServiceValue, valueAt, withValueAt } from './serviceFields';
import { TestService } from './TestService';
import { useSetting } from './useSetting';

export interface ServiceFormProps extends SettingProps {
  /** The key of the setting. */
  service: TestableSetting;
  /** Empty: the settings have no form, only JSON. */
  fields: readonly ServiceField[];
  /** Whether people sign in through this service. */
  inUse: boolean;
  /** Whether the form is open at first. */
  open: boolean;
  /** The label of the button. For LDAP it says that the settings are tried. */
  save: string;
}

/** The settings of a sign-in service: a form of the usual fields, and all of them as JSON. */
export function ServiceForm(props: ServiceFormProps) {
  const { setting, inUse } = props;
  const { t } = useTranslation();
  const { label, help } = useSettingTexts()(setting);
  const [open, setOpen] = useState(props.open);
  return (
    <li className={styles.setting}>
      <details open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary className={styles.summary}>
          <ExpandIcon />
          {label}
          <span className={styles.inUse}>{inUse && t('admin.service.inUse')}</span>
        </summary>
        {help !== undefined && <p className={styles.help}>{help}</p>}
        {open && <Fields {...props} />}
      </details>
    </li>
  );
}

const textOf = (value: unknown): string => JSON.stringify(value, null, 2);

function Fields({ setting, service, fields, isSet = false, save }: ServiceFormProps) {
  const { t } = useTranslation();
  const { label } = useSettingTexts()(setting);
  const state = useSetting(setting);
  const value = (state.value ?? {}) as ServiceValue;
  const onlyJson = fields.length === 0;
  const [json, setJson] = useState(onlyJson ? textOf(value) : null);
  const [wrong, setWrong] = useState<string | null>(null);
  const broken = json !== null && parseService(json) === undefined;
  const type = (text: string): void => {
    setJson(text);
    const parsed = parseService(text);
    if (parsed !== undefined) state.change(parsed);
  };
  const toggle = (): void => setJson(json === null ? textOf(value) : null);
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (broken || state.busy) return;
    const error = await state.save(value);
    setWrong(isError(error) ? (error.field ?? '').replace(/^value\./, '') : null);
    if (error === undefined && json !== null && !onlyJson) setJson(null);
  };
  return (
    <form noValidate onSubmit={(event) => void submit(event)} aria-label={label} className={styles.fields}>
      {!onlyJson && <ViewButton isForm={json === null} disabled={broken} onClick={toggle} />}
      {json === null ? (
        fields.map((field) => (
          <ServiceInput
            key={field.path}
            field={field}
            value={valueAt(value, field.path)}
            isSet={isSet}
            disabled={setting.locked}
            error={wrong === field.path && state.failure !== null ? state.failure : undefined}
            onChange={(next) => state.change(withValueAt(value, field.path, next))}
          />
        ))
      ) : (
        <Field
          label={t('admin.service.json.label')}
          help={t('admin.service.json.help')}
          error={broken ? t('admin.service.json.broken') : undefined}
        >
          <TextArea
            className={styles.code}
            rows={18}
            spellCheck={false}
            disabled={setting.locked}
            value={json}
            onChange={(event) => type(event.target.value)}
          />
        </Field>
      )}
      <TestService setting={service} value={value} disabled={broken}>
        {!setting.locked && (
          <Button kind="primary" type="submit" small busy={state.busy} disabled={broken}>
            {save}
          </Button>
        )}
        {!setting.locked && state.dirty && (
          <Button
            small
            onClick={() => {
              state.discard();
              setJson(onlyJson ? textOf(setting.value) : null);
            }}
          >
            {t('action.cancel')}
          </Button>
        )}
      </TestService>
      <SettingNotes setting={setting} state={state} />
    </form>
  );
}

interface ViewButtonProps {
  isForm: boolean;
  disabled: boolean;
  onClick: () => void;
}

/** Changes between the form and the JSON. */
function ViewButton({ isForm, disabled, onClick }: ViewButtonProps) {
  const { t } = useTranslation();
  return (
    <Button small className={styles.view} disabled={disabled} onClick={onClick}>
      {isForm ? t('admin.service.json') : t('admin.service.form')}
    </Button>
  );
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
    const checked = kind === 'on' ? value !== false : value === true;
    return (
      <Switch
        label={label}
        help={help}
        disabled={disabled}
        checked={checked}
        onChange={(event) => onChange(event.target.checked)}
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
      {(kind === 'language' || kind === 'scope' || kind === 'version') && (
        <ServiceChoice kind={kind} value={value} disabled={disabled} onChange={onChange} />
      )}
    </Field>
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
