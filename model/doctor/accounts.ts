/** Finds damage in accounts: their records, their references, and their index entries. */
import { comparableAddress } from '../accounts/accountNames';
import { linesByKey, linesOf, namesRecord } from '../accounts/nameRecords';
import { usedTwinFirst } from '../accounts/twins';
import { maxAuthors } from '../accounts/user';
import type { Fields } from '../fields';
import { lifetimes, limits } from '../limits';
import type { GrantRole, GroupRecord, UserRecord } from '../store/entities';
import {
  type GroupIndex,
  groupIndexes,
  peopleOf,
  readGroup,
  readPad,
  storedByRule,
  texts,
} from '../store/records';
import { withUnitedGrants } from '../store/ruleGrants';
import { keys } from '../store/store';
import { readTrashedGroup, readTrashedPad } from '../store/trashNotes';
import type { Facts } from './facts';
import { type Change, changeFields, type Finding, sameList } from './findings';

const existingUsers = ({ users }: Facts): UserRecord[] =>
  [...users.values()].flatMap(({ record }) => record ?? []);

function grouped<T>(items: readonly T[], nameOf: (item: T) => string): Map<string, T[]> {
  const found = new Map<string, T[]>();
  for (const item of items) found.set(nameOf(item), [...(found.get(nameOf(item)) ?? []), item]);
  return found;
}

// 1. Accounts that exist twice

/** The people of a pad, with the higher role if it is shared with several of the accounts. */
function withUnitedShares(
  people: Readonly<Record<string, GrantRole>>,
  gone: ReadonlySet<string>,
  kept: string,
): Record<string, GrantRole> {
  const united: Record<string, GrantRole> = {};
  for (const [person, role] of Object.entries(people)) {
    const id = gone.has(person) ? kept : person;
    united[id] = united[id] === 'writer' ? 'writer' : role;
  }
  return united;
}

/** The account that stays, the ids of all, and those of the others. */
interface Merged {
  kept: string;
  all: readonly string[];
  gone: ReadonlySet<string>;
}

const replacedIn = ({ gone, kept }: Merged, ids: unknown): unknown =>
  Array.isArray(ids) ? [...new Set(ids.map((id) => (gone.has(id) ? kept : id)))] : ids;

const mergedGroup = (merged: Merged, id: string, group: Fields, found: GroupRecord): Fields => ({
  admins: replacedIn(merged, group.admins),
  users: replacedIn(merged, group.users),
  ...(group.readers === undefined ? {} : { readers: replacedIn(merged, group.readers) }),
  // Another merge may have changed it since the search.
  ...storedByRule(withUnitedGrants(readGroup(id, group) ?? found, merged.all, merged.kept)),
});

const mergedPad = ({ gone, kept }: Merged, id: string, pad: Fields): Fields => ({
  people: withUnitedShares(readPad(id, pad)?.people ?? {}, gone, kept),
});

/** Folders and pads, also those in the trash, as their records or notes are changed. */
function mergedContents(facts: Facts, merged: Merged): Change[] {
  const { gone, kept } = merged;
  const isIn = (people: readonly string[]): boolean => people.some((person) => gone.has(person));
  const inTrash = (key: string, change: (record: Fields) => Fields): Change =>
    changeFields(key, (note) => {
      const trashed = note.trashed as Fields & { record: Fields };
      const by = gone.has(String(trashed.by)) ? kept : trashed.by;
      return { trashed: { ...trashed, by, record: { ...trashed.record, ...change(trashed.record) } } };
    });
  const groups = [...facts.groups].flatMap(([id, { record }]): Change[] => {
    if (record === undefined || !isIn(peopleOf(record))) return [];
    return [changeFields(keys.group(id), (group) => mergedGroup(merged, id, group, record))];
  });
  const pads = [...facts.pads].flatMap(([id, { record }]): Change[] => {
    if (!isIn(Object.keys(record?.people ?? {}))) return [];
    return [changeFields(keys.pad(id), (pad) => mergedPad(merged, id, pad))];
  });
  const trashedGroups = [...facts.groupRemovals].flatMap(([id, note]): Change[] => {
    const { record, by } = readTrashedGroup(note) ?? {};
    if (record === undefined || !isIn([...peopleOf(record), by ?? ''])) return [];
    return [inTrash(keys.deleteGroup(id), (group) => mergedGroup(merged, id, group, record))];
  });
  const trashedPads = [...facts.padRemovals].flatMap(([id, note]): Change[] => {
    const { record, by } = readTrashedPad(note) ?? {};
    if (record === undefined || !isIn([...Object.keys(record.people ?? {}), by ?? ''])) return [];
    return [inTrash(keys.deletePad(id), (pad) => mergedPad(merged, id, pad))];
  });
  return [...groups, ...pads, ...trashedGroups, ...trashedPads];
}

