/**
 * Accounts that nobody confirms are given up, so that their logins are free again. Each stands, from its registration on, in a list
 * under the hour when that may happen at the earliest; the lists are read by key, hour after hour, also those of a time when the server
 * was down. The account's own record decides.
 */
import type { UserRecord } from './entities';
import type { Log } from './ports';
import { keys, type Store } from './store';
import type { Users } from './user';

export interface Unconfirmed {
  /** Removes the accounts whose time is over. Runs by itself, in the background. */
  sweep(): Promise<void>;
  /** Resolves when nothing goes on any more. */
  close(): Promise<void>;
}

export interface UnconfirmedContext {
  store: Store;
  users: Pick<Users, 'update'>;
  remove: (id: string) => Promise<void>;
  log: Log;
  now: () => number;
}

const hour = 3600_000;
const firstSweepAfter = 90_000;

export function createUnconfirmed(context: UnconfirmedContext): Unconfirmed {
  const { store, users, remove, log, now } = context;
  let running: Promise<void> | undefined;
  let closed = false;

  const isOver = (user: UserRecord): boolean =>
    !user.active && user.unconfirmedUntil !== undefined && now() >= user.unconfirmedUntil;

  /** Closed first, under the lock of its record: a link that comes at the same moment either is before that, or finds it closed. */
  async function look(id: string): Promise<void> {
    const user = await users.update(id, (current) =>
      isOver(current) ? { ...current, closed: true } : undefined,
    );
    if (!user || user.active || user.unconfirmedUntil === undefined) return;
    if (isOver(user)) {
      await remove(id);
      log.info('an account that was never confirmed was removed', { user: id });
      return;
    }
    // It was given more time.
    await store.update<{ uids: string[] }>(keys.unconfirmed(user.unconfirmedUntil), (list) => ({
      uids: [...(list?.uids ?? []).filter((other) => other !== id), id],
    }));
  }

  async function lookAt(time: number): Promise<void> {
    const key = keys.unconfirmed(time);
    const list = await store.get<{ uids: string[] }>(key);
    if (!Array.isArray(list?.uids)) return;
    for (const id of list.uids) {
      if (closed) return;
      await look(id);
    }
    await store.locked([key], () => store.remove(key));
  }

  /** Lists begin a week ahead of the registration: without a note of how far we are, none can have been missed. */
  async function work(): Promise<void> {
    const last = Math.floor(now() / hour);
    const next = (await store.get<{ next: number }>(keys.unconfirmedState))?.next ?? last;
    for (let one = next; one <= last; one += 1) {
      await lookAt(one * hour);
      if (closed) return;
    }
    await store.set(keys.unconfirmedState, { next: last + 1 });
  }

  function sweep(): Promise<void> {
    running ??= work()
      .catch((error: unknown) => {
        log.warn('accounts that were never confirmed could not be swept', { error: String(error) });
      })
      .finally(() => {
        running = undefined;
      });
    return running;
  }

  const timer = setInterval(() => void sweep(), hour);
  timer.unref();
  const firstSweep = setTimeout(() => void sweep(), firstSweepAfter);
  firstSweep.unref();

  return {
    sweep,
    async close() {
      closed = true;
      clearInterval(timer);
      clearTimeout(firstSweep);
      await running;
    },
  };
}
