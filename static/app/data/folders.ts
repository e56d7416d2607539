/** Reads folders. Changes of them are in folderChanges.ts. */
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Group, GroupSummary, LockedGroup, Named, Pad, PadSummary, Person } from '../../../api/answers';
import type { ConfigurationAnswer } from '../../../api/configuration/schema';
import type { GroupAnswer, OverviewAnswer } from '../../../api/group/schema';
import type { GroupAbilities } from '../../../model/access/permissions';
import { peopleOf } from '../../../model/store/records';
import { useTranslation } from '../texts/i18n';
import { call } from './client';
import { useUser } from './configuration';
import { keys } from './keys';

/** A folder in a list, without its pads. */
export type ListedFolder = Omit<GroupSummary, 'abilities'> & { abilities: GroupAbilities };

/** The person's folders and bookmarks for lists, and the people in them. */
export interface Groups {
  groups: Record<string, ListedFolder>;
  bookmarks: { groups: Record<string, ListedFolder>; pads: Record<string, PadSummary> };
  /** Pads that are shared alone with the person, and what links open that they keep. */
  shared: { groups: Record<string, ListedFolder>; pads: Record<string, PadSummary> };
  users: Record<string, Person>;
  /** How many people ask for access to folders that the person manages. */
  requests: number;
  /** Templates for everyone. */
  templates: readonly Named[];
}

const noAbilities: GroupAbilities = {
  edit: false,
  remove: false,
  invite: false,
  share: false,
  link: false,
  leave: false,
  createPad: false,
  bookmark: false,
  export: false,
  seePeople: false,
};

/** Members see only the logins of each other. The person's own name is the same on every screen. */
function withOwnName(people: Record<string, Person>, client: QueryClient): Record<string, Person> {
  const user = client.getQueryData<ConfigurationAnswer>(keys.configuration)?.user;
  const self = user && people[user._id];
  if (user === undefined || self === undefined) return people;
  return { ...people, [self._id]: { ...self, firstname: user.firstname, lastname: user.lastname } };
}

function groupsIn(answer: OverviewAnswer, client: QueryClient): Groups {
  const { groups, bookmarks, shared, users, abilities, requests, templates = [] } = answer.value;
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
    shared: { groups: listed(shared.groups), pads: shared.pads },
    users: withOwnName(users, client),
    requests,
    templates,
  };
}

const groupsOf = new WeakMap<OverviewAnswer, Groups>();

/** Returns the same object for an unchanged answer, so that nothing is compared or rendered again. */
async function fetchGroups(signal: AbortSignal, client: QueryClient): Promise<Groups> {
  const answer = await call('GET /overview', { signal });
  const groups = groupsOf.get(answer) ?? groupsIn(answer, client);
  groupsOf.set(answer, groups);
  return groups;
}

/**
 * The person's folders without pads, and the bookmarks. Reads nothing for a guest. `every`: milliseconds between reads
 * while the page is visible.
 */
export function useGroups(every?: number) {
  const user = useUser();
  return useQuery({
    queryKey: keys.groups,
    queryFn: ({ signal, client }) => fetchGroups(signal, client),
    enabled: user !== undefined,
    refetchInterval: every ?? false,
  });
}

/** The tags of folders, each with the number of folders that have it, sorted by the rules of `language`. */
export function tagsOf(folders: readonly ListedFolder[], language: string): [tag: string, count: number][] {
  const counts = new Map<string, number>();
  for (const tag of folders.flatMap(({ tags }) => tags)) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  return [...counts].sort(([one], [other]) => one.localeCompare(other, language));
}

/** `tagsOf` all of the person's folders. */
export function useTags(): ReturnType<typeof tagsOf> {
  const { language } = useTranslation();
  const { data } = useGroups();
  return useMemo(() => tagsOf(Object.values(data?.groups ?? {}), language), [data, language]);
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
  };
}

/** The folder as the list of folders knows it, with the number of its pads only; `undefined` if it is not there. */
function folderFromList(groups: Groups | undefined, id: string): GroupAnswer | undefined {
  const listed = groups?.groups[id];
  if (groups === undefined || listed === undefined) return undefined;
  const { padCount, lastUpdate, lastEditor, ...known } = listed;
  const pads = Array<string>(padCount).fill('');
  const unknown = { description: '', hasPassword: false, allowUsersToCreatePads: false, pads };
  const people = peopleOf(listed).flatMap((person) => entry(groups.users, person));
  return { key: id, value: { ...unknown, ...known }, users: Object.fromEntries(people) };
}

function entry<Value>(values: Record<string, Value>, id: string): [string, Value][] {
  const value = values[id];
  return value === undefined ? [] : [[id, value]];
}

async function fetchGroup(id: string, signal: AbortSignal, client: QueryClient): Promise<GroupAnswer> {
  const answer = await call('GET /group/{id}', { params: { id }, signal });
  return { ...answer, ...(answer.users && { users: withOwnName(answer.users, client) }) };
}

/** A folder with its pads, from the cache or else from the server. */
export function loadGroup(client: QueryClient, id: string): Promise<GroupAnswer> {
  return client.ensureQueryData({
    queryKey: keys.group(id),
    queryFn: ({ signal }) => fetchGroup(id, signal, client),
  });
}

/** The number of pads in a folder, as the server knows now. */
export async function countPads(id: string): Promise<number> {
  return Object.keys((await call('GET /group/{id}', { params: { id } })).pads ?? {}).length;
}

/** Milliseconds between readings of a folder that is refused: somebody may restore it, or give access to it. */
const refusedEvery = 30_000;

/** A folder. If the list of folders is loaded, its entry is shown, without pads, until the answer arrives. */
export function useGroup(id: string) {
  const client = useQueryClient();
  const user = useUser();
  return useQuery({
    queryKey: keys.group(id),
    queryFn: ({ signal }) => fetchGroup(id, signal, client),
    placeholderData: () =>
      user === undefined ? undefined : folderFromList(client.getQueryData<Groups>(keys.groups), id),
    select: folderOf,
    refetchInterval: ({ state }) => state.error !== null && refusedEvery,
    enabled: id !== '',
  });
}
