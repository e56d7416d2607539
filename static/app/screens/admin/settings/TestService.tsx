import type { ReactNode } from 'react';
import type { TestableSetting } from '../../../../../api/admin/schema';
import { Button } from '../../../components/Button';
import { useTestSetting } from '../../../data/administration';
import { isError } from '../../../data/client';
import { type ErrorTexts, useErrorText } from '../../../texts/errorText';
import { useTranslation } from '../../../texts/i18n';
import { useReasonText } from './reasonText';
import { Outcome } from './SettingState';
import styles from './Settings.module.css';
import type { ServiceValue } from './serviceFields';

export interface TestServiceProps {
  /** The key of the setting. */
  setting: TestableSetting;
  /** The value as it is typed. Nothing is stored. */
  value: ServiceValue;
  /** True while the typed value cannot be read. */
  disabled: boolean;
  /** Whether the result is shown. */
  shown: boolean;
  onTest: () => void;
  /** The buttons before this one. */
  children: ReactNode;
}

/** For the error that the server has no address: the general text is about emails, for people who cannot set it. */
export function useMissingAddress(): ErrorTexts {
  const { t } = useTranslation();
  const detail = t('admin.setting.rootUrl.help');
  const text = t('text.detail', { text: t('admin.setting.rootUrl'), detail });
  return { 'BACKEND.ERROR.CONFIGURATION.ROOTURL_NOT_CONFIGURED': text };
}

/** A button that tests the typed settings of a sign-in service, and the result. */
export function TestService({ setting, value, disabled, shown, onTest, children }: TestServiceProps) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const { mutate, isPending, isSuccess, data, error, variables } = useTestSetting(setting);
  // A result of other settings is outdated.
  const current = shown && variables === value;
  const missing = useMissingAddress();
  const reasonText = useReasonText();
  const reason =
    isError(error) && error.reason !== undefined
      ? reasonText(error.reason)
      : error && errorText(error, missing);
  const found = [t('admin.service.test.good'), ...(data?.found ?? [])];
  const test = (): void => {
    onTest();
    mutate(value);
  };
  return (
    <>
      <div className={styles.buttons}>
        {children}
        <Button small busy={isPending} disabled={disabled} onClick={test}>
          {t('admin.service.test')}
        </Button>
      </div>
      <div className={styles.notes}>
        <Outcome
          done={current && isSuccess && <span className={styles.found}>{found.join('\n')}</span>}
          failure={current && reason !== null && t('admin.service.test.failed', { reason })}
        />
      </div>
    </>
  );
}
