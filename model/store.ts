/**
 * The database as the model sees it: values by key, one lock a key, and the names of the keys. Every change that depends on what
 * was there before goes through `update` or `locked`, so that changes made at the same moment follow one another.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash } from 'node:crypto';
import type { Database } from './ports';

/** Reads of `getMany` that are under way at the same moment. */
const parallelReads = 50;

const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 40);

/** Some SQL back-ends keep keys of at most 100 characters; names that people chose can be longer, and so can ids of the earlier generation. */
const owner = (name: string): string => (/^[\w.@-]{1,60}$/.test(name) ? name : `#${digest(name)}`);
const short = (id: string): string => (id.length <= 60 ? id : `#${digest(id)}`);

/** Keys of the database (server.md 3.1; those below `conf` are new). */
export const keys = {
  user: (id: string) => `mypads:user:${id}`,
  group: (id: string) => `mypads:group:${id}`,
  pad: (id: string) => `mypads:pad:${id}`,
  deletePad: (padId: string) => `mypads:jobqueue:deletePad:${short(padId)}`,
  /** What is left to do of a group's removal, and which removals are unfinished; see model/jobs.ts. */
  deleteGroup: (id: string) => `mypads:jobqueue:deleteGroup:${short(id)}`,
  pendingJobs: 'mypads:jobqueue:pending',
  /** Accounts whose removal is not finished; see model/accountRemoval.ts. */
  removedAccounts: 'mypads:jobqueue:removedAccounts',
  /** What is gone and may still be named in the records of people; see model/forgetting.ts. */
  gone: 'mypads:jobqueue:gone',
  conf: (name: string) => `mypads:conf:${name}`,
  session: (id: string) => `mypads:session:${id}`,
  /** The ids of somebody's sessions: `{ids: […]}`. */
  sessionsOf: (kind: 'user' | 'admin', name: string) => `mypads:sessions:${kind}:${owner(name)}`,
  /**
   * Which accounts may have this login, its letters composed or not, or this e-mail address in any letter case: `{uids: […]}`. The records
   * decide.
   */
  loginIndex: (login: string) => `mypads:index:login:${digest(login.normalize())}`,
  /** What the keys of all logins start with. */
  loginIndexes: 'mypads:index:login:',
  mailIndex: (email: string) => `mypads:index:mail:${digest(email.toLowerCase())}`,
  /** Says that the two indexes hold every account. */
  indexState: 'mypads:index:state',
  tokenSecret: 'mypads:secret:token',
  /** What a mailed link is good for, under the SHA-256 of its token (see mailToken.ts). */
  mailToken: (hash: string) => `mypads:mailtoken:${hash}`,
  /** Nothing is kept here: a lock on all links of one account, taken before any other. */
  linksOf: (userId: string) => `mypads:accountlinks:${userId}`,
  /** The accounts to look at, `{uids: […]}`, in the hour that ends at this time or after it; and what is next (see unconfirmed.ts). */
  unconfirmed: (time: number) => `mypads:unconfirmed:${Math.ceil(time / 3600_000)}`,
  unconfirmedState: 'mypads:unconfirmed:state',
} as const;

export interface Store {
  /** What is stored, `undefined` when there is nothing. Never change the object that you get: make a new one. */
  get<T>(key: string): Promise<T | undefined>;
  /** In the order of the keys, `undefined` where there is nothing. */
  getMany<T>(keys: readonly string[]): Promise<(T | undefined)[]>;
  /** Resolves when the database has the value. Only where nothing that was there matters, or under `locked`. */
  set(key: string, value: unknown): Promise<void>;
  remove(key: string): Promise<void>;
  /**
   * Reads, changes and writes one value with nobody in between. `change` gets a copy of its own; what it returns is stored, and
   * `undefined` leaves everything as it is. What it throws passes through and nothing is written. Returns what is stored then.
   */
  update<T>(
    key: string,
    change: (current: T | undefined) => T | undefined | Promise<T | undefined>,
  ): Promise<T | undefined>;
  /**
   * Runs `work` while it alone holds the locks of these keys; inside, use `get`, `set` and `remove`. Locks may be nested only
   * in alphabetical order of their keys (group before user, for example); anything else would wait for ever one day (tests refuse it: `checkLocks`).
   */
  locked<T>(keys: readonly string[], work: () => Promise<T>): Promise<T>;
  /** Every key that starts so. Slow on large databases: for work in the background only. */
  scan(prefix: string): Promise<string[]>;
}

