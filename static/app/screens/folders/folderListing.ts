/** Filters and sorts the list of folders. Uses no browser API, so that it can be tested without one. */

import type { OwnUser, Person } from '../../../../api/answers';
import { limits } from '../../../../model/limits';
import { type Visibility, visibilities } from '../../../../model/store/entities';
import { peopleOf } from '../../../../model/store/records';
import type { Groups, ListedFolder } from '../../data/folders';
import type { Sorting } from '../../data/preferences';
import { contains, isLongEnough, type Searchable, searchable, wordsOf } from '../../lib/matching';
import { nameOrder } from './sortPads';

/** A folder with the data of its row. */
export interface Entry {
  group: ListedFolder;
  /** Administrators first, then the other members. */
  people: Person[];
  section: Section;
  /** Name and tags. */
  searched: Searchable;
}

/** The sections of the list in their order. */
export const sections = ['bookmarked', 'normal', 'archived'] as const;
export type Section = (typeof sections)[number];

export interface Filters {
  /** Long enough for a search, else `''`. */
  text: string;
  /** The person's role in the folder. */
  role: 'admin' | 'user' | null;
  visibility: Visibility | null;
  /** Only folders with all of these tags. */
  tags: readonly string[];
}

/**
 * An archived folder is in the section "archived", even if it is bookmarked. A read-only folder is there too, unless it
 * is bookmarked.
 */
function sectionOf(group: ListedFolder, bookmarked: ReadonlySet<string>): Section {
  if (group.archived) return 'archived';
  if (bookmarked.has(group._id)) return 'bookmarked';
  return group.readonly ? 'archived' : 'normal';
}

/** Entries of the list. Created once for each answer of the server, so that filtering and sorting are fast. */
export function entriesOf(groups: Groups, bookmarked: ReadonlySet<string>): Entry[] {
  return Object.values(groups.groups).map((group) => {
    return {
      group,
      people: peopleOf(group).flatMap((id) => groups.users[id] ?? []),
      section: sectionOf(group, bookmarked),
      searched: searchable(group.name, group.tags),
    };
  });
}

export function readFilters(parameters: URLSearchParams): Filters {
  const text = parameters.get('q')?.trim() ?? '';
  const role = parameters.get('role');
  return {
    text: isLongEnough(text, limits.search) ? text : '',
    role: role === 'admin' || role === 'user' ? role : null,
    visibility: visibilities.find((one) => one === parameters.get('visibility')) ?? null,
    tags: parameters.getAll('tag'),
  };
}

export function isFiltered({ text, role, visibility, tags }: Filters): boolean {
  return text !== '' || role !== null || visibility !== null || tags.length > 0;
}

/** The tags to filter by after `tag` was clicked: it is added, or removed if it was among them. */
export function toggleTag(tags: readonly string[], tag: string): string[] {
  return tags.includes(tag) ? tags.filter((other) => other !== tag) : [...tags, tag];
}

/** The entries that match all filters. */
export function filterEntries(
  entries: readonly Entry[],
  filters: Filters,
  user: Pick<OwnUser, '_id'>,
): Entry[] {
  const { text, role, visibility, tags } = filters;
  const words = wordsOf(text);
  return entries.filter(
    ({ group, searched }) =>
      contains(searched, words) &&
      (role !== 'admin' || group.admins.includes(user._id)) &&
      (role !== 'user' || [...group.users, ...group.readers].includes(user._id)) &&
      (visibility === null || group.visibility === visibility) &&
      tags.every((tag) => group.tags.includes(tag)),
  );
}

/** Sorts the entries of each section; the order of the sections stays. */
export function sortEntries(
  entries: readonly Entry[],
  { by, ascending }: Sorting,
  language: string,
): Entry[] {
  const compareNames = nameOrder(language);
  const direction = ascending ? 1 : -1;
  const compare = (one: Entry, other: Entry): number => {
    if (by === 'name') return compareNames(one.group.name, other.group.name);
    return one.group[by] - other.group[by];
  };
  return [...entries].sort(
    (one, other) =>
      sections.indexOf(one.section) - sections.indexOf(other.section) ||
      direction * compare(one, other) ||
      compareNames(one.group.name, other.group.name),
  );
}
