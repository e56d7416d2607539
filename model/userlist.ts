/**
 * A person's own lists of people, to invite them together. They live in the person's record (server.md 3.3) and name accounts by id; an
 * account that is gone is on no list any more.
 */
import type { UserListRecord, UserRecord } from './entities';
import { MyPadsError } from './errors';
import type { Groups } from './group';
import { newId } from './ids';
import { limits } from './limits';
import { peopleOf } from './records';
import type { Users } from './user';

/** Somebody on a list. The account, and what of it the list's owner may know. */
export interface ListedUser {
  user: UserRecord;
  /** Names and e-mail: the owner of the list administers a group that this person is in. */
  full: boolean;
  /** The e-mail address that the owner typed, while it is still the account's. */
  typedEmail: string | undefined;
}

export interface UserList {
  id: string;
  name: string;
  people: ListedUser[];
}

/** What is said about a list. `entries`: logins and e-mail addresses, the complete list. */
export interface UserListInput {
  name?: string;
  entries?: readonly string[];
}

/** The list that was saved, and what came of its entries as they were sent, each once. */
export interface SavedUserList {
  id: string;
  present: string[];
  absent: string[];
}

export interface UserLists {
  /** All lists of somebody (user id), in the order in which they were made. */
  all(owner: string): Promise<UserList[]>;
  /** Throws TYPE.USERLIST_CRUD beyond `limits.userlists` and `limits.listed`, SERVER.BUSY before accounts are indexed. */
  create(owner: string, input: UserListInput & { name: string }): Promise<SavedUserList>;
  /**
   * What is left out stays. Throws TYPE.USERLIST_SET_PARAMS when nothing is said, USER.USERLIST_NOT_FOUND, SERVER.BUSY, and
   * TYPE.USERLIST_CRUD beyond `limits.listed`.
   */
  update(owner: string, id: string, input: UserListInput): Promise<SavedUserList>;
  /** Throws USER.USERLIST_NOT_FOUND. */
  remove(owner: string, id: string): Promise<void>;
}

type Lists = Record<string, UserListRecord>;

/** The lists of a record that may be old or damaged. */
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

export function createUserLists({ users, groups }: { users: Users; groups: Groups }): UserLists {
  /** Everybody in the groups that this person administers. */
  async function knownTo(owner: UserRecord): Promise<Set<string>> {
    const own = await groups.findMany(owner.groups);
    const ruled = [...own.values()].filter((group) => group.admins.includes(owner._id));
    return new Set([owner._id, ...ruled.flatMap(peopleOf)]);
  }

  /** Looks the entries up; `undefined` where none were sent. */
  async function resolve(entries: readonly string[] | undefined) {
    if (entries === undefined) return { present: [], absent: [], content: undefined };
    const asked = [...new Set(entries.map((entry) => entry.trim()).filter((entry) => entry !== ''))];
    const found = await users.findByEntries(asked);
    const addresses = asked.flatMap((entry): [string, string][] => {
      const uid = found.get(entry);
      return uid !== undefined && entry.includes('@') ? [[uid, entry]] : [];
    });
    return {
      present: asked.filter((entry) => found.has(entry)),
      absent: asked.filter((entry) => !found.has(entry)),
      content: { uids: [...new Set(found.values())], emails: Object.fromEntries(addresses) },
    };
  }

  /** The lists stand in the account's record, which is read with every call: they may not make it grow without end. */
  async function change(owner: string, decide: (lists: Lists) => Lists): Promise<void> {
    await users.update(owner, (user) => {
      const changed = { ...user, userlists: decide(user.userlists) };
      const listed = countPeople(changed);
      if (listed > limits.listed && listed > countPeople(user)) {
        throw new MyPadsError('BACKEND.ERROR.TYPE.USERLIST_CRUD', { most: limits.listed });
      }
      return changed;
    });
  }

  return {
    async all(owner) {
      const record = await users.get(owner);
      if (record === undefined) return [];
      const lists = readLists(record);
      const [people, known] = await Promise.all([
        users.findMany([...new Set(lists.flatMap(([, { uids }]) => uids))]),
        knownTo(record),
      ]);
      return lists.map(([id, { name, uids, emails = {} }]) => ({
        id,
        name,
        people: uids.flatMap((uid): ListedUser[] => {
          const user = people.get(uid);
          if (user === undefined) return [];
          const typed = Object.hasOwn(emails, uid) ? emails[uid] : undefined;
          const current = typeof typed === 'string' && typed.toLowerCase() === user.email.toLowerCase();
          return [{ user, full: known.has(uid), typedEmail: current ? typed : undefined }];
        }),
      }));
    },

    async create(owner, { name, entries = [] }) {
      const { present, absent, content } = await resolve(entries);
      const id = newId(name);
      await change(owner, (lists) => {
        if (Object.keys(lists).length >= limits.userlists) {
          throw new MyPadsError('BACKEND.ERROR.TYPE.USERLIST_CRUD', { most: limits.userlists });
        }
        return { ...lists, [id]: { name, uids: [], ...content } };
      });
      return { id, present, absent };
    },

    async update(owner, id, { name, entries }) {
      if (name === undefined && entries === undefined) {
        throw new MyPadsError('BACKEND.ERROR.TYPE.USERLIST_SET_PARAMS');
      }
      const { present, absent, content } = await resolve(entries);
      await change(owner, (lists) => {
        const list = Object.hasOwn(lists, id) ? lists[id] : undefined;
        if (list === undefined) throw notFound(id);
        return { ...lists, [id]: { ...list, ...(name === undefined ? {} : { name }), ...content } };
      });
      return { id, present, absent };
    },

    async remove(owner, id) {
      await change(owner, (lists) => {
        if (!Object.hasOwn(lists, id)) throw notFound(id);
        return Object.fromEntries(Object.entries(lists).filter(([other]) => other !== id));
      });
    },
  };
}
