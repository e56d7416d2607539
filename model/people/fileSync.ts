/**
 * What `ep-mypads import --sync` has given, so that it takes nothing else: accounts that it made, and roles in groups,
 * which are kept as those of a rule. The command compares this with its file.
 */

import type { Users } from '../accounts/user';
import { MyPadsError } from '../errors';
import { newGroup } from '../folders/group';
import type { GroupRecords } from '../folders/groupRecords';
import type { RecordIndex } from '../index/recordIndex';
import { changeGrants } from '../rules/ruleApplication';
import type { Basics } from '../store/basics';
import { forEachInBatches, inBatches } from '../store/batches';
import type { GroupRecord, MemberList, UserRecord } from '../store/entities';
import { fileRule, type GivenRoles, roleWithoutFile } from '../store/ruleGrants';
import { keys } from '../store/store';
import { readTrashedGroup } from '../store/trashNotes';

/** The role of a person in a group by the file, and the one that they have without it. */
export interface FileRole {
  user: UserRecord;
  role: MemberList;
  otherwise: MemberList | undefined;
}

export interface FileGroup {
  _id: string;
  name: string;
  people: FileRole[];
}

/** Ids of accounts. */
export interface RoleChanges {
  admins: readonly string[];
  users: readonly string[];
  /** They lose what the file gave. */
  removed: readonly string[];
}

export interface FileSync {
  /** `trashed`: names of groups in the trash in which people have roles by the file. */
  state(): Promise<{ accounts: UserRecord[]; groups: FileGroup[]; trashed: string[] }>;
  /** Gives and takes roles. The last manager stays, as given by people. */
  change(group: string, changes: RoleChanges): Promise<void>;
  /**
   * Makes a group in which these people have roles by the file, unless a run at the same time has made it: then they
   * have to be given. Throws GROUP.RESIGN_UNIQUE_ADMIN without admins.
   */
  make(
    name: string,
    people: Pick<RoleChanges, 'admins' | 'users'>,
  ): Promise<{ group: string; made: boolean }>;
  /** Opens accounts that a sync has closed, or closes those that a sync has made. Returns the ids of these. */
  setActive(ids: readonly string[], active: boolean): Promise<string[]>;
}

interface FileSyncContext extends Pick<Basics, 'store' | 'log' | 'now'> {
  users: Users;
  records: GroupRecords;
  recordIndex: Pick<RecordIndex, 'ids'>;
}

export const isClosedBySync = ({ active, bySync }: UserRecord): boolean => !active && bySync?.closed === true;

const givenBy = ({ users, admins }: Pick<RoleChanges, 'admins' | 'users'>): Map<string, MemberList> =>
  new Map([...users.map((id) => [id, 'users'] as const), ...admins.map((id) => [id, 'admins'] as const)]);

const rolesIn = ({ byRule }: GroupRecord): { id: string; role: MemberList }[] =>
  [...(byRule ?? [])].flatMap(([id, { rules }]) => {
    const role = rules[fileRule];
    return role === undefined ? [] : [{ id, role }];
  });

/** As `FileSync.make`. */
async function make(
  { store, users, records, now }: FileSyncContext,
  name: string,
  { admins, users: writers }: Pick<RoleChanges, 'admins' | 'users'>,
): Promise<{ group: string; made: boolean }> {
  const [first] = admins;
  if (first === undefined) throw new MyPadsError('BACKEND.ERROR.GROUP.RESIGN_UNIQUE_ADMIN');
  const isThis = (one: GroupRecord): boolean =>
    one.name === name && one.byRule?.get(first)?.rules[fileRule] === 'admins';
  return store.locked([keys.creationFor(first)], async () => {
    const own = await records.findMany((await users.get(first))?.groups ?? []);
    const there = [...own.values()].find(isThis);
    if (there) return { group: there._id, made: false };
    const input = { name, admins: [...admins], users: [...writers] };
    const group = newGroup(first, input, { given: null, ctime: now() });
    const grants = [...givenBy({ admins, users: writers })].map(
      ([id, role]) => [id, { rules: { [fileRule]: role } }] as const,
    );
    const { _id } = await records.add({ ...group, byRule: new Map(grants) });
    return { group: _id, made: true };
  });
}

export const createFileSync = (context: FileSyncContext): FileSync => {
  const { store, users, records, recordIndex } = context;

  async function groupsByFile(ids: readonly string[]): Promise<FileGroup[]> {
    const found: FileGroup[] = [];
    await inBatches(ids, async (part) => {
      for (const group of (await records.findMany(part)).values()) {
        const given = rolesIn(group);
        if (given.length === 0) continue;
        const accounts = await users.findMany(given.map(({ id }) => id));
        const people = given.flatMap(({ id, role }): FileRole[] => {
          const user = accounts.get(id);
          return user ? [{ user, role, otherwise: roleWithoutFile(group, id) }] : [];
        });
        found.push({ _id: group._id, name: group.name, people });
      }
    });
    return found;
  }

  return {
    async state() {
      const ids = await recordIndex.ids();
      const accounts: UserRecord[] = [];
      await inBatches(ids.users, async (part) => {
        const found = await users.findMany(part);
        accounts.push(...[...found.values()].filter(({ bySync }) => bySync !== undefined));
      });
      const trashed: string[] = [];
      await inBatches([...ids.trash.groups], async (part) => {
        for (const note of await store.getMany<unknown>(part.map(keys.deleteGroup))) {
          const group = readTrashedGroup(note)?.record;
          if (group && rolesIn(group).length > 0) trashed.push(group.name);
        }
      });
      return { accounts, groups: await groupsByFile(ids.groups), trashed };
    },

    async change(group, changes) {
      const roles = givenBy(changes);
      await changeGrants(context, group, ({ byRule }) => {
        const given = (id: string): GivenRoles => {
          const { [fileRule]: _, ...others } = byRule?.get(id)?.rules ?? {};
          const role = roles.get(id);
          return { ...others, ...(role && { [fileRule]: role }) };
        };
        return new Map([...changes.removed, ...roles.keys()].map((id) => [id, given(id)]));
      });
    },

    make: (name, people) => make(context, name, people),

    async setActive(ids, active) {
      const mayChange = (user: UserRecord): boolean =>
        active ? isClosedBySync(user) : user.active && user.bySync !== undefined;
      const check = (user: UserRecord): void => {
        if (!mayChange(user)) throw new MyPadsError('BACKEND.ERROR.AUTHENTICATION.ACTIVATION_NEEDED');
      };
      const changed: string[] = [];
      const meant = [...(await users.findMany(ids)).values()].filter(mayChange);
      await forEachInBatches(meant, async ({ _id }) => {
        await users.updateProfile(_id, { active, bySync: active ? {} : { closed: true } }, { check });
        changed.push(_id);
      });
      return changed;
    },
  };
};
