/**
 * Wraps Etherpad's database: every operation ends within a time limit, with a result or one error. Etherpad keeps a
 * failed write in its cache and would serve it until a restart. So a failed write is rolled back as soon as possible;
 * until then its key cannot be read or written.
 */

import { isDeepStrictEqual } from 'node:util';
import { MyPadsError } from '../errors';
import type { BatchDatabase, Coordination, Database, EditorPads, Log, MayWrite } from '../ports';
import { pauseOn } from '../schedule';
import { withinFreeTime } from '../timeLimit';
import type { Basics } from './basics';

/** Milliseconds after which an operation counts as failed. */
export const databaseTimeLimit = 10_000;

/** Milliseconds after its last answer for which the database counts as working. */
const answerAge = 1_000;

/** Milliseconds between two attempts to roll back. */
const retryAfter = 1_000;
/** Milliseconds between two checks whether the database has answered a write that is overdue. */
const pollInterval = 100;
/** Milliseconds between two log lines. */
const logInterval = 30_000;
/** Writes that are rolled back at the same time. */
const batchSize = 100;
const maxReportedKeys = 1_000;

/** Stands for a record that is not JSON. No valid record is a text, so it counts as damaged and not as missing. */
const unreadable = '\u0000unreadable';

/** A write that failed, or that has not ended yet. */
interface UncertainWrite {
  /** The values before and after the write; `undefined` or `null` for none. */
  before: unknown;
  after: unknown;
  /** True when the database has answered. */
  settled: boolean;
  /** True while it is rolled back. */
  rollsBack: boolean;
  /** Releases the lock of the key. Missing if the caller has released it. */
  release?: (() => void) | undefined;
}

type Locks = Pick<Coordination, 'lock' | 'isConnected'>;

/** Whether the database works, for decisions that are kept. */
export interface DatabaseHealth {
  /**
   * A number that changes with each failure; `undefined` when the database has not answered within the last second. A
   * decision that was made from its records must not be used any more when this is another number.
   */
  health(): number | undefined;
}

export interface GuardedDatabase extends BatchDatabase, DatabaseHealth {
  /**
   * Applies the time limit to Etherpad's pad functions too. Functions that may take long are passed through unchanged.
   */
  guardPads(pads: EditorPads): EditorPads;
  /**
   * The same locks, but after a write that failed, the lock of its key stays held until it is rolled back: it may reach
   * the database late, when another process has written the key. Until then, `lock` throws SERVER.DATABASE_UNAVAILABLE.
   */
  guardLocks(locks: Locks): Locks;
  /** Stops rolling back. The next start reads the remaining keys from the database as they are. */
  close(): void;
}

export interface GuardContext extends Pick<Basics, 'log' | 'schedule'> {
  timeLimit?: number;
  /** Locks the key while a failed write is rolled back, because another process may have written it meanwhile. */
  lock?: Coordination['lock'];
  /** Asked before each write. Between the beginning of a write and the database, another process may get its lock. */
  writePermit?: Coordination['writePermit'];
  /** Called when a failed write is rolled back: other processes may have read what it had stored. */
  rolledBack?: (key: string) => void;
}

/** The same database, but a record that is not JSON reads as `unreadable`; `report` is called each time. */
export function withUnreadable(database: Database, report: (key: string, reason: string) => void): Database {
  return {
    async get(key) {
      try {
        return await database.get(key);
      } catch (error) {
        if (!(error instanceof SyntaxError)) throw error;
        report(key, error.message);
        return unreadable;
      }
    },
    set: (key, value, mayWrite) => database.set(key, value, mayWrite),
    remove: (key, mayWrite) => database.remove(key, mayWrite),
    findKeys: (pattern, notPattern) => database.findKeys(pattern, notPattern),
  };
}

/** Says whether the server itself was busy, so that nobody looks for the fault in the database alone. */
function noAnswer(busy: number): Error {
  const seconds = Math.round(busy / 1_000);
  return new Error(
    seconds < 1 ? 'no answer in time' : `no answer in time; the server was busy itself for ${seconds} s more`,
  );
}

