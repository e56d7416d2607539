/** Who belongs to a group, and as what: adding, replacing, leaving. */
import type { Users } from '../accounts/user';
import { type ErrorKey, MyPadsError } from '../errors';
import type { Jobs } from '../removal/jobs';
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
  detach(user: Pick<UserRecord, '_id' | 'groups'>): Promise<void>;
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

function extended(current: Lists, as: 'admins' | 'users', people: Named): Lists {
  const listed = { ...current, [as]: unique([...current[as], ...people.values()]) };
  return { admins: listed.admins, users: listed.users.filter((user) => !listed.admins.includes(user)) };
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

export function createMembership(context: {
  records: GroupRecords;
  users: Users;
  jobs: Pick<Jobs, 'removeGroup'>;
}): Membership {
  const { records, users, jobs } = context;

  async function changeLists(
    id: string,
    entries: readonly string[],
    check: GroupCheck | undefined,
    decide: (current: Lists, people: Named) => Lists,
  ): Promise<Invitation> {
    const asked = unique(trimmed(entries));
    const people = await users.findByEntries(asked);
    const group = await records.change(id, (current) => {
      check?.(current);
      return { ...current, ...decide(current, people) };
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
      return { ...current, admins: others(current.admins), users: others(current.users) };
    });
  }

  /** If the user is the last admin, the group is removed. */
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
      if (!isError(error, ...nothingToDo)) throw error;
    }
  }

  return {
    invite: (id, as, entries, check) =>
      changeLists(id, entries, check, (current, people) => replaced(current, as, people)),
    add: (id, as, entries, check) =>
      changeLists(id, entries, check, (current, people) => extended(current, as, people)),
    assign: (id, roles, check) =>
      changeLists(id, [...roles.admins, ...roles.users, ...roles.removed], check, (current, people) =>
        assigned(current, roles, people),
      ),
    resign,
    async detach({ _id, groups }) {
      const own = [...(await records.findMany(groups)).values()];
      const joined = own.filter((group) => peopleOf(group).includes(_id));
      await forEachInBatches(joined, (group) => leave(group._id, _id));
    },
  };
}
