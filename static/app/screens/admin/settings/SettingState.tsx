import type { ReactNode } from 'react';
import type { AdminSetting } from '../../../../../api/admin/schema';
import { Button } from '../../../components/Button';
import { Chip } from '../../../components/Chip';
import { ErrorIcon, SuccessIcon } from '../../../components/icons';
import { keepsFocus } from '../../../components/keepFocus';
import { ReadonlyIcon } from '../../../components/screenIcons';
import { useSettings } from '../../../data/configuration';
import { useTranslation } from '../../../texts/i18n';
import styles from './Settings.module.css';
import type { SettingState } from './useSetting';

/** The default in words; `undefined` if it is too long, or if the field shows it. */
function useDefaultText({ key, value, default: initial, kind }: AdminSetting): string | undefined {
  const { t } = useTranslation();
  const { languages } = useSettings();
  const isEmpty = initial === undefined || initial === '' || (Array.isArray(initial) && initial.length === 0);
  // An empty field already shows that its value is empty.
  if (isEmpty && JSON.stringify(value ?? '') === JSON.stringify(initial ?? '')) return undefined;
  if (typeof initial === 'boolean') return initial ? t('admin.settings.on') : t('admin.settings.off');
  if (typeof initial === 'number') return String(initial);
  if (isEmpty) return kind === 'texts' || kind === 'service' ? undefined : t('admin.settings.empty');
  if (key === 'authMethod') return t('admin.authMethod.internal');
  return typeof initial === 'string' ? (languages[initial] ?? initial) : undefined;
}

export interface SettingNotesProps {
  setting: AdminSetting;
  state: SettingState;
  /** A secret that has a value. It can be removed. */
  isSet?: boolean;
  /** The field shows why the value was refused. */
  atField?: boolean;
}

/** Below a setting: whether it is saved or why not, its default, or that the settings file locks it. */
export function SettingNotes({ setting, state, isSet = false, atField = false }: SettingNotesProps) {
  const { t } = useTranslation();
  const initial = useDefaultText(setting);
  const { busy, saved, failure } = state;
  const differs = JSON.stringify(setting.value ?? '') !== JSON.stringify(setting.default ?? '');
  return (
    <div className={styles.notes}>
      {setting.locked ? (
        <Chip icon={<ReadonlyIcon />}>{t('admin.settings.locked')}</Chip>
      ) : (
        <>
          {initial !== undefined && differs && <span>{t('admin.settings.default', { value: initial })}</span>}
          {(differs || isSet) && !state.dirty && (
            <button
              ref={keepsFocus}
              type="button"
              className={styles.reset}
              onClick={() => !busy && void state.reset()}
            >
              {t('admin.settings.reset')}
            </button>
          )}
        </>
      )}
      <Outcome done={saved && !busy && t('admin.settings.saved')} failure={!atField && failure} />
    </div>
  );
}

/** Says that something has succeeded (`done`), or why not. */
export function Outcome({ done, failure }: { done: ReactNode; failure: ReactNode }) {
  return (
    <>
      <span role="status" className={styles.saved}>
        {done && <SuccessIcon />}
        {done}
      </span>
      <span role="alert" className={styles.failure}>
        {failure && <ErrorIcon />}
        {failure}
      </span>
    </>
  );
}

/** Save and Cancel, while there is an unsaved change. */
export function SettingButtons({ state }: { state: SettingState }) {
  const { t } = useTranslation();
  if (!state.dirty) return null;
  return (
    <div className={styles.buttons}>
      <Button kind="primary" small type="submit" busy={state.busy}>
        {t('admin.settings.save')}
      </Button>
      <Button small onClick={state.discard}>
        {t('action.cancel')}
      </Button>
    </div>
  );
}
