/** Who belongs to a group, and as what: adding, replacing, leaving. */
import type { Users } from '../accounts/user';
import { type ErrorKey, MyPadsError } from '../errors';
import type { Detached } from '../removal/accountCleanup';
import type { Removals } from '../removal/removals';
import { forEachInBatches } from '../store/batches';
import type { GroupRecord, UserRecord } from '../store/entities';
import { peopleOf } from '../store/records';
import { type GroupCheck, type GroupRecords, unique } from './groupRecords';

/**
 * Result of adding logins and e-mail addresses: which entries named an account (`present`) and which did not
 * (`absent`).
 */
export interface Invitation {
  group: GroupRecord;
  present: string[];
  absent: string[];
}

/** Logins and e-mail addresses by the role that they get. `removed`: they leave the group. */
export interface Roles {
  admins: readonly string[];
  users: readonly string[];
  removed: readonly string[];
}

export interface Membership {
  /**
   * Replaces the users or the admins by the people that the entries name (login or e-mail). People on the other list
   * move. Unknown entries are reported and change nothing. Throws GROUP.RESIGN_UNIQUE_ADMIN when no admin would be
   * left, KEY_NOT_FOUND.
   */
  invite(
    id: string,
    as: 'admins' | 'users',
    entries: readonly string[],
    check?: GroupCheck,
  ): Promise<Invitation>;
  /**
   * Adds the people that the entries name. A user can become an admin; an admin stays one. Unknown entries are reported
   * and change nothing. Throws KEY_NOT_FOUND.
   */
  add(
    id: string,
    as: 'admins' | 'users',
    entries: readonly string[],
    check?: GroupCheck,
  ): Promise<Invitation>;
  /**
   * Changes the roles of the people that the entries name, and nobody else's. Somebody who is named twice gets the
   * first role of `Roles`. Unknown entries are reported and change nothing. Throws GROUP.RESIGN_UNIQUE_ADMIN,
   * KEY_NOT_FOUND.
   */
  assign(id: string, roles: Roles, check?: GroupCheck): Promise<Invitation>;
  /**
   * Leaves the group. Throws GROUP.NOT_USER for somebody who is not in it, GROUP.RESIGN_UNIQUE_ADMIN for its last
   * admin, KEY_NOT_FOUND.
   */
  resign(id: string, user: string, check?: GroupCheck): Promise<GroupRecord>;
  /** Removes an account from its groups. A group that would have no admin left is removed with its pads. */
  detach(user: Pick<UserRecord, '_id' | 'groups'>): Promise<Detached>;
  /** What `detach` would do. Changes nothing. */
  previewDetach(user: Pick<UserRecord, '_id' | 'groups'>): Promise<Detached>;
}

/** The two lists of a group. Nobody is on both. */
type Lists = Pick<GroupRecord, 'admins' | 'users'>;

/** Ids of accounts by the entry that names them. */
type Named = ReadonlyMap<string, string>;

const trimmed = (entries: readonly string[]): string[] =>
  entries.map((entry) => entry.trim()).filter((entry) => entry !== '');

function replaced({ admins, users }: Lists, as: 'admins' | 'users', people: Named): Lists {
  const listed = unique([...people.values()]);
  const others = (ids: string[]): string[] => ids.filter((id) => !listed.includes(id));
  return as === 'users'
    ? { users: listed, admins: others(admins) }
    : { admins: listed, users: others(users) };
}

/** `undefined` if everybody has this role already, or a higher one. */
function extended(current: Lists, as: 'admins' | 'users', people: Named): Lists | undefined {
  const listed = { ...current, [as]: unique([...current[as], ...people.values()]) };
  const lists = {
    admins: listed.admins,
    users: listed.users.filter((user) => !listed.admins.includes(user)),
  };
  return lists[as].length > current[as].length ? lists : undefined;
}

function assigned(current: Lists, roles: Roles, people: Named): Lists {
  const idsOf = (role: keyof Roles): string[] =>
    unique(trimmed(roles[role]).flatMap((entry) => people.get(entry) ?? []));
  const admins = idsOf('admins');
  const users = idsOf('users').filter((user) => !admins.includes(user));
  const named = new Set([...admins, ...users, ...idsOf('removed')]);
  // People who keep their role keep their place in the list.
  const listed = (before: readonly string[], now: readonly string[]): string[] =>
    unique([...before.filter((user) => !named.has(user) || now.includes(user)), ...now]);
  return { admins: listed(current.admins, admins), users: listed(current.users, users) };
}