/** Rejects after `limit` milliseconds, without those in which the server was busy itself. */
export function withTimeout<T>(work: Promise<T>, limit: number = databaseTimeLimit): Promise<T> {
  return withinFreeTime(work, limit, noAnswer);
}

const databaseUnavailable = (): MyPadsError => new MyPadsError('BACKEND.ERROR.SERVER.DATABASE_UNAVAILABLE');

const put = (database: Database, key: string, value: unknown, mayWrite?: MayWrite): Promise<void> =>
  value === undefined || value === null ? database.remove(key, mayWrite) : database.set(key, value, mayWrite);

/** As the database returns it: without fields that are `undefined`. */
const asStored = (value: unknown): unknown => JSON.parse(JSON.stringify(value ?? null));

/** Notes when the database answers and fails. A failure gets at most one line in the log in `logInterval`. */
function createHealth(log: Log) {
  let nextLogAt = 0;
  let failures = 0;
  let answeredAt = Number.NEGATIVE_INFINITY;
  const answered = (): void => {
    answeredAt = performance.now();
  };
  const health = (): number | undefined =>
    performance.now() - answeredAt < answerAge ? failures : undefined;
  /** Returns the error to throw. */
  const unavailable = (error: unknown): MyPadsError => {
    failures += 1;
    if (Date.now() >= nextLogAt) {
      nextLogAt = Date.now() + logInterval;
      log.error('database unavailable', { reason: String(error) });
    }
    return databaseUnavailable();
  };
  return { answered, health, unavailable };
}

/** Writes that failed, or that have not ended yet, by key. Rolls them back as soon as the database answers again. */
function createUncertainWrites(database: Database, context: GuardContext) {
  const { log, schedule, lock, writePermit, rolledBack } = context;
  const writes = new Map<string, UncertainWrite>();
  const closing = new AbortController();
  let rollingBack = false;

  const sleep = (milliseconds: number): Promise<void> =>
    pauseOn(schedule, 'roll back failed writes', milliseconds, closing.signal);

  async function rollBackOne(key: string, write: UncertainWrite): Promise<void> {
    write.rollsBack = true;
    const held = write.release;
    // Not used twice: it may be lost, and then nothing can be written before it is released.
    write.release = undefined;
    try {
      const release = held ?? (await lock?.(key));
      const mayWrite = writePermit?.();
      try {
        // With several processes, another one may have written this key since. Its value is kept.
        const isOurs = !lock || isDeepStrictEqual((await database.get(key)) ?? null, asStored(write.after));
        if (isOurs) await put(database, key, write.before, mayWrite);
        writes.delete(key);
        rolledBack?.(key);
      } finally {
        release?.();
      }
    } finally {
      write.rollsBack = false;
    }
  }

  /** Returns whether all writes were rolled back. */
  async function rollBack(entries: readonly [string, UncertainWrite][]): Promise<boolean> {
    const results = await Promise.allSettled(entries.map(([key, write]) => rollBackOne(key, write)));
    return results.every(({ status }) => status === 'fulfilled');
  }

  async function rollBackAll(): Promise<void> {
    rollingBack = true;
    let count = 0;
    while (writes.size > 0 && !closing.signal.aborted) {
      const settled = [...writes].filter(([, write]) => write.settled).slice(0, batchSize);
      if (settled.length === 0) await sleep(pollInterval);
      else if (await rollBack(settled)) count += settled.length;
      else await sleep(retryAfter);
    }
    rollingBack = false;
    if (count > 0) log.warn('database available again, failed writes rolled back', { count });
  }

  return {
    /** Throws if one of these keys has such a write. */
    refuse(keys: readonly string[]): void {
      if (keys.some((key) => writes.has(key))) throw databaseUnavailable();
    },
    add(key: string, { before, after }: Record<'before' | 'after', unknown>, written: Promise<void>): void {
      const entry: UncertainWrite = { before, after, settled: false, rollsBack: false };
      writes.set(key, entry);
      const settle = (): void => {
        entry.settled = true;
      };
      written.then(settle, settle);
      if (!rollingBack) void rollBackAll();
    },
    /** Releases the lock of the key, or keeps it until the write of the key is rolled back. */
    release(key: string, release: () => void): void {
      const write = writes.get(key);
      if (write === undefined || write.rollsBack || write.release) release();
      else write.release = release;
    },
    close: () => closing.abort(),
  };
}

