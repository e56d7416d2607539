/**
 * Keeps the index as the records are: reads all of them after a start, and follows each write. The records are
 * authoritative. If the file cannot be used any more, another one is built.
 */

import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises';
import { MyPadsError } from '../errors';
import { LongRun } from '../longRun';
import type { IndexFile, OpenIndex, SqlStatement, SqlValue } from '../ports';
import { SharedRuns } from '../sharedRuns';
import type { Basics } from '../store/basics';
import type { UserRecord } from '../store/entities';
import { readUser } from '../store/records';
import { nextSlice, sliceUsed } from '../store/timeSlice';
import { orBusy } from '../timeLimit';
import { UntilDone } from '../untilDone';
import { createMilestone, type Milestone, unlessAborted } from '../waiting';
import { ReplaceableFile } from './indexFile';
import { deletionOf, prefixes, type RecordKind, recordKinds, recordOf, rowsOf, tables } from './rows';
import { schema, tidying, untidied, untidy } from './schema';

export interface IndexContext extends Pick<Basics, 'store' | 'log' | 'schedule'> {
  openIndex: OpenIndex;
  /** Of the database, so that the file of another one is not used. */
  databaseId: string;
  /** Default: `waitLimit`. */
  indexTimeLimit?: number | undefined;
}

/** Milliseconds that a question waits for the first reading of a kind before it answers SERVER.BUSY. */
const waitLimit = 2_000;
/** Milliseconds that writes are collected. */
const collectTime = 50;
/** Records, and ids, that are read at the same time. */
const batchSize = 200;
const idsAtOnce = 2_000;
/**
 * If more accounts are written at once, their earlier texts are only marked as removed: to take one out of the index of
 * texts takes 5 ms. They are overwritten when nothing has been written for `tidyAfter` milliseconds.
 */
const fewAccounts = 10;
const tidyAfter = 5_000;
/** Milliseconds between two batches while records are read that may be in the index already. */
const verifyPause = 20;
/** Milliseconds until differences are counted. What other processes have written was announced then, and is none. */
const countAfter = 1_000;
/** Milliseconds. A comparison that takes longer runs for at most a tenth of the time, however often it is asked for. */
const longComparison = 10_000;

const milestones = (): Record<RecordKind, Milestone> => ({
  removals: createMilestone(),
  factors: createMilestone(),
  groupRemovals: createMilestone(),
  users: createMilestone(),
  groups: createMilestone(),
  pads: createMilestone(),
  apiTokens: createMilestone(),
});

/** Reading all records into a file. */
interface Reading {
  file: Promise<IndexFile> | undefined;
  /** Kinds that were in the file before. */
  built: ReadonlySet<string>;
  /** Records read so far. */
  done: number;
  /** Keys of records of these kinds whose rows were missing, out of date or surplus. */
  differing: Set<string>;
}

const readingInto = (file: Reading['file']): Reading => ({
  file,
  built: new Set(),
  done: 0,
  differing: new Set(),
});

/**
 * `records`: how many were read. `corrected`: how many rows differed from them. `comparing`: it continues in the
 * background; `done` records have been read.
 */
export type Comparison =
  | { kind: 'compared'; records: number; corrected: number; inMemory: boolean }
  | { kind: 'comparing'; done: number }
  | { kind: 'building' };
type Compared = Extract<Comparison, { kind: 'compared' }>;

/** Called with accounts that were read. */
export type AccountListener = (users: readonly UserRecord[]) => void | Promise<void>;

/** The ids in a table, in order. */
async function* idsInParts(
  kind: RecordKind,
  read: (sql: string, values: readonly SqlValue[]) => Promise<{ id: string }[]>,
): AsyncIterable<string[]> {
  for (let last = ''; ; ) {
    const rows = await read(`SELECT id FROM ${tables[kind]} WHERE id > ? ORDER BY id LIMIT ${idsAtOnce}`, [
      last,
    ]);
    yield rows.map(({ id }) => id);
    last = rows.at(-1)?.id ?? '';
    if (rows.length < idsAtOnce) return;
  }
}

/** What brings the rows of these records up to date. */
async function statementsFor(records: ReadonlyMap<string, unknown>): Promise<SqlStatement[]> {
  const statements: SqlStatement[] = [];
  for (const [key, value] of records) {
    // In the 50 ms in which they are collected, thousands may be written.
    if (sliceUsed()) await nextSlice();
    const { kind, id } = recordOf(key) ?? { kind: 'users', id: '' };
    statements.push(...(rowsOf[kind](id, value)?.statements ?? [deletionOf(kind, id)]));
  }
  return statements;
}

