/**
 * Removes accounts that were never confirmed, so that their logins become free. Each account is on a list of the hour
 * when it may expire; the lists are read hour by hour, including hours when the server was down. The account record
 * decides.
 */

import type { Users } from '../accounts/user';
import type { Basics } from '../store/basics';
import type { UserRecord } from '../store/entities';
import { keys } from '../store/store';

export interface UnconfirmedContext extends Pick<Basics, 'store' | 'log' | 'now'> {
  users: Pick<Users, 'update'>;
  remove: (id: string) => Promise<void>;
}

const hour = 3600_000;

/** Removes an account whose time is over, or puts it on the list of the hour when it will be. */
function createAccountCheck({ store, users, remove, log, now }: UnconfirmedContext) {
  const isOver = (user: UserRecord): boolean =>
    !user.active && user.unconfirmedUntil !== undefined && now() >= user.unconfirmedUntil;

  return async (id: string): Promise<void> => {
    // Closed under its lock before the removal, so that a confirmation at the same moment either comes first or fails.
    const user = await users.update(id, (current) =>
      isOver(current) ? { ...current, closed: true } : undefined,
    );
    if (!user || user.active || user.unconfirmedUntil === undefined) return;
    if (isOver(user)) {
      await remove(id);
      log.info('unconfirmed account removed', { user: id });
      return;
    }
    // Its time was extended: check it again later.
    await store.update<{ uids: string[] }>(keys.unconfirmed(user.unconfirmedUntil), (list) => ({
      uids: [...(list?.uids ?? []).filter((other) => other !== id), id],
    }));
  };
}

export function createUnconfirmed(context: UnconfirmedContext) {
  const { store, now } = context;
  const checkAccount = createAccountCheck(context);

  async function checkHour(time: number, signal: AbortSignal | undefined): Promise<void> {
    const key = keys.unconfirmed(time);
    const list = await store.get<{ uids: string[] }>(key);
    if (!Array.isArray(list?.uids)) return;
    for (const id of list.uids) {
      signal?.throwIfAborted();
      await checkAccount(id);
    }
    await store.locked([key], () => store.remove(key));
  }

  return {
    /** Removes expired accounts, until `signal` is aborted. A regular job. */
    async sweep(signal?: AbortSignal): Promise<void> {
      const last = Math.floor(now() / hour);
      const stored = (await store.get<{ next: number }>(keys.unconfirmedState))?.next;
      // Accounts expire at least a week after registration: without a stored position, this hour misses none. It is
      // later than the next hour if the clock was ahead.
      const next = stored === undefined || stored > last + 1 ? last : stored;
      for (let one = next; one <= last; one += 1) await checkHour(one * hour, signal);
      await store.set(keys.unconfirmedState, { next: last + 1 });
    },
  };
}
