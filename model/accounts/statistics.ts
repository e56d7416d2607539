/**
 * Numbers of accounts, groups and pads with a valid record. Counted once in the background, then updated at each write.
 * If a start finds another number of keys, because another program wrote some, they are counted again.
 */
import { setImmediate as turn } from 'node:timers/promises';
import { MyPadsError } from '../errors';
import type { Log, Schedule } from '../ports';
import { readGroup, readPad } from '../store/records';
import { keys, type Store } from '../store/store';
import { orBusy } from '../timeLimit';
import type { Directory } from './directory';

/** The format of ep_mypads 1.x: `pad` in the singular, `timestamp` in seconds since 1970. */
export interface Counts {
  timestamp: number;
  users: number;
  pad: number;
  groups: number;
}

export interface Statistics {
  /** Throws SERVER.BUSY until the first count of a large database has finished. */
  current(): Promise<Counts>;
  /** Starts counting in the background. */
  start(): void;
  /** Call it after each write to the database. */
  recordWritten(key: string, before: unknown, after: unknown): void;
  /** Call it with what another process has published: see `StatisticsContext`. */
  receive(change: unknown): void;
  close(): Promise<void>;
}

export interface StatisticsContext {
  store: Store;
  directory: Pick<Directory, 'count'>;
  schedule: Schedule;
  log: Log;
  now: () => number;
  /** Sends a change to the other processes. */
  publish: (change: unknown) => void;
  /** Only one process saves the numbers. */
  isLeader: () => boolean;
}

type Kind = 'groups' | 'pads';

/** Number of keys, and number of keys with a valid record. */
interface Count {
  keys: number;
  records: number;
}

type Kept = Record<Kind, Count>;

/** A record that was written during the count. */
interface Touched {
  kind: Kind;
  before: Count;
  after: Count;
  /** The count skipped it, because it had been written before. Its old value was not counted. */
  skipped: boolean;
}

/** One record was written. */
interface Change {
  key: string;
  kind: Kind;
  was: Count;
  is: Count;
}

/** Milliseconds that a call waits for the first count before it answers SERVER.BUSY. */
const waitLimit = 2_000;
const retryAfter = 5_000;
/** Milliseconds between a change and saving the numbers. */
const saveAfter = 30_000;
/** Records read at the same time. */
const batchSize = 200;

const exists = (stored: unknown): boolean => stored !== undefined && stored !== null;

const readable: Record<Kind, (stored: unknown) => boolean> = {
  groups: (stored) => (readGroup('', stored)?.name ?? '') !== '',
  pads: (stored) => (readPad('', stored)?.group ?? '') !== '',
};

const prefixes: readonly (readonly [Kind, string])[] = [
  ['groups', keys.group('')],
  ['pads', keys.pad('')],
];

const countOf = (kind: Kind, stored: unknown): Count => ({
  keys: exists(stored) ? 1 : 0,
  records: readable[kind](stored) ? 1 : 0,
});

const zero: Count = { keys: 0, records: 0 };

const add = (count: Count, more: Count, less = zero): Count => ({
  keys: count.keys + more.keys - less.keys,
  records: count.records + more.records - less.records,
});

function readKept(stored: unknown): Kept | undefined {
  const { groups, pads } = (stored ?? {}) as Partial<Kept>;
  const isCount = (count: Count | undefined): boolean =>
    Number.isInteger(count?.keys) && Number.isInteger(count?.records);
  return groups && pads && isCount(groups) && isCount(pads) ? { groups, pads } : undefined;
}