export class Indexing {
  private readonly file: ReplaceableFile;
  /** Records that were written and are not in the file yet. */
  private waiting = new Map<string, unknown>();
  private cancelTimer: (() => void) | undefined;
  /** While removed texts are in the file. */
  private cancelTidying: (() => void) | undefined;
  /** Writing into the file, one after the other. */
  private written: Promise<void> = Promise.resolve();
  /** The keys of records that were written during the current read. What was read of them is out of date. */
  private writtenMeanwhile: Set<string> | undefined;
  private isRead = milestones();
  private readonly verified = createMilestone();
  /** The next attempt to build it has failed. */
  private failed = createMilestone();
  private readonly closing = new AbortController();
  private readonly building: UntilDone;
  /** Missing before the start. */
  private listener: AccountListener | undefined;
  /** One at a time: two of them would not notice what is written while they read. */
  private readonly readings = new SharedRuns(() => this.build());
  /** The present reading, or the last one. */
  private reading = readingInto(undefined);
  /** What the last reading has found. */
  private compared: Compared | undefined;
  private readonly comparisons = new LongRun(
    () => this.compareAll(),
    (took) => (took < longComparison ? 0 : 9 * took),
  );

  constructor(private readonly context: IndexContext) {
    const { schedule, log, openIndex, databaseId } = context;
    this.file = new ReplaceableFile(
      // Another file would be full again, after all records have been read.
      (afresh, isFull) => openIndex({ schema: `-- ${databaseId}\n${schema}`, afresh, inMemory: isFull }),
      () => {
        this.isRead = milestones();
      },
    );
    this.building = new UntilDone({
      name: 'build the index again',
      schedule,
      work: () => this.readings.run(),
      failed: (error) => {
        log.warn('building the index failed, retrying in 5 s', { error: String(error) });
        this.failed.reach();
        this.failed = createMilestone();
      },
    });
  }

  /** Begins to read. `listener` gets all accounts once, in batches. */
  start(listener: AccountListener): void {
    this.listener = listener;
    void this.building.attempt();
  }

  /** Reads all records again, because other processes may have changed any. */
  async refresh(): Promise<void> {
    // The start reads them too.
    if (this.listener) await this.building.attempt();
  }

  /**
   * Reads all records again, and waits for at most `limit` milliseconds. What is written meanwhile counts as no
   * difference. Throws SERVER.BUSY if the index could not be used.
   */
  async compare(limit: number): Promise<Comparison> {
    if (this.file.isLost || !this.hasRead(recordKinds)) return { kind: 'building' };
    return (await this.comparisons.within(limit)) ?? { kind: 'comparing', done: this.reading.done };
  }

  private async compareAll(): Promise<Compared> {
    const before = this.compared;
    await this.building.attempt();
    if (!this.compared || this.compared === before) throw new MyPadsError('BACKEND.ERROR.SERVER.BUSY');
    return this.compared;
  }

  /** Begins to build it in another file. Questions wait as after a first start. */
  async rebuild(): Promise<void> {
    if (this.closing.signal.aborted) return;
    this.file.lose();
    this.comparisons.forget();
    const opened = this.file.opened();
    void this.refresh();
    await opened.catch(() => {});
  }

  /** Resolves when all records have been read since the start. */
  whenVerified(signal: AbortSignal): Promise<void> {
    return unlessAborted(this.verified.reached, signal);
  }

  // 1. Reading and writing the file

  /** Reads everything again, into another file or into memory. */
  private lost(error: unknown): void {
    if (this.closing.signal.aborted) return;
    this.context.log.warn('index cannot be used, building it again', { error: String(error) });
    void this.refresh();
  }

  /** Call it after each write to the database. */
  readonly recordWritten = (key: string, value: unknown): void => {
    if (recordOf(key) === undefined || this.closing.signal.aborted) return;
    this.writtenMeanwhile?.add(key);
    this.reading.differing.delete(key);
    this.waiting.set(key, value);
    this.cancelTimer ??= this.context.schedule.later('write the index', collectTime, () => void this.flush());
  };

