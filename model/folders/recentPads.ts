/**
 * The pads that a person has opened in the app, most recent first. The list is in the database, so that it is the same
 * on every device. It gives no right: code that shows it checks the rights again.
 */

import { limits } from '../limits';
import type { Basics } from '../store/basics';
import { keys } from '../store/store';

export type RecentPadsContext = Pick<Basics, 'store' | 'log'>;

function idsIn(stored: unknown): string[] {
  const pads: unknown = typeof stored === 'object' && stored !== null && 'pads' in stored ? stored.pads : [];
  return Array.isArray(pads) ? pads.filter((id) => typeof id === 'string').slice(0, limits.recent) : [];
}

export function createRecentPads({ store, log }: RecentPadsContext) {
  const read = async (user: string): Promise<string[]> => idsIn(await store.get(keys.recent(user)));
  return {
    /** Ids of at most `limits.recent` pads, most recent first. Removed pads may be among them. */
    of: read,
    /** Puts a pad first. Does not throw: a person can open a pad although the list cannot be stored. */
    async opened(user: string, pad: string): Promise<void> {
      try {
        // The same pad is often opened many times in a row, and each write may take 100 ms.
        if ((await read(user))[0] === pad) return;
        await store.update<unknown>(keys.recent(user), (stored) => ({
          pads: [pad, ...idsIn(stored).filter((id) => id !== pad)].slice(0, limits.recent),
        }));
      } catch (error) {
        log.warn('storing the pad that a person opened failed', { pad, user, error: String(error) });
      }
    },
  };
}

export type RecentPads = ReturnType<typeof createRecentPads>;
