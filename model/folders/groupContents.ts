/**
 * Groups with their pads and people, cached in memory, so that lists need not read thousands of records. All writes
 * pass through `watch`; the cache is updated before a write is acknowledged. Permissions are not cached: each answer
 * decides them again.
 */
import { LRUCache } from 'lru-cache';
import type { Database } from '../ports';
import type { GroupRecord, PadRecord, UserRecord } from '../store/entities';
import { peopleOf, readGroup, readPad, readUser } from '../store/records';
import { keys, type Store } from '../store/store';
import { nextSlice, sliceUsed } from '../store/timeSlice';
import type { EditTimes } from './editTimes';

/** The fields of a person that lists show. */
export type PersonSummary = Pick<UserRecord, '_id' | 'login' | 'color' | 'firstname' | 'lastname' | 'email'>;

/** A group with its pads and people. Immutable: a change makes a new object. */
export interface GroupContent {
  readonly group: GroupRecord;
  /** The pads that the group lists and that name the group, in the group's order. */
  readonly pads: readonly PadRecord[];
  /** The pads with their own password. */
  readonly locked: readonly PadRecord[];
  /** The people of the group whose account exists, by user id. */
  readonly people: ReadonlyMap<string, PersonSummary>;
}

export interface GroupContents {
  /** The existing groups among these ids. Their pads have the time of the last change, if somebody has written. */
  read(ids: readonly string[]): Promise<Map<string, GroupContent>>;
  /** Asks Etherpad for the times that are missing, for example of pads that another program wrote. */
  withTimes(content: GroupContent): Promise<GroupContent>;
  /** Drops everything, because other processes may have changed any record. */
  clear(): void;
}

export interface GroupContentsContext {
  store: Store;
  editTimes: Pick<EditTimes, 'isComplete' | 'lastUpdates'>;
}

/** Maximum size of the cache, with the JSON made from it (api/group/parts.ts). Sizes are estimates on the high side. */
const maxBytes = 48 * 1024 * 1024;
const bytesOf = { group: 3_000, pad: 2_000, person: 250 };

/** Groups read at the same time. */
const batchSize = 50;

/** In place of a key: any record may have been written. */
const anyKey = '*';

const prefixes = { group: keys.group(''), pad: keys.pad(''), user: keys.user('') };

function summaryOf({ _id, login, color, firstname, lastname, email }: UserRecord): PersonSummary {
  return { _id, login, color, firstname, lastname, email };
}

function sameSummary(one: PersonSummary | undefined, other: PersonSummary | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  return (Object.keys(one) as (keyof PersonSummary)[]).every((field) => one[field] === other[field]);
}

/** Only the known fields: records of other programs may have others of any size. */
function knownGroupFields(group: GroupRecord): GroupRecord {
  const { _id, name, description, visibility, password, readonly, archived } = group;
  const { allowUsersToCreatePads, tags, admins, users, pads, ctime } = group;
  const settings = { visibility, password, readonly, archived, allowUsersToCreatePads };
  return { _id, name, description, ...settings, tags, admins, users, pads, ctime };
}

function knownPadFields({
  _id,
  name,
  group,
  visibility,
  password,
  readonly,
  ctime,
  lastUpdate,
}: PadRecord): PadRecord {
  return { _id, name, group, visibility, password, readonly, users: [], ctime, lastUpdate };
}

function contentOf(
  group: GroupRecord,
  pads: readonly PadRecord[],
  summaries: ReadonlyMap<string, PersonSummary | undefined>,
): GroupContent {
  const people = new Map<string, PersonSummary>();
  for (const id of peopleOf(group)) {
    const summary = summaries.get(id);
    if (summary !== undefined) people.set(id, summary);
  }
  return { group, pads, locked: pads.filter(({ visibility }) => visibility === 'private'), people };
}

/** Groups by the id of a pad or person in them. */
class Index {
  readonly #groups = new Map<string, readonly string[]>();

  of(id: string): readonly string[] {
    return this.#groups.get(id) ?? [];
  }

  /** `own` is `[group]`: one array shared by everything in the group, to save memory. */
  add(id: string, own: readonly string[]): void {
    const before = this.#groups.get(id);
    this.#groups.set(id, before === undefined ? own : [...new Set([...before, ...own])]);
  }

  remove(id: string, group: string): void {
    const left = this.of(id).filter((other) => other !== group);
    if (left.length === 0) this.#groups.delete(id);
    else this.#groups.set(id, left);
  }
}

/** Reports every write before it is acknowledged. */
export interface WriteWatch {
  database: Database;
  /**
   * Calls the listener after each write. `value` is `undefined` after a removal, and after a failed write, when the
   * stored value is not known.
   */
  listen(listener: (key: string, value: unknown, failed: boolean) => void): void;
  /** Reports a write of another process. */
  report(key: string, value: unknown): void;
}

