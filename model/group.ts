/**
 * Groups ("folders" on the screens): records, and everything that changes them. The record's own lists say who belongs; the
 * `groups` of a user record is an index that may point to too much, never to too little. So somebody joins index first,
 * record last, and leaves record first, index last; a crash in between reads as before or after.
 *
 * Nothing here knows who calls: whether that person may is model/permissions.ts, asked by the routes, before they come here and once
 * more with what `check` gets to see.
 */
import type { GroupRecord, StoredPassword, UserRecord, Visibility } from './entities';
import { type ErrorKey, MyPadsError } from './errors';
import type { Events } from './events';
import { newId } from './ids';
import type { Jobs } from './jobs';
import type { Passwords } from './password';
import { peopleOf, readGroup } from './records';
import { each } from './slices';
import { keys, type Store } from './store';
import type { Users } from './user';

/** What a person may say about a group. `password` is plain text; `''` and `null` mean that none was given. */
export interface GroupInput {
  name?: string;
  description?: string;
  visibility?: Visibility;
  password?: string | null;
  readonly?: boolean;
  archived?: boolean;
  allowUsersToCreatePads?: boolean;
  tags?: string[];
  /** User ids, complete lists. */
  admins?: string[];
  users?: string[];
}

/**
 * Looks at the group as it is when a change is written. What it throws passes through, and nothing has changed. A list of admins that
 * somebody sends who has just ceased to be one would bring that person back.
 */
export type GroupCheck = (current: GroupRecord) => void;

/** What came of a list of logins and e-mails: the entries as they were sent, each once. */
export interface Invitation {
  group: GroupRecord;
  present: string[];
  absent: string[];
}

export interface Groups {
  /** The group, `undefined` when there is none. */
  find(id: string): Promise<GroupRecord | undefined>;
  /** The groups of these ids that exist, by id. */
  findMany(ids: readonly string[]): Promise<Map<string, GroupRecord>>;
  /**
   * A new group of `owner` (user id), who is its first admin. Throws GROUP.ITEMS_NOT_FOUND for an id that names nobody,
   * PASSWORD_INCORRECT for a private group without password.
   */
  create(owner: string, input: GroupInput & { name: string }): Promise<GroupRecord>;
  /**
   * Changes what `input` names and leaves the rest. A group that becomes private needs a password (PASSWORD_INCORRECT); one that
   * stays private keeps its own when none is given; one that is not private keeps none. Lists of people as in `create`, and
   * somebody must remain to administer the group (GROUP.RESIGN_UNIQUE_ADMIN). Throws KEY_NOT_FOUND.
   */
  update(id: string, input: GroupInput, check?: GroupCheck): Promise<GroupRecord>;
  /** With all its pads. Throws KEY_NOT_FOUND. */
  remove(id: string): Promise<void>;
  /**
   * Sets who is a user or an admin of the group to exactly the people that the entries name, by login or e-mail address. Somebody on
   * the other list moves over; an admin who is on no list any more is out. Entries that name nobody are told and change nothing. Throws
   * GROUP.RESIGN_UNIQUE_ADMIN when nobody would be left to administer it, KEY_NOT_FOUND.
   */
  invite(
    id: string,
    as: 'admins' | 'users',
    entries: readonly string[],
    check?: GroupCheck,
  ): Promise<Invitation>;
  /** Throws GROUP.NOT_USER for somebody who is not in it, GROUP.RESIGN_UNIQUE_ADMIN for its last admin, KEY_NOT_FOUND. */
  resign(id: string, user: string): Promise<GroupRecord>;
  /** Takes an account that is being removed out of its groups. Groups that nobody else administers go, with their pads. */
  detach(user: Pick<UserRecord, '_id' | 'groups'>): Promise<void>;
  /** Lists a pad. False when the group is gone meanwhile. */
  linkPad(id: string, pad: string): Promise<boolean>;
}

export interface GroupContext {
  store: Store;
  users: Users;
  passwords: Passwords;
  jobs: Jobs;
  events: Events;
  now: () => number;
}

