/**
 * A person's own lists of people, for inviting several people at once. The lists are part of the owner's record and
 * contain user ids; removed accounts are removed from them.
 */

import { type Actor, nothingUnlocked, roleIn } from '../access/permissions';
import type { Users } from '../accounts/user';
import { MyPadsError } from '../errors';
import type { Groups } from '../folders/group';
import { accountsNamed } from '../folders/membership';
import { newId } from '../ids';
import { limits } from '../limits';
import type { UserListRecord, UserRecord } from '../store/entities';
import { listChange } from '../store/listChanges';
import { peopleOf } from '../store/records';

/** A person on a list, and what the owner of the list may see of them. */
export interface ListedUser {
  user: UserRecord;
  /** True when the owner may see names and e-mail, because they administer a group of this person. */
  full: boolean;
  /** The e-mail address that the owner typed, if it is still the account's address. */
  typedEmail: string | undefined;
}

export interface UserList {
  id: string;
  name: string;
  people: ListedUser[];
}

/**
 * Input of a list. `entries`: logins and e-mail addresses, the complete list. `was`: the people (ids) on the list that
 * these were made from.
 */
export interface UserListInput {
  name?: string;
  entries?: readonly string[];
  was?: readonly string[] | undefined;
}

/** The saved list: entries that named an account (`present`) and those that did not (`absent`). */
export interface SavedUserList {
  id: string;
  present: string[];
  absent: string[];
}

type Lists = Record<string, UserListRecord>;

/** Reads the lists of a record that may be old or damaged. */
function readLists(user: UserRecord): [string, UserListRecord][] {
  return Object.entries(user.userlists).flatMap(([id, stored]): [string, UserListRecord][] => {
    if (typeof stored !== 'object' || stored === null) return [];
    const { name, uids, emails } = stored as { [field in keyof UserListRecord]?: unknown };
    const ids = Array.isArray(uids) ? uids.filter((uid): uid is string => typeof uid === 'string') : [];
    const typed = typeof emails === 'object' && emails !== null ? (emails as Record<string, string>) : {};
    const read = { name: typeof name === 'string' ? name : '', uids: [...new Set(ids)], emails: typed };
    return [[id, { ...stored, ...read }]];
  });
}

const countPeople = (user: UserRecord): number =>
  readLists(user).reduce((sum, [, { uids }]) => sum + uids.length, 0);

function notFound(id: string): MyPadsError {
  return new MyPadsError('BACKEND.ERROR.USER.USERLIST_NOT_FOUND', { key: id });
}

/** Everybody in the groups that this person administers, and the person. */
async function knownTo(groups: Groups, owner: UserRecord): Promise<Set<string>> {
  const own = await groups.findMany(owner.groups);
  const actor: Actor = { kind: 'user', id: owner._id, unlocked: nothingUnlocked };
  const administered = [...own.values()].filter((group) => roleIn(actor, group) === 'groupAdmin');
  return new Set([owner._id, ...administered.flatMap(peopleOf)]);
}

/** Finds the accounts of the entries; `content` is `undefined` when there were no entries. */
async function resolve(users: Users, entries: readonly string[] | undefined) {
  if (entries === undefined) return { present: [], absent: [], content: undefined };
  const { people, ...named } = await accountsNamed(users, entries);
  const addresses = [...people].filter(([entry]) => entry.includes('@')).map(([entry, uid]) => [uid, entry]);
  const content = { uids: [...new Set(people.values())], emails: Object.fromEntries(addresses) };
  return { ...named, content };
}

/** The list with this content, and what was changed since it was `was`: in another window of the person. */
function merged(
  { uids = [], emails = {} }: Partial<UserListRecord>,
  content: Pick<UserListRecord, 'uids' | 'emails'>,
  was: readonly string[],
): Pick<UserListRecord, 'uids' | 'emails'> {
  const { left, joined } = listChange(was, content.uids);
  const kept = new Set([...uids.filter((uid) => !left.includes(uid)), ...joined]);
  const typed = Object.entries({ ...emails, ...content.emails }).filter(([uid]) => kept.has(uid));
  return { uids: [...kept], emails: Object.fromEntries(typed) };
}

