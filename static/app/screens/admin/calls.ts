/** Calls as a server administrator, and the answers that the screens of the administration share. */
import {
  keepPreviousData,
  type QueryClient,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import type {
  AdminGroupsAnswer,
  AdminLogAnswer,
  AdminNumbersAnswer,
  AdminPadsAnswer,
  AdminSettingsAnswer,
  AdminUsersAnswer,
  CheckupAnswer,
  CheckupCookieAnswer,
  TestMailAnswer,
} from '../../../../api/admin/schema';
import type { Account, KeyAnswer, SuccessAnswer } from '../../../../api/answers';
import type { AdminLoginAnswer } from '../../../../api/auth/schema';
import type { SettingSavedAnswer } from '../../../../api/configuration/schema';
import type { StatisticsAnswer } from '../../../../api/stats/schema';
import type {
  ProfileChange,
  RegisterAnswer,
  Registration,
  RemovalAnswer,
  UserAnswer,
} from '../../../../api/user/schema';
import type { Check } from '../../../../model/checkup/findings';
import {
  acceptAdminSession,
  endAdminSession,
  forgetAdminSession,
  readAdminSession,
  startAdminSession,
} from '../../data/adminSession';
import { type CallOptions, call, isError, joinPath } from '../../data/client';
import { keys } from '../../data/keys';
import { completeChecks } from './checkup/browserChecks';

const everything = ['admin'] as const;
const settingsKey = [...everything, 'settings'] as const;

/**
 * A call with the administrator's token.
 * @throws ApiError. If the server refuses the token, the session ends and the screen asks to sign in again.
 */
async function adminCall<Answer extends object>(path: string, options: CallOptions = {}): Promise<Answer> {
  const { token } = readAdminSession();
  try {
    const answer = await call<Answer>(path, { ...options, token });
    acceptAdminSession();
    return answer;
  } catch (error) {
    const refused = isError(
      error,
      'BACKEND.ERROR.AUTHENTICATION.ADMIN',
      'BACKEND.ERROR.AUTHENTICATION.NOT_AUTH',
      'BACKEND.ERROR.AUTHENTICATION.MUST_BE',
    );
    if (refused && token !== null && token === readAdminSession().token) {
      error.sessionEnded = true;
      endAdminSession();
    }
    throw error;
  }
}

/* Session */

async function start(client: QueryClient, { token }: AdminLoginAnswer): Promise<void> {
  startAdminSession(token);
  await client.invalidateQueries({ queryKey: everything });
}

/** Signs in with the name and the password of an account of Etherpad. */
export function useAdminSignIn() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (credentials: { login: string; password: string }) =>
      start(
        client,
        await call<AdminLoginAnswer>('auth/admin/login', { method: 'POST', body: credentials, token: null }),
      ),
  });
}

/** Signs in as the administrator who is signed in at Etherpad in this browser. */
export function useHostSignIn() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async () =>
      start(
        client,
        await call<AdminLoginAnswer>('auth/admin/login/host', { method: 'POST', body: {}, token: null }),
      ),
  });
}

/** Signs out. The page does not wait for the server. */
export function useAdminSignOut() {
  const client = useQueryClient();
  return async (): Promise<void> => {
    const { token } = readAdminSession();
    if (token !== null) {
      await call('auth/admin/logout', { method: 'POST', token, timeout: 5_000 }).catch(() => undefined);
    }
    forgetAdminSession();
    client.removeQueries({ queryKey: everything });
  };
}

/* Settings */

export function useAdminSettings() {
  return useQuery({
    queryKey: settingsKey,
    queryFn: ({ signal }) => adminCall<AdminSettingsAnswer>('admin/settings', { signal }),
  });
}

/** Stores a setting; without a value, restores its default. The whole page uses the new value at once. */
export function useSaveSetting(key: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (value: unknown) => {
      const path = `configuration/${joinPath(key)}`;
      if (value === undefined) await adminCall<KeyAnswer>(path, { method: 'DELETE' });
      else await adminCall<SettingSavedAnswer>(path, { method: 'PUT', body: { value } });
      await Promise.all([
        client.invalidateQueries({ queryKey: settingsKey }),
        client.invalidateQueries({ queryKey: keys.configuration }),
      ]);
    },
  });
}

/** Sends a test mail with the stored settings. The mail server has more time than other calls. */
export function useTestMail() {
  return useMutation({
    mutationFn: (body: { to: string; lang: string }) =>
      adminCall<TestMailAnswer>('admin/testMail', { method: 'POST', body, timeout: 45_000 }),
  });
}

/** Tries settings of a sign-in service without storing them. */
export function useTestSetting(key: string) {
  return useMutation({
    mutationFn: (value: object) =>
      adminCall<SuccessAnswer>('admin/testSetting', { method: 'POST', body: { key, value } }),
  });
}

/* Checkup */

