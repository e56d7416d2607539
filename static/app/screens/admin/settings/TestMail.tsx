import { type FormEvent, useState } from 'react';
import type { AdminSetting } from '../../../../../api/admin/schema';
import { limits } from '../../../../../model/limits';
import { Button } from '../../../components/Button';
import { Field } from '../../../components/Field';
import { TextInput } from '../../../components/TextInput';
import { useTestMail } from '../../../data/administration';
import { isError } from '../../../data/client';
import { useConfiguration } from '../../../data/configuration';
import { emailError } from '../../../forms/fieldRules';
import { useErrorText } from '../../../texts/errorText';
import { useTranslation } from '../../../texts/i18n';
import { Outcome } from './SettingState';
import styles from './Settings.module.css';
import { saveAll } from './unsaved';

/** Why the mail was not sent, with the words of the mail server, or with what to change. */
function useFailureText(): (error: unknown) => string {
  const { t } = useTranslation();
  const errorText = useErrorText();
  return (error) => {
    if (isError(error) && error.field === 'SMTPSSL') {
      return t('admin.testMail.port', { setting: t('admin.setting.SMTPSSL') });
    }
    const text = errorText(error, {
      'BACKEND.ERROR.CONFIGURATION.MAIL_NOT_CONFIGURED': t('admin.testMail.off'),
      'BACKEND.ERROR.CONFIGURATION.ROOTURL_NOT_CONFIGURED': t('admin.testMail.noAddress'),
      'BACKEND.ERROR.SERVER.MAIL_UNAVAILABLE': t('admin.testMail.failed'),
      'BACKEND.ERROR.TYPE.TO_MAIL': t('admin.testMail.refused'),
    });
    const reason = isError(error) ? error.reason : undefined;
    return reason === undefined ? text : `${text} ${t('admin.testMail.reason', { text: reason })}`;
  };
}

export interface TestMailProps {
  /** The settings before it. What was typed there is saved first, so that it is tested. */
  settings: readonly AdminSetting[];
  /** The setting `mailContact`, which is suggested as the address, unless somebody is also signed in as a person. */
  contact: unknown;
}

/** Sends a test mail with the stored settings. */
export function TestMail({ settings, contact }: TestMailProps) {
  const { t, language } = useTranslation();
  const failureText = useFailureText();
  const { data } = useConfiguration();
  const [typed, setTyped] = useState<string | null>(null);
  const [wrong, setWrong] = useState<string>();
  const { mutate, isPending, data: receipt, error, reset } = useTestMail();
  const [saving, setSaving] = useState(false);
  const busy = isPending || saving;
  const to = typed ?? data?.user?.email ?? (typeof contact === 'string' ? contact : '');
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (busy) return;
    const fault = emailError(to, t);
    setWrong(fault);
    if (fault !== undefined) return;
    reset();
    setSaving(true);
    const saved = await saveAll(settings.map(({ key }) => key));
    setSaving(false);
    if (saved) mutate({ to: to.trim(), lang: language });
  };
  return (
    <>
      <form noValidate onSubmit={(event) => void submit(event)} aria-label={t('admin.testMail.title')}>
        <Field label={t('admin.testMail.to')} help={t('admin.testMail.help')} error={wrong}>
          <TextInput
            type="email"
            aria-required={false}
            maxLength={limits.email}
            autoComplete="email"
            value={to}
            onChange={(event) => {
              setTyped(event.target.value);
              setWrong(undefined);
              reset();
            }}
          />
        </Field>
        <div className={styles.buttons}>
          <Button small type="submit" busy={busy}>
            {t('admin.testMail.submit')}
          </Button>
        </div>
      </form>
      <div className={styles.notes}>
        <Outcome
          done={receipt && t('admin.testMail.done', { host: receipt.host, reply: receipt.reply })}
          failure={error && failureText(error)}
        />
      </div>
    </>
  );
}