/** Wraps a database and reports its writes. */
export function watchWrites(database: Database): WriteWatch {
  let notify: (key: string, value: unknown, failed: boolean) => void = () => {};
  async function write(key: string, value: unknown, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      notify(key, undefined, true);
      throw error;
    }
    notify(key, value, false);
  }
  return {
    database: {
      get: (key) => database.get(key),
      set: (key, value) => write(key, value, () => database.set(key, value)),
      remove: (key) => write(key, undefined, () => database.remove(key)),
      findKeys: (pattern, notPattern) => database.findKeys(pattern, notPattern),
    },
    listen(listener) {
      notify = listener;
    },
    report: (key, value) => notify(key, value, false),
  };
}

export function createGroupContents(
  { store, editTimes }: GroupContentsContext,
  watch: Pick<WriteWatch, 'listen'>,
): GroupContents {
  const padGroups = new Index();
  const personGroups = new Index();
  /** People of cached groups; `undefined` for a missing account. */
  const summaries = new Map<string, PersonSummary | undefined>();
  /** Groups that are being read. */
  const inProgress = new Map<string, Promise<unknown>>();
  /** For each read in progress: the keys written since it began. */
  const writtenMeanwhile = new Set<Set<string>>();
  /** Pads for which Etherpad knows no time. A write replaces the record object, so such pads are asked for again. */
  const withoutTime = new WeakSet<PadRecord>();

  const contents = new LRUCache<string, GroupContent>({
    maxSize: maxBytes,
    sizeCalculation: ({ group, pads }) =>
      bytesOf.group +
      group.description.length * 4 +
      group.pads.length * 60 +
      pads.length * bytesOf.pad +
      peopleOf(group).length * bytesOf.person,
    dispose: removeFromIndexes,
  });

  function removeFromIndexes({ group }: GroupContent): void {
    for (const id of group.pads) padGroups.remove(id, group._id);
    for (const id of peopleOf(group)) {
      personGroups.remove(id, group._id);
      if (personGroups.of(id).length === 0) summaries.delete(id);
    }
  }

  function cache(content: GroupContent): void {
    const { group, people } = content;
    contents.set(group._id, content);
    if (contents.peek(group._id) !== content) return;
    const own = [group._id];
    for (const id of group.pads) padGroups.add(id, own);
    for (const id of peopleOf(group)) {
      personGroups.add(id, own);
      summaries.set(id, people.get(id));
    }
  }

  // 1. What is written

  function padWritten(id: string, stored: unknown): void {
    const pad = readPad(id, stored);
    for (const group of padGroups.of(id)) {
      const content = contents.peek(group);
      const place = content?.pads.findIndex((other) => other._id === id) ?? -1;
      if (content === undefined || pad?.group !== group || place < 0) contents.delete(group);
      else cache(contentOf(content.group, content.pads.with(place, knownPadFields(pad)), content.people));
    }
  }

  function userWritten(id: string, stored: unknown): void {
    const groups = personGroups.of(id);
    if (groups.length === 0) return;
    const user = readUser(id, stored);
    const summary = user && summaryOf(user);
    if (sameSummary(summary, summaries.get(id))) return;
    for (const group of groups) {
      const content = contents.peek(group);
      if (content === undefined) continue;
      cache(contentOf(content.group, content.pads, new Map([...content.people, [id, summary]])));
    }
  }

  /** Keeps what is known of pads and people: only those who come with this write must be read. */
  function groupWritten(id: string, stored: unknown): void {
    const content = contents.peek(id);
    const group = readGroup(id, stored);
    const before = new Set(content?.group.pads);
    const known =
      group?.pads.every((pad) => before.has(pad)) && peopleOf(group).every((person) => summaries.has(person));
    if (content === undefined || group === undefined || !known) {
      contents.delete(id);
      return;
    }
    const pads = new Map(content.pads.map((pad) => [pad._id, pad]));
    const left = group.pads.flatMap((pad) => pads.get(pad) ?? []);
    const people = new Map(peopleOf(group).map((person) => [person, summaries.get(person)]));
    cache(contentOf(knownGroupFields(group), left, people));
  }

  watch.listen((key, value, failed) => {
    for (const written of writtenMeanwhile) written.add(key);
    if (key.startsWith(prefixes.group)) {
      const id = key.slice(prefixes.group.length);
      if (failed) contents.delete(id);
      else groupWritten(id, value);
    } else if (key.startsWith(prefixes.pad)) {
      const id = key.slice(prefixes.pad.length);
      if (failed) for (const group of padGroups.of(id)) contents.delete(group);
      else padWritten(id, value);
    } else if (key.startsWith(prefixes.user)) {
      const id = key.slice(prefixes.user.length);
      if (failed) for (const group of personGroups.of(id)) contents.delete(group);
      else userWritten(id, value);
    }
  });

  // 2. What is read

  /** People by id, from the cache where possible. */
  async function readSummaries(ids: readonly string[]): Promise<Map<string, PersonSummary | undefined>> {
    const found = new Map<string, PersonSummary | undefined>();
    const unknown: string[] = [];
    for (const id of new Set(ids)) {
      if (summaries.has(id)) found.set(id, summaries.get(id));
      else unknown.push(id);
    }
    const stored = await store.getMany<unknown>(unknown.map(keys.user));
    for (const [index, id] of unknown.entries()) {
      const user = readUser(id, stored[index]);
      found.set(id, user && summaryOf(user));
    }
    return found;
  }

  async function readBatch(ids: readonly string[], written: ReadonlySet<string>): Promise<GroupContent[]> {
    const stored = await store.getMany<unknown>(ids.map(keys.group));
    const groups = ids.flatMap((id, index) => readGroup(id, stored[index]) ?? []).map(knownGroupFields);
    const padIds = [...new Set(groups.flatMap(({ pads }) => pads))];
    const [padRecords, known] = await Promise.all([
      store.getMany<unknown>(padIds.map(keys.pad)),
      readSummaries(groups.flatMap(peopleOf)),
    ]);
    const pads = new Map<string, PadRecord>();
    for (const [index, id] of padIds.entries()) {
      const pad = readPad(id, padRecords[index]);
      if (pad !== undefined) pads.set(id, knownPadFields(pad));
      if (sliceUsed()) await nextSlice();
    }
    return groups.map((group) => {
      const own = group.pads.flatMap((id) => pads.get(id) ?? []).filter((pad) => pad.group === group._id);
      const content = contentOf(group, own, known);
      if (isCurrent(content, written)) cache(content);
      return content;
    });
  }

  /** True when none of the records in this content was written during the read. */
  function isCurrent({ group }: GroupContent, written: ReadonlySet<string>): boolean {
    if (written.size === 0) return true;
    if (written.has(anyKey)) return false;
    return ![keys.group(group._id), ...group.pads.map(keys.pad), ...peopleOf(group).map(keys.user)].some(
      (key) => written.has(key),
    );
  }

  async function readNow(ids: readonly string[]): Promise<GroupContent[]> {
    const written = new Set<string>();
    writtenMeanwhile.add(written);
    const work = readBatch(ids, written);
    for (const id of ids) inProgress.set(id, work);
    try {
      return await work;
    } finally {
      writtenMeanwhile.delete(written);
      for (const id of ids) if (inProgress.get(id) === work) inProgress.delete(id);
    }
  }

  /** Copies cached groups into `found` and returns the ids of the others. */
  function takeKept(ids: readonly string[], found: Map<string, GroupContent>): string[] {
    return ids.filter((id) => {
      const content = contents.get(id);
      if (content !== undefined) found.set(id, content);
      return content === undefined;
    });
  }

  async function read(ids: readonly string[]): Promise<Map<string, GroupContent>> {
    const found = new Map<string, GroupContent>();
    let missing = takeKept([...new Set(ids)], found);
    const others = new Set(missing.flatMap((id) => inProgress.get(id) ?? []));
    if (others.size > 0) {
      await Promise.allSettled(others);
      // Only the cache is used here: the other read may have begun before the last change.
      missing = takeKept(missing, found);
    }
    for (let start = 0; start < missing.length; start += batchSize) {
      for (const content of await readNow(missing.slice(start, start + batchSize))) {
        found.set(content.group._id, content);
      }
    }
    if (!editTimes.isComplete()) {
      for (const [id, content] of found) found.set(id, await withTimes(content));
    }
    return found;
  }

  async function withTimes(content: GroupContent): Promise<GroupContent> {
    const unknown = content.pads.filter((pad) => pad.lastUpdate === undefined && !withoutTime.has(pad));
    if (unknown.length === 0) return content;
    const times = await editTimes.lastUpdates(unknown);
    const pads: PadRecord[] = [];
    for (const pad of content.pads) {
      const time = times.get(pad._id);
      if (time === null) withoutTime.add(pad);
      pads.push(typeof time === 'number' ? { ...pad, lastUpdate: time } : pad);
      if (sliceUsed()) await nextSlice();
    }
    const timed = contentOf(content.group, pads, content.people);
    if (contents.peek(content.group._id) === content) cache(timed);
    return timed;
  }

  /** A read in progress may hold old records, so none of them is kept. */
  function clear(): void {
    for (const written of writtenMeanwhile) written.add(anyKey);
    contents.clear();
  }

  return { read, withTimes, clear };
}
