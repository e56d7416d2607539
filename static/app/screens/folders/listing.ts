/** What the list of folders shows, from what is known and what the URL asks for. Pure, so that it can be tried without a browser. */

import type { Group, OwnUser, Person } from '../../../../api/wire';
import { type Visibility, visibilities } from '../../../../model/entities';
import { limits } from '../../../../model/limits';
import type { Sorting } from '../../data/preferences';
import type { Groups } from '../../data/queries';

/** A folder with what its row needs. */
export interface Entry {
  group: Group;
  /** Administrators first, then the others. */
  people: Person[];
  /** When something in it changed last; milliseconds since 1970. */
  lastUpdate: number;
  section: Section;
  /** Lower case: name and tags. */
  searched: string;
}

/** In the order of the list. */
export const sections = ['bookmarked', 'normal', 'archived'] as const;
export type Section = (typeof sections)[number];

export interface Filters {
  /** At least `limits.search` characters, else `''`. */
  text: string;
  /** What the person is in a folder. */
  role: 'admin' | 'user' | null;
  visibility: Visibility | null;
  /** A folder has all of them. */
  tags: readonly string[];
}

/** Specification, section 4: archived counts even when bookmarked; a readonly folder is archived unless it is bookmarked. */
function sectionOf(group: Group, bookmarked: ReadonlySet<string>): Section {
  if (group.archived) return 'archived';
  if (bookmarked.has(group._id)) return 'bookmarked';
  return group.readonly ? 'archived' : 'normal';
}

/** Everything that filtering and sorting look at, worked out once for every answer of the server. */
export function entriesOf(groups: Groups, bookmarked: ReadonlySet<string>): Entry[] {
  return Object.values(groups.groups).map((group) => {
    const ids = [...new Set([...group.admins, ...group.users])];
    const times = group.pads.map((pad) => groups.pads[pad]).map((pad) => pad?.lastUpdate ?? pad?.ctime ?? 0);
    return {
      group,
      people: ids.flatMap((id) => groups.users[id] ?? groups.admins[id] ?? []),
      lastUpdate: Math.max(group.ctime, ...times),
      section: sectionOf(group, bookmarked),
      searched: [group.name, ...group.tags].join('\n').toLocaleLowerCase(),
    };
  });
}

export function readFilters(parameters: URLSearchParams): Filters {
  const text = parameters.get('q')?.trim().toLocaleLowerCase() ?? '';
  const role = parameters.get('role');
  return {
    text: text.length < limits.search ? '' : text,
    role: role === 'admin' || role === 'user' ? role : null,
    visibility: visibilities.find((one) => one === parameters.get('visibility')) ?? null,
    tags: parameters.getAll('tag'),
  };
}

export function isFiltered({ text, role, visibility, tags }: Filters): boolean {
  return text !== '' || role !== null || visibility !== null || tags.length > 0;
}

/** All filters together. */
export function filterEntries(
  entries: readonly Entry[],
  filters: Filters,
  user: Pick<OwnUser, '_id'>,
): Entry[] {
  const { text, role, visibility, tags } = filters;
  return entries.filter(
    ({ group, searched }) =>
      (text === '' || searched.includes(text)) &&
      (role !== 'admin' || group.admins.includes(user._id)) &&
      (role !== 'user' || group.users.includes(user._id)) &&
      (visibility === null || group.visibility === visibility) &&
      tags.every((tag) => group.tags.includes(tag)),
  );
}

/** Sorts within the sections, which keep their order. Names by the language's own rules, numbers in them by their value. */
export function sortEntries(
  entries: readonly Entry[],
  { by, ascending }: Sorting,
  language: string,
): Entry[] {
  const names = new Intl.Collator(language, { numeric: true, sensitivity: 'base' });
  const direction = ascending ? 1 : -1;
  const compare = (one: Entry, other: Entry): number => {
    if (by === 'name') return names.compare(one.group.name, other.group.name);
    return by === 'ctime' ? one.group.ctime - other.group.ctime : one.lastUpdate - other.lastUpdate;
  };
  return [...entries].sort(
    (one, other) =>
      sections.indexOf(one.section) - sections.indexOf(other.section) ||
      direction * compare(one, other) ||
      names.compare(one.group.name, other.group.name),
  );
}