/** Limits the size of the lists, because the account record, which contains them, is read at each call. */
async function change(users: Users, owner: string, decide: (lists: Lists) => Lists): Promise<void> {
  await users.update(owner, (user) => {
    const changed = { ...user, userlists: decide(user.userlists) };
    const listed = countPeople(changed);
    if (listed > limits.listedPeople && listed > countPeople(user)) {
      throw new MyPadsError('BACKEND.ERROR.TYPE.USERLIST_CRUD', { most: limits.listedPeople });
    }
    return changed;
  });
}

/** A list, with the people whose accounts exist. `known`: ids of the people whose names the owner may see. */
function presentList(
  [id, { name, uids, emails = {} }]: [string, UserListRecord],
  people: ReadonlyMap<string, UserRecord>,
  known: ReadonlySet<string>,
): UserList {
  const listed = uids.flatMap((uid): ListedUser[] => {
    const user = people.get(uid);
    if (user === undefined) return [];
    const typed = Object.hasOwn(emails, uid) ? emails[uid] : undefined;
    const current = typeof typed === 'string' && typed.toLowerCase() === user.email.toLowerCase();
    return [{ user, full: known.has(uid), typedEmail: current ? typed : undefined }];
  });
  return { id, name, people: listed };
}

export function createUserLists({ users, groups }: { users: Users; groups: Groups }) {
  return {
    /** All lists of a person (user id), in order of creation. */
    async all(owner: string): Promise<UserList[]> {
      const record = await users.get(owner);
      if (record === undefined) return [];
      const lists = readLists(record);
      const [people, known] = await Promise.all([
        users.findMany([...new Set(lists.flatMap(([, { uids }]) => uids))]),
        knownTo(groups, record),
      ]);
      return lists.map((list) => presentList(list, people, known));
    },

    /**
     * Throws TYPE.USERLIST_CRUD above `limits.userlists` and `limits.listedPeople`, SERVER.BUSY until accounts are
     * indexed.
     */
    async create(
      owner: string,
      { name, entries = [] }: UserListInput & { name: string },
    ): Promise<SavedUserList> {
      const { present, absent, content } = await resolve(users, entries);
      const id = newId(name);
      await change(users, owner, (lists) => {
        if (Object.keys(lists).length >= limits.userlists) {
          throw new MyPadsError('BACKEND.ERROR.TYPE.USERLIST_CRUD', { most: limits.userlists });
        }
        return { ...lists, [id]: { name, uids: [], ...content } };
      });
      return { id, present, absent };
    },

    /**
     * Missing fields stay. Throws TYPE.USERLIST_SET_PARAMS without any field, USER.USERLIST_NOT_FOUND, SERVER.BUSY,
     * TYPE.USERLIST_CRUD above `limits.listedPeople`.
     */
    async update(owner: string, id: string, { name, entries, was }: UserListInput): Promise<SavedUserList> {
      if (name === undefined && entries === undefined) {
        throw new MyPadsError('BACKEND.ERROR.TYPE.USERLIST_SET_PARAMS');
      }
      const { present, absent, content } = await resolve(users, entries);
      await change(users, owner, (lists) => {
        const list = Object.hasOwn(lists, id) ? lists[id] : undefined;
        if (list === undefined) throw notFound(id);
        const people = content && was ? merged(list, content, was) : content;
        return { ...lists, [id]: { ...list, ...(name === undefined ? {} : { name }), ...people } };
      });
      return { id, present, absent };
    },

    /** Throws USER.USERLIST_NOT_FOUND. */
    async remove(owner: string, id: string): Promise<void> {
      await change(users, owner, (lists) => {
        if (!Object.hasOwn(lists, id)) throw notFound(id);
        return Object.fromEntries(Object.entries(lists).filter(([other]) => other !== id));
      });
    },
  };
}

export type UserLists = ReturnType<typeof createUserLists>;
