/**
 * The host's database as the model may rely on it: whatever it does, an operation ends within a time limit, with a result or with one
 * error. The host keeps what was to be written in memory even where writing it failed; it would be read, and acted upon, until a restart
 * brings back what the database has. So a write that failed is taken back as soon as the database lets us, and until then nobody
 * reads or writes that key: nobody can know what it holds.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { MyPadsError } from './errors';
import type { Database, EditorPads, Log } from './ports';

/** Milliseconds until an operation that has not ended counts as failed. */
export const databaseTimeLimit = 10_000;

/** Milliseconds between two tries to take failed writes back, between two looks at those that hang, and between two lines in the log. */
const retryAfter = 1_000;
const glance = 100;
const silence = 30_000;
/** Writes that are taken back at once. */
const slice = 100;
const mostUnreadable = 1_000;

/** What a record that is no JSON reads as. No record of ours is a text, so that it counts as damaged, and never as missing. */
export const unreadable = '\u0000unreadable';

/** A write that failed, or of which nobody knows how it ends. */
interface Doubt {
  /** What the key held before; `undefined` or `null` for nothing. */
  before: unknown;
  /** The database has answered by now. */
  settled: boolean;
}

export interface GuardedDatabase extends Database {
  /** The editor's pads, which are in the same database, by the same rules. What may take long is left as it is. */
  guardPads(pads: EditorPads): EditorPads;
  /** Stops taking back. What is still to be taken back then, the next start reads from the database as it is. */
  close(): void;
}

export interface GuardContext {
  log: Log;
  timeLimit?: number;
}

/** The same database, where a record that is no JSON reads as `unreadable`; `tell` hears of it at each reading. */
export function withUnreadable(database: Database, tell: (key: string, reason: string) => void): Database {
  return {
    async get(key) {
      try {
        return await database.get(key);
      } catch (error) {
        if (!(error instanceof SyntaxError)) throw error;
        tell(key, error.message);
        return unreadable;
      }
    },
    set: (key, value) => database.set(key, value),
    remove: (key) => database.remove(key),
    findKeys: (pattern, notPattern) => database.findKeys(pattern, notPattern),
  };
}

/** Rejects with an Error after `limit` milliseconds. */
export function inTime<T>(work: Promise<T>, limit: number = databaseTimeLimit): Promise<T> {
  return new Promise((resolve, reject) => {
    const alarm = setTimeout(() => reject(new Error('no answer in time')), limit);
    const done =
      <Result>(settle: (result: Result) => void) =>
      (result: Result): void => {
        clearTimeout(alarm);
        settle(result);
      };
    work.then(done(resolve), done(reject));
  });
}

const databaseUnavailable = (): MyPadsError => new MyPadsError('BACKEND.ERROR.SERVER.DATABASE_UNAVAILABLE');

/**
 * Beside what `Database` says, every operation but `findKeys` ends within the time limit, and whatever fails throws
 * SERVER.DATABASE_UNAVAILABLE. Writes of one key must follow one another, as they do under the store's locks.
 */
export function guardDatabase(
  given: Database,
  { log, timeLimit = databaseTimeLimit }: GuardContext,
): GuardedDatabase {
  const database = withUnreadable(given, (key, reason) => {
    if (told.has(key) || told.size >= mostUnreadable) return;
    told.add(key);
    log.error('a record of the database cannot be read', { key, reason });
  });
  const doubts = new Map<string, Doubt>();
  const told = new Set<string>();
  const closing = new AbortController();
  let takingBack = false;
  let quietUntil = 0;

  function unavailable(error: unknown): MyPadsError {
    if (Date.now() >= quietUntil) {
      quietUntil = Date.now() + silence;
      log.error('the database cannot be used', { reason: String(error) });
    }
    return databaseUnavailable();
  }

  /** The same function, ending in time. */
  function guarded<Input extends unknown[], Result>(
    work: (...input: Input) => Promise<Result>,
  ): (...input: Input) => Promise<Result> {
    return async (...input) => {
      try {
        return await inTime(work(...input), timeLimit);
      } catch (error) {
        throw unavailable(error);
      }
    };
  }

  async function get(key: string): Promise<unknown> {
    if (doubts.has(key)) throw databaseUnavailable();
    const value = await guarded(() => database.get(key))();
    // The write may have failed while this read was under way.
    if (doubts.has(key)) throw databaseUnavailable();
    return value;
  }

  function put(key: string, value: unknown): Promise<void> {
    return value === undefined || value === null ? database.remove(key) : database.set(key, value);
  }

  const rest = (milliseconds: number): Promise<void> =>
    pause(milliseconds, undefined, { ref: false, signal: closing.signal }).catch(() => {});

  /** Returns whether all of it is taken back. */
  async function takeBack(entries: readonly [string, Doubt][]): Promise<boolean> {
    const results = await Promise.allSettled(
      entries.map(async ([key, { before }]) => {
        await put(key, before);
        doubts.delete(key);
      }),
    );
    return results.every(({ status }) => status === 'fulfilled');
  }

  async function takeAllBack(): Promise<void> {
    takingBack = true;
    let count = 0;
    while (doubts.size > 0 && !closing.signal.aborted) {
      const settled = [...doubts].filter(([, doubt]) => doubt.settled).slice(0, slice);
      if (settled.length === 0) await rest(glance);
      else if (await takeBack(settled)) count += settled.length;
      else await rest(retryAfter);
    }
    takingBack = false;
    if (count > 0) log.warn('the database works again; changes that had failed are taken back', { count });
  }

  function doubt(key: string, before: unknown, written: Promise<void>): void {
    const entry: Doubt = { before, settled: false };
    doubts.set(key, entry);
    const settle = (): void => {
      entry.settled = true;
    };
    written.then(settle, settle);
    if (!takingBack) void takeAllBack();
  }

  async function write(key: string, value: unknown): Promise<void> {
    const before = await get(key);
    const written = put(key, value);
    try {
      await inTime(written, timeLimit);
    } catch (error) {
      doubt(key, before, written);
      throw unavailable(error);
    }
  }

  return {
    get,
    set: write,
    remove: (key) => write(key, undefined),
    async findKeys(pattern, notPattern) {
      try {
        return await database.findKeys(pattern, notPattern);
      } catch (error) {
        throw unavailable(error);
      }
    },
    guardPads: (pads) => ({
      exists: guarded((id) => pads.exists(id)),
      create: guarded((id) => pads.create(id)),
      emptyChat: guarded((id) => pads.emptyChat(id)),
      removeReadOnlyId: guarded((id) => pads.removeReadOnlyId(id)),
      lastEdited: guarded((id) => pads.lastEdited(id)),
      remove: (id, options) => pads.remove(id, options),
      removeOldChat: (id, options) => pads.removeOldChat(id, options),
      visitors: (id) => pads.visitors(id),
    }),
    close: () => closing.abort(),
  };
}