/** Keeps the account that sign-ins open (accounts/twins.ts). It gets groups, bookmarks and lists of the others. */
function merge(facts: Facts, duplicates: readonly UserRecord[]): Finding {
  const [kept, ...others] = usedTwinFirst(duplicates);
  if (kept === undefined) throw new Error('no accounts to merge');
  const gone = new Set(others.map(({ _id }) => _id));
  const merged = { kept: kept._id, all: duplicates.map(({ _id }) => _id), gone };
  const united = <T>(of: (user: UserRecord) => readonly T[]): T[] => [...new Set(duplicates.flatMap(of))];
  const links = new Map(
    duplicates.flatMap(({ keptLinks = [] }) => keptLinks.map((link) => [link._id, link])),
  );
  const lists: Change[] = existingUsers(facts)
    .filter(({ userlists }) =>
      Object.values(userlists).some((list) => texts(list?.uids).some((id) => gone.has(id))),
    )
    .map(({ _id }) =>
      changeFields(keys.user(_id), (user) => ({
        userlists: Object.fromEntries(
          Object.entries(user.userlists as UserRecord['userlists']).map(([id, list]) => [
            id,
            { ...list, uids: replacedIn(merged, list?.uids) },
          ]),
        ),
      })),
    );
  const own = changeFields(keys.user(kept._id), () => ({
    groups: united((user) => user.groups),
    readerOf: united((user) => user.readerOf ?? []),
    sharedPads: united((user) => user.sharedPads ?? []),
    authors: united((user) => user.authors ?? []).slice(-maxAuthors),
    keptLinks: [...links.values()].slice(-limits.keptLinks),
    bookmarks: {
      groups: united((user) => user.bookmarks.groups),
      pads: united((user) => user.bookmarks.pads),
    },
    userlists: Object.assign(
      {},
      ...[...duplicates].reverse().map(({ userlists }) => userlists),
      kept.userlists,
    ),
    active: duplicates.some(({ active }) => active),
  }));
  return {
    kind: 'duplicateAccounts',
    of: kept.login,
    detail: `${kept._id} is kept with its password, and gets what ${[...gone].join(', ')} had`,
    changes: [own, ...mergedContents(facts, merged), ...lists],
    removes: [...gone].map(keys.user),
  };
}

/** Whether a merge would take from the person how they sign in, or programs their tokens. */
const hasOwnKeys = ({ ownKeys }: Facts, { _id, identities = [] }: UserRecord): boolean =>
  identities.length > 0 || ownKeys.has(keys.factors(_id)) || ownKeys.has(keys.apiTokensOf('user', _id));

