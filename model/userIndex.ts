/**
 * How a login or an e-mail address leads to its account: index keys that are written with every change. The records decide, the index
 * only says where to look. An old database gets its index once, in the background.
 */
import type { UserRecord } from './entities';
import { MyPadsError } from './errors';
import type { Log } from './ports';
import { readUser } from './records';
import { keys, type Store } from './store';

export interface UserIndex {
  /** Resolves when every account can be found by login and e-mail. */
  readonly ready: Promise<void>;
  isReady(): boolean;
  /** Throws SERVER.BUSY before `ready`. */
  mustBeReady(): void;
  /** The accounts with exactly this login, the oldest first: old databases hold doubles. */
  withLogin(login: string): Promise<UserRecord[]>;
  /** The accounts with this address, the oldest first. */
  withEmail(email: string, anyCase: boolean): Promise<UserRecord[]>;
  /** What to lock while nobody else may take this name, a login or an address. */
  keysOf(name: string): string[];
  /** Adds an account to what one of our keys leads to. Under the lock of the key. */
  note(key: string, id: string): Promise<void>;
  forget(key: string, id: string): Promise<void>;
}

interface IndexEntry {
  uids: string[];
}

const retryAfter = 30_000;

function added(current: IndexEntry | undefined, id: string): IndexEntry | undefined {
  return current?.uids.includes(id) ? undefined : { uids: [...(current?.uids ?? []), id] };
}

export function createUserIndex(context: { store: Store; log: Log; now: () => number }): UserIndex {
  const { store, log, now } = context;
  let built = false;

  async function candidates(key: string, matches: (user: UserRecord) => boolean): Promise<UserRecord[]> {
    const { uids } = (await store.get<IndexEntry>(key)) ?? { uids: [] };
    const records = await store.getMany<unknown>(uids.map(keys.user));
    return uids
      .map((id, position) => readUser(id, records[position]))
      .filter((user): user is UserRecord => user !== undefined && matches(user))
      .sort((one, other) => one.ctime - other.ctime);
  }

  async function build(): Promise<void> {
    if (await store.get(keys.indexState)) return;
    const prefix = keys.user('');
    const found = await store.scan(prefix);
    for (const key of found) {
      const user = readUser(key.slice(prefix.length), await store.get(key));
      if (!user) {
        log.warn('a damaged account record is passed over', { key });
        continue;
      }
      await store.update<IndexEntry>(keys.loginIndex(user.login), (entry) => added(entry, user._id));
      if (user.email === '' || user.addressTaken) continue;
      await store.update<IndexEntry>(keys.mailIndex(user.email), (entry) => added(entry, user._id));
    }
    await store.set(keys.indexState, { built: now(), accounts: found.length });
  }

  const ready = new Promise<void>((resolve) => {
    const attempt = (): void => {
      build().then(
        () => {
          built = true;
          resolve();
        },
        (error: unknown) => {
          log.error('the index of accounts could not be built, it is tried again', { error: String(error) });
          setTimeout(attempt, retryAfter).unref();
        },
      );
    };
    attempt();
  });

  return {
    ready,
    isReady: () => built,
    mustBeReady() {
      if (!built) throw new MyPadsError('BACKEND.ERROR.SERVER.BUSY');
    },
    withLogin: (login) => candidates(keys.loginIndex(login), (user) => user.login === login),
    withEmail(email, anyCase) {
      const wanted = email.toLowerCase();
      return candidates(keys.mailIndex(email), (user) =>
        anyCase ? user.email.toLowerCase() === wanted : user.email === email,
      );
    },
    keysOf: (name) => [keys.loginIndex(name), keys.mailIndex(name)],
    async note(key, id) {
      const entry = added(await store.get<IndexEntry>(key), id);
      if (entry) await store.set(key, entry);
    },
    async forget(key, id) {
      await store.locked([key], async () => {
        const entry = await store.get<IndexEntry>(key);
        const uids = entry?.uids.filter((other) => other !== id) ?? [];
        if (uids.length === 0) await store.remove(key);
        else await store.set(key, { uids });
      });
    },
  };
}