/** Who waits last for each key of one database. */
type Tails = Map<string, Promise<void>>;

export interface StoreOptions {
  /**
   * Refuses locks that are taken out of order. For tests: knowing which locks the running code holds makes every promise of the
   * process slower (Node 20 and 22), and the process is the one that carries everybody's keystrokes.
   */
  checkLocks?: boolean;
}

/** The locks that the code running now holds, outer ones first. One for all stores; costs nothing until it is used. */
const held = new AsyncLocalStorage<readonly { of: Tails; keys: Set<string> }[]>();

export function createStore(database: Database, { checkLocks = false }: StoreOptions = {}): Store {
  const tails: Tails = new Map();

  async function get<T>(key: string): Promise<T | undefined> {
    const value = await database.get(key);
    return value === null || value === undefined ? undefined : (value as T);
  }

  /** Waits for its turn at a key; the result ends the turn. */
  async function acquire(key: string): Promise<() => void> {
    const before = tails.get(key);
    let release = (): void => {};
    const turn = new Promise<void>((resolve) => {
      release = resolve;
    });
    tails.set(key, turn);
    if (before) await before;
    return () => {
      if (tails.get(key) === turn) tails.delete(key);
      release();
    };
  }

  /** Runs `work`, which holds `mine` on top of what is held already. Throws when one of them comes too late in the alphabet. */
  function inOrder<T>(sorted: readonly string[], mine: Set<string>, work: () => Promise<T>): Promise<T> {
    const outer = held.getStore() ?? [];
    const first = sorted[0];
    if (first !== undefined) {
      for (const key of outer.flatMap((lock) => (lock.of === tails ? [...lock.keys] : []))) {
        if (key >= first) throw new Error(`lock of ${first} asked for while holding ${key}`);
      }
    }
    return held.run([...outer, { of: tails, keys: mine }], work);
  }

  async function take<T>(sorted: readonly string[], work: () => Promise<T>): Promise<T> {
    const releases: (() => void)[] = [];
    try {
      for (const key of sorted) releases.push(await acquire(key));
      return await work();
    } finally {
      for (const release of releases.reverse()) release();
    }
  }

  async function locked<T>(wanted: readonly string[], work: () => Promise<T>): Promise<T> {
    const sorted = [...new Set(wanted)].sort();
    if (!checkLocks) return take(sorted, work);
    const mine = new Set(sorted);
    return inOrder(sorted, mine, () => take(sorted, work)).finally(() => mine.clear());
  }

  return {
    get,
    async getMany<T>(wanted: readonly string[]) {
      const values: (T | undefined)[] = new Array(wanted.length).fill(undefined);
      let next = 0;
      const reader = async (): Promise<void> => {
        for (let index = next++; index < wanted.length; index = next++) {
          const key = wanted[index];
          if (key !== undefined) values[index] = await get<T>(key);
        }
      };
      await Promise.all(Array.from({ length: Math.min(parallelReads, wanted.length) }, reader));
      return values;
    },
    set: (key, value) => database.set(key, value),
    remove: (key) => database.remove(key),
    update<T>(key: string, change: (current: T | undefined) => T | undefined | Promise<T | undefined>) {
      return locked([key], async () => {
        const current = await get<T>(key);
        const next = await change(structuredClone(current));
        if (next === undefined) return current;
        await database.set(key, next);
        return next;
      });
    },
    locked,
    scan: (prefix) => database.findKeys(`${prefix}*`, null),
  };
}