export function duplicateAccounts(facts: Facts): Finding[] {
  const findings: Finding[] = [];
  for (const [login, users] of grouped(existingUsers(facts), (user) => user.login)) {
    if (users.length < 2) continue;
    const addresses = new Set(users.map(({ email }) => email.toLowerCase()));
    const ids = users.map(({ _id }) => _id).join(', ');
    if (addresses.size > 1) {
      const detail = `${ids}: a person has to decide whose account it is`;
      findings.push({ kind: 'sharedLogin', of: login, detail });
    } else if (new Set(users.map(({ closed }) => closed === true)).size > 1) {
      const detail = `${ids}: one of them is closed; a person has to decide whether the others stay`;
      findings.push({ kind: 'duplicateAccounts', of: login, detail });
    } else if (
      usedTwinFirst(users)
        .slice(1)
        .some((user) => hasOwnKeys(facts, user))
    ) {
      const what = 'a second factor, API tokens or a sign-in service';
      const detail = `${ids}: the one that would go has ${what}; a person has to decide which one stays`;
      findings.push({ kind: 'duplicateAccounts', of: login, detail });
    } else findings.push(merge(facts, users));
  }
  const withAddress = existingUsers(facts).filter((user) => user.email !== '' && !user.addressTaken);
  for (const users of grouped(withAddress, (user) => comparableAddress(user.email)).values()) {
    const logins = [...new Set(users.map(({ login }) => login))];
    if (logins.length > 1) findings.push({ kind: 'sharedAddress', of: logins.join(', ') });
  }
  return findings;
}

export function accountsWithoutPassword(facts: Facts): Finding[] {
  return existingUsers(facts)
    .filter(facts.needsPassword)
    .filter(({ password }) => typeof password !== 'object' || typeof password?.hash !== 'string')
    .map(({ login }) => ({ kind: 'noPassword', of: login }));
}

// 2. References in accounts

export function staleGroupIndexes(facts: Facts): Finding[] {
  const groups = [...facts.groups.values()].flatMap(({ record }) => record ?? []);
  return (Object.keys(groupIndexes) as GroupIndex[]).flatMap((index) =>
    staleIndexes(
      facts,
      index,
      groups.map((group) => ({ id: group._id, people: groupIndexes[index](group) })),
    ),
  );
}

export function staleSharedPads(facts: Facts): Finding[] {
  const pads = [...facts.pads.values()].flatMap(({ record }) => record ?? []);
  const shared = pads.map(({ _id: id, people = {} }) => ({ id, people: Object.keys(people) }));
  return staleIndexes(facts, 'sharedPads', shared);
}

/** Accounts whose `index` is not the list of the records that name them, with the repair. */
function staleIndexes(
  facts: Facts,
  index: GroupIndex | 'sharedPads',
  records: readonly { id: string; people: readonly string[] }[],
): Finding[] {
  const inTrash = index === 'sharedPads' ? facts.trash.pads : facts.trash.groups;
  const actual = new Map<string, string[]>();
  for (const { id, people } of records)
    for (const person of people) actual.set(person, [...(actual.get(person) ?? []), id]);
  return existingUsers(facts).flatMap((user): Finding[] => {
    const [stored, own] = [user[index] ?? [], actual.get(user._id) ?? []];
    const listed = [...new Set(stored)].filter((id) => own.includes(id) || inTrash.has(id));
    const ids = [...listed, ...own.filter((id) => !listed.includes(id))];
    if (sameList(stored, ids)) return [];
    const change = changeFields(keys.user(user._id), () => ({ [index]: ids }));
    return [{ kind: 'staleGroupIndex', of: user.login, changes: [change] }];
  });
}

export function danglingBookmarks(facts: Facts): Finding[] {
  return existingUsers(facts).flatMap((user): Finding[] => {
    const exists = (what: 'groups' | 'pads') => (id: string) =>
      facts[what].get(id)?.record !== undefined || facts.trash[what].has(id);
    const kept = {
      groups: user.bookmarks.groups.filter(exists('groups')),
      pads: user.bookmarks.pads.filter(exists('pads')),
    };
    const { groups, pads } = user.bookmarks;
    if (sameList(groups, kept.groups) && sameList(pads, kept.pads)) return [];
    const change = changeFields(keys.user(user._id), () => ({ bookmarks: kept }));
    return [{ kind: 'danglingBookmarks', of: user.login, changes: [change] }];
  });
}

