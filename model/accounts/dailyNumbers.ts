/** The numbers of accounts, folders and pads on each day, taken once a day from the current numbers. */
import type { Log, Schedule } from '../ports';
import { keys, type Store } from '../store/store';
import type { Directory } from './directory';
import type { Statistics } from './statistics';

export interface DayNumbers {
  /** In UTC, for example `2026-11-22`. */
  day: string;
  users: number;
  /** Accounts that can be used: confirmed, and not closed. */
  active: number;
  /** People with a session that was used within 30 days; `null` if they had not been counted yet. */
  signedIn: number | null;
  groups: number;
  pads: number;
}

export interface DailyNumbers {
  /** The stored days, oldest first, and the current numbers. Throws SERVER.BUSY until they are counted. */
  list(): Promise<DayNumbers[]>;
  /** Stores the numbers of today, once a day. Failures are logged. */
  record(): Promise<void>;
  /** Calls `record` every hour. */
  start(): void;
  /** Resolves when a running write has ended. */
  close(): Promise<void>;
}

const maxDays = 400;
/**
 * Milliseconds until the first record, which needs the number of people with a session, and between two checks for a
 * new day.
 */
const firstAfter = 2 * 60_000;
const interval = 60 * 60_000;

const isCount = (value: unknown): value is number => typeof value === 'number' && Number.isInteger(value);

function isDay(value: unknown): value is DayNumbers {
  const { day, users, active, signedIn, groups, pads } = (value ?? {}) as Partial<DayNumbers>;
  const counts = [users, active, groups, pads].every(isCount) && (signedIn === null || isCount(signedIn));
  return typeof day === 'string' && /^\d{4}-\d\d-\d\d$/.test(day) && counts;
}

function readDays(stored: unknown): DayNumbers[] {
  const { days } = (stored ?? {}) as { days?: unknown };
  return Array.isArray(days) ? days.filter(isDay) : [];
}

export function createDailyNumbers(context: {
  store: Store;
  statistics: Pick<Statistics, 'current'>;
  directory: Pick<Directory, 'search'>;
  /** `undefined` until people with a session have been counted. */
  signedIn: () => number | undefined;
  schedule: Schedule;
  log: Log;
  now: () => number;
}): DailyNumbers {
  const { store, statistics, directory, signedIn, schedule, log, now } = context;
  let timers: (() => void)[] = [];
  let running: Promise<void> | undefined;

  async function today(): Promise<DayNumbers> {
    const [{ users, groups, pad }, active] = await Promise.all([
      statistics.current(),
      directory.search({ filter: { active: true }, limit: 1 }),
    ]);
    const day = new Date(now()).toISOString().slice(0, 10);
    return { day, users, active: active.count, signedIn: signedIn() ?? null, groups, pads: pad };
  }

  async function record(): Promise<void> {
    try {
      const numbers = await today();
      await store.update<{ days: DayNumbers[] }>(keys.dailyNumbers, (stored) => {
        const days = readDays(stored);
        if (days.some(({ day }) => day === numbers.day)) return undefined;
        return { days: [...days, numbers].slice(-maxDays) };
      });
    } catch (error) {
      log.warn('storing the numbers of the day failed, retrying later', { error: String(error) });
    }
  }

  function recordNow(): void {
    running ??= record().finally(() => {
      running = undefined;
    });
  }

  return {
    async list() {
      const [stored, now] = await Promise.all([store.get<unknown>(keys.dailyNumbers), today()]);
      return [...readDays(stored).filter(({ day }) => day !== now.day), now];
    },
    record,
    start() {
      timers = [
        schedule.later('record the numbers of the day', firstAfter, recordNow),
        schedule.every('record the numbers of the day', interval, recordNow),
      ];
    },
    async close() {
      for (const cancel of timers) cancel();
      await running;
    },
  };
}
