/** Who belongs to a group, and as what: adding, replacing, leaving. */
import type { Users } from '../accounts/user';
import { isError, MyPadsError } from '../errors';
import type { Detached } from '../removal/accountCleanup';
import type { Removals } from '../removal/removals';
import { forEachInBatches } from '../store/batches';
import {
  type GroupRecord,
  type MemberList,
  type MembersByRole,
  memberLists,
  type UserRecord,
} from '../store/entities';
import { eachOnOneList, type GroupIndex, groupsOf, peopleOf } from '../store/records';
import { roleByRule, withGiven, withoutGrants } from '../store/ruleGrants';
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
export type Roles = Readonly<Record<MemberList | 'removed', readonly string[]>>;

type Indexed = Pick<UserRecord, '_id' | GroupIndex>;

type Lists = MembersByRole & Pick<GroupRecord, 'byRule'>;

/** Ids of accounts by the entry that names them. */
type Named = ReadonlyMap<string, string>;

const trimmed = (entries: readonly string[]): string[] =>
  entries.map((entry) => entry.trim()).filter((entry) => entry !== '');

/** The accounts that usernames and addresses name: by entry, the entries that name one, and the others. */
export async function accountsNamed(users: Pick<Users, 'findByEntries'>, entries: readonly string[]) {
  const asked = unique(trimmed(entries));
  const people = await users.findByEntries(asked);
  const isKnown = (entry: string): boolean => people.has(entry);
  return { people, present: asked.filter(isKnown), absent: asked.filter((entry) => !isKnown(entry)) };
}

/** The lists with these people taken out of all of them. */
const without = (lists: MembersByRole, people: ReadonlySet<string>): MembersByRole => {
  const left = (list: MemberList): string[] => lists[list].filter((person) => !people.has(person));
  return { admins: left('admins'), users: left('users'), readers: left('readers') };
};

function replaced(current: MembersByRole, as: MemberList, people: Named): MembersByRole {
  const listed = unique([...people.values()]);
  return { ...without(current, new Set(listed)), [as]: listed };
}

/** `undefined` if people have given everybody this role already, or one with more rights. */
function extended(current: GroupRecord, as: MemberList, people: Named): Lists | undefined {
  const after = withGiven(current, [...people.values()], as);
  return after[as].length > current[as].length || after.byRule !== current.byRule ? after : undefined;
}

function assigned(current: MembersByRole, roles: Roles, people: Named): MembersByRole {
  const idsOf = (role: keyof Roles): string[] =>
    unique(trimmed(roles[role]).flatMap((entry) => people.get(entry) ?? []));
  const now = eachOnOneList({ admins: idsOf('admins'), users: idsOf('users'), readers: idsOf('readers') });
  const named = new Set([...peopleOf(now), ...idsOf('removed')]);
  // People who keep their role keep their place in the list.
  const listed = (list: MemberList): string[] =>
    unique([
      ...current[list].filter((person) => !named.has(person) || now[list].includes(person)),
      ...now[list],
    ]);
  return { admins: listed('admins'), users: listed('users'), readers: listed('readers') };
}

interface MembershipContext {
  records: GroupRecords;
  users: Users;
  removals: Pick<Removals, 'removeGroupOf'>;
}

/** Removing an account from all its groups. */
function createDetaching(
  { records, users, removals }: MembershipContext,
  removeFrom: (group: string, user: string) => Promise<unknown>,
) {
  /** If the user is the last admin, the group is removed. `gone`: there was nothing to do. */
  async function leave(id: string, user: string): Promise<'left' | 'removed' | 'gone'> {
    try {
      const isLast = await removeFrom(id, user).then(
        () => false,
        (error: unknown) => {
          if (isError(error, 'BACKEND.ERROR.GROUP.RESIGN_UNIQUE_ADMIN')) return true;
          throw error;
        },
      );
      if (!isLast) return 'left';
      if (await removals.removeGroupOf(id, user)) return 'removed';
      // Since then, somebody else has become a manager, or the group is gone.
      return await leave(id, user);
    } catch (error) {
      if (!isError(error, 'BACKEND.ERROR.GROUP.NOT_USER', 'BACKEND.ERROR.CONFIGURATION.KEY_NOT_FOUND'))
        throw error;
      return 'gone';
    }
  }

  async function joinedGroups(user: Indexed): Promise<GroupRecord[]> {
    const found = await records.findMany(groupsOf(user));
    return [...found.values()].filter((group) => peopleOf(group).includes(user._id));
  }

  /** Those of the groups that the user manages, and no other account that counts. */
  async function alone(
    { _id }: Indexed,
    groups: readonly GroupRecord[],
    counts: (other: UserRecord) => boolean,
  ): Promise<GroupRecord[]> {
    const managed = groups.filter(({ admins }) => admins.includes(_id));
    const managers = await users.findMany([...new Set(managed.flatMap(({ admins }) => admins))]);
    const others = new Set([...managers.values()].filter(counts).map((other) => other._id));
    others.delete(_id);
    return managed.filter(({ admins }) => !admins.some((admin) => others.has(admin)));
  }

  return {
    /** Removes an account from its groups. A group that would have no admin left is removed with its pads. */
    async detach(user: Indexed): Promise<Detached> {
      const done: Detached = { removed: [], left: 0 };
      await forEachInBatches(await joinedGroups(user), async (group) => {
        const how = await leave(group._id, user._id);
        if (how === 'removed') done.removed.push(group);
        if (how === 'left') done.left += 1;
      });
      return done;
    },
    /** What `detach` would do. Changes nothing. */
    async previewDetach(user: Indexed): Promise<Detached> {
      const joined = await joinedGroups(user);
      const removed = await alone(user, joined, () => true);
      return { removed, left: joined.length - removed.length };
    },
    /** The groups that this account manages, and no other that is open: nobody else could manage them. */
    managedAlone: async (user: Indexed): Promise<GroupRecord[]> =>
      alone(user, await joinedGroups(user), ({ active }) => active),
  };
}