  /** Writes what has been collected. Never rejects. */
  private flush(): Promise<void> {
    this.cancelTimer?.();
    this.cancelTimer = undefined;
    const { waiting } = this;
    if (waiting.size > 0) {
      this.waiting = new Map();
      const accounts = [...waiting.keys()].filter((key) => recordOf(key)?.kind === 'users').length;
      // What follows such writes is part of them.
      const isLarge = accounts > (this.cancelTidying ? 0 : fewAccounts);
      this.queue(async () => {
        const statements = await statementsFor(waiting);
        return isLarge ? [...untidied.before, ...statements, ...untidied.after] : statements;
      });
      if (isLarge) this.tidyLater();
    }
    return this.written;
  }

  private queue(statements: () => Promise<readonly SqlStatement[]>): void {
    this.written = this.written
      .then(async () => this.file.write(await statements()))
      .catch((error) => this.lost(error));
  }

  private tidyLater(): void {
    this.cancelTidying?.();
    this.cancelTidying = this.context.schedule.later('tidy the index', tidyAfter, () => this.tidy());
  }

  private tidy(): void {
    this.cancelTidying?.();
    this.cancelTidying = undefined;
    this.queue(async () => tidying);
  }

  private hasRead(kinds: readonly RecordKind[]): boolean {
    return kinds.every((kind) => this.isRead[kind].isReached);
  }

  /** Answers a question about these kinds. Throws SERVER.BUSY while they are being read for the first time. */
  async ask<Row extends object>(
    kinds: readonly RecordKind[],
    sql: string,
    values: readonly SqlValue[] = [],
  ): Promise<Row[]> {
    if (this.building.isWaiting) void this.building.attempt();
    const limit = this.context.indexTimeLimit ?? waitLimit;
    for (const kind of kinds) {
      const read = this.isRead[kind];
      if (!read.isReached) await orBusy(Promise.race([read.reached, this.failed.reached]), limit);
      if (!read.isReached) throw new MyPadsError('BACKEND.ERROR.SERVER.BUSY');
    }
    await this.flush();
    // Another file may have been opened meanwhile.
    if (this.file.isLost || !this.hasRead(kinds)) throw new MyPadsError('BACKEND.ERROR.SERVER.BUSY');
    try {
      return await this.file.read<Row>(sql, values);
    } catch (error) {
      this.lost(error);
      throw new MyPadsError('BACKEND.ERROR.SERVER.BUSY');
    }
  }

  /** Ids of all records of a kind, in order. */
  async ids(kind: RecordKind): Promise<string[]> {
    const ids: string[] = [];
    const read = (sql: string, values: readonly SqlValue[]) => this.ask<{ id: string }>([kind], sql, values);
    for await (const part of idsInParts(kind, read)) for (const id of part) ids.push(id);
    return ids;
  }

  // 2. Reading all records

  /** Begins again if another file was opened meanwhile, because what was read may not be in it. */
  private async build(): Promise<void> {
    for (;;) {
      this.closing.signal.throwIfAborted();
      const file = this.file.opened();
      try {
        return await this.readRecords(file);
      } catch (error) {
        if (this.file.isPresent(file)) throw error;
      }
    }
  }

  /** Throws when the index is closed, or another file was opened. */
  private checkFile(): void {
    this.closing.signal.throwIfAborted();
    if (this.file.opened() !== this.reading.file) throw new Error('another file was opened');
  }

  private async readRecords(file: Promise<IndexFile>): Promise<void> {
    const { isRead } = this;
    const reading = readingInto(file);
    this.reading = reading;
    const kinds = await this.file.read<{ kind: string }>('SELECT kind FROM built');
    reading.built = new Set(kinds.map(({ kind }) => kind));
    // The process before was killed, or is this one.
    if (reading.built.has(untidy)) this.tidyLater();
    const known: { kind: RecordKind; ids: string[] }[] = [];
    for (const kind of recordKinds) {
      const all = await this.idsOf(kind);
      const unknown = await this.unknownAmong(kind, all);
      await this.removeMissing(kind, all, unknown.length);
      await this.readAll(kind, unknown, { pauses: 0 });
      this.checkFile();
      await this.file.write([{ sql: 'INSERT OR IGNORE INTO built VALUES (?)', values: [kind] }]);
      isRead[kind].reach();
      const read = new Set(unknown);
      known.push({ kind, ids: reading.built.has(kind) ? all.filter((id) => !read.has(id)) : [] });
    }
    for (const { kind, ids } of known) await this.readAll(kind, ids, { pauses: verifyPause });
    this.verified.reach();
    const { done, differing } = reading;
    if (differing.size > 0) await pause(countAfter, undefined, { signal: this.closing.signal });
    const { inMemory } = await file;
    this.compared = { kind: 'compared', records: done, corrected: differing.size, inMemory };
  }

