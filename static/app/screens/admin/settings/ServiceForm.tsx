import { type FormEvent, useEffect, useState } from 'react';
import type { TestableSetting } from '../../../../../api/admin/schema';
import { Button } from '../../../components/Button';
import { Disclosure } from '../../../components/Disclosure';
import { Field } from '../../../components/Field';
import { TextArea } from '../../../components/TextInput';
import { isError } from '../../../data/client';
import { guardLeaving } from '../../../navigation/location';
import { useTranslation } from '../../../texts/i18n';
import { OidcProviders } from './OidcProviders';
import { ServiceInputs } from './ServiceInputs';
import { SettingHelp, type SettingProps, useSettingTexts } from './SettingRow';
import { SettingNotes } from './SettingState';
import styles from './Settings.module.css';
import { parseService, type ServiceField, type ServiceValue } from './serviceFields';
import { TestService } from './TestService';
import { useSetting } from './useSetting';

export interface ServiceFormProps extends Pick<SettingProps, 'setting'> {
  /** The key of the setting. */
  service: TestableSetting;
  /** `providers`: a list of services, with fields for each. */
  fields: readonly ServiceField[] | 'providers';
  /** The secrets of all settings that have a value. */
  secrets: readonly string[];
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
  const { label } = useSettingTexts()(setting);
  const [open, setOpen] = useState(props.open);
  /** Then it stays, with what was typed, when it is folded. */
  const [wasOpen, setWasOpen] = useState(open);
  if (open && !wasOpen) setWasOpen(true);
  return (
    <li tabIndex={-1} className={styles.setting}>
      <Disclosure
        summary={
          <>
            {label}
            <span className={styles.inUse}>{inUse && t('admin.service.inUse')}</span>
          </>
        }
        open={open}
        onToggle={(event) => setOpen(event.currentTarget.open)}
      >
        <p className={styles.help}>
          <SettingHelp setting={setting} />
        </p>
        {wasOpen && <Fields {...props} />}
      </Disclosure>
    </li>
  );
}

function Fields({ setting, service, fields, secrets, save }: ServiceFormProps) {
  const { t } = useTranslation();
  const { label } = useSettingTexts()(setting);
  const state = useSetting(setting);
  const value = (state.value ?? {}) as ServiceValue;
  const [json, setJson] = useState<string | null>(null);
  const [wrong, setWrong] = useState<string | null>(null);
  // One result at a time: of the test, or of saving.
  const [tested, setTested] = useState(false);
  const broken = json !== null && parseService(json) === undefined;
  useEffect(() => (broken ? guardLeaving(() => true) : undefined), [broken]);
  const type = (text: string): void => {
    setJson(text);
    const parsed = parseService(text);
    if (parsed !== undefined) state.change(parsed);
  };
  const discard = (): void => {
    state.discard();
    setJson(null);
  };
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (broken || state.busy) return;
    setTested(false);
    const error = await state.save(value);
    setWrong(isError(error) ? (error.field ?? '').replace(/^value\./, '') : null);
    if (error === undefined) setJson(null);
  };
  const inputs = {
    value,
    disabled: setting.locked,
    isSet: (path: string) => secrets.includes(`${service}.${path}`),
    errorAt: (path: string) => (wrong === path ? (state.failure ?? undefined) : undefined),
    onChange: state.change,
  };
  return (
    <form noValidate onSubmit={(event) => void submit(event)} aria-label={label} className={styles.fields}>
      <Button
        small
        className={styles.view}
        disabled={broken}
        onClick={() => setJson(json === null ? JSON.stringify(value, null, 2) : null)}
      >
        {json === null ? t('admin.service.json') : t('admin.service.form')}
      </Button>
      {json === null ? (
        fields === 'providers' ? (
          <OidcProviders {...inputs} />
        ) : (
          <ServiceInputs {...inputs} fields={fields} />
        )
      ) : (
        <JsonField json={json} broken={broken} disabled={setting.locked} onType={type} />
      )}
      <TestService
        setting={service}
        value={value}
        disabled={broken}
        shown={tested}
        onTest={() => setTested(true)}
      >
        {!setting.locked && (
          <Button kind="primary" type="submit" small busy={state.busy} disabled={broken}>
            {save}
          </Button>
        )}
        {!setting.locked && state.dirty && (
          <Button small onClick={discard}>
            {t('action.cancel')}
          </Button>
        )}
      </TestService>
      <SettingNotes setting={setting} state={tested ? { ...state, failure: null } : state} />
    </form>
  );
}

interface JsonFieldProps {
  json: string;
  /** Whether the text is no JSON object. */
  broken: boolean;
  disabled: boolean;
  onType: (text: string) => void;
}

function JsonField({ json, broken, disabled, onType }: JsonFieldProps) {
  const { t } = useTranslation();
  return (
    <Field
      label={t('admin.service.json.label')}
      help={t('admin.service.json.help')}
      error={broken ? t('admin.service.json.broken') : undefined}
    >
      <TextArea
        className={styles.code}
        rows={18}
        spellCheck={false}
        disabled={disabled}
        value={json}
        onChange={(event) => onType(event.target.value)}
      />
    </Field>
  );
}
