/** Calls as a server administrator, and the answers that the screens of the administration share. */
import {
  keepPreviousData,
  type QueryClient,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import type { AccessAnswer } from '../../../api/access/schema';
import type { TestableSetting } from '../../../api/admin/schema';
import type { Account } from '../../../api/answers';
import type { AdminLoginAnswer } from '../../../api/auth/schema';
import type { AnswerOf, InputOf } from '../../../api/calls';
import type { SentGroupRule, SyncState } from '../../../api/rules/schema';
import type { ApiToken, TokenFields } from '../../../api/token/schema';
import type { ProfileChange, Registration } from '../../../api/user/schema';
import type { Check } from '../../../model/checkup/findings';
import {
  acceptAdminSession,
  endAdminSession,
  forgetAdminSession,
  readAdminSession,
  startAdminSession,
} from './adminSession';
import { type CallName, type CallOptions, call, isError, mailTimeout, type Query } from './client';
import type { ExportCaller } from './exports';
import { keys } from './keys';

const everything = ['admin'] as const;
const settingsKey = [...everything, 'settings'] as const;

/**
 * A call with the administrator's token.
 * @throws ApiError. If the server refuses the token, the session ends and the screen asks to sign in again.
 */
async function adminCall<Name extends CallName>(
  name: Name,
  given: InputOf<Name> & CallOptions,
): Promise<AnswerOf<Name>> {
  const { token } = readAdminSession();
  try {
    const answer = await call(name, { ...given, token });
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

/** For exports of the data of a person. */
export const asAdministrator: ExportCaller = {
  kind: 'administrator',
  call: adminCall,
  token: () => readAdminSession().token,
};

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
      start(client, await call('POST /auth/admin/login', { body: credentials, token: null })),
  });
}

/** Signs in as the administrator who is signed in at Etherpad in this browser. */
export function useHostSignIn() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async () =>
      start(client, await call('POST /auth/admin/login/host', { body: {}, token: null })),
  });
}

/** Signs out. The page does not wait for the server. */
export function useAdminSignOut() {
  const client = useQueryClient();
  return async (): Promise<void> => {
    const { token } = readAdminSession();
    if (token !== null) {
      await call('POST /auth/admin/logout', { token, timeout: 5_000 }).catch(() => undefined);
    }
    forgetAdminSession();
    client.removeQueries({ queryKey: everything });
  };
}

/* Settings */

export function useAdminSettings() {
  return useQuery({
    queryKey: settingsKey,
    queryFn: ({ signal }) => adminCall('GET /admin/settings', { signal }),
  });
}

interface SavedSetting {
  /** Without it, the default is restored. */
  value?: unknown;
  /** The setting as it was shown. If others have changed it since, the server refuses. */
  was?: { value?: unknown };
}

/** Stores a setting, and returns it. The whole page uses the new value at once. */
export function useSaveSetting(key: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ value, was }: SavedSetting): Promise<SavedSetting['was']> => {
      const params = { key };
      let stored: SavedSetting['was'];
      if (value === undefined) await adminCall('DELETE /configuration/{key}', { params });
      else {
        const answer = await adminCall('PUT /configuration/{key}', { params, body: { value, was } });
        stored = { value: answer.value };
      }
      await Promise.all([
        client.invalidateQueries({ queryKey: settingsKey }),
        client.invalidateQueries({ queryKey: keys.configuration }),
      ]);
      return stored;
    },
    // Others may have changed it.
    onError: () => void client.invalidateQueries({ queryKey: settingsKey }),
  });
}

/** Sends a test mail with the stored settings. The mail server has more time than other calls. */
export function useTestMail() {
  return useMutation({
    mutationFn: (body: { to: string; lang: string }) =>
      adminCall('POST /admin/testMail', { body, timeout: mailTimeout }),
  });
}

/** Tries settings of a sign-in service without storing them. */
export function useTestSetting(key: TestableSetting) {
  return useMutation({
    mutationFn: (value: Record<string, unknown>) =>
      adminCall('POST /admin/testSetting', { body: { key, value } }),
  });
}

export function useTrySignIn() {
  return useMutation({
    mutationFn: (provider: string) => adminCall('POST /admin/trySignIn/{provider}', { params: { provider } }),
  });
}

/* Checkup */

const checkupKey = [...everything, 'checkup'] as const;

/**
 * All checks, which run each time the screen is opened. `complete`: adds those of this browser, with a call that says
 * whether the server receives its cookie.
 */
export function useCheckup(
  complete: (answer: AnswerOf<'GET /admin/checkup'>, receives: () => Promise<boolean>) => Promise<Check[]>,
) {
  return useQuery({
    queryKey: checkupKey,
    staleTime: 0,
    refetchOnWindowFocus: false,
    queryFn: async ({ signal }): Promise<{ checks: Check[]; time: number }> => {
      const answer = await adminCall('GET /admin/checkup', { signal, timeout: 45_000 });
      const receives = async (): Promise<boolean> => {
        const query = { value: answer.cookie };
        return (await adminCall('GET /admin/checkup/cookie', { query, signal })).received;
      };
      return { checks: await complete(answer, receives), time: answer.time };
    },
  });
}