  private async idsOf(kind: RecordKind): Promise<string[]> {
    const prefix = prefixes[kind];
    const keys = await this.context.store.scan(prefix);
    return keys.filter((key) => key.startsWith(prefix)).map((key) => key.slice(prefix.length));
  }

  private async unknownAmong(kind: RecordKind, ids: readonly string[]): Promise<string[]> {
    const unknown: string[] = [];
    for (let start = 0; start < ids.length; start += idsAtOnce) {
      const found = await this.file.read<{ value: string }>(
        `SELECT value FROM json_each(?) WHERE value NOT IN (SELECT id FROM ${tables[kind]})`,
        [JSON.stringify(ids.slice(start, start + idsAtOnce))],
      );
      for (const { value } of found) unknown.push(value);
      this.closing.signal.throwIfAborted();
    }
    return unknown;
  }

  /** Removes the rows of records that do not exist any more. `unknown`: how many of `all` are not in the index. */
  private async removeMissing(kind: RecordKind, all: readonly string[], unknown: number): Promise<void> {
    const [{ rows } = { rows: 0 }] = await this.file.read<{ rows: number }>(
      `SELECT count(*) AS rows FROM ${tables[kind]}`,
    );
    if (rows === all.length - unknown) return;
    const present = new Set(all);
    const missing: string[] = [];
    for await (const part of idsInParts(kind, (sql, values) => this.file.read<{ id: string }>(sql, values))) {
      missing.push(...part.filter((id) => !present.has(id)));
    }
    // Some may have been created since the keys were read.
    await this.readAll(kind, missing, { pauses: 0 });
  }

  private async readAll(
    kind: RecordKind,
    ids: readonly string[],
    { pauses }: { pauses: number },
  ): Promise<void> {
    const { signal } = this.closing;
    for (let start = 0; start < ids.length; start += batchSize) {
      if (start > 0) await (pauses > 0 ? pause(pauses, undefined, { signal }) : turn());
      this.checkFile();
      await this.readBatch(kind, ids.slice(start, start + batchSize));
    }
  }

  private async readBatch(kind: RecordKind, ids: readonly string[]): Promise<void> {
    const written = new Set<string>();
    this.writtenMeanwhile = written;
    // What was written before is then in the file, so it does not count as a difference.
    await this.flush();
    const { built, differing } = this.reading;
    const records = await this.context.store.getMany<unknown>(ids.map((id) => prefixes[kind] + id));
    const marks = await this.marksOf(kind, ids);
    const changes = new Map<string, SqlStatement[]>();
    const users: UserRecord[] = [];
    for (const [index, id] of ids.entries()) {
      const user = kind === 'users' ? readUser(id, records[index]) : undefined;
      if (user) users.push(user);
      const row = rowsOf[kind](id, records[index]);
      if (row?.mark !== marks.get(id))
        changes.set(prefixes[kind] + id, row?.statements ?? [deletionOf(kind, id)]);
      if (sliceUsed()) await nextSlice();
    }
    for (const key of written) changes.delete(key);
    if (built.has(kind)) for (const key of changes.keys()) differing.add(key);
    this.reading.done += ids.length;
    this.writtenMeanwhile = undefined;
    // In the order of what was collected: a record that is written now is newer.
    const writing = this.written.then(() => this.file.write([...changes.values()].flat()));
    this.written = writing.catch(() => {});
    await writing;
    if (users.length > 0) await this.listener?.(users);
  }

  private async marksOf(kind: RecordKind, ids: readonly string[]): Promise<Map<string, string>> {
    const rows = await this.file.read<{ id: string; mark: string }>(
      `SELECT id, mark FROM ${tables[kind]} WHERE id IN (SELECT value FROM json_each(?))`,
      [JSON.stringify(ids)],
    );
    return new Map(rows.map(({ id, mark }) => [id, mark]));
  }

  /** Writes what is left. */
  async close(): Promise<void> {
    const ended = this.building.end();
    await this.flush();
    if (this.cancelTidying) this.tidy();
    this.closing.abort();
    this.cancelTimer?.();
    await ended;
    await this.written;
    await this.file.close();
  }
}
