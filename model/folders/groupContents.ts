/**
 * Groups with their pads and people, cached in memory, so that lists need not read thousands of records. All writes
 * pass through `watch`; the cache is updated before a write is acknowledged. Permissions are not cached: each answer
 * decides them again.
 */
import type { Removals } from '../removal/removals';
import type { PadRecord } from '../store/entities';
import { peopleOf, readGroup, readPad, readUser } from '../store/records';
import { keys, type Store } from '../store/store';
import { nextSlice, sliceUsed } from '../store/timeSlice';
import type { WriteWatch } from '../store/writeWatch';
import type { EditTimes } from './editTimes';
import { GroupCache } from './groupCache';
import {
  contentOf,
  type GroupContent,
  knownGroupFields,
  knownPadFields,
  type PersonSummary,
  summaryOf,
} from './groupContent';

export interface GroupContentsContext {
  store: Store;
  editTimes: Pick<EditTimes, 'isComplete' | 'lastUpdates'>;
  removals: Pick<Removals, 'removingAmong'>;
}

/** Groups read at the same time. */
const batchSize = 50;
/** Ids that are looked up in memory in some milliseconds. */
const manyIds = 5_000;

/** Stands for every key: any record may have been written. */
const anyKey = '*';

/** What was written, by key. `failed`: the stored value is not known. */
type Written = ReadonlyMap<string, { value: unknown; failed: boolean }>;

/** True when neither the group nor a pad in this content was written during the read. */
function isCurrent({ group }: GroupContent, written: Written): boolean {
  if (written.size === 0) return true;
  if (written.has(anyKey)) return false;
  const ofPads = [...group.pads.map(keys.pad), ...group.pads.map(keys.deletePad)];
  return ![keys.group(group._id), ...ofPads].some((key) => written.has(key));
}

export class GroupContents {
  private readonly cache = new GroupCache();
  /** Groups that are being read. */
  private readonly inProgress = new Map<string, Promise<unknown>>();
  /** For each read in progress: the keys written since it began. */
  private readonly writtenMeanwhile = new Set<Map<string, { value: unknown; failed: boolean }>>();
  /** Pads for which Etherpad knows no time. A write replaces the record object, so such pads are asked for again. */
  private readonly withoutTime = new WeakSet<PadRecord>();

  constructor(
    private readonly context: GroupContentsContext,
    /** Must report every write to the groups, pads and people that `context.store` reads. */
    watch: Pick<WriteWatch, 'onWritten'>,
  ) {
    watch.onWritten((key, value, failed) => {
      this.noteWritten(key, value, failed);
      this.cache.written(key, value, failed);
    });
  }

  private noteWritten(key: string, value: unknown, failed: boolean): void {
    for (const written of this.writtenMeanwhile) written.set(key, { value, failed });
  }

  /**
   * Caches what was read. People who were written meanwhile are as they are now: otherwise a group could never be
   * cached while a directory changes its 50,000 people, and each list would read all of them.
   */
  private keep(content: GroupContent, written: Written): void {
    if (!isCurrent(content, written)) return;
    this.cache.put(content);
    for (const id of written.size === 0 ? [] : peopleOf(content.group)) {
      const key = keys.user(id);
      const write = written.get(key);
      if (write === undefined) continue;
      this.cache.written(key, write.value, write.failed);
      this.cache.markStale(content.group._id);
    }
  }

  /** People by id, from the cache where possible. */
  private async readSummaries(ids: readonly string[]): Promise<Map<string, PersonSummary | undefined>> {
    const found = new Map<string, PersonSummary | undefined>();
    const unknown: string[] = [];
    for (const [index, id] of ids.entries()) {
      // Not at each: while a job works through 50,000 accounts, a slice takes long to come.
      if (index % manyIds === manyIds - 1 && sliceUsed()) await nextSlice();
      if (found.has(id)) continue;
      found.set(id, this.cache.person(id));
      if (!this.cache.hasPerson(id)) unknown.push(id);
    }
    const stored = await this.context.store.getMany<unknown>(unknown.map(keys.user));
    for (const [index, id] of unknown.entries()) {
      if (sliceUsed()) await nextSlice();
      const user = readUser(id, stored[index]);
      found.set(id, user && summaryOf(user));
    }
    return found;
  }

