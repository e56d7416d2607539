/** Calls as a server administrator, and the answers that the screens of the administration share. */
import {
  keepPreviousData,
  type QueryClient,
  type UseQueryOptions,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import type { TestableSetting } from '../../../api/admin/schema';
import type { Account } from '../../../api/answers';
import type { AdminLoginAnswer } from '../../../api/auth/schema';
import type { AnswerOf, InputOf } from '../../../api/calls';
import type { SentGroupRule, SyncState } from '../../../api/rules/schema';
import type { ApiToken, TokenFields } from '../../../api/token/schema';
import type { ProfileChange, Registration } from '../../../api/user/schema';
import type { Check } from '../../../model/checkup/findings';
import { cutText } from '../../../model/cutText';
import { limits } from '../../../model/limits';
import type { ReadSetting } from '../../../model/settings/configuration';
import {
  acceptAdminSession,
  endAdminSession,
  forgetAdminSession,
  readAdminSession,
  startAdminSession,
} from './adminSession';
import { ApiError, type CallName, type CallOptions, call, isError, mailTimeout, type Query } from './client';
import type { ExportCaller } from './exports';
import { keys } from './keys';
import { unlessEnded, useCall } from './useCall';

const everything = ['admin'] as const;
/** The key of all answers of a call. */
const answersOf = (name: CallName) => [...everything, name] as const;
const settingsKey = answersOf('GET /admin/settings');

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

/** What a call reads with the administrator's token. */
function useRead<Name extends CallName>(
  name: Name,
  input: InputOf<Name> & CallOptions,
  options: Pick<UseQueryOptions<AnswerOf<Name>>, 'staleTime' | 'placeholderData' | 'refetchInterval'> = {},
) {
  return useQuery({
    queryKey: [...answersOf(name), input],
    queryFn: ({ signal }) => adminCall(name, { ...input, signal }),
    ...options,
  });
}

/* Session */

async function start(client: QueryClient, { token }: AdminLoginAnswer): Promise<void> {
  startAdminSession(token);
  await client.invalidateQueries({ queryKey: everything });
}

/** Signs in with the name and the password of an account of Etherpad. */
export function useAdminSignIn() {
  const client = useQueryClient();
  return useCall(async (body: { login: string; password: string }) =>
    start(client, await call('POST /auth/admin/login', { body, token: null })),
  );
}

/** Signs in as the administrator who is signed in at Etherpad in this browser. */
export function useHostSignIn() {
  const client = useQueryClient();
  return useCall(async () =>
    start(client, await call('POST /auth/admin/login/host', { body: {}, token: null })),
  );
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

export const useAdminSettings = () => useRead('GET /admin/settings', {});

interface SavedSetting {
  /** Without it, the default is restored. */
  value?: unknown;
  /** The setting as it was shown. If others have changed it since, the server refuses. */
  was?: ReadSetting | undefined;
}

/** Stores a setting, and returns it. The whole page uses the new value at once. */
export const useSaveSetting = (key: string) =>
  useCall(
    async ({ value, was }: SavedSetting): Promise<ReadSetting | undefined> => {
      const params = { key };
      if (value === undefined) {
        await adminCall('DELETE /configuration/{key}', { params, body: { was } });
        return undefined;
      }
      const stored = await adminCall('PUT /configuration/{key}', { params, body: { value, was } });
      return { value: stored.value };
    },
    settingsKey,
    keys.configuration,
  );

/** Sends a test mail with the stored settings. The mail server has more time than other calls. */
export const useTestMail = () =>
  useCall((body: { to: string; lang: string }) =>
    adminCall('POST /admin/testMail', { body, timeout: mailTimeout }),
  );

/** Tries settings of a sign-in service without storing them. */
export const useTestSetting = (key: TestableSetting) =>
  useCall((value: Record<string, unknown>) => adminCall('POST /admin/testSetting', { body: { key, value } }));

export const useTrySignIn = () =>
  useCall((provider: string) => adminCall('POST /admin/trySignIn/{provider}', { params: { provider } }));

/* Checkup */

const checkupKey = answersOf('GET /admin/checkup');

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

const jobsKey = answersOf('GET /admin/jobs');
/** Milliseconds until what ends by itself is read again. */
const endingEvery = 5_000;

/** For lists of what ends by itself. */
const whileThereAreAny = {
  staleTime: 0,
  refetchInterval: ({ state }: { state: { error: unknown; data: { count: number } | undefined } }) =>
    state.error === null && state.data?.count ? endingEvery : (false as const),
};

/** Work in the background that has not ended. */
export const useJobs = () => useRead('GET /admin/jobs', {}, whileThereAreAny);

/** Runs a job now. Answers with the job as it is then; `null` if it has ended. */
export const useRunJob = () =>
  useCall(
    async (id: string) => (await adminCall('POST /admin/jobs/{id}/run', { params: { id } })).job,
    jobsKey,
  );

export const useCancelJob = () =>
  useCall((id: string) => adminCall('DELETE /admin/jobs/{id}', { params: { id } }), jobsKey);

/* Lists. The rows of the last search stay until the next answer arrives. */

const ofList = { placeholderData: keepPreviousData };

/** Someone may paste a longer text into the search than the server accepts. */
const searched = ({ text, ...query }: Query) => ({
  query: { ...query, text: typeof text === 'string' ? cutText(text, limits.email) : undefined },
});

export const useAdminUsers = (query: Query) => useRead('GET /admin/users', searched(query), ofList);
export const useAdminGroups = (query: Query) => useRead('GET /admin/groups', searched(query), ofList);
export const useAdminPads = (query: Query) => useRead('GET /admin/pads', searched(query), ofList);
export const useAdminLog = (query: Query) => useRead('GET /admin/log', { query }, ofList);
export const useAdminTokens = (query: Query) => useRead('GET /admin/tokens', { query }, ofList);

const tokensKey = answersOf('GET /admin/tokens');

/** Makes an API token of the server administrator. Returns its text, which cannot be read again. */
export const useMakeAdminToken = () =>
  useCall(async (body: TokenFields) => (await adminCall('POST /admin/tokens', { body })).token, tokensKey);

/** Ends an API token of anyone. */
export const useEndAnyToken = () =>
  useCall(async ({ _id: id }: Pick<ApiToken, '_id'>): Promise<void> => {
    await adminCall('DELETE /admin/tokens/{id}', { params: { id } }).catch(unlessEnded);
  }, tokensKey);

const rulesKey = answersOf('GET /admin/group-rules');

/** The rules for groups of a directory. */
export const useGroupRules = () => useRead('GET /admin/group-rules', {});

/** Who would get and lose which role by these rules. The server reads what it knows about everyone. */
export const usePreviewRules = () =>
  useCall((rules: readonly SentGroupRule[]) =>
    adminCall('POST /admin/group-rules/preview', { body: { rules: [...rules] }, timeout: 120_000 }),
  );

export const useSaveRules = () =>
  useCall(
    ({ rules, version }: { rules: readonly SentGroupRule[]; version: number }) =>
      adminCall('PUT /admin/group-rules', { body: { rules: [...rules], version } }),
    rulesKey,
  );

const syncKey = answersOf('GET /admin/directory/sync');
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
export const useRunDirectorySync = () =>
  useCall(
    (confirm?: string) =>
      adminCall('POST /admin/directory/sync', { body: confirm === undefined ? {} : { confirm } }),
    syncKey,
  );

/** What a run would do now. The server reads the whole directory. */
export const usePreviewDirectorySync = () =>
  useCall(
    async () =>
      (await adminCall('POST /admin/directory/sync', { body: { preview: true }, timeout: 120_000 })).preview,
  );

/** Who is locked out now because a limit was reached. */
export const useLocks = () => useRead('GET /admin/locks', {}, whileThereAreAny);

export const useLiftLimit = () =>
  useCall(
    (id: string) => adminCall('DELETE /admin/locks/{id}', { params: { id } }).catch(unlessEnded),
    answersOf('GET /admin/locks'),
  );

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
export const useDailyNumbers = () => useRead('GET /admin/numbers', {});

/** How many accounts, folders and pads there are, of the server's own counts. */
export const useStatistics = () => useRead('GET /stats/stats.json', {});

/* Accounts */

/** An account, by login, address or id. */
export const useAccount = (login: string) => useRead('GET /user/{login}', { params: { login } });

/** Who can open a folder, or a pad. */
export const useAdminAccess = (what: 'group' | 'pad', id: string) =>
  useRead(`GET /${what}/{id}/access`, { params: { id } });

/** What an account can open. */
export const useAccountAccess = (login: string) =>
  useRead('GET /admin/users/{login}/access', { params: { login } });

/** A change of accounts, after which all lists and accounts are read again, also after an error as in `useCall`. */
function useAccountChange<Input, Answer>(send: (input: Input) => Promise<Answer>) {
  const client = useQueryClient();
  const readAgain = () =>
    client.invalidateQueries({
      queryKey: everything,
      predicate: ({ queryKey: [, name] }) => name !== settingsKey[1],
    });
  return useMutation({ mutationFn: send, onSuccess: readAgain, onError: () => void readAgain() });
}

/** Makes `to` a manager of the folders that only this account manages. Rejects if there are none any more. */
export const useHandOverAll = () =>
  useAccountChange(async ({ login, to }: { login: string; to: string }) => {
    const input = { params: { login }, body: { to } };
    const { groups } = await adminCall('POST /admin/users/{login}/handover', input);
    if (groups.length === 0) throw new ApiError('BACKEND.ERROR.CONFIGURATION.CHANGED');
  });

type SavedAccount = { login?: undefined; body: Registration } | { login: string; body: ProfileChange };

/** Creates an account (`login` `undefined`) or changes the fields that are sent. */
export const useSaveAccount = () =>
  useAccountChange(async ({ login, body }: SavedAccount): Promise<Account> => {
    const { value } =
      login === undefined
        ? await adminCall('POST /user', { body, timeout: mailTimeout })
        : await adminCall('PUT /user/{login}', { params: { login }, body });
    return value;
  });

/** Ends all sessions of an account. */
export const useEndSessions = () =>
  useCall((login: string) => adminCall('DELETE /user/{login}/sessions', { params: { login } }));

export const useResetFactors = () =>
  useAccountChange((login: string) =>
    adminCall('DELETE /admin/users/{login}/factors', { params: { login } }),
  );

/** What would be removed with an account. */
export function useRemovalPreview(login: string) {
  const client = useQueryClient();
  return useQuery({
    queryKey: [...everything, 'removal', login],
    queryFn: async () => {
      const input = { params: { login }, query: { preview: true }, body: {} };
      try {
        return (await adminCall('DELETE /user/{login}', input)).removed;
      } catch (error) {
        // A list on the screen still has the account.
        if (isError(error, 'BACKEND.ERROR.USER.NOT_FOUND'))
          void client.invalidateQueries({ queryKey: answersOf('GET /admin/users') });
        throw error;
      }
    },
    // Always as it is now: the question is asked once.
    gcTime: 0,
    staleTime: 0,
  });
}

interface AccountToRemove {
  login: string;
  to: string | undefined;
  /** Ids of the folders that were shown. The server refuses if there are others now. */
  groups: string[] | undefined;
}

/** Removes an account. The folders that nobody else manages go to the account `to`; without it, they are removed. */
export const useRemoveAccount = () =>
  useAccountChange(({ login, to, groups }: AccountToRemove) => {
    const body = { ...(groups && { groups }), ...(to !== undefined && { folders: { to } }) };
    return adminCall('DELETE /user/{login}', { params: { login }, body, timeout: 120_000 });
  });
