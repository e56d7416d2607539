/**
 * Reads and changes the records of groups. A group's own lists decide who belongs to it; `groups` and `readerOf` of a
 * user are indexes, which after a crash may list too much, never too little: joining writes them first, leaving last.
 */
import { changedForEverybody, groupAccessChange } from '../access/accessChange';
import type { Users } from '../accounts/user';
import { MyPadsError, recordNotFound } from '../errors';
import type { Events } from '../events';
import { forEachInSlices } from '../store/batches';
import type { GroupRecord, UserRecord } from '../store/entities';
import { type ListChange, listChange } from '../store/listChanges';
import { type GroupIndex, groupIndexes, readGroup, storedGroup } from '../store/records';
import { keepRuleGrants } from '../store/ruleGrants';
import { keys, type Store } from '../store/store';
import { nextSlice, sliceUsed } from '../store/timeSlice';
import { readTrashedGroup } from '../store/trashNotes';

/**
 * Checks the current group right before a change is written. An error that it throws cancels the change. Without it,
 * somebody who was just removed as admin could add themselves again.
 */
export type GroupCheck = (current: GroupRecord) => void;

/** The group after a change, and the names of the fields that were set. */
export interface GroupChange {
  after: GroupRecord;
  changed: string[];
}

/** The list without repetitions. */
export function unique(ids: readonly string[]): string[] {
  return [...new Set(ids)];
}

function createReading(store: Store) {
  return {
    /** The group, or `undefined`. */
    find: async (id: string): Promise<GroupRecord | undefined> =>
      readGroup(id, await store.get(keys.group(id))),
    /** The existing groups among these ids. */
    async findMany(ids: readonly string[]): Promise<Map<string, GroupRecord>> {
      const wanted = unique(ids);
      const stored = await store.getMany<unknown>(wanted.map((id) => keys.group(id)));
      const found = new Map<string, GroupRecord>();
      for (const [index, id] of wanted.entries()) {
        if (sliceUsed()) await nextSlice();
        const group = readGroup(id, stored[index]);
        if (group !== undefined) found.set(id, group);
      }
      return found;
    },
  };
}

/** A group before and after a change. */
type Change = readonly [GroupRecord, GroupRecord];

/** Whose index must change in which way. */
interface IndexChange extends ListChange {
  index: GroupIndex;
}

/** `before`: `undefined` for a new group. */
function indexChanges(before: GroupRecord | undefined, after: GroupRecord): IndexChange[] {
  return (Object.keys(groupIndexes) as GroupIndex[]).map((index) => {
    return { index, ...listChange(before ? groupIndexes[index](before) : [], groupIndexes[index](after)) };
  });
}

/** Without the requests of people whose role has changed: a manager has answered them. */
const withoutAnswered = (group: GroupRecord, people: readonly string[]): GroupRecord =>
  group.requests.some(({ user }) => people.includes(user))
    ? { ...group, requests: group.requests.filter(({ user }) => !people.includes(user)) }
    : group;

/** Each step of a change reads all people of the group, who may be tens of thousands. */
const pauseIfLong = (): Promise<void> | undefined => (sliceUsed() ? nextSlice() : undefined);

/**
 * Accounts whose index is written while the group is locked. Of more, it is written before and after, because everybody
 * who wants to change the group, or to make a pad in it, waits for the lock.
 */
const fewPeople = 100;

async function join(users: Users, id: string, changes: readonly IndexChange[]): Promise<void> {
  for (const { index, joined } of changes)
    await forEachInSlices(joined, (person) => users.addGroups(person, { [index]: [id] }));
}

/** Writes the index of everybody who joins one of these groups, once for each person. */
async function joinAll(users: Users, groups: readonly Change[]): Promise<void> {
  const people = new Map<string, Partial<Record<GroupIndex, string[]>>>();
  for (const [before, after] of groups) {
    await pauseIfLong();
    for (const { index, joined } of indexChanges(before, after))
      for (const person of joined) {
        const joins = people.get(person) ?? {};
        people.set(person, { ...joins, [index]: [...(joins[index] ?? []), after._id] });
      }
  }
  await forEachInSlices(people, ([person, joins]) => users.addGroups(person, joins));
}

/** Those who join and whose index does not have the group yet. */
async function notIndexed(users: Users, id: string, changes: readonly IndexChange[]): Promise<IndexChange[]> {
  const missing: IndexChange[] = [];
  for (const { index, joined } of changes) {
    const found = await users.findMany(joined);
    const lacks = ({ [index]: listed = [] }: UserRecord): boolean => !listed.includes(id);
    missing.push({ index, left: [], joined: [...found.values()].filter(lacks).map(({ _id }) => _id) });
  }
  return missing;
}

interface RecordsContext {
  store: Store;
  users: Users;
  events: Events;
}

type Decide = (group: GroupRecord) => GroupChange | undefined;

/** What a change has to do when the group's record is written, or before that. */
type Attempt =
  | { state: 'done'; group: GroupRecord; leaving: IndexChange[] }
  | { state: 'joining'; joining: IndexChange[] };

