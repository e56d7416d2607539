/** References from an account's record to users, groups and pads: its groups, bookmarks and user lists. */
import type { KeptLink, UserListRecord, UserRecord } from '../store/entities';

/** Ids of deleted records. */
export interface RemovedIds {
  users?: readonly string[];
  groups?: readonly string[];
  pads?: readonly string[];
}

export type ReferenceKind = keyof RemovedIds;
export type RemovedSets = Record<ReferenceKind, ReadonlySet<string>>;

export const referenceKinds: readonly ReferenceKind[] = ['users', 'groups', 'pads'];

export const perKind = <Value>(of: (kind: ReferenceKind) => Value): Record<ReferenceKind, Value> => ({
  users: of('users'),
  groups: of('groups'),
  pads: of('pads'),
});

const containsAny = (ids: unknown, removed: ReadonlySet<string>): boolean =>
  Array.isArray(ids) && ids.some((id) => removed.has(id));

/** The other ids, in their order. */
export const withoutIds = (ids: readonly string[], removed: ReadonlySet<string>): string[] =>
  ids.filter((id) => !removed.has(id));

const leadsTo = ({ group, pad }: KeptLink, removed: RemovedSets): boolean =>
  (group !== undefined && removed.groups.has(group)) || (pad !== undefined && removed.pads.has(pad));

/** True when a stored record, which may be damaged, refers to one of these ids. */
export function refersTo(user: Partial<UserRecord> | undefined, removed: RemovedSets): boolean {
  return (
    containsAny(user?.bookmarks?.groups, removed.groups) ||
    containsAny(user?.bookmarks?.pads, removed.pads) ||
    containsAny(user?.groups, removed.groups) ||
    containsAny(user?.readerOf, removed.groups) ||
    containsAny(user?.sharedPads, removed.pads) ||
    (user?.keptLinks ?? []).some((kept) => leadsTo(kept, removed)) ||
    Object.values(user?.userlists ?? {}).some((list) => containsAny(list?.uids, removed.users))
  );
}

function listWithout(list: UserListRecord, removed: ReadonlySet<string>): UserListRecord {
  if (!Array.isArray(list?.uids)) return list;
  const emails = Object.entries(list.emails ?? {}).filter(([uid]) => !removed.has(uid));
  return {
    ...list,
    uids: withoutIds(list.uids, removed),
    ...(list.emails ? { emails: Object.fromEntries(emails) } : {}),
  };
}

/** The account without references to these ids. */
export function recordWithout(user: UserRecord, removed: RemovedSets): UserRecord {
  const lists = Object.entries(user.userlists).map(([id, list]) => [id, listWithout(list, removed.users)]);
  return {
    ...user,
    groups: withoutIds(user.groups, removed.groups),
    ...(user.sharedPads && { sharedPads: withoutIds(user.sharedPads, removed.pads) }),
    ...(user.keptLinks && { keptLinks: user.keptLinks.filter((kept) => !leadsTo(kept, removed)) }),
    ...(user.readerOf && { readerOf: withoutIds(user.readerOf, removed.groups) }),
    bookmarks: {
      ...user.bookmarks,
      groups: withoutIds(user.bookmarks.groups, removed.groups),
      pads: withoutIds(user.bookmarks.pads, removed.pads),
    },
    userlists: Object.fromEntries(lists),
  };
}
