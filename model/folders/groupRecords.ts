/**
 * Reads and changes the records of groups. A group's own lists decide who belongs to it; `groups` and `readerOf` of a
 * user are indexes, which after a crash may list too much, never too little: joining writes them first, leaving last.
 */
import { changedForEverybody, groupAccessChange } from '../access/accessChange';
import type { Users } from '../accounts/user';
import { MyPadsError, recordNotFound } from '../errors';
import type { Events } from '../events';
import { forEachInSlices } from '../store/batches';
import type { GroupRecord, RequestRecord, UserRecord } from '../store/entities';
import { type ListChange, listChange } from '../store/listChanges';
import { type GroupIndex, groupIndexes, listWith, readGroup, storedGroup } from '../store/records';
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
export interface IndexChange extends ListChange {
  index: GroupIndex;
}

/** `before`: `undefined` for a new group. */
function indexChanges(before: GroupRecord | undefined, after: GroupRecord): IndexChange[] {
  return (Object.keys(groupIndexes) as GroupIndex[]).map((index) => {
    return { index, ...listChange(before ? groupIndexes[index](before) : [], groupIndexes[index](after)) };
  });
}

/**
 * Without the requests of people whose role has changed: a manager has answered them. What was declined stays so for
 * those who leave, who could ask again at once otherwise.
 */
function withoutAnswered(group: GroupRecord, people: readonly string[]): GroupRecord {
  const isAnswered = ({ user, declined }: RequestRecord): boolean =>
    people.includes(user) && (declined === undefined || listWith(user, group) !== undefined);
  const requests = group.requests.filter((request) => !isAnswered(request));
  return requests.length < group.requests.length ? { ...group, requests } : group;
}

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

interface Joining {
  id: string;
  indexed: readonly IndexChange[];
}

/** Writes the index of everybody who joins one of these groups, once for each person. */
async function joinAll(users: Users, groups: readonly Joining[]): Promise<void> {
  const people = new Map<string, Partial<Record<GroupIndex, string[]>>>();
  for (const { id, indexed } of groups) {
    await pauseIfLong();
    for (const { index, joined } of indexed)
      for (const person of joined) {
        const joins = people.get(person) ?? {};
        people.set(person, { ...joins, [index]: [...(joins[index] ?? []), id] });
      }
  }
  await forEachInSlices(people, ([person, joins]) => users.addGroups(person, joins));
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

function createCorrection({ store, users }: Pick<RecordsContext, 'store' | 'users'>) {
  /** The people of the group, also while it is in the trash. */
  async function insideOf(id: string, index: GroupIndex): Promise<Set<string>> {
    const [stored, note] = await store.getMany<unknown>([keys.group(id), keys.deleteGroup(id)]);
    const group = readGroup(id, stored) ?? readTrashedGroup(note)?.record;
    await pauseIfLong();
    return new Set(group && groupIndexes[index](group));
  }

  /** Writes the index of these people as the group is then, which is locked for a part of them at a time. */
  async function correct(id: string, index: GroupIndex, people: readonly string[]): Promise<void> {
    for (let start = 0; start < people.length; start += fewPeople) {
      await store.locked([keys.group(id)], async () => {
        const inside = await insideOf(id, index);
        await forEachInSlices(people.slice(start, start + fewPeople), (person) =>
          inside.has(person)
            ? users.addGroups(person, { [index]: [id] })
            : users.removeGroup(person, id, index),
        );
      });
    }
  }

  /**
   * After the index of those who join was written without the lock of the group: they may not have joined, or somebody
   * who was still leaving may have removed it.
   */
  async function check(id: string, changes: readonly IndexChange[]): Promise<void> {
    for (const { index, joined } of changes) {
      if (joined.length === 0) continue;
      const accounts = await users.findMany(joined);
      const inside = await insideOf(id, index);
      const isWrong = ({ _id, [index]: listed = [] }: UserRecord): boolean =>
        listed.includes(id) !== inside.has(_id);
      await correct(
        id,
        index,
        [...accounts.values()].filter(isWrong).map(({ _id }) => _id),
      );
    }
  }

  return { correct, check };
}

/** Without those whose index was written before. */
function withoutEarly(changes: readonly IndexChange[], early: readonly IndexChange[]): IndexChange[] {
  return changes.map((change) => {
    const written = new Set(early.find(({ index }) => index === change.index)?.joined);
    return { ...change, joined: change.joined.filter((person) => !written.has(person)) };
  });
}

function createChanging(
  { store, users, events }: RecordsContext,
  { correct, check }: ReturnType<typeof createCorrection>,
  find: (id: string) => Promise<GroupRecord | undefined>,
  requireAdmin: (before: GroupRecord, after: GroupRecord) => Promise<void>,
) {
  const leave = (id: string, { index, left }: IndexChange): Promise<void> =>
    forEachInSlices(left, (person) => users.removeGroup(person, id, index));

  /** Under the lock. `mayWait`: writes nothing if the index of many has to be written before. */
  async function attempt(
    id: string,
    decide: Decide,
    { early, mayWait }: { early: readonly IndexChange[]; mayWait: boolean },
  ): Promise<Attempt> {
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
    const joining = withoutEarly(indexes, early);
    if (mayWait && joining.some(({ joined }) => joined.length > fewPeople))
      return { state: 'joining', joining: indexes };
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

  return async (id: string, decide: Decide, indexed: readonly IndexChange[] = []): Promise<GroupRecord> => {
    let early = indexed;
    try {
      for (let mayWait = true; ; mayWait = false) {
        const tried = await store.locked([keys.group(id)], () => attempt(id, decide, { early, mayWait }));
        if (tried.state === 'joining') {
          early = tried.joining;
          await join(users, id, early);
          continue;
        }
        for (const { index, left } of tried.leaving) await correct(id, index, left);
        return tried.group;
      }
    } finally {
      if (early !== indexed) await check(id, early);
    }
  };
}

export function createGroupRecords(context: RecordsContext) {
  const { store, users, events } = context;
  const reading = createReading(store);
  const correction = createCorrection(context);

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
     * Calls `change` for each group, after writing the index of everybody who is to join, once for each person; it gets
     * what was written. Throws what it throws.
     */
    async changeMany(
      groups: readonly Change[],
      change: (id: string, indexed: readonly IndexChange[]) => Promise<void>,
    ): Promise<void> {
      const all = groups.map(([before, after]) => ({ id: after._id, indexed: indexChanges(before, after) }));
      try {
        await joinAll(users, all);
        await forEachInSlices(all, ({ id, indexed }) => change(id, indexed));
      } finally {
        for (const { id, indexed } of all) await correction.check(id, indexed);
      }
    },
    /**
     * Changes a group and its index under its lock, never below what rules give (ruleGrants.ts). `decide` may be called
     * twice; `undefined` writes nothing. `indexed`: what `changeMany` has written. Throws KEY_NOT_FOUND,
     * GROUP.RESIGN_UNIQUE_ADMIN when no existing admin would be left. Emits `group`.
     */
    change: createChanging(context, correction, reading.find, requireAdmin),
  };
}

export type GroupRecords = ReturnType<typeof createGroupRecords>;
