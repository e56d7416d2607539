import { useEffect, useState } from 'react';
import type { AdminSetting } from '../../../../../api/admin/schema';
import type { ReadSetting } from '../../../../../model/settings/configuration';
import { useSaveSetting } from '../../../data/administration';
import { isError } from '../../../data/client';
import { useLatest } from '../../../lib/useLatest';
import { guardLeaving } from '../../../navigation/location';
import { useErrorText } from '../../../texts/errorText';
import { useTranslation } from '../../../texts/i18n';
import { useReasonText } from './reasonText';
import { useUnsaved } from './unsaved';

export interface SettingState {
  /** The typed value, or else the stored one. */
  value: unknown;
  /** Whether there is an unsaved change. */
  dirty: boolean;
  busy: boolean;
  /** Saved, and not changed since. */
  saved: boolean;
  /** Why the server refused the last value; `null` if it did not. */
  failure: string | null;
  change: (value: unknown) => void;
  /** Drops the typed value and its error. */
  discard: () => void;
  /**
   * Saves a value that is chosen with one press. If it is refused, the stored one is shown again, with the error. Does
   * nothing while another is saved: a control that is disabled meanwhile would lose the focus.
   */
  set: (value: unknown) => Promise<void>;
  /** Saves what was typed, or `value`. Resolves to the error if that fails. */
  save: (value?: unknown) => Promise<unknown>;
  reset: () => Promise<unknown>;
}

interface Draft {
  value: unknown;
  /** The stored value when this was begun; missing if that is not known. */
  was?: ReadSetting | undefined;
  /** The person was told that somebody else has changed the setting. If they save again, that is replaced. */
  replaces?: boolean;
}

const changedKey = 'BACKEND.ERROR.CONFIGURATION.CHANGED';

/** A sentence that says why a value was refused. `typed`: the field still shows it. */
function useReason({ key, kind, schema }: AdminSetting, typed: boolean): (error: unknown) => string {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const reasonText = useReasonText();
  return (error) => {
    if (isError(error) && error.reason !== undefined)
      return `${errorText(error)} (${reasonText(error.reason)})`;
    if (!isError(error, 'BACKEND.ERROR.TYPE.PARAM_INVALID', 'BACKEND.ERROR.TYPE.SMTP_CONFIG')) {
      return errorText(error, {
        'BACKEND.ERROR.TYPE.PASSWORD_SIZE': t('admin.settings.refused.passwordSize'),
        ...(typed && { [changedKey]: t('admin.settings.changed') }),
      });
    }
    if (key === 'templatesFolder') return t('access.folder.missing.title');
    switch (kind) {
      case 'integer':
        return t('admin.settings.refused.number', {
          least: Number(schema.minimum),
          most: Number(schema.maximum),
        });
      case 'address':
        return t('admin.settings.refused.address');
      case 'email':
        return t('BACKEND.ERROR.TYPE.MAIL');
      case 'name':
        return t('admin.settings.refused.empty');
      default:
        return errorText(error);
    }
  };
}

const isSame = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one ?? '') === JSON.stringify(other ?? '');

/** The typed value of one setting, and the result of saving it. Each setting is saved by itself. */
export function useSetting(setting: AdminSetting): SettingState {
  const { mutateAsync, isPending } = useSaveSetting(setting.key);
  const [draft, setDraft] = useState<Draft | null>(null);
  const [saved, setSaved] = useState(false);
  const [failure, setFailure] = useState<unknown>();
  const stored = { value: setting.value };
  const { value, was } = draft ?? { value: setting.value, was: stored };
  const latest = useLatest(value);
  const dirty = !isSame(value, setting.value);
  const reasonOf = useReason(setting, draft !== null);

  useEffect(() => (dirty && !isPending ? guardLeaving(() => true) : undefined), [dirty, isPending]);

  /** `typed`: what the field shows. Something else may be typed until the server has answered. */
  const send = async (sent: unknown, typed: unknown): Promise<unknown> => {
    setFailure(undefined);
    setSaved(false);
    try {
      const answer = await mutateAsync({ value: sent, was: draft?.replaces ? stored : was });
      if (isSame(latest.current, typed)) {
        setDraft(null);
        setSaved(true);
      } else setDraft({ value: latest.current, was: answer });
      return undefined;
    } catch (error) {
      setFailure(error);
      if (draft !== null && isError(error, changedKey)) setDraft({ value: latest.current, replaces: true });
      return error;
    }
  };

  // An empty number field has no value, so the default applies.
  const save: SettingState['save'] = (now = value) =>
    send(now === '' && setting.kind === 'integer' ? undefined : (now ?? ''), now);
  useUnsaved(setting.key, dirty ? save : undefined);

  const change: SettingState['change'] = (next) => {
    setDraft({ ...draft, value: next, was });
    setSaved(false);
    setFailure(undefined);
  };

  return {
    value,
    dirty,
    busy: isPending,
    saved,
    failure: failure === undefined ? null : reasonOf(failure),
    change,
    discard: () => {
      setDraft(null);
      setFailure(undefined);
    },
    set: async (next) => {
      if (isPending) return;
      change(next);
      if ((await save(next)) !== undefined) setDraft(null);
    },
    save,
    reset: () => send(undefined, value),
  };
}