  private async readBatch(ids: readonly string[], written: Written): Promise<GroupContent[]> {
    const { store, removals } = this.context;
    const stored = await store.getMany<unknown>(ids.map(keys.group));
    const groups = ids.flatMap((id, index) => readGroup(id, stored[index]) ?? []).map(knownGroupFields);
    const padIds = [...new Set(groups.flatMap(({ pads }) => pads))];
    const [padRecords, removing, known] = await Promise.all([
      store.getMany<unknown>(padIds.map(keys.pad)),
      // This is no access check: while it cannot be read, a list shows such pads rather than nothing.
      removals.removingAmong(padIds).catch(() => new Set<string>()),
      this.readSummaries(groups.flatMap(peopleOf)),
    ]);
    const pads = new Map<string, PadRecord>();
    for (const [index, id] of padIds.entries()) {
      const pad = removing.has(id) ? undefined : readPad(id, padRecords[index]);
      if (pad !== undefined) pads.set(id, knownPadFields(pad));
      if (sliceUsed()) await nextSlice();
    }
    const contents: GroupContent[] = [];
    for (const group of groups) {
      if (sliceUsed()) await nextSlice();
      const own = group.pads.flatMap((id) => pads.get(id) ?? []).filter((pad) => pad.group === group._id);
      const content = contentOf(group, own, known);
      if (sliceUsed()) await nextSlice();
      this.keep(content, written);
      contents.push(content);
    }
    return contents;
  }

  private async readNow(ids: readonly string[]): Promise<GroupContent[]> {
    const written = new Map<string, { value: unknown; failed: boolean }>();
    this.writtenMeanwhile.add(written);
    const work = this.readBatch(ids, written);
    for (const id of ids) this.inProgress.set(id, work);
    try {
      return await work;
    } finally {
      this.writtenMeanwhile.delete(written);
      for (const id of ids) if (this.inProgress.get(id) === work) this.inProgress.delete(id);
    }
  }

  /** Copies cached groups into `found` and returns the ids of the others. */
  private takeCached(ids: readonly string[], found: Map<string, GroupContent>): string[] {
    return ids.filter((id) => {
      const content = this.cache.get(id);
      if (content !== undefined) found.set(id, content);
      return content === undefined;
    });
  }

  /** The existing groups among these ids. Their pads have the time of the last change, if somebody has written. */
  async read(ids: readonly string[]): Promise<Map<string, GroupContent>> {
    const found = new Map<string, GroupContent>();
    let missing = this.takeCached([...new Set(ids)], found);
    const others = new Set(missing.flatMap((id) => this.inProgress.get(id) ?? []));
    if (others.size > 0) {
      await Promise.allSettled(others);
      // Only the cache is used here: the other read may have begun before the last change.
      missing = this.takeCached(missing, found);
    }
    for (let start = 0; start < missing.length; start += batchSize) {
      for (const content of await this.readNow(missing.slice(start, start + batchSize))) {
        found.set(content.group._id, content);
      }
    }
    if (!this.context.editTimes.isComplete()) {
      for (const [id, content] of found) found.set(id, await this.withTimes(content));
    }
    return found;
  }

  /** Asks Etherpad for the times that are missing, for example of pads that another program wrote. */
  async withTimes(content: GroupContent): Promise<GroupContent> {
    const unknown = content.pads.filter((pad) => pad.lastUpdate === undefined && !this.withoutTime.has(pad));
    if (unknown.length === 0) return content;
    const times = await this.context.editTimes.lastUpdates(unknown);
    const pads: PadRecord[] = [];
    for (const pad of content.pads) {
      const time = times.get(pad._id);
      if (time === null) this.withoutTime.add(pad);
      pads.push(typeof time === 'number' ? { ...pad, lastUpdate: time } : pad);
      if (sliceUsed()) await nextSlice();
    }
    const timed = contentOf(content.group, pads, content.people);
    if (this.cache.has(content)) this.cache.put(timed);
    return timed;
  }

  /**
   * Drops everything, because other processes may have changed any record. A read in progress may hold old records, so
   * none of them is kept.
   */
  clear(): void {
    this.noteWritten(anyKey, undefined, true);
    this.cache.clear();
  }
}