export function danglingUserLists(facts: Facts): Finding[] {
  const exists = (id: unknown): id is string =>
    typeof id === 'string' && facts.users.get(id)?.record !== undefined;
  return existingUsers(facts).flatMap((user): Finding[] => {
    const lists = Object.entries(user.userlists);
    const good = lists.every(
      ([, list]) => list !== null && Array.isArray(list?.uids) && list.uids.every(exists),
    );
    if (good) return [];
    const kept = lists
      .filter(([, list]) => typeof list === 'object' && list !== null)
      .map(([id, list]) => [id, { ...list, uids: Array.isArray(list.uids) ? list.uids.filter(exists) : [] }]);
    const userlists: unknown = Object.fromEntries(kept);
    const change = changeFields(keys.user(user._id), () => ({ userlists }));
    return [{ kind: 'danglingLists', of: user.login, changes: [change] }];
  });
}

// 3. Index entries of accounts

/** An index that is not complete yet is not checked: the next start builds it. */
export function staleIndexEntries(facts: Facts): Finding[] {
  if (!facts.indexed) return [];
  const wanted = linesByKey(existingUsers(facts));
  const stale = [...facts.indexes.keys()].filter((key) => !wanted.has(key));
  const wrong = [...wanted].filter(([key, lines]) => {
    return !sameList([...linesOf(facts.indexes.get(key))].sort(), [...lines].sort());
  });
  return [
    ...stale.map((key): Finding => ({ kind: 'staleIndex', of: key, removes: [key] })),
    ...wrong.map(
      ([key, lines]): Finding => ({
        kind: 'staleIndex',
        of: key,
        changes: [{ key, change: () => namesRecord(lines) }],
      }),
    ),
  ];
}

const lifetimeOf = { user: lifetimes.session, admin: lifetimes.adminSession, guest: lifetimes.guestSession };

export function expiredSessions(facts: Facts, now: number): Finding[] {
  const gone = new Set<string>();
  for (const [key, session] of facts.sessions) {
    const { kind, owner, created, lastSeen } = session ?? {};
    const old =
      !(kind in lifetimeOf) ||
      typeof owner !== 'string' ||
      now >= created + lifetimeOf[kind] ||
      (kind === 'user' && now >= lastSeen + lifetimes.sessionIdle);
    const abandoned = kind === 'user' && facts.users.get(owner)?.record === undefined;
    if (old || abandoned) gone.add(key);
  }
  const found = [...gone].map((key): Finding => ({ kind: 'expiredSessions', of: key, removes: [key] }));
  for (const [key, session] of facts.sessions) {
    if (gone.has(key) || session.kind === 'guest') continue;
    const list = facts.sessionLists.get(keys.sessionsOf(session.kind, session.owner));
    if (!texts(list?.ids).includes(key.slice(keys.session('').length)))
      found.push({ kind: 'unlistedSessions', of: key, removes: [key] });
  }
  for (const [key, list] of facts.sessionLists) {
    const ids = texts(list?.ids);
    const kept = ids.filter((id) => facts.sessions.has(keys.session(id)) && !gone.has(keys.session(id)));
    if (kept.length > 0 && sameList(list.ids, kept)) continue;
    const repair =
      kept.length === 0 ? { removes: [key] } : { changes: [{ key, change: () => ({ ids: kept }) }] };
    found.push({ kind: 'expiredSessions', of: key, ...repair });
  }
  return found;
}

export function expiredMailTokens(facts: Facts, now: number): Finding[] {
  return [...facts.mailTokens]
    .filter(([, token]) => {
      const owner = typeof token?.user === 'string' ? facts.users.get(token.user)?.record : undefined;
      return owner === undefined || typeof token.expires !== 'number' || now >= token.expires;
    })
    .map(([key]) => ({ kind: 'expiredTokens', of: key, removes: [key] }));
}