/** Begins to build the index again, and runs all checks again. */
export function useRebuildIndex() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => adminCall('POST /admin/index/rebuild', {}),
    onSuccess: () => void client.invalidateQueries({ queryKey: checkupKey }),
  });
}

const jobsKey = [...everything, 'jobs'] as const;
/** Milliseconds until the jobs are read again, while there are any. */
const jobsEvery = 5_000;

/** Work in the background that has not ended. */
export function useJobs() {
  return useQuery({
    queryKey: jobsKey,
    staleTime: 0,
    queryFn: ({ signal }) => adminCall('GET /admin/jobs', { signal }),
    refetchInterval: ({ state }) => (state.error === null && state.data?.count ? jobsEvery : false),
  });
}

/** Runs a job now. Answers with the job as it is then; `null` if it has ended. */
export function useRunJob() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (id: string) => (await adminCall('POST /admin/jobs/{id}/run', { params: { id } })).job,
    // A job that has ended meanwhile leaves the list too.
    onSettled: () => client.invalidateQueries({ queryKey: jobsKey }),
  });
}

export function useCancelJob() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => adminCall('DELETE /admin/jobs/{id}', { params: { id } }),
    onSettled: () => client.invalidateQueries({ queryKey: jobsKey }),
  });
}

/* Lists */

/** A page of a list. The rows of the last search stay until the next answer arrives. */
function useList<Answer>(what: string, query: Query, read: (signal: AbortSignal) => Promise<Answer>) {
  return useQuery({
    queryKey: [...everything, what, query],
    queryFn: ({ signal }) => read(signal),
    placeholderData: keepPreviousData,
  });
}

export const useAdminUsers = (query: Query) =>
  useList('users', query, (signal) => adminCall('GET /admin/users', { query, signal }));

export const useAdminGroups = (query: Query) =>
  useList('groups', query, (signal) => adminCall('GET /admin/groups', { query, signal }));

export const useAdminPads = (query: Query) =>
  useList('pads', query, (signal) => adminCall('GET /admin/pads', { query, signal }));

export const useAdminLog = (query: Query) =>
  useList('log', query, (signal) => adminCall('GET /admin/log', { query, signal }));

const tokensList = 'tokens';

export const useAdminTokens = (query: Query) =>
  useList(tokensList, query, (signal) => adminCall('GET /admin/tokens', { query, signal }));

/** Makes an API token of the server administrator. Returns its text, which cannot be read again. */
export function useMakeAdminToken() {
  const client = useQueryClient();
  return useMutation({
    // Not kept beyond the dialog that shows it.
    gcTime: 0,
    mutationFn: async (body: TokenFields) => (await adminCall('POST /admin/tokens', { body })).token,
    onSettled: () => client.invalidateQueries({ queryKey: [...everything, tokensList] }),
  });
}

/** Ends an API token of anyone. */
export function useEndAnyToken() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ _id: id }: Pick<ApiToken, '_id'>): Promise<void> => {
      try {
        await adminCall('DELETE /admin/tokens/{id}', { params: { id } });
      } catch (error) {
        // It has ended in the meantime.
        if (!isError(error, 'BACKEND.ERROR.CONFIGURATION.KEY_NOT_FOUND')) throw error;
      }
    },
    onSettled: () => client.invalidateQueries({ queryKey: [...everything, tokensList] }),
  });
}

const rulesKey = [...everything, 'rules'] as const;

/** The rules for groups of a directory. */
export function useGroupRules() {
  return useQuery({
    queryKey: rulesKey,
    queryFn: ({ signal }) => adminCall('GET /admin/group-rules', { signal }),
  });
}

/** Who would get and lose which role by these rules. The server reads what it knows about everyone. */
export function usePreviewRules() {
  return useMutation({
    mutationFn: (rules: readonly SentGroupRule[]) =>
      adminCall('POST /admin/group-rules/preview', { body: { rules: [...rules] }, timeout: 120_000 }),
  });
}

export function useSaveRules() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ rules, version }: { rules: readonly SentGroupRule[]; version: number }) =>
      adminCall('PUT /admin/group-rules', { body: { rules: [...rules], version } }),
    onSettled: () => client.invalidateQueries({ queryKey: rulesKey }),
  });
}

const syncKey = [...everything, 'directorySync'] as const;
/** Milliseconds until a run is looked at again. */
const syncEvery = 2_000;