export function createStatistics(context: StatisticsContext): Statistics {
  const { store, directory, schedule, log, now, publish, isLeader } = context;
  const closing = new AbortController();
  const { signal } = closing;
  let kept: Kept | undefined;
  /** Records written during the count, by key. */
  let touched: Map<string, Touched> | undefined;
  let changed = false;
  let cancelTimer: (() => void) | undefined;
  let counting: Promise<void> | undefined;

  async function save(): Promise<void> {
    cancelTimer?.();
    cancelTimer = undefined;
    if (!changed || kept === undefined || !isLeader()) return;
    changed = false;
    try {
      await store.set(keys.counts, kept);
    } catch (error) {
      changed = true;
      log.warn('saving the statistics failed', { error: String(error) });
    }
  }

  function noteChange(): void {
    changed = true;
    if (cancelTimer !== undefined || signal.aborted) return;
    cancelTimer = schedule.later('save the statistics', saveAfter, () => void save());
  }

  async function countRecords(kind: Kind, found: readonly string[]): Promise<Count> {
    let count = zero;
    for (let start = 0; start < found.length; start += batchSize) {
      signal.throwIfAborted();
      const part = found.slice(start, start + batchSize);
      const records = await store.getMany<unknown>(part);
      for (const [index, key] of part.entries()) {
        const known = touched?.get(key);
        if (known) known.skipped = true;
        else count = add(count, countOf(kind, records[index]));
      }
      await turn();
    }
    return count;
  }

  async function countAll(): Promise<Kept> {
    const found = new Map<Kind, string[]>();
    touched = new Map();
    for (const [kind, prefix] of prefixes) {
      found.set(
        kind,
        (await store.scan(prefix)).filter((key) => key.startsWith(prefix)),
      );
    }
    const known = prefixes.every(([kind]) => kept?.[kind].keys === found.get(kind)?.length);
    if (kept && known) return kept;
    // Keys removed during the scan, which the count will not see.
    const missing = new Set(touched.keys());
    for (const list of found.values()) for (const key of list) missing.delete(key);
    for (const key of missing) Object.assign(touched.get(key) ?? {}, { before: zero });
    const counted: Kept = { groups: zero, pads: zero };
    for (const [kind, keysFound] of found) counted[kind] = await countRecords(kind, keysFound);
    for (const { kind, before, after, skipped } of touched.values()) {
      counted[kind] = add(counted[kind], after, skipped ? zero : before);
    }
    changed = true;
    return counted;
  }

  async function count(): Promise<void> {
    try {
      kept ??= readKept(await store.get<unknown>(keys.counts));
      kept = await countAll();
      touched = undefined;
      await save();
    } catch (error) {
      if (signal.aborted) return;
      log.warn('counting groups and pads failed, retrying in 5 s', { error: String(error) });
      cancelTimer ??= schedule.later('count again', retryAfter, start);
    } finally {
      touched = undefined;
      counting = undefined;
    }
  }

  function start(): void {
    cancelTimer = undefined;
    counting ??= count();
  }

  /** Waits for the first count. Throws SERVER.BUSY after `waitLimit`. */
  async function counted(): Promise<Kept> {
    if (counting) await orBusy(counting, waitLimit);
    if (kept === undefined) throw new MyPadsError('BACKEND.ERROR.SERVER.BUSY');
    return kept;
  }

  function noteWritten({ key, kind, was, is }: Change): void {
    const known = touched?.get(key);
    if (known) known.after = is;
    else touched?.set(key, { kind, before: was, after: is, skipped: false });
    if (kept === undefined || (was.keys === is.keys && was.records === is.records)) return;
    kept = { ...kept, [kind]: add(kept[kind], is, was) };
    noteChange();
  }

  return {
    async current() {
      const { groups, pads } = kept ?? (await counted());
      const users = await directory.count();
      return { timestamp: Math.floor(now() / 1000), users, pad: pads.records, groups: groups.records };
    },
    start,
    recordWritten(key, before, after) {
      const [kind] = prefixes.find(([, prefix]) => key.startsWith(prefix)) ?? [];
      if (kind === undefined) return;
      const change = { key, kind, was: countOf(kind, before), is: countOf(kind, after) };
      noteWritten(change);
      publish(change);
    },
    receive: (change) => noteWritten(change as Change),
    async close() {
      closing.abort();
      await counting;
      await save();
    },
  };
}
