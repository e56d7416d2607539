/** The numbers of accounts, folders and pads on each day, taken once a day from the current numbers. */

import type { RecordIndex } from '../index/recordIndex';
import { keys, type Store } from '../store/store';

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

const maxDays = 400;

const isCount = (value: unknown): value is number => typeof value === 'number' && Number.isInteger(value);

function isDay(value: unknown): value is DayNumbers {
  const { day, users, active, signedIn, groups, pads } = (value ?? {}) as Partial<DayNumbers>;
  const counts = [users, active, groups, pads].every(isCount) && (signedIn === null || isCount(signedIn));
  return typeof day === 'string' && /^\d{4}-\d\d-\d\d$/.test(day) && counts;
}

/** In order, also if the clock was ahead on one of them. */
function readDays(stored: unknown): DayNumbers[] {
  const { days } = (stored ?? {}) as { days?: unknown };
  return Array.isArray(days) ? days.filter(isDay).sort((one, other) => (one.day < other.day ? -1 : 1)) : [];
}

export function createDailyNumbers(context: {
  store: Store;
  recordIndex: Pick<RecordIndex, 'counts' | 'countAccounts'>;
  /** `undefined` until people with a session have been counted. */
  signedIn: () => number | undefined;
  now: () => number;
}) {
  const { store, recordIndex, signedIn, now } = context;

  async function today(): Promise<DayNumbers> {
    const [{ users, groups, pad }, active] = await Promise.all([
      recordIndex.counts(),
      recordIndex.countAccounts({ active: true }),
    ]);
    const day = new Date(now()).toISOString().slice(0, 10);
    return { day, users, active, signedIn: signedIn() ?? null, groups, pads: pad };
  }

  return {
    /** The stored days, oldest first, and the current numbers. Throws SERVER.BUSY until they are counted. */
    async list(): Promise<DayNumbers[]> {
      const [stored, now] = await Promise.all([store.get<unknown>(keys.dailyNumbers), today()]);
      return [...readDays(stored).filter(({ day }) => day < now.day), now];
    },
    /** Stores the numbers of today, once a day. A regular job. */
    async record(): Promise<void> {
      const numbers = await today();
      await store.update<{ days: DayNumbers[] }>(keys.dailyNumbers, (stored) => {
        const days = readDays(stored);
        if (days.some(({ day }) => day === numbers.day)) return undefined;
        return { days: [...days, numbers].slice(-maxDays) };
      });
    },
  };
}