const isError = (error: unknown, ...keys: ErrorKey[]): boolean =>
  error instanceof MyPadsError && keys.includes(error.key);

interface MembershipContext {
  records: GroupRecords;
  users: Users;
  removals: Pick<Removals, 'removeGroup'>;
}

/** Removing an account from all its groups. */
function createDetaching(
  { records, users, removals }: MembershipContext,
  resign: Membership['resign'],
): Pick<Membership, 'detach' | 'previewDetach'> {
  /** If the user is the last admin, the group is removed. `gone`: there was nothing to do. */
  async function leave(id: string, user: string): Promise<'left' | 'removed' | 'gone'> {
    try {
      const isLast = await resign(id, user).then(
        () => false,
        (error: unknown) => {
          if (isError(error, 'BACKEND.ERROR.GROUP.RESIGN_UNIQUE_ADMIN')) return true;
          throw error;
        },
      );
      if (!isLast) return 'left';
      await removals.removeGroup(id);
      return 'removed';
    } catch (error) {
      const nothingToDo = [
        'BACKEND.ERROR.GROUP.NOT_USER',
        'BACKEND.ERROR.CONFIGURATION.KEY_NOT_FOUND',
      ] as const;
      if (!isError(error, ...nothingToDo)) throw error;
      return 'gone';
    }
  }

  async function joinedGroups({ _id, groups }: Pick<UserRecord, '_id' | 'groups'>): Promise<GroupRecord[]> {
    return [...(await records.findMany(groups)).values()].filter((group) => peopleOf(group).includes(_id));
  }

  return {
    async detach(user) {
      const done: Detached = { removed: [], left: 0 };
      await forEachInBatches(await joinedGroups(user), async (group) => {
        const how = await leave(group._id, user._id);
        if (how === 'removed') done.removed.push(group);
        if (how === 'left') done.left += 1;
      });
      return done;
    },
    async previewDetach(user) {
      const joined = await joinedGroups(user);
      const others = await users.findMany([...new Set(joined.flatMap(({ admins }) => admins))]);
      const stays = ({ admins }: GroupRecord): boolean =>
        !admins.includes(user._id) || admins.some((admin) => admin !== user._id && others.has(admin));
      const removed = joined.filter((group) => !stays(group));
      return { removed, left: joined.length - removed.length };
    },
  };
}

export function createMembership(context: MembershipContext): Membership {
  const { records, users } = context;

  async function changeLists(
    id: string,
    entries: readonly string[],
    check: GroupCheck | undefined,
    decide: (current: Lists, people: Named) => Lists | undefined,
    changed: (keyof Lists)[],
  ): Promise<Invitation> {
    const asked = unique(trimmed(entries));
    const people = await users.findByEntries(asked);
    const group = await records.change(id, (current) => {
      check?.(current);
      const lists = decide(current, people);
      return lists && { after: { ...current, ...lists }, changed };
    });
    return {
      group,
      present: asked.filter((entry) => people.has(entry)),
      absent: asked.filter((entry) => !people.has(entry)),
    };
  }

  async function resign(id: string, user: string, check?: GroupCheck): Promise<GroupRecord> {
    return records.change(id, (current) => {
      check?.(current);
      if (!peopleOf(current).includes(user)) throw new MyPadsError('BACKEND.ERROR.GROUP.NOT_USER');
      const others = (ids: string[]): string[] => ids.filter((other) => other !== user);
      const after = { ...current, admins: others(current.admins), users: others(current.users) };
      return { after, changed: ['users'] };
    });
  }

  return {
    invite: (id, as, entries, check) =>
      changeLists(id, entries, check, (current, people) => replaced(current, as, people), [as]),
    add: (id, as, entries, check) =>
      changeLists(id, entries, check, (current, people) => extended(current, as, people), [as]),
    assign: (id, roles, check) =>
      changeLists(
        id,
        [...roles.admins, ...roles.users, ...roles.removed],
        check,
        (current, people) => assigned(current, roles, people),
        ['admins', 'users'],
      ),
    resign,
    ...createDetaching(context, resign),
  };
}
