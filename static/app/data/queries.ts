/** Reads from the server. Changes are in mutations.ts. */
import { focusManager, QueryClient, skipToken, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import type {
  Group,
  GroupSummary,
  LockedGroup,
  OwnUser,
  Pad,
  PadSummary,
  Person,
} from '../../../api/answers';
import type { CacheAnswer } from '../../../api/cache/schema';
import type { ConfigurationAnswer, PublicConfiguration } from '../../../api/configuration/schema';
import type {
  GroupAnswer,
  OverviewAnswer,
  PadNamesAnswer,
  RecentPadsAnswer,
} from '../../../api/group/schema';
import type { PadAnswer, PadTicketAnswer, Present } from '../../../api/pad/schema';
import type { GroupAbilities } from '../../../model/access/permissions';
import { call, isError, path } from './client';
import { onServerReturn } from './connection';
import { keys } from './keys';
import { endSession, forgetSession, readSession, useSessionState, watchOtherTabs } from './session';

/** Milliseconds for which an answer is fresh. After that, returning to the window or screen reads it again. */
const freshFor = 5_000;

/** Retries only failures that may be temporary. Other calls would fail the same way again. */
function shouldRetry(failures: number, error: Error): boolean {
  if (failures >= 2) return false;
  return isError(error, 'CLIENT.ERROR.NETWORK', 'BACKEND.ERROR.SERVER.BUSY');
}

/** Reads again when the person returns: when the tab becomes visible, and when the window gets the focus. */
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

/** Creates the cache of all answers, one for the page. */
export function createQueryClient(): QueryClient {
  const client = new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: freshFor,
        retry: shouldRetry,
        refetchOnWindowFocus: true,
        throwOnError: false,
        networkMode: 'always',
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
  watchFocus();
  onServerReturn(() => void client.invalidateQueries());
  watchOtherTabs(() => void followOtherTab(client));
  return client;
}

/** Another tab has signed somebody in or out. The screen stays until the server says that it is another person. */
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

/** Clears all answers except the configuration, and reads those again that the screen shows. */
export function forgetAnswers(client: QueryClient): Promise<void> {
  return client.resetQueries({ predicate: (query) => query.queryKey[0] !== keys.configuration[0] });
}

/**
 * After the session has ended, the person is kept, because their screen stays visible behind the dialog to sign in
 * again.
 */
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

/** The public configuration and the signed-in person. Load it first; `useSession` reads the same answer. */
export function useConfiguration() {
  return useQuery({
    queryKey: keys.configuration,
    queryFn: ({ signal, client }) => fetchConfiguration(signal, client),
    staleTime: 60_000,
    gcTime: Number.POSITIVE_INFINITY,
  });
}

/** The public configuration. Only for use inside the shell, which loads it before it renders its children. */
export function useSettings(): PublicConfiguration {
  const { data } = useConfiguration();
  if (data === undefined) throw new Error('The configuration is read before it was loaded');
  return data.value;
}

/** The signed-in person; `undefined` for a guest. */
export function useUser(): OwnUser | undefined {
  const { token, ended } = useSessionState();
  const { data } = useConfiguration();
  return token === null && !ended ? undefined : data?.user;
}

/**
 * Whether the server has built its index of accounts. Asks every half second until it has. Until then, forms that need
 * it say that the service is starting.
 */
export function useServiceReady(): boolean {
  const { data } = useQuery({
    queryKey: keys.ready,
    queryFn: ({ signal }) => call<CacheAnswer>('cache/check', { signal, token: null }),
    refetchInterval: ({ state }) => (state.data?.userCacheReady ? false : 500),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  return data?.userCacheReady ?? false;
}

/** A folder in a list, without its pads. */
export type ListedFolder = Omit<GroupSummary, 'abilities'> & { abilities: GroupAbilities };

/** The person's folders and bookmarks for lists, and the people in them. */
export interface Groups {
  groups: Record<string, ListedFolder>;
  bookmarks: { groups: Record<string, ListedFolder>; pads: Record<string, PadSummary> };
  users: Record<string, Person>;
}

const noAbilities: GroupAbilities = {
  edit: false,
  remove: false,
  invite: false,
  share: false,
  leave: false,
  createPad: false,
  bookmark: false,
  seePeople: false,
};

function groupsIn({ value: { groups, bookmarks, users, abilities } }: OverviewAnswer): Groups {
  const listed = (all: Record<string, GroupSummary>): Record<string, ListedFolder> =>
    Object.fromEntries(
      Object.entries(all).map(([id, group]) => [
        id,
        { ...group, abilities: abilities[group.abilities] ?? noAbilities },
      ]),
    );
  return {
    groups: listed(groups),
    bookmarks: { groups: listed(bookmarks.groups), pads: bookmarks.pads },
    users,
  };
}

const groupsOf = new WeakMap<OverviewAnswer, Groups>();

/** Returns the same object for an unchanged answer, so that nothing is compared or rendered again. */
async function fetchGroups(signal: AbortSignal): Promise<Groups> {
  const answer = await call<OverviewAnswer>('overview', { signal });
  const groups = groupsOf.get(answer) ?? groupsIn(answer);
  groupsOf.set(answer, groups);
  return groups;
}

/** The person's folders without pads, and the bookmarks. Reads nothing for a guest. */
export function useGroups() {
  const user = useUser();
  return useQuery({
    queryKey: keys.groups,
    queryFn: ({ signal }) => fetchGroups(signal),
    enabled: user !== undefined,
  });
}

/** The pads that the person opened, most recent first. Reads nothing for a guest. */
export function useRecentPads() {
  const user = useUser();
  return useQuery({
    queryKey: keys.recent,
    queryFn: async ({ signal }) => (await call<RecentPadsAnswer>('overview/recent', { signal })).value,
    enabled: user !== undefined,
  });
}

/** Ids and names of all pads in the person's folders and in bookmarked folders, by folder. Read when first needed. */
export function usePadNames(enabled = true) {
  return useQuery({
    queryKey: keys.padNames,
    queryFn: async ({ signal }) => (await call<PadNamesAnswer>('overview/pads', { signal })).value,
    enabled,
  });
}

/** A folder for its own screen. */
export type Folder =
  | { locked: true; id: string; group: LockedGroup }
  | {
      locked: false;
      id: string;
      group: Group;
      pads: Record<string, Pad>;
      people: Record<string, Person>;
      /** How many people have a pad open, without pads that nobody has open. */
      present: Record<string, number>;
    };

/** Turns an answer into a folder that is either locked or open with its content. */
function folderOf(answer: GroupAnswer): Folder {
  if (!('_id' in answer.value)) return { locked: true, id: answer.key, group: answer.value };
  return {
    locked: false,
    id: answer.key,
    group: answer.value,
    pads: answer.pads ?? {},
    people: answer.users ?? {},
    present: answer.present ?? {},
  };
}

/** The folder as the list of folders knows it, without pads; `undefined` if it is not in the list. */
function folderFromList(groups: Groups | undefined, id: string): GroupAnswer | undefined {
  const listed = groups?.groups[id];
  if (groups === undefined || listed === undefined) return undefined;
  const { padCount, lastUpdate, ...known } = listed;
  const unknown = { description: '', hasPassword: false, allowUsersToCreatePads: false, pads: [] };
  const people = [...listed.admins, ...listed.users].flatMap((person) => entry(groups.users, person));
  return { key: id, value: { ...unknown, ...known }, users: Object.fromEntries(people) };
}

function entry<Value>(values: Record<string, Value>, id: string): [string, Value][] {
  const value = values[id];
  return value === undefined ? [] : [[id, value]];
}

function fetchGroup(id: string, signal: AbortSignal): Promise<GroupAnswer> {
  return call<GroupAnswer>(`group/${path(id)}`, { signal });
}

/** A folder with its pads, from the cache or else from the server. */
export function loadGroup(client: QueryClient, id: string): Promise<GroupAnswer> {
  return client.ensureQueryData({
    queryKey: keys.group(id),
    queryFn: ({ signal }) => fetchGroup(id, signal),
  });
}

/** A folder. If the list of folders is loaded, its entry is shown, without pads, until the answer arrives. */
export function useGroup(id: string) {
  const client = useQueryClient();
  const user = useUser();
  return useQuery({
    queryKey: keys.group(id),
    queryFn: ({ signal }) => fetchGroup(id, signal),
    placeholderData: () =>
      user === undefined ? undefined : folderFromList(client.getQueryData<Groups>(keys.groups), id),
    select: folderOf,
    enabled: id !== '',
  });
}

/**
 * A pad. The error says if a password or a sign-in is needed. `every`: milliseconds between reads, until one fails. It
 * is also read whenever the person returns to the window.
 */
export function usePad(id: string, every?: number) {
  const client = useQueryClient();
  return useQuery({
    queryKey: keys.pad(id),
    queryFn: async ({ signal }) => {
      const { value, present } = await call<PadAnswer>(`pad/${path(id)}`, { signal });
      client.setQueryData<Present>(keys.present(id), present);
      return value;
    },
    placeholderData: () => padFromFolders(client, id),
    refetchOnWindowFocus: every === undefined ? true : 'always',
    refetchInterval: ({ state }) => (every === undefined || state.error !== null ? false : every),
    enabled: id !== '',
  });
}

/** Who has the pad open, as of the last reading of the pad by `usePad`. */
export function usePresent(id: string): Present | undefined {
  return useQuery<Present>({ queryKey: keys.present(id), queryFn: skipToken }).data;
}

function padFromFolders(client: QueryClient, id: string): Pad | undefined {
  for (const [, answer] of client.getQueriesData<GroupAnswer>({ queryKey: keys.everyGroup })) {
    const pad = answer?.pads?.[id];
    if (pad !== undefined) return pad;
  }
  return undefined;
}

/** A ticket that opens the editor once, within a minute. Each opening has its own `visit` number. */
export function useTicket(id: string, visit: number) {
  return useQuery({
    queryKey: keys.ticket(id, visit),
    queryFn: async ({ client }) => {
      const answer = await call<PadTicketAnswer>(`pad/${path(id)}/ticket`, { method: 'POST', body: {} });
      void client.invalidateQueries({ queryKey: keys.recent });
      return answer;
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    retry: shouldRetry,
  });
}

/** Ids of the bookmarked folders and pads. */
export interface Bookmarks {
  groups: ReadonlySet<string>;
  pads: ReadonlySet<string>;
}

const nothing: readonly string[] = [];

/** The bookmarks as the stars show them, including clicks that are not sent yet. */
export function useBookmarks(): Bookmarks {
  const user = useUser();
  const groups = user?.bookmarks.groups ?? nothing;
  const pads = user?.bookmarks.pads ?? nothing;
  return useMemo(() => ({ groups: new Set(groups), pads: new Set(pads) }), [groups, pads]);
}

/** All tags of the person's folders, sorted by the rules of the language. */
export function useTags(): string[] {
  const { data } = useGroups();
  return useMemo(() => {
    const tags = new Set(Object.values(data?.groups ?? {}).flatMap((group) => group.tags));
    return [...tags].sort((left, right) => left.localeCompare(right));
  }, [data]);
}

/** Whether the call failed because the thing does not exist. */
export function isMissing(error: unknown): boolean {
  return isError(error, 'BACKEND.ERROR.CONFIGURATION.KEY_NOT_FOUND', 'BACKEND.ERROR.TYPE.PARAM_INVALID');
}
