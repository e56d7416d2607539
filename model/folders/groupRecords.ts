/**
 * Reads and changes the records of groups. A group's own lists decide who belongs to it; `groups` and `readerOf` of a
 * user are indexes, which after a crash may list too much, never too little: joining writes them first, leaving last.
 */
import { changedForEverybody, groupAccessChange } from '../access/accessChange';
import type { Users } from '../accounts/user';
import { MyPadsError, recordNotFound } from '../errors';
import type { Events } from '../events';
import { forEachInSlices } from '../store/batches';
import type { GroupRecord } from '../store/entities';
import { type GroupIndex, groupIndexes, readGroup, storedGroup } from '../store/records';
import { keepRuleGrants } from '../store/ruleGrants';
import { keys, type Store } from '../store/store';
import { nextSlice, sliceUsed } from '../store/timeSlice';

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

/** Whose index must change in which way. */
interface IndexChange {
  index: GroupIndex;
  joined: string[];
  left: string[];
}

/** `before`: `undefined` for a new group. */
function indexChanges(before: GroupRecord | undefined, after: GroupRecord): IndexChange[] {
  return (Object.keys(groupIndexes) as GroupIndex[]).map((index) => {
    const [was, is] = [before && groupIndexes[index](before), groupIndexes[index](after)].map(
      (people) => new Set(people),
    ) as [Set<string>, Set<string>];
    return {
      index,
      joined: [...is].filter((person) => !was.has(person)),
      left: [...was].filter((person) => !is.has(person)),
    };
  });
}

/** Without the requests of people whose role has changed: a manager has answered them. */
const withoutAnswered = (group: GroupRecord, people: readonly string[]): GroupRecord =>
  group.requests.some(({ user }) => people.includes(user))
    ? { ...group, requests: group.requests.filter(({ user }) => !people.includes(user)) }
    : group;

/** Each step of a change reads all people of the group, who may be tens of thousands. */
const pauseIfLong = (): Promise<void> | undefined => (sliceUsed() ? nextSlice() : undefined);

async function join(users: Users, id: string, changes: readonly IndexChange[]): Promise<void> {
  for (const { index, joined } of changes)
    await forEachInSlices(joined, (person) => users.addGroup(person, id, index));
}

async function leave(users: Users, id: string, changes: readonly IndexChange[]): Promise<void> {
  for (const { index, left } of changes)
    await forEachInSlices(left, (person) => users.removeGroup(person, id, index));
}

export function createGroupRecords(context: { store: Store; users: Users; events: Events }) {
  const { store, users, events } = context;
  const reading = createReading(store);

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
     * Changes a group and the index of its people under the group's lock, so that two changes of a person cannot
     * interleave. Nobody gets fewer rights than rules give them: ruleGrants.ts. If `decide` returns `undefined`, writes
     * nothing. Throws KEY_NOT_FOUND, GROUP.RESIGN_UNIQUE_ADMIN when no existing admin would be left. Emits `group`.
     */
    change: (id: string, decide: (group: GroupRecord) => GroupChange | undefined): Promise<GroupRecord> =>
      store.locked([keys.group(id)], async () => {
        await pauseIfLong();
        const before = await reading.find(id);
        if (before === undefined) {
          throw recordNotFound(id);
        }
        await pauseIfLong();
        const change = decide(before);
        if (change === undefined) return before;
        const { changed } = change;
        await pauseIfLong();
        const kept = keepRuleGrants(before, change.after);
        await pauseIfLong();
        const access = groupAccessChange(before, kept);
        const after = withoutAnswered(kept, access.people);
        await requireAdmin(before, after);
        await pauseIfLong();
        const indexes = indexChanges(before, after);
        await join(users, id, indexes);
        await pauseIfLong();
        const stored = storedGroup(after);
        await pauseIfLong();
        await store.set(keys.group(id), stored);
        // Sent here, because open editors must not wait until the index of everybody who left is written.
        events.emit({ about: 'group', what: 'changed', id, before, after, changed, access });
        await leave(users, id, indexes);
        return after;
      }),
  };
}

export type GroupRecords = ReturnType<typeof createGroupRecords>;
