/**
 * Hands on a server while it runs: calls of its database fail or wait, and what it does is noted. The same on both sides: in the
 * process of the tests, and in a real Etherpad, where the remote control has them.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Database, PasswordHasher } from '../../model/ports';

/** Calls of the database; where `keys` is given, only those whose key (or pattern) begins like this. */
interface Calls {
  calls: (keyof Database)[];
  keys?: string;
}

export type Lever =
  /** From now on these calls fail. */
  | ({ pull: 'break'; why: string } & Calls)
  /** From now on these calls wait. */
  | ({ pull: 'hold' } & Calls)
  /**
   * From now on each read and each write takes a moment, as in a database of another process: between a read and the write that follows
   * there is time for somebody else. In memory there would be none, and what people do at once would happen one after the other.
   */
  | { pull: 'delay' }
  /** From now on passwords cannot be hashed: a fault of ours. */
  | { pull: 'jam' }
  /** All is well again, and what waits goes on. */
  | { pull: 'mend' };

/** Something that takes time. */
export type Doing = DatabaseDoing | HashingDoing;
/** The key of `findKeys` is its pattern. `underWay`: calls of this kind then, itself among them. */
export interface DatabaseDoing {
  what: keyof Database;
  key: string;
  underWay: number;
}
/** `cost`: the power of two that bcrypt takes. */
export interface HashingDoing {
  what: 'hash' | 'compare';
  cost: number;
}

export interface Levers {
  pull(lever: Lever): void;
  /** What has been done since it was asked for the last time, in the order in which it was begun. */
  doings(): Doing[];
  /** The database as it is without levers. */
  untouched: Database;
  /** The same hasher, which can be jammed. What it does is noted; `close` does nothing. */
  hasher(given: PasswordHasher): PasswordHasher;
}

const costOf = (hash: string): number => Number(hash.split('$')[2]);

/** Keys that the host reads and writes for itself at each call. */
const foreign = 'sessionstorage:';

/** Puts the levers onto a database, in place: whoever looks its functions up at each call feels them. */
export function createLevers(database: Database): Levers {
  let done: Doing[] = [];
  let jammed = false;
  const untouched: Database = {
    get: database.get,
    set: database.set,
    remove: database.remove,
    findKeys: database.findKeys,
  };
  let broken: Extract<Lever, { pull: 'break' }>[] = [];
  let held: Extract<Lever, { pull: 'hold' }>[] = [];
  let waiting: (() => void)[] = [];
  let delayed = false;

  const underWay = { get: 0, set: 0, remove: 0, findKeys: 0 };

  /** Throws where the call fails; something to wait for where it is held or slow. */
  function pass(what: keyof Database, key: string): Promise<void> | undefined {
    const meant = ({ calls, keys = '' }: Calls): boolean => calls.includes(what) && key.startsWith(keys);
    const fault = broken.find(meant);
    if (fault) throw new Error(fault.why);
    if (held.some(meant)) return new Promise((resolve) => void waiting.push(resolve));
    return delayed && (what === 'get' || what === 'set') ? pause(2) : undefined;
  }

  async function through<T>(what: keyof Database, key: string, call: () => Promise<T>): Promise<T> {
    underWay[what] += 1;
    if (!key.startsWith(foreign)) done.push({ what, key, underWay: underWay[what] });
    try {
      const gate = pass(what, key);
      // Where there is nothing to wait for, nothing is waited for: what is written must be copied at once.
      if (gate) await gate;
      return await call();
    } finally {
      underWay[what] -= 1;
    }
  }

  Object.assign(database, {
    get: (key) => through('get', key, () => untouched.get(key)),
    set: (key, value) => through('set', key, () => untouched.set(key, value)),
    remove: (key) => through('remove', key, () => untouched.remove(key)),
    findKeys: (pattern, not) => through('findKeys', pattern, () => untouched.findKeys(pattern, not)),
  } satisfies Database);

  function hasher(given: PasswordHasher): PasswordHasher {
    async function note<T>(
      what: HashingDoing['what'],
      hash: string | undefined,
      work: () => Promise<T>,
    ): Promise<T> {
      if (jammed) throw new Error('the hashing threads are jammed');
      const doing: HashingDoing = { what, cost: hash === undefined ? Number.NaN : costOf(hash) };
      done.push(doing);
      const result = await work();
      if (typeof result === 'string') doing.cost = costOf(result);
      return result;
    }
    return {
      hash: (text) => note('hash', undefined, () => given.hash(text)),
      compare: (text, hash) => note('compare', hash, () => given.compare(text, hash)),
      close: async () => {},
    };
  }

  return {
    untouched,
    hasher,
    pull(lever) {
      if (lever.pull === 'break') broken.push(lever);
      else if (lever.pull === 'hold') held.push(lever);
      else if (lever.pull === 'jam') jammed = true;
      else if (lever.pull === 'delay') delayed = true;
      else {
        broken = [];
        held = [];
        jammed = false;
        delayed = false;
        for (const goOn of waiting) goOn();
        waiting = [];
      }
    },
    doings() {
      const sinceLast = done;
      done = [];
      return sinceLast;
    },
  };
}
