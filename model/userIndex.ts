/**
 * How a login or an e-mail address leads to its account: index keys that are written with every change. The records decide, the index
 * only says where to look. At each start the accounts are gone through in the background, for those that no index key leads to: of an old
 * database that is all of them, later those that were imported or changed by another program.
 */
import type { UserRecord } from './entities';
import { MyPadsError } from './errors';
import type { Log } from './ports';
import { readUser } from './records';
import { inSlices } from './slices';
import { keys, type Store } from './store';

export interface UserIndex {
  /** Resolves when every account can be found by login and e-mail. */
  readonly ready: Promise<void>;
  isReady(): boolean;
  /** Throws SERVER.BUSY before `ready`. */
  mustBeReady(): void;
  /**
   * The accounts with this login, those that write it with exactly these letters first, then the oldest: old databases hold doubles, some of
   * them by composed and uncomposed letters.
   */
  withLogin(login: string): Promise<UserRecord[]>;
  /** The accounts with this address, the oldest first. */
  withEmail(email: string, anyCase: boolean): Promise<UserRecord[]>;
  /** What to lock while nobody else may take this name, a login or an address. */
  keysOf(name: string): string[];
  /** Adds an account to what one of our keys leads to. Under the lock of the key. */
  note(key: string, id: string): Promise<void>;
  /** Costs what `note` costs and changes nothing: for somebody who must not learn by the time which of both was done. */
  rewrite(key: string): Promise<void>;
  /** Takes an account away from there, unless it still is, or is again, what the key leads to. */
  forget(key: string, id: string): Promise<void>;
  /** Breaks off what goes on in the background; the next start begins anew. Resolves when nothing does any more. */
  close(): Promise<void>;
}

interface IndexEntry {
  uids?: unknown;
}

const idsOf = (entry: IndexEntry | undefined): string[] =>
  Array.isArray(entry?.uids) ? entry.uids.filter((id): id is string => typeof id === 'string') : [];

const retryAfter = 5_000;

/** The index keys that lead to an account. */
function namesOf({ login, email, addressTaken }: UserRecord): string[] {
  return email === '' || addressTaken
    ? [keys.loginIndex(login)]
    : [keys.loginIndex(login), keys.mailIndex(email)];
}

export function createUserIndex(context: { store: Store; log: Log; now: () => number }): UserIndex {
  const { store, log, now } = context;
  const closing = new AbortController();
  let built = false;
  let building: Promise<void> | undefined;

  async function candidates(key: string, matches: (user: UserRecord) => boolean): Promise<UserRecord[]> {
    const uids = idsOf(await store.get<IndexEntry>(key));
    const records = await store.getMany<unknown>(uids.map(keys.user));
    return uids
      .map((id, position) => readUser(id, records[position]))
      .filter((user): user is UserRecord => user !== undefined && matches(user))
      .sort((one, other) => one.ctime - other.ctime);
  }

  async function note(key: string, id: string): Promise<void> {
    const uids = idsOf(await store.get<IndexEntry>(key));
    if (!uids.includes(id)) await store.set(key, { uids: [...uids, id] });
  }

  /** Adds an account to one key, unless it has another name by then. */
  async function mend(key: string, id: string): Promise<void> {
    await store.locked([key], async () => {
      const user = readUser(id, await store.get(keys.user(id)));
      if (user !== undefined && namesOf(user).includes(key)) await note(key, id);
    });
  }

  /** Returns how many index keys lacked an account. */
  async function addMissing(found: readonly string[]): Promise<number> {
    const prefix = keys.user('');
    let added = 0;
    await inSlices(
      found,
      async (part) => {
        const records = await store.getMany<unknown>(part);
        const wanted = part.flatMap((key, position) => {
          const user = readUser(key.slice(prefix.length), records[position]);
          if (user === undefined) log.warn('a damaged account record is passed over', { key });
          return user === undefined ? [] : namesOf(user).map((name) => ({ name, id: user._id }));
        });
        const entries = await store.getMany<IndexEntry>(wanted.map(({ name }) => name));
        const missing = wanted.filter(({ id }, position) => !idsOf(entries[position]).includes(id));
        await Promise.all(missing.map(({ name, id }) => mend(name, id)));
        added += missing.length;
      },
      { signal: closing.signal },
    );
    return added;
  }

  /**
   * Opens at once when there are as many logins in the index as accounts, and looks closer behind; else nobody could tell an imported
   * account from one that does not exist.
   */
  async function build(open: () => void): Promise<void> {
    const found = await store.scan(keys.user(''));
    const indexed = await store.get<unknown>(keys.indexState);
    const logins = indexed === undefined ? [] : await store.scan(keys.loginIndexes);
    if (indexed !== undefined && logins.length >= found.length) open();
    const added = await addMissing(found);
    if (indexed === undefined) await store.set(keys.indexState, { built: now(), accounts: found.length });
    else if (added > 0) log.warn('logins and addresses that another program wrote are found now', { added });
    open();
  }

  const ready = new Promise<void>((resolve) => {
    const open = (): void => {
      built = true;
      resolve();
    };
    const attempt = (): void => {
      building = build(open).catch((error: unknown) => {
        if (closing.signal.aborted) return;
        log.error('the index of accounts could not be built, it is tried again', { error: String(error) });
        setTimeout(attempt, retryAfter).unref();
      });
    };
    attempt();
  });

  return {
    ready,
    isReady: () => built,
    mustBeReady() {
      if (!built) throw new MyPadsError('BACKEND.ERROR.SERVER.BUSY');
    },
    async withLogin(login) {
      const wanted = login.normalize();
      const found = await candidates(keys.loginIndex(login), (user) => user.login.normalize() === wanted);
      const exact = found.filter((user) => user.login === login);
      return [...exact, ...found.filter((user) => !exact.includes(user))];
    },
    withEmail(email, anyCase) {
      const wanted = email.toLowerCase();
      return candidates(keys.mailIndex(email), (user) =>
        anyCase ? user.email.toLowerCase() === wanted : user.email === email,
      );
    },
    keysOf: (name) => [keys.loginIndex(name), keys.mailIndex(name)],
    note,
    async rewrite(key) {
      const entry = await store.get<IndexEntry>(key);
      if (entry) await store.set(key, entry);
    },
    async forget(key, id) {
      await store.locked([key], async () => {
        const uids = idsOf(await store.get<IndexEntry>(key));
        const user = readUser(id, await store.get(keys.user(id)));
        if (!uids.includes(id) || (user && namesOf(user).includes(key))) return;
        const others = uids.filter((other) => other !== id);
        if (others.length === 0) await store.remove(key);
        else await store.set(key, { uids: others });
      });
    },
    async close() {
      closing.abort();
      await building;
    },
  };
}
