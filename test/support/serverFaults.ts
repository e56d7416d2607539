/**
 * Injects faults into a running server (its database fails, waits or is slow, hashing fails), and records its
 * operations. Used in the test's own process, and by the remote control in a real Etherpad.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Database, PasswordHasher } from '../../model/ports';

/** Calls of the database. With `keys`: only those whose key or pattern starts with this text. */
interface Calls {
  calls: (keyof Database)[];
  keys?: string;
}

export type Fault =
  /** These calls fail. */
  | ({ fault: 'fail'; why: string } & Calls)
  /** These calls wait. */
  | ({ fault: 'block' } & Calls)
  /**
   * Each read and each write takes 2 ms, as in a database of another process. Otherwise the database in memory would do
   * one request after the other, and tests of concurrent requests would prove nothing.
   */
  | { fault: 'delay' }
  /** Hashing a password fails. */
  | { fault: 'failHashing' }
  /** Ends all faults. Calls that wait go on. */
  | { fault: 'none' };

/** Something that the server did and that takes time. */
export type ServerOperation = DatabaseOperation | HashingOperation;
/** The key of `findKeys` is its pattern. `underWay`: how many calls of this kind were running, this one included. */
export interface DatabaseOperation {
  what: keyof Database;
  key: string;
  underWay: number;
}
/** `cost`: the cost of bcrypt, a power of two. */
export interface HashingOperation {
  what: 'hash' | 'compare';
  cost: number;
}

export interface Faults {
  inject(fault: Fault): void;
  /** The operations since the last call of this function, in the order in which they started. */
  operations(): ServerOperation[];
  /** The database as it is without faults. */
  untouched: Database;
  /** The same hasher with faults. Its operations are recorded; `close` does nothing. */
  hasher(given: PasswordHasher): PasswordHasher;
}

const costOf = (hash: string): number => Number(hash.split('$')[2]);

/** Keys that the host itself reads and writes at each request. */
const foreign = 'sessionstorage:';

/** Replaces the functions of a database in place. Callers that look them up at each call get the faults. */
export function createFaults(database: Database): Faults {
  let done: ServerOperation[] = [];
  let hashingFails = false;
  const untouched: Database = {
    get: database.get,
    set: database.set,
    remove: database.remove,
    findKeys: database.findKeys,
  };
  let failing: Extract<Fault, { fault: 'fail' }>[] = [];
  let blocked: Extract<Fault, { fault: 'block' }>[] = [];
  let waiting: (() => void)[] = [];
  let delayed = false;

  const underWay = { get: 0, set: 0, remove: 0, findKeys: 0 };

  /** Throws when the call fails. Returns a promise when it must wait. */
  function pass(what: keyof Database, key: string): Promise<void> | undefined {
    const meant = ({ calls, keys = '' }: Calls): boolean => calls.includes(what) && key.startsWith(keys);
    const fault = failing.find(meant);
    if (fault) throw new Error(fault.why);
    if (blocked.some(meant)) return new Promise((resolve) => void waiting.push(resolve));
    return delayed && (what === 'get' || what === 'set') ? pause(2) : undefined;
  }

  async function through<T>(what: keyof Database, key: string, call: () => Promise<T>): Promise<T> {
    underWay[what] += 1;
    if (!key.startsWith(foreign)) done.push({ what, key, underWay: underWay[what] });
    try {
      const gate = pass(what, key);
      // Without a fault the call starts at once, because the database must copy the value before it changes.
      if (gate) await gate;
      return await call();
    } finally {
      underWay[what] -= 1;
    }
  }

  Object.assign(database, {
    get: (key) => through('get', key, () => untouched.get(key)),
    set: (key, value, mayWrite) => through('set', key, () => untouched.set(key, value, mayWrite)),
    remove: (key, mayWrite) => through('remove', key, () => untouched.remove(key, mayWrite)),
    findKeys: (pattern, not) => through('findKeys', pattern, () => untouched.findKeys(pattern, not)),
  } satisfies Database);

  function hasher(given: PasswordHasher): PasswordHasher {
    async function note<T>(
      what: HashingOperation['what'],
      hash: string | undefined,
      work: () => Promise<T>,
    ): Promise<T> {
      if (hashingFails) throw new Error('the hashing threads failed');
      const operation: HashingOperation = { what, cost: hash === undefined ? Number.NaN : costOf(hash) };
      done.push(operation);
      const result = await work();
      if (typeof result === 'string') operation.cost = costOf(result);
      return result;
    }
    return {
      hash: (text) => note('hash', undefined, () => given.hash(text)),
      compare: (text, hash) => note('compare', hash, () => given.compare(text, hash)),
      waiting: () => given.waiting?.() ?? 0,
      close: async () => {},
    };
  }

  return {
    untouched,
    hasher,
    inject(injected) {
      if (injected.fault === 'fail') failing.push(injected);
      else if (injected.fault === 'block') blocked.push(injected);
      else if (injected.fault === 'failHashing') hashingFails = true;
      else if (injected.fault === 'delay') delayed = true;
      else {
        failing = [];
        blocked = [];
        hashingFails = false;
        delayed = false;
        for (const resume of waiting) resume();
        waiting = [];
      }
    },
    operations() {
      const sinceLast = done;
      done = [];
      return sinceLast;
    },
  };
}