/** A function with the same input, which ends within the time limit. */
type Guard = <Input extends unknown[], Result>(
  work: (...input: Input) => Promise<Result>,
) => (...input: Input) => Promise<Result>;

function createGuardPads(guarded: Guard): GuardedDatabase['guardPads'] {
  return (pads) => ({
    exists: guarded((id) => pads.exists(id)),
    create: guarded((id) => pads.create(id)),
    copy: (from, to, texts) => pads.copy(from, to, texts),
    convertible: () => pads.convertible(),
    checkImport: (source, own) => pads.checkImport(source, own),
    import: (id, source, own) => pads.import(id, source, own),
    emptyChat: guarded((id) => pads.emptyChat(id)),
    removeReadOnlyId: guarded((id) => pads.removeReadOnlyId(id)),
    text: guarded((id) => pads.text(id)),
    lastEdited: guarded((id) => pads.lastEdited(id)),
    remove: (id, options) => pads.remove(id, options),
    removeOldChat: (id, options) => pads.removeOldChat(id, options),
    visited: () => pads.visited(),
  });
}

/** Logs each unreadable key once. */
function reportUnreadable(log: Log): (key: string, reason: string) => void {
  const reportedKeys = new Set<string>();
  return (key, reason) => {
    if (reportedKeys.has(key) || reportedKeys.size >= maxReportedKeys) return;
    reportedKeys.add(key);
    log.error('database record unreadable', { key, reason });
  };
}

/**
 * Every operation except `findKeys` ends within the time limit; each failure throws SERVER.DATABASE_UNAVAILABLE. The
 * caller must serialise writes of one key, as the store's locks do.
 */
export function guardDatabase(given: Database, context: GuardContext): GuardedDatabase {
  const { log, timeLimit = databaseTimeLimit } = context;
  const database = withUnreadable(given, reportUnreadable(log));
  const uncertain = createUncertainWrites(database, context);
  const { answered, health, unavailable } = createHealth(log);

  async function bounded<T>(work: Promise<T>): Promise<T> {
    try {
      return await withTimeout(work, timeLimit);
    } catch (error) {
      // Of another process that has the pad; the database has nothing to do with it.
      if (error instanceof MyPadsError) throw error;
      throw unavailable(error);
    }
  }

  const guarded: Guard =
    (work) =>
    (...input) =>
      bounded(work(...input));

  // With NUL in a key, from an id in a call, there is no record. PostgreSQL refuses it, and is not at fault.
  const read = (key: string): Promise<unknown> | undefined =>
    key.includes('\0') ? undefined : database.get(key);

  async function getMany(keys: readonly string[]): Promise<unknown[]> {
    uncertain.refuse(keys);
    const values = await bounded(Promise.all(keys.map(read)));
    // A write of these keys may have failed during this read.
    uncertain.refuse(keys);
    answered();
    return values;
  }

  const get = async (key: string): Promise<unknown> => (await getMany([key]))[0];

  async function write(key: string, value: unknown): Promise<void> {
    const mayWrite = context.writePermit?.();
    const before = await get(key);
    if (mayWrite && !mayWrite()) throw databaseUnavailable();
    const written = put(database, key, value, mayWrite);
    try {
      await withTimeout(written, timeLimit);
    } catch (error) {
      uncertain.add(key, { before, after: value }, written);
      throw unavailable(error);
    }
  }

  return {
    get,
    getMany,
    set: write,
    remove: (key) => write(key, undefined),
    async findKeys(pattern, notPattern) {
      try {
        return await database.findKeys(pattern, notPattern);
      } catch (error) {
        throw unavailable(error);
      }
    },
    health,
    guardPads: createGuardPads(guarded),
    guardLocks: (locks) => ({
      isConnected: () => locks.isConnected(),
      async lock(key) {
        uncertain.refuse([key]);
        const release = await locks.lock(key);
        return () => uncertain.release(key, release);
      },
    }),
    close: uncertain.close,
  };
}