export function createMembership(context: MembershipContext) {
  const { records, users } = context;

  async function changeLists(
    id: string,
    entries: readonly string[],
    check: GroupCheck | undefined,
    decide: (current: GroupRecord, people: Named) => Lists | undefined,
    changed: readonly MemberList[],
  ): Promise<Invitation> {
    const { people, ...named } = await accountsNamed(users, entries);
    const group = await records.change(id, (current) => {
      check?.(current);
      const lists = decide(current, people);
      return lists && { after: { ...current, ...lists }, changed: [...changed] };
    });
    return { group, ...named };
  }

  /** Also takes away what rules give them. */
  async function removeFrom(id: string, user: string, check?: GroupCheck): Promise<GroupRecord> {
    return records.change(id, (current) => {
      check?.(current);
      if (!peopleOf(current).includes(user)) throw new MyPadsError('BACKEND.ERROR.GROUP.NOT_USER');
      const gone = new Set([user]);
      const after = { ...current, ...without(current, gone), ...withoutGrants(current, gone) };
      return { after, changed: ['users'] };
    });
  }

  return {
    /**
     * Replaces the users or the admins by the people that the entries name (login or e-mail). People on another list
     * move. Unknown entries are reported and change nothing. Throws GROUP.RESIGN_UNIQUE_ADMIN when no admin would be
     * left, KEY_NOT_FOUND.
     */
    invite: (
      id: string,
      as: 'admins' | 'users',
      entries: readonly string[],
      check?: GroupCheck,
    ): Promise<Invitation> =>
      changeLists(id, entries, check, (current, people) => replaced(current, as, people), [as]),
    /**
     * Adds the people that the entries name. Nobody gets a role with fewer rights than before. Unknown entries are
     * reported and change nothing. Throws KEY_NOT_FOUND.
     */
    add: (id: string, as: MemberList, entries: readonly string[], check?: GroupCheck): Promise<Invitation> =>
      changeLists(id, entries, check, (current, people) => extended(current, as, people), [as]),
    /**
     * Changes the roles of the people that the entries name, and nobody else's. Somebody who is named twice gets the
     * first role of `Roles`. Unknown entries are reported and change nothing. Throws GROUP.RESIGN_UNIQUE_ADMIN,
     * KEY_NOT_FOUND.
     */
    assign: (id: string, roles: Roles, check?: GroupCheck): Promise<Invitation> =>
      changeLists(
        id,
        [...memberLists, 'removed' as const].flatMap((role) => [...roles[role]]),
        check,
        (current, people) => assigned(current, roles, people),
        memberLists,
      ),
    /**
     * Leaves the group. Throws GROUP.NOT_USER for somebody who is not in it, GROUP.BY_RULE for somebody whom a rule has
     * put there, GROUP.RESIGN_UNIQUE_ADMIN for its last admin, KEY_NOT_FOUND.
     */
    resign: (id: string, user: string, check?: GroupCheck): Promise<GroupRecord> =>
      removeFrom(id, user, (current) => {
        check?.(current);
        if (roleByRule(current, user)) throw new MyPadsError('BACKEND.ERROR.GROUP.BY_RULE');
      }),
    ...createDetaching(context, removeFrom),
  };
}

export type Membership = ReturnType<typeof createMembership>;

export function createHandover(
  records: Pick<GroupRecords, 'change'>,
  { managedAlone }: Pick<Membership, 'managedAlone'>,
) {
  return {
    /**
     * Makes the account `to` the only manager of the group. The others become members. Throws KEY_NOT_FOUND,
     * GROUP.RESIGN_UNIQUE_ADMIN if there is no such account.
     */
    handOver: (id: string, to: string, check?: GroupCheck): Promise<GroupRecord> =>
      records.change(id, (current) => {
        check?.(current);
        const users = unique([...current.users, ...current.admins]);
        const after = withGiven({ ...current, admins: [], users }, [to], 'admins');
        return { after, changed: ['admins', 'users', 'readers'] };
      }),

    /**
     * Makes `to` a manager of all groups of `managedAlone`. Resolves to these groups, without those that the account
     * does not manage any more when they are changed.
     */
    async handOverAll(user: Indexed, to: string): Promise<GroupRecord[]> {
      const after: GroupRecord[] = [];
      await forEachInBatches(await managedAlone(user), async ({ _id }) => {
        let isManaged = false;
        const change = (current: GroupRecord) => {
          isManaged = current.admins.includes(user._id);
          if (!isManaged) return undefined;
          return { after: withGiven(current, [to], 'admins'), changed: ['admins'] };
        };
        const group = await records.change(_id, change);
        if (isManaged) after.push(group);
      });
      return after;
    },
  };
}