function createLeaving({ store, users }: Pick<RecordsContext, 'store' | 'users'>) {
  const leave = (id: string, { index, left }: Omit<IndexChange, 'joined'>): Promise<void> =>
    forEachInSlices(left, (person) => users.removeGroup(person, id, index));

  /** Those who are not in the group, also while it is in the trash. */
  async function outside(id: string, index: GroupIndex, people: readonly string[]): Promise<string[]> {
    const [stored, note] = await store.getMany<unknown>([keys.group(id), keys.deleteGroup(id)]);
    const group = readGroup(id, stored) ?? readTrashedGroup(note)?.record;
    const inside = new Set(group && groupIndexes[index](group));
    return people.filter((person) => !inside.has(person));
  }

  /** Some of them may have come back meanwhile. */
  async function leaveInParts(id: string, { index, left }: Omit<IndexChange, 'joined'>): Promise<void> {
    for (let start = 0; start < left.length; start += fewPeople) {
      const part = left.slice(start, start + fewPeople);
      await store.locked([keys.group(id)], async () =>
        leave(id, { index, left: await outside(id, index, part) }),
      );
    }
  }

  /** After an index was written before the group: of those whom the group does not have, it is written back. */
  async function undoJoins(id: string, changes: readonly IndexChange[]): Promise<void> {
    for (const { index, joined } of changes) {
      if (joined.length > 0) await leaveInParts(id, { index, left: await outside(id, index, joined) });
      await pauseIfLong();
    }
  }

  return { leave, leaveInParts, undoJoins };
}

function createChanging(
  { store, users, events }: RecordsContext,
  { leave, leaveInParts, undoJoins }: ReturnType<typeof createLeaving>,
  find: (id: string) => Promise<GroupRecord | undefined>,
  requireAdmin: (before: GroupRecord, after: GroupRecord) => Promise<void>,
) {

  /** Under the lock. `mayWait`: writes nothing if the index of many has to be written before. */
  async function attempt(id: string, decide: Decide, mayWait: boolean): Promise<Attempt> {
    await pauseIfLong();
    const before = await find(id);
    if (before === undefined) throw recordNotFound(id);
    await pauseIfLong();
    const change = decide(before);
    if (change === undefined) return { state: 'done', group: before, leaving: [] };
    const { changed } = change;
    await pauseIfLong();
    const kept = keepRuleGrants(before, change.after);
    await pauseIfLong();
    const access = groupAccessChange(before, kept);
    const after = withoutAnswered(kept, access.people);
    await requireAdmin(before, after);
    await pauseIfLong();
    const indexes = indexChanges(before, after);
    const joining = await notIndexed(users, id, indexes);
    if (mayWait && joining.some(({ joined }) => joined.length > fewPeople))
      return { state: 'joining', joining };
    await join(users, id, joining);
    await pauseIfLong();
    const stored = storedGroup(after);
    await pauseIfLong();
    await store.set(keys.group(id), stored);
    // Sent here, because open editors must not wait until the index of everybody who left is written.
    events.emit({ about: 'group', what: 'changed', id, before, after, changed, access });
    const leaving = indexes.filter(({ left }) => left.length > fewPeople);
    for (const index of indexes) if (!leaving.includes(index)) await leave(id, index);
    return { state: 'done', group: after, leaving };
  }

  return async (id: string, decide: Decide): Promise<GroupRecord> => {
    let early: IndexChange[] = [];
    try {
      for (let mayWait = true; ; mayWait = false) {
        const tried = await store.locked([keys.group(id)], () => attempt(id, decide, mayWait));
        if (tried.state === 'joining') {
          early = tried.joining;
          await join(users, id, early);
          continue;
        }
        for (const index of tried.leaving) await leaveInParts(id, index);
        return tried.group;
      }
    } finally {
      await undoJoins(id, early);
    }
  };
}

export function createGroupRecords(context: RecordsContext) {
  const { store, users, events } = context;
  const reading = createReading(store);
  const leaving = createLeaving(context);

  /** The ids that belong to an existing account. */
  async function existing(ids: string[]): Promise<string[]> {
    const found = await users.findMany(ids);
    return ids.filter((id) => found.has(id));
  }

  /** Throws GROUP.RESIGN_UNIQUE_ADMIN when a change removes admins and no existing admin is left. */
  async function requireAdmin(before: GroupRecord, after: GroupRecord): Promise<void> {
    const left = new Set(after.admins);
    if (before.admins.every((admin) => left.has(admin))) return;
    if ((await existing(after.admins)).length > 0) return;
    throw new MyPadsError('BACKEND.ERROR.GROUP.RESIGN_UNIQUE_ADMIN');
  }

  return {
    ...reading,
    /** Throws GROUP.ITEMS_NOT_FOUND for an id without an account. */
    async requirePeople(ids: string[]): Promise<void> {
      const found = new Set(await existing(ids));
      const key = ids.find((id) => !found.has(id));
      if (key !== undefined) throw new MyPadsError('BACKEND.ERROR.GROUP.ITEMS_NOT_FOUND', { key });
    },
    /** Writes a new group, after the index of its people. Emits `group`. */
    async add(group: GroupRecord): Promise<GroupRecord> {
      await join(users, group._id, indexChanges(undefined, group));
      await store.set(keys.group(group._id), storedGroup(group));
      const record = { about: 'group', id: group._id, before: null, after: group } as const;
      events.emit({ ...record, what: 'created', access: changedForEverybody });
      return group;
    },
    /**
     * Calls `change` for each group, after writing the index of everybody who is to join, once for each person. Throws
     * what `change` throws.
     */
    async changeMany(groups: readonly Change[], change: (id: string) => Promise<void>): Promise<void> {
      try {
        await joinAll(users, groups);
        await forEachInSlices(groups, ([{ _id }]) => change(_id));
      } finally {
        for (const [before, after] of groups)
          await leaving.undoJoins(after._id, indexChanges(before, after));
      }
    },
    /**
     * Changes a group and the index of its people under the group's lock. Nobody gets fewer rights than rules give
     * them: ruleGrants.ts. If `decide`, which may be called twice, returns `undefined`, writes nothing. Throws
     * KEY_NOT_FOUND, GROUP.RESIGN_UNIQUE_ADMIN when no existing admin would be left. Emits `group`.
     */
    change: createChanging(context, leaving, reading.find, requireAdmin),
  };
}

export type GroupRecords = ReturnType<typeof createGroupRecords>;
