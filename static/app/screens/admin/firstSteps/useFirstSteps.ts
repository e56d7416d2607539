import type { AdminSetting, AdminSettingsAnswer } from '../../../../../api/admin/schema';
import { type FirstStep, firstSteps } from '../../../../../model/settings/firstSteps';
import { useAdminSettings, useSaveSetting, useStatistics } from '../../../data/administration';

export type StepState = 'open' | 'done' | 'leftOut';

export interface FirstSteps {
  settings: AdminSettingsAnswer;
  states: Readonly<Record<FirstStep, StepState>>;
  /** Whether the administrator was never here: no step was closed, and hardly anybody uses the server. */
  isNew: boolean;
  /** The number of accounts. */
  accounts: number;
  /** Marks the step as finished or skipped. Rejects if that cannot be stored. */
  close: (step: FirstStep) => Promise<unknown>;
}

/** Most accounts and folders of a server that somebody has just begun to try. */
const newServer = { accounts: 3, folders: 3 };

/** The setting of this key. */
export function settingOf({ settings }: AdminSettingsAnswer, key: string): AdminSetting | undefined {
  return settings.find((setting) => setting.key === key);
}

/** Whether the settings show that a step is done. Open registration may be just the default, so it does not count. */
function isDone(step: FirstStep, answer: AdminSettingsAnswer, folders: number): boolean {
  const isSet = (key: string): boolean => Boolean(settingOf(answer, key)?.value);
  switch (step) {
    case 'address':
      return isSet('rootUrl');
    case 'mail':
      return isSet('SMTPHost') && isSet('SMTPEmailFrom');
    case 'accounts':
      return !isSet('openRegistration') || settingOf(answer, 'authMethod')?.value !== 'internal';
    case 'folder':
      return folders > 0;
  }
}

function stateOf(
  step: FirstStep,
  isClosed: boolean,
  answer: AdminSettingsAnswer,
  folders: number,
): StepState {
  if (isDone(step, answer, folders)) return 'done';
  if (!isClosed) return 'open';
  return step === 'accounts' ? 'done' : 'leftOut';
}

/** Which steps of this server are done; `undefined` while they are being loaded. */
export function useFirstSteps(): FirstSteps | undefined {
  const { data: settings } = useAdminSettings();
  const { data: numbers } = useStatistics();
  const { mutateAsync } = useSaveSetting('firstSteps');
  if (settings === undefined || numbers === undefined) return undefined;
  const stored = settingOf(settings, 'firstSteps')?.value;
  const closed: readonly unknown[] = Array.isArray(stored) ? stored : [];
  const states = Object.fromEntries(
    firstSteps.map((step) => [step, stateOf(step, closed.includes(step), settings, numbers.groups)]),
  ) as Record<FirstStep, StepState>;
  return {
    settings,
    states,
    isNew: closed.length === 0 && numbers.users <= newServer.accounts && numbers.groups <= newServer.folders,
    accounts: numbers.users,
    close: async (step) =>
      closed.includes(step) ? undefined : mutateAsync({ value: [...closed, step], was: { value: stored } }),
  };
}
