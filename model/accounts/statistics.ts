/**
 * Numbers of accounts, groups and pads with a valid record; of pads, those that people can reach. Counted once in the
 * background, then updated at each write. If a start finds another number of keys, because another program wrote some,
 * they are counted again.
 */
import { MyPadsError } from '../errors';
import type { Log, Schedule } from '../ports';
import { keys, type Store } from '../store/store';
import { orBusy } from '../timeLimit';
import { UntilDone } from '../untilDone';
import type { Directory } from './directory';
import {
  type CountChange,
  changeOf,
  RecordCount,
  type RecordCounts,
  readCounts,
  storedCounts,
  withChange,
} from './recordCount';

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
  receive(change: CountChange): void;
  close(): Promise<void>;
}

export interface StatisticsContext {
  store: Store;
  directory: Pick<Directory, 'count'>;
  schedule: Schedule;
  log: Log;
  now: () => number;
  /** Sends a change to the other processes. */
  publish: (change: CountChange) => void;
  /** Only one process saves the numbers. */
  isLeader: () => boolean;
}

/** Milliseconds that a call waits for the first count before it answers SERVER.BUSY. */
const waitLimit = 2_000;
/** Milliseconds between a change and saving the numbers. */
const saveAfter = 30_000;

class KeptStatistics implements Statistics {
  private readonly closing = new AbortController();
  private counts: RecordCounts | undefined;
  private isChanged = false;
  private countInProgress: RecordCount | undefined;
  private counting: Promise<void> | undefined;
  private readonly attempts: UntilDone;
  private cancelSave: (() => void) | undefined;

  constructor(private readonly context: StatisticsContext) {
    const { schedule, log } = context;
    this.attempts = new UntilDone({
      name: 'count again',
      schedule,
      work: () => this.count(),
      failed: (error) =>
        log.warn('counting groups and pads failed, retrying in 5 s', { error: String(error) }),
      queue: () => this.start(),
    });
  }

  private async save(): Promise<void> {
    const { store, isLeader, log } = this.context;
    this.cancelSave?.();
    this.cancelSave = undefined;
    if (!this.isChanged || this.counts === undefined || !isLeader()) return;
    this.isChanged = false;
    try {
      await store.set(keys.counts, storedCounts(this.counts));
    } catch (error) {
      this.isChanged = true;
      log.warn('saving the statistics failed', { error: String(error) });
    }
  }

  private noteChange(): void {
    this.isChanged = true;
    if (this.cancelSave !== undefined || this.closing.signal.aborted) return;
    this.cancelSave = this.context.schedule.later('save the statistics', saveAfter, () => void this.save());
  }

  private async countAll(): Promise<void> {
    const { store } = this.context;
    const count = new RecordCount(store, this.closing.signal);
    this.countInProgress = count;
    await count.findKeys();
    if (this.counts && count.hasAsManyKeysAs(this.counts)) return;
    await count.readRecords();
    this.counts = count.total();
    this.isChanged = true;
  }

  private async count(): Promise<void> {
    try {
      this.counts ??= readCounts(await this.context.store.get<unknown>(keys.counts));
      await this.countAll();
    } finally {
      this.countInProgress = undefined;
    }
    await this.save();
  }

  start(): void {
    this.counting ??= this.attempts.attempt().finally(() => {
      this.counting = undefined;
    });
  }

  /** Waits for the first count. Throws SERVER.BUSY after `waitLimit`. */
  private async counted(): Promise<RecordCounts> {
    if (this.counting) await orBusy(this.counting, waitLimit);
    if (this.counts === undefined) throw new MyPadsError('BACKEND.ERROR.SERVER.BUSY');
    return this.counts;
  }

  async current(): Promise<Counts> {
    const { groups, pads } = this.counts ?? (await this.counted());
    const users = await this.context.directory.count();
    const timestamp = Math.floor(this.context.now() / 1000);
    return { timestamp, users, pad: pads.records, groups: groups.records };
  }

  readonly receive = (change: CountChange): void => {
    this.countInProgress?.noteWritten(change);
    if (this.counts === undefined) return;
    const after = withChange(this.counts, change);
    if (after === this.counts) return;
    this.counts = after;
    this.noteChange();
  };

  readonly recordWritten = (key: string, before: unknown, after: unknown): void => {
    const change = changeOf(key, before, after);
    if (change === undefined) return;
    this.receive(change);
    this.context.publish(change);
  };

  async close(): Promise<void> {
    const ended = this.attempts.end();
    this.closing.abort();
    await ended;
    await this.save();
  }
}

export const createStatistics = (context: StatisticsContext): Statistics => new KeptStatistics(context);