function unique(ids: readonly string[]): string[] {
  return [...new Set(ids)];
}

const isError = (error: unknown, key: ErrorKey): boolean => error instanceof MyPadsError && error.key === key;

export function createGroups({ store, users, passwords, jobs, events, now }: GroupContext): Groups {
  async function find(id: string): Promise<GroupRecord | undefined> {
    return readGroup(id, await store.get(keys.group(id)));
  }

  async function findMany(ids: readonly string[]): Promise<Map<string, GroupRecord>> {
    const wanted = unique(ids);
    const stored = await store.getMany<unknown>(wanted.map((id) => keys.group(id)));
    const found = new Map<string, GroupRecord>();
    for (const [index, id] of wanted.entries()) {
      const group = readGroup(id, stored[index]);
      if (group !== undefined) found.set(id, group);
    }
    return found;
  }

  /** Ids that name nobody are refused: GROUP.ITEMS_NOT_FOUND. */
  async function demandPeople(ids: string[]): Promise<void> {
    if ((await living(ids)).length < ids.length) throw new MyPadsError('BACKEND.ERROR.GROUP.ITEMS_NOT_FOUND');
  }

  /** Those of the ids that name an account. */
  async function living(ids: string[]): Promise<string[]> {
    const found = await users.findMany(ids);
    return ids.filter((id) => found.has(id));
  }

  /** GROUP.RESIGN_UNIQUE_ADMIN when a change drops admins and leaves nobody to administer the group. */
  async function demandAdmin(before: GroupRecord, after: GroupRecord): Promise<void> {
    if (before.admins.every((admin) => after.admins.includes(admin))) return;
    if ((await living(after.admins)).length > 0) return;
    throw new MyPadsError('BACKEND.ERROR.GROUP.RESIGN_UNIQUE_ADMIN');
  }

  /**
   * Reads, decides and writes under the group's lock, people and index in the order that the head of this file gives. The index
   * changes under the same lock: two changes of the same person cannot cross. KEY_NOT_FOUND when there is no such group.
   */
  async function change(
    id: string,
    decide: (group: GroupRecord) => GroupRecord | Promise<GroupRecord>,
  ): Promise<GroupRecord> {
    const changed = await store.locked([keys.group(id)], async () => {
      const before = await find(id);
      if (before === undefined) {
        throw new MyPadsError('BACKEND.ERROR.CONFIGURATION.KEY_NOT_FOUND', { key: id });
      }
      const after = await decide(before);
      await demandAdmin(before, after);
      const [was, is] = [new Set(peopleOf(before)), new Set(peopleOf(after))];
      const came = [...is].filter((person) => !was.has(person));
      const went = [...was].filter((person) => !is.has(person));
      await each(came, (person) => users.addGroup(person, id));
      await store.set(keys.group(id), after);
      await each(went, (person) => users.removeGroup(person, id));
      return after;
    });
    events.emit('group', { id });
    return changed;
  }

  async function hashed(password: string | null | undefined): Promise<StoredPassword | undefined> {
    return password ? passwords.hash(password) : undefined;
  }

  async function create(owner: string, input: GroupInput & { name: string }): Promise<GroupRecord> {
    const visibility = input.visibility ?? 'restricted';
    const admins = unique([owner, ...(input.admins ?? [])]);
    const members = unique(input.users ?? []).filter((user) => !admins.includes(user));
    await demandPeople([...admins, ...members]);
    const password = visibility === 'private' ? await hashed(input.password) : null;
    if (password === undefined) throw new MyPadsError('BACKEND.ERROR.AUTHENTICATION.PASSWORD_INCORRECT');
    const group: GroupRecord = {
      _id: newId(input.name),
      name: input.name,
      description: input.description ?? '',
      visibility,
      password,
      readonly: input.readonly ?? false,
      archived: input.archived ?? false,
      allowUsersToCreatePads: input.allowUsersToCreatePads ?? false,
      tags: unique(input.tags ?? []),
      admins,
      users: members,
      pads: [],
      ctime: now(),
    };
    await each(peopleOf(group), (person) => users.addGroup(person, group._id));
    await store.set(keys.group(group._id), group);
    events.emit('group', { id: group._id });
    return group;
  }

  async function update(id: string, input: GroupInput, check?: GroupCheck): Promise<GroupRecord> {
    const named = unique([...(input.admins ?? []), ...(input.users ?? [])]);
    await demandPeople(named);
    const password = await hashed(input.password);
    return change(id, (current) => {
      check?.(current);
      const visibility = input.visibility ?? current.visibility;
      const kept =
        current.visibility === 'private' && typeof current.password === 'object' ? current.password : null;
      const next = visibility === 'private' ? (password ?? kept) : null;
      if (visibility === 'private' && next === null) {
        throw new MyPadsError('BACKEND.ERROR.AUTHENTICATION.PASSWORD_INCORRECT');
      }
      const admins = input.admins === undefined ? current.admins : unique(input.admins);
      return {
        ...current,
        name: input.name ?? current.name,
        description: input.description ?? current.description,
        visibility,
        password: next,
        readonly: input.readonly ?? current.readonly,
        archived: input.archived ?? current.archived,
        allowUsersToCreatePads: input.allowUsersToCreatePads ?? current.allowUsersToCreatePads,
        tags: input.tags === undefined ? current.tags : unique(input.tags),
        admins,
        users: unique(input.users ?? current.users).filter((user) => !admins.includes(user)),
      };
    });
  }

  async function invite(
    id: string,
    as: 'admins' | 'users',
    entries: readonly string[],
    check?: GroupCheck,
  ): Promise<Invitation> {
    const asked = unique(entries.map((entry) => entry.trim()).filter((entry) => entry !== ''));
    const people = await users.findByEntries(asked);
    const listed = unique([...people.values()]);
    const group = await change(id, (current) => {
      check?.(current);
      return as === 'users'
        ? { ...current, users: listed, admins: current.admins.filter((admin) => !listed.includes(admin)) }
        : { ...current, admins: listed, users: current.users.filter((user) => !listed.includes(user)) };
    });
    return {
      group,
      present: asked.filter((entry) => people.has(entry)),
      absent: asked.filter((entry) => !people.has(entry)),
    };
  }

  async function resign(id: string, user: string): Promise<GroupRecord> {
    return change(id, (current) => {
      if (!peopleOf(current).includes(user)) throw new MyPadsError('BACKEND.ERROR.GROUP.NOT_USER');
      return {
        ...current,
        admins: current.admins.filter((admin) => admin !== user),
        users: current.users.filter((member) => member !== user),
      };
    });
  }

  async function linkPad(id: string, pad: string): Promise<boolean> {
    const linked = await store.update<GroupRecord>(keys.group(id), (stored) => {
      const group = readGroup(id, stored);
      if (group === undefined) return undefined;
      return { ...group, pads: unique([...group.pads, pad]) };
    });
    return linked !== undefined;
  }

  async function detach(user: Pick<UserRecord, '_id' | 'groups'>): Promise<void> {
    const named = [...(await findMany(user.groups)).values()].filter((group) =>
      peopleOf(group).includes(user._id),
    );
    await each(named, (group) => leave(group._id, user._id));
  }

  /** A group that would be left without anybody to administer it goes. */
  async function leave(id: string, user: string): Promise<void> {
    try {
      await resign(id, user).catch((error: unknown) => {
        if (!isError(error, 'BACKEND.ERROR.GROUP.RESIGN_UNIQUE_ADMIN')) throw error;
        return jobs.removeGroup(id);
      });
    } catch (error) {
      const nothingToDo = [
        'BACKEND.ERROR.GROUP.NOT_USER',
        'BACKEND.ERROR.CONFIGURATION.KEY_NOT_FOUND',
      ] as const;
      if (!nothingToDo.some((key) => isError(error, key))) throw error;
    }
  }

  return { find, findMany, create, update, remove: jobs.removeGroup, invite, resign, detach, linkPad };
}
