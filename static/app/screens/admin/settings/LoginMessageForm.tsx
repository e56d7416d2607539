import { type FormEvent, useState } from 'react';
import { Field } from '../../../components/Field';
import { Select } from '../../../components/Select';
import { TextArea } from '../../../components/TextInput';
import { useSettings } from '../../../data/configuration';
import { useTranslation } from '../../../texts/i18n';
import { MessageText } from '../../login/LoginMessage';
import { SettingHelp, type SettingProps, useSettingTexts } from './SettingRow';
import { SettingButtons, SettingNotes } from './SettingState';
import styles from './Settings.module.css';
import { useSetting } from './useSetting';

/** The message above the sign-in form, by language, as people will see it. */
export function LoginMessageForm({ setting }: SettingProps) {
  const { t, language } = useTranslation();
  const { languages } = useSettings();
  const { label } = useSettingTexts()(setting);
  const state = useSetting(setting);
  const [shown, setShown] = useState(Object.hasOwn(languages, language) ? language : 'en');
  const messages: Record<string, string> = { ...(state.value as Record<string, string> | undefined) };
  const html = messages[shown] ?? '';
  const seen = html || messages.en || '';
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (state.dirty && !state.busy) void state.save();
  };
  return (
    <li tabIndex={-1} className={styles.setting}>
      <form noValidate onSubmit={submit} aria-label={label} className={styles.fields}>
        <Field label={t('admin.loginMsg.language')}>
          <Select
            aria-required={false}
            value={shown}
            onChange={(event) => setShown(event.target.value)}
            options={Object.entries(languages).map(([code, name]) => ({
              value: code,
              label: messages[code] ? name : t('admin.loginMsg.none', { language: name }),
            }))}
          />
        </Field>
        <Field
          label={label}
          help={<SettingHelp setting={setting} />}
          error={state.failure ?? undefined}
          announced
        >
          <TextArea
            aria-required={false}
            className={styles.code}
            lang={shown}
            dir="auto"
            disabled={setting.locked}
            value={html}
            onChange={(event) => state.change({ ...messages, [shown]: event.target.value })}
          />
        </Field>
        {seen.trim() !== '' && (
          <section aria-label={t('admin.loginMsg.preview')}>
            <h3 className={styles.small}>{t('admin.loginMsg.preview')}</h3>
            <div lang={html === '' ? 'en' : shown}>
              <MessageText html={seen} />
            </div>
          </section>
        )}
        <SettingButtons state={state} />
      </form>
      <SettingNotes setting={setting} state={state} atField />
    </li>
  );
}
