/**
 * The administration log: what server administrators did last. It holds a limited number of entries and removes the
 * oldest ones. Objects are named by id; values of settings, passwords and addresses are never stored.
 */

import { setImmediate as turn } from 'node:timers/promises';
import type { Basics } from '../store/basics';
import { keys, type Store } from '../store/store';
import { UntilDone } from '../untilDone';
import { type AdminAction, type AdminEntry, adminActions } from './adminLogEntry';

/** Entries per record, and the number of records: together 1,000 entries. */
const batchSize = 50;
const maxBatches = 20;
/** Milliseconds within which refused sign-ins with one name share an entry, so that guesses do not fill the log. */
const refusalTime = 60 * 60_000;
/** Milliseconds until a failed write is retried. */
const retryAfter = 2_000;

const isEntry = (entry: unknown): entry is AdminEntry => {
  const { time, action } = (entry ?? {}) as Partial<AdminEntry>;
  return typeof time === 'number' && adminActions.includes(action as AdminAction);
};

function readEntries(stored: unknown): AdminEntry[] {
  const { entries } = (stored ?? {}) as { entries?: unknown };
  return Array.isArray(entries) ? entries.filter(isEntry) : [];
}

function readLast(stored: unknown): number {
  const { last } = (stored ?? {}) as { last?: unknown };
  return typeof last === 'number' && Number.isInteger(last) && last >= 0 ? last : 0;
}

/** Several of these are one entry with a `count`, see `AdminEntry`. */
const isCounted = ({ action }: AdminEntry): boolean => action === 'signInRefused' || action === 'imported';

/**
 * Adds a refused sign-in to a recent entry of the same name, or a change of an import to the entry of that import.
 * Returns false if there is none.
 */
function countAgain(batch: AdminEntry[], entry: AdminEntry): boolean {
  if (!isCounted(entry)) return false;
  const { action, by, time } = entry;
  const index = batch.findLastIndex(
    (one) => one.action === action && one.by === by && one.import === entry.import,
  );
  const found = batch[index];
  if (found === undefined || (action === 'signInRefused' && time >= found.time + refusalTime)) return false;
  batch[index] = { ...found, count: (found.count ?? 1) + 1, until: time };
  return true;
}

const lastFirst = (entries: readonly AdminEntry[]): AdminEntry[] =>
  entries.toSorted((one, other) => (other.until ?? other.time) - (one.until ?? one.time));

function withoutUsers(entry: AdminEntry, users: ReadonlySet<string>): AdminEntry {
  const { object } = entry;
  const isGone = object?.kind === 'user' && object.id !== undefined && users.has(object.id);
  return isGone ? { ...entry, object: { kind: 'user' } } : entry;
}

/** The records of the log. Call these functions under the lock of `keys.adminLog`. */
function createBatches(store: Store) {
  const numbersUpTo = (last: number): number[] =>
    Array.from({ length: maxBatches }, (_, index) => last - index).filter((number) => number >= 0);

  async function read(number: number): Promise<AdminEntry[]> {
    return readEntries(await store.get<unknown>(keys.adminLogPart(number)));
  }

  const write = (number: number, entries: readonly AdminEntry[]): Promise<void> =>
    store.set(keys.adminLogPart(number), { entries });

  const readNewest = async (): Promise<number> => readLast(await store.get<unknown>(keys.adminLog));

  return {
    /** `onWritten` gets the number of entries that are written, after each record: a retry must not add them again. */
    async append(entries: readonly AdminEntry[], onWritten: (count: number) => void): Promise<void> {
      let number = await readNewest();
      let batch = [...(await read(number))];
      for (const [index, entry] of entries.entries()) {
        if (countAgain(batch, entry)) continue;
        const earlier = isCounted(entry) ? await read(number - 1) : [];
        if (countAgain(earlier, entry)) {
          // What came before it first, so that a retry after a failure between the two does not count it twice.
          await write(number, batch);
          onWritten(index);
          await write(number - 1, earlier);
          onWritten(index + 1);
          continue;
        }
        if (batch.length >= batchSize) {
          await write(number, batch);
          onWritten(index);
          number += 1;
          batch = [];
          // The old record first: a retry after a failure between the two would not come back to it.
          if (number >= maxBatches) await store.remove(keys.adminLogPart(number - maxBatches));
          await store.set(keys.adminLog, { last: number });
        }
        batch.push(entry);
      }
      await write(number, batch);
      onWritten(entries.length);
    },
    /** The records, newest first. The entries of each record are oldest first. */
    async readAll(): Promise<{ number: number; entries: AdminEntry[] }[]> {
      const numbers = numbersUpTo(await readNewest());
      const stored = await store.getMany<unknown>(numbers.map(keys.adminLogPart));
      return numbers.map((number, index) => ({ number, entries: readEntries(stored[index]) }));
    },
    write,
  };
}

export function createAdminLog({ store, schedule, log, now }: Omit<Basics, 'events'>) {
  const batches = createBatches(store);
  let waiting: AdminEntry[] = [];
  let writing: Promise<void> | undefined;
  let closing = false;

  async function writeAll(): Promise<void> {
    // Waits for a turn, so that entries that are added together are written together.
    await turn();
    while (waiting.length > 0) {
      const entries = waiting;
      waiting = [];
      let written = 0;
      try {
        await store.locked([keys.adminLog], () =>
          batches.append(entries, (count) => {
            written = count;
          }),
        );
      } catch (error) {
        waiting = [...entries.slice(written), ...waiting].slice(-batchSize * maxBatches);
        throw error;
      }
    }
  }

  const attempts = new UntilDone({
    name: 'write the administration log',
    schedule,
    retryAfter,
    work: writeAll,
    failed: (error) =>
      log.warn('writing the administration log failed, retrying later', { error: String(error) }),
    queue: () => start(),
  });

  function start(): void {
    writing ??= attempts.attempt().finally(() => {
      writing = undefined;
      if (waiting.length > 0 && !attempts.isWaiting && !closing) start();
    });
  }

  const stored = async (): Promise<void> => {
    while (writing) await writing;
  };

  return {
    /** Stores the entry in the background. A failed write is logged and retried. */
    add(entry: Omit<AdminEntry, 'time'>): void {
      waiting.push({ time: now(), ...entry });
      if (!attempts.isWaiting) start();
    },
    /** One page of entries, the one that happened last first, and the number of all entries. */
    async list(offset: number, limit: number): Promise<{ entries: AdminEntry[]; count: number }> {
      await stored();
      const entries = lastFirst((await batches.readAll()).flatMap((batch) => batch.entries.toReversed()));
      return { entries: entries.slice(offset, offset + limit), count: entries.length };
    },
    /** Removes the ids of removed accounts. */
    async forget(users: ReadonlySet<string>): Promise<void> {
      await stored();
      await store.locked([keys.adminLog], async () => {
        for (const { number, entries } of await batches.readAll()) {
          const changed = entries.map((entry) => withoutUsers(entry, users));
          if (changed.some((entry, index) => entry !== entries[index])) await batches.write(number, changed);
        }
      });
    },
    /** Resolves when all entries are stored. */
    async close(): Promise<void> {
      closing = true;
      if (waiting.length > 0) start();
      await attempts.end();
      if (waiting.length > 0) log.warn('entries of the administration log lost', { entries: waiting.length });
    },
  };
}

export type AdminLog = ReturnType<typeof createAdminLog>;