/** The last run over everyone in the LDAP directory. */
export function useDirectorySync() {
  return useQuery({
    queryKey: syncKey,
    staleTime: 0,
    queryFn: async ({ signal, client }) => {
      const before = client.getQueryData<SyncState>(syncKey);
      const state = await adminCall('GET /admin/directory/sync', { signal });
      // Rules show how many people have their roles.
      if (before && before.last?.ended !== state.last?.ended)
        void client.invalidateQueries({ queryKey: rulesKey });
      return state;
    },
    refetchInterval: ({ state }) => (state.error === null && state.data?.running ? syncEvery : false),
  });
}

/** Begins a run; with the id of a preview, one that may take all that it shows. */
export function useRunDirectorySync() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (confirm?: string) =>
      adminCall('POST /admin/directory/sync', { body: confirm === undefined ? {} : { confirm } }),
    onSettled: () => client.invalidateQueries({ queryKey: syncKey }),
  });
}

/** What a run would do now. The server reads the whole directory. */
export function usePreviewDirectorySync() {
  return useMutation({
    mutationFn: async () =>
      (await adminCall('POST /admin/directory/sync', { body: { preview: true }, timeout: 120_000 })).preview,
  });
}

const locksKey = [...everything, 'locks'] as const;

/** Who is locked out now because a limit was reached. */
export function useLocks() {
  return useQuery({
    queryKey: locksKey,
    staleTime: 0,
    queryFn: ({ signal }) => adminCall('GET /admin/locks', { signal }),
  });
}

export function useLiftLimit() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => adminCall('DELETE /admin/locks/{id}', { params: { id } }),
    // A limit that has ended meanwhile leaves the list too.
    onSettled: () => client.invalidateQueries({ queryKey: locksKey }),
  });
}

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
        adminCall('GET /stats/stats.json', { signal }),
        adminCall('GET /admin/users', { query: { active: true, limit: 1 }, signal }),
      ]);
      return { users: all.users, active: active.count, groups: all.groups, pads: all.pad };
    },
  });
}

/** The numbers of each day. */
export function useDailyNumbers() {
  return useQuery({
    queryKey: [...everything, 'days'],
    queryFn: ({ signal }) => adminCall('GET /admin/numbers', { signal }),
  });
}

/** How many accounts, folders and pads there are, of the server's own counts. */
export function useStatistics() {
  return useQuery({
    queryKey: [...everything, 'statistics'],
    queryFn: ({ signal }) => adminCall('GET /stats/stats.json', { signal }),
  });
}

/* Accounts */

/** An account, by login, address or id. */
export function useAccount(login: string) {
  return useQuery({
    queryKey: [...everything, 'account', login],
    queryFn: async ({ signal }) =>
      (await adminCall('GET /user/{login}', { params: { login }, signal })).value,
  });
}

/** Who can open a folder, or a pad. */
export function useAdminAccess(what: 'group' | 'pad', id: string) {
  return useQuery({
    queryKey: [...everything, 'access', what, id],
    queryFn: ({ signal }): Promise<AccessAnswer> =>
      adminCall(`GET /${what}/{id}/access`, { params: { id }, signal }),
  });
}

/** What an account can open. */
export function useAccountAccess(login: string) {
  return useQuery({
    queryKey: [...everything, 'account', login, 'access'],
    queryFn: ({ signal }) => adminCall('GET /admin/users/{login}/access', { params: { login }, signal }),
  });
}

/** Makes `to` a manager of the folders that only this account manages. */
export function useHandOverAll() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ login, to }: { login: string; to: string }) => {
      await adminCall('POST /admin/users/{login}/handover', { params: { login }, body: { to } });
      await refresh(client);
    },
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
          ? await adminCall('POST /user', { body, timeout: mailTimeout })
          : await adminCall('PUT /user/{login}', { params: { login }, body });
      await refresh(client);
      return value;
    },
  });
}

/** Ends all sessions of an account. */
export function useEndSessions() {
  return useMutation({
    mutationFn: (login: string) => adminCall('DELETE /user/{login}/sessions', { params: { login } }),
  });
}

export function useResetFactors() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (login: string): Promise<void> => {
      await adminCall('DELETE /admin/users/{login}/factors', { params: { login } });
      await refresh(client);
    },
  });
}

/** What would be removed with an account. */
export function useRemovalPreview(login: string) {
  return useQuery({
    queryKey: [...everything, 'removal', login],
    queryFn: async () => {
      const input = { params: { login }, query: { preview: true }, body: {} };
      return (await adminCall('DELETE /user/{login}', input)).removed;
    },
    // Always as it is now: the question is asked once.
    gcTime: 0,
    staleTime: 0,
  });
}

/** Removes an account. The folders that nobody else manages go to the account `to`; without it, they are removed. */
export function useRemoveAccount() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ login, to }: { login: string; to?: string | undefined }) => {
      const body = to === undefined ? {} : { folders: { to } };
      await adminCall('DELETE /user/{login}', { params: { login }, body, timeout: 120_000 });
      await refresh(client);
    },
  });
}
