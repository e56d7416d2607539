/** How many accounts, pads and groups there are. Counting reads every key, so it happens in the background and seldom. */
import { MyPadsError } from './errors';
import type { Log } from './ports';
import { keys, type Store } from './store';

/** As the earlier generation answered it: `pad` in the singular, `timestamp` in seconds since 1970. */
export interface Counts {
  timestamp: number;
  users: number;
  pad: number;
  groups: number;
}

export interface Statistics {
  /** The last count; starts a new one when it is old. Throws SERVER.BUSY until the first is done. */
  current(): Counts;
}

const countEvery = 10 * 60_000;

export function createStatistics(context: { store: Store; log: Log; now: () => number }): Statistics {
  const { store, log, now } = context;
  let counts: Counts | undefined;
  let counting = false;

  async function count(): Promise<void> {
    try {
      const users = (await store.scan(keys.user(''))).length;
      const pad = (await store.scan(keys.pad(''))).length;
      const groups = (await store.scan(keys.group(''))).length;
      counts = { timestamp: Math.floor(now() / 1000), users, pad, groups };
    } catch (error) {
      log.warn('accounts, pads and groups could not be counted', { error: String(error) });
    } finally {
      counting = false;
    }
  }

  return {
    current() {
      const old = counts === undefined || now() - counts.timestamp * 1000 >= countEvery;
      if (old && !counting) {
        counting = true;
        void count();
      }
      if (counts === undefined) throw new MyPadsError('BACKEND.ERROR.SERVER.BUSY');
      return counts;
    },
  };
}
