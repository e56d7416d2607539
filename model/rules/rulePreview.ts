/** Tells who would get and lose which role by other rules, from what services sent at the last sign-in of everybody. */

import type { Users } from '../accounts/user';
import type { GroupRecords } from '../folders/groupRecords';
import type { RecordIndex } from '../index/recordIndex';
import { limits } from '../limits';
import { inBatches } from '../store/batches';
import {
  type GroupRecord,
  type GroupRule,
  type MemberList,
  memberLists,
  type UserRecord,
} from '../store/entities';
import { hasGrant, type RoleChange, roleChanges } from '../store/ruleGrants';
import { keys, type Store } from '../store/store';
import { nextSlice, sliceUsed } from '../store/timeSlice';
import { readAttributes } from './attributes';
import { givenRoles, type KnownPerson, outcomeOf } from './ruleApplication';
import { groupNameOf } from './ruleRecord';

export interface PreviewRow extends RoleChange {
  user: UserRecord;
  /** A record with an id only if the group exists. */
  group: { _id?: string; name: string };
}

/** `count`: of all; `rows`: at most `limits.previewed`. */
export interface PreviewList {
  count: number;
  rows: PreviewRow[];
}

export interface Preview {
  /** Roles that are new, or have more rights. */
  gains: PreviewList;
  /** Roles that end, or have fewer rights. */
  losses: PreviewList;
  /** People of whom a service has sent something that a rule named. */
  known: number;
}

export interface PreviewContext {
  store: Pick<Store, 'getMany'>;
  users: Pick<Users, 'findMany'>;
  records: Pick<GroupRecords, 'findMany'>;
  recordIndex: Pick<RecordIndex, 'ids'>;
}

/** Rules whose group is not made yet stand for it with this id, which no group has. */
const standIn = ({ id }: GroupRule): string => `new ${id}`;

const rank = (role: MemberList | undefined): number =>
  role === undefined ? 0 : memberLists.length - memberLists.indexOf(role);

export class Previewing {
  readonly preview: Preview = { gains: { count: 0, rows: [] }, losses: { count: 0, rows: [] }, known: 0 };
  /** What people lose, by id of their account: the same texts for the same changes. */
  readonly losses = new Map<string, string[]>();
  /** Ids of the accounts of which something would change in the records of groups. */
  readonly changing = new Set<string>();
  /** Made for each group when it is needed: for all of them, that takes long. */
  private readonly changes = new Map<string, ReturnType<typeof roleChanges>>();

  constructor(
    private readonly rules: readonly GroupRule[],
    private readonly groups: ReadonlyMap<string, GroupRecord>,
  ) {}

  async add(people: readonly (KnownPerson & { user: UserRecord })[]): Promise<void> {
    const outcome = await outcomeOf(people, this.rules, async (rule) => standIn(rule));
    const named = this.rules.filter(({ folder }) => folder === undefined);
    for (const { user } of people) {
      if (sliceUsed()) await nextSlice();
      for (const [id, group] of this.groups) {
        const results = outcome.get(id)?.get(user._id) ?? [];
        if (results.length === 0 && !group.byRule?.has(user._id)) continue;
        const change = this.changes.get(id) ?? roleChanges(group);
        this.changes.set(id, change);
        const given = givenRoles(group, user._id, results);
        const changed = change(user._id, given);
        if (changed.before !== changed.after || !hasGrant(group, user._id, given))
          this.changing.add(user._id);
        this.note(user, { _id: id, name: group.name }, changed);
      }
      for (const rule of named) {
        const results = outcome.get(standIn(rule))?.get(user._id);
        const [role] = results ? Object.values(givenRoles({}, user._id, results)) : [];
        if (role === undefined) continue;
        this.changing.add(user._id);
        this.note(user, { name: groupNameOf(rule) }, { before: undefined, after: role });
      }
    }
  }

  private note(user: UserRecord, group: PreviewRow['group'], { before, after }: RoleChange): void {
    if (rank(before) === rank(after)) return;
    const isLoss = rank(after) < rank(before);
    if (isLoss) {
      const lost = this.losses.get(user._id) ?? [];
      this.losses.set(user._id, [...lost, `${group._id} ${before} ${after}`]);
    }
    const list = isLoss ? this.preview.losses : this.preview.gains;
    list.count += 1;
    if (list.rows.length < limits.previewed) list.rows.push({ user, group, before, after });
  }
}

/** Reads what is known about everybody, in batches. `before`: the stored rules. */
export async function previewOf(
  { store, users, records, recordIndex }: PreviewContext,
  { before, rules }: { before: readonly GroupRule[]; rules: readonly GroupRule[] },
): Promise<Preview> {
  const concerned = [...new Set([...before, ...rules].flatMap(({ folder }) => folder ?? []))];
  const groups = await records.findMany(concerned);
  const withGrants = new Set<string>();
  for (const { byRule } of groups.values()) {
    if (sliceUsed()) await nextSlice();
    for (const person of byRule?.keys() ?? []) withGrants.add(person);
  }
  const previewing = new Previewing(rules, groups);
  await inBatches((await recordIndex.ids()).users, async (part) => {
    const stored = await store.getMany<unknown>(part.map(keys.attributes));
    const known = new Map(part.map((id, index) => [id, readAttributes(stored[index])?.known]));
    const meant = part.filter((id) => known.get(id) !== undefined || withGrants.has(id));
    previewing.preview.known += part.filter((id) => known.get(id) !== undefined).length;
    const accounts = await users.findMany(meant);
    await previewing.add([...accounts.values()].map((user) => ({ user, known: known.get(user._id) ?? {} })));
  });
  return previewing.preview;
}