/** All checks of the server and of this browser, the worst first. They run each time the screen is opened. */
export function useCheckup() {
  return useQuery({
    queryKey: [...everything, 'checkup'],
    staleTime: 0,
    refetchOnWindowFocus: false,
    queryFn: async ({ signal }): Promise<{ checks: Check[]; time: number }> => {
      const answer = await adminCall<CheckupAnswer>('admin/checkup', { signal, timeout: 45_000 });
      const receives = async (): Promise<boolean> => {
        const query = searchOf({ value: answer.cookie });
        return (await adminCall<CheckupCookieAnswer>(`admin/checkup/cookie?${query}`, { signal })).received;
      };
      return { checks: await completeChecks(answer, receives), time: answer.time };
    },
  });
}

/* Lists */

/** The parameters of a call; `undefined` ones are left out. */
export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

function searchOf(query: Query): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value));
  return search.toString();
}

function useList<Answer extends object>(what: 'users' | 'groups' | 'pads' | 'log', query: Query) {
  return useQuery({
    queryKey: [...everything, what, query],
    queryFn: ({ signal }) => adminCall<Answer>(`admin/${what}?${searchOf(query)}`, { signal }),
    // The rows of the last search stay until the next answer arrives.
    placeholderData: keepPreviousData,
  });
}

/** A page of accounts. */
export const useAdminUsers = (query: Query) => useList<AdminUsersAnswer>('users', query);
/** A page of folders. */
export const useAdminGroups = (query: Query) => useList<AdminGroupsAnswer>('groups', query);
/** A page of pads. */
export const useAdminPads = (query: Query) => useList<AdminPadsAnswer>('pads', query);

/** A page of the administration log. */
export const useAdminLog = (query: Query) => useList<AdminLogAnswer>('log', query);

export interface Numbers {
  users: number;
  active: number;
  groups: number;
  pads: number;
}

/** How many accounts, folders and pads there are. */
export function useNumbers() {
  return useQuery({
    queryKey: [...everything, 'numbers'],
    queryFn: async ({ signal }): Promise<Numbers> => {
      const [all, active] = await Promise.all([
        adminCall<StatisticsAnswer>('stats/stats.json', { signal }),
        adminCall<AdminUsersAnswer>('admin/users?active=true&limit=1', { signal }),
      ]);
      return { users: all.users, active: active.count, groups: all.groups, pads: all.pad };
    },
  });
}

/** The numbers of each day. */
export function useDailyNumbers() {
  return useQuery({
    queryKey: [...everything, 'days'],
    queryFn: ({ signal }) => adminCall<AdminNumbersAnswer>('admin/numbers', { signal }),
  });
}

/** How many accounts, folders and pads there are, of the server's own counts. */
export function useStatistics() {
  return useQuery({
    queryKey: [...everything, 'statistics'],
    queryFn: ({ signal }) => adminCall<StatisticsAnswer>('stats/stats.json', { signal }),
  });
}

/* Accounts */

/** An account, by login, address or id. */
export function useAccount(login: string) {
  return useQuery({
    queryKey: [...everything, 'account', login],
    queryFn: async ({ signal }) => (await adminCall<UserAnswer>(`user/${joinPath(login)}`, { signal })).value,
  });
}

/** Reads all lists and accounts again. */
function refresh(client: QueryClient): Promise<void> {
  return client.invalidateQueries({
    predicate: ({ queryKey: [area, part] }) => area === 'admin' && part !== 'settings',
  });
}

type SavedAccount = { login?: undefined; body: Registration } | { login: string; body: ProfileChange };

/** Creates an account (`login` `undefined`) or changes the fields that are sent. */
export function useSaveAccount() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ login, body }: SavedAccount): Promise<Account> => {
      const { value } =
        login === undefined
          ? await adminCall<RegisterAnswer>('user', { method: 'POST', body })
          : await adminCall<RegisterAnswer>(`user/${joinPath(login)}`, { method: 'PUT', body });
      await refresh(client);
      return value;
    },
  });
}

/** Ends all sessions of an account. */
export function useEndSessions() {
  return useMutation({
    mutationFn: (login: string) =>
      adminCall<KeyAnswer>(`user/${joinPath(login)}/sessions`, { method: 'DELETE' }),
  });
}

/** What would be removed with an account. */
export function useRemovalPreview(login: string) {
  return useQuery({
    queryKey: [...everything, 'removal', login],
    queryFn: async () => {
      const path = `user/${joinPath(login)}?preview=true`;
      return (await adminCall<RemovalAnswer>(path, { method: 'DELETE', body: {} })).removed;
    },
    // Always as it is now: the question is asked once.
    gcTime: 0,
    staleTime: 0,
  });
}

/** Removes an account, and the folders that nobody else administers. */
export function useRemoveAccount() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (login: string) => {
      const path = `user/${joinPath(login)}`;
      await adminCall<RemovalAnswer>(path, { method: 'DELETE', body: {}, timeout: 120_000 });
      await refresh(client);
    },
  });
}
