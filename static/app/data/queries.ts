/** What the page reads from the server. What it changes there is in mutations.ts. */
import { focusManager, QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import type {
  ConfigurationAnswer,
  Group,
  GroupAnswer,
  GroupsAnswer,
  LockedGroup,
  OwnUser,
  Pad,
  PadAnswer,
  PadTicketAnswer,
  Person,
  PublicConfiguration,
} from '../../../api/wire';
import { call, isError, path } from './client';
import { keys } from './keys';
import { endSession, forgetSession, readSession, useSessionState, watchOtherTabs } from './session';

/** Answers count as fresh for so long; after that, coming back to the window or the screen asks again. Milliseconds. */
const fresh = 5_000;

/** Calls that may work at once when repeated; everything else would only answer the same again. */
function worthRetrying(failures: number, error: Error): boolean {
  if (failures >= 2) return false;
  return isError(error, 'CLIENT.ERROR.NETWORK', 'BACKEND.ERROR.SERVER.BUSY');
}

/** Coming back counts whether the tab was hidden or only another window was in front of it. */
function watchFocus(): void {
  focusManager.setEventListener((changed) => {
    const listen = (): void => changed();
    addEventListener('visibilitychange', listen);
    addEventListener('focus', listen);
    return () => {
      removeEventListener('visibilitychange', listen);
      removeEventListener('focus', listen);
    };
  });
}

/** The page's one store of answers. */
export function createQueryClient(): QueryClient {
  const client = new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: fresh,
        retry: worthRetrying,
        refetchOnWindowFocus: true,
        throwOnError: false,
        networkMode: 'always',
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
  watchFocus();
  watchOtherTabs(() => void followOtherTab(client));
  return client;
}

/** Another tab has signed somebody in or out. Whoever is on the screen stays there until it is known that it is somebody else. */
async function followOtherTab(client: QueryClient): Promise<void> {
  const userNow = (): string | undefined =>
    client.getQueryData<ConfigurationAnswer>(keys.configuration)?.user?._id;
  const before = userNow();
  if (readSession().token === null) {
    client.setQueryData<ConfigurationAnswer>(
      keys.configuration,
      (known) => known && { value: known.value, auth: false },
    );
  } else await client.refetchQueries({ queryKey: keys.configuration });
  if (userNow() === before) await client.invalidateQueries();
  else await forgetAnswers(client);
}

/** Forgets everything but the configuration, and asks again for what is on the screen. */
export function forgetAnswers(client: QueryClient): Promise<void> {
  return client.resetQueries({ predicate: (query) => query.queryKey[0] !== keys.configuration[0] });
}

/** While the session has ended, the person stays known: the screen remains under the question to sign in again. */
async function fetchConfiguration(signal: AbortSignal, client: QueryClient): Promise<ConfigurationAnswer> {
  const { token } = readSession();
  const known = client.getQueryData<ConfigurationAnswer>(keys.configuration)?.user;
  const answer = await call<ConfigurationAnswer>('configuration', { signal, token });
  if (!answer.auth && token !== null && token === readSession().token) {
    if (known === undefined) forgetSession();
    else endSession();
  }
  return readSession().ended ? { ...answer, user: known } : answer;
}

/** The public configuration, and who is signed in. Load it once before anything else; `useSession` reads the same answer. */
export function useConfiguration() {
  return useQuery({
    queryKey: keys.configuration,
    queryFn: ({ signal, client }) => fetchConfiguration(signal, client),
    staleTime: 60_000,
    gcTime: Number.POSITIVE_INFINITY,
  });
}

/** The public configuration, inside of the shell, which shows its children only once it is there. */
export function useSettings(): PublicConfiguration {
  const { data } = useConfiguration();
  if (data === undefined) throw new Error('The configuration is read before it was loaded');
  return data.value;
}

/** The person who is signed in, `undefined` for a guest. */
export function useUser(): OwnUser | undefined {
  const { token, ended } = useSessionState();
  const { data } = useConfiguration();
  return token === null && !ended ? undefined : data?.user;
}

/**
 * Is the server ready to look people up? Asks every half second until it is.
 * Forms that need it say meanwhile that the service is starting.
 */
export function useServiceReady(): boolean {
  const { data } = useQuery({
    queryKey: keys.ready,
    queryFn: ({ signal }) => call<{ userCacheReady: boolean }>('cache/check', { signal, token: null }),
    refetchInterval: ({ state }) => (state.data?.userCacheReady ? false : 500),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  return data?.userCacheReady ?? false;
}

/** The own folders with their pads and people, and everything bookmarked. Asks only when somebody is signed in. */
export function useGroups() {
  const user = useUser();
  return useQuery({
    queryKey: keys.groups,
    queryFn: async ({ signal }) => (await call<GroupsAnswer>('group', { signal })).value,
    enabled: user !== undefined,
  });
}

export type Groups = GroupsAnswer['value'];

/** A folder as its screen needs it. */
export type Folder =
  | { locked: true; id: string; group: LockedGroup }
  | { locked: false; id: string; group: Group; pads: Record<string, Pad>; people: Record<string, Person> };

/** An answer about one folder, told apart: locked, or open with what is in it. */
export function folderOf(answer: GroupAnswer): Folder {
  if (!('_id' in answer.value)) return { locked: true, id: answer.key, group: answer.value };
  return {
    locked: false,
    id: answer.key,
    group: answer.value,
    pads: answer.pads ?? {},
    people: answer.users ?? {},
  };
}

/** What the list of own folders already knows about one of them; `undefined` when it is not among them. */
function folderFromList(groups: Groups | undefined, id: string): GroupAnswer | undefined {
  const group = groups?.groups[id];
  if (groups === undefined || group === undefined) return undefined;
  const pads = Object.fromEntries(group.pads.flatMap((pad) => entry(groups.pads, pad)));
  const people = [...group.admins, ...group.users].flatMap((person) => entry(groups.users, person));
  return { key: id, value: group, pads, users: Object.fromEntries(people) };
}

function entry<Value>(values: Record<string, Value>, id: string): [string, Value][] {
  const value = values[id];
  return value === undefined ? [] : [[id, value]];
}

/** One folder. Shown at once from the list of own folders where that is loaded, and read anew. */
export function useGroup(id: string) {
  const client = useQueryClient();
  const user = useUser();
  return useQuery({
    queryKey: keys.group(id),
    queryFn: ({ signal }) => call<GroupAnswer>(`group/${path(id)}`, { signal }),
    placeholderData: () =>
      user === undefined ? undefined : folderFromList(client.getQueryData<Groups>(keys.groups), id),
    select: folderOf,
    enabled: id !== '',
  });
}

/**
 * One pad's record. What it needs besides (password, sign-in) is told by the error. With `every` it is read anew after so many
 * milliseconds, as long as it can be read, and whenever somebody comes back to it.
 */
export function usePad(id: string, every?: number) {
  const client = useQueryClient();
  return useQuery({
    queryKey: keys.pad(id),
    queryFn: async ({ signal }) => (await call<PadAnswer>(`pad/${path(id)}`, { signal })).value,
    placeholderData: () => padFromLists(client, id),
    refetchOnWindowFocus: every === undefined ? true : 'always',
    refetchInterval: ({ state }) => (every === undefined || state.error !== null ? false : every),
    enabled: id !== '',
  });
}

function padFromLists(client: QueryClient, id: string): Pad | undefined {
  const listed = client.getQueryData<Groups>(keys.groups)?.pads[id];
  if (listed !== undefined) return listed;
  for (const [, answer] of client.getQueriesData<GroupAnswer>({ queryKey: keys.everyGroup })) {
    const pad = answer?.pads?.[id];
    if (pad !== undefined) return pad;
  }
  return undefined;
}

/** The ticket for one showing of a pad's editor. Good for a minute and once: every showing has its own `visit` number. */
export function useTicket(id: string, visit: number) {
  return useQuery({
    queryKey: keys.ticket(id, visit),
    queryFn: () => call<PadTicketAnswer>(`pad/${path(id)}/ticket`, { method: 'POST', body: {} }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    retry: worthRetrying,
  });
}

/** Ids of what the person has bookmarked. */
export interface Bookmarks {
  groups: ReadonlySet<string>;
  pads: ReadonlySet<string>;
}

const nothing: readonly string[] = [];

/** The bookmarks as the stars show them, a click ahead of the server. */
export function useBookmarks(): Bookmarks {
  const user = useUser();
  const groups = user?.bookmarks.groups ?? nothing;
  const pads = user?.bookmarks.pads ?? nothing;
  return useMemo(() => ({ groups: new Set(groups), pads: new Set(pads) }), [groups, pads]);
}

/** Every tag of the own folders, in the order of the language. */
export function useTags(): string[] {
  const { data } = useGroups();
  return useMemo(() => {
    const tags = new Set(Object.values(data?.groups ?? {}).flatMap((group) => group.tags));
    return [...tags].sort((left, right) => left.localeCompare(right));
  }, [data]);
}

/** Did the call fail because the thing does not exist, or never did? */
export function isMissing(error: unknown): boolean {
  return isError(error, 'BACKEND.ERROR.CONFIGURATION.KEY_NOT_FOUND', 'BACKEND.ERROR.TYPE.PARAM_INVALID');
}
