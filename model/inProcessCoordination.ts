/** Implements the `Coordination` port for a single process, which shares nothing and waits for no other process. */
import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { Coordination, Exchange, LockedKey, RateLimiter } from './ports';

/** Locks of one process by key, first come first served. Not async-mutex: a mutex for each key needs as much code. */
export function createLocks(): Pick<Coordination, 'lock' | 'tryLock'> {
  /** For each key, resolves when the last caller that asked for its lock has released it. */
  const tails = new Map<string, Promise<void>>();

  async function lock(key: string): Promise<() => void> {
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

  return { lock, tryLock: async (key) => (tails.has(key) ? undefined : lock(key)) };
}

interface Kept {
  value: unknown;
  expires: number;
  requester: string;
}

/**
 * Maximum of kept values. Above it, the oldest value of the requester with the most values is dropped, so that one
 * requester cannot displace the values of others.
 */
const maxKept = 10_000;

function createKeeper(now: () => number): Pick<Coordination, 'keep' | 'take'> {
  /** In the order in which they were kept, the oldest first. */
  const kept = new Map<string, Kept>();
  /** Names by requester, the oldest first. */
  const byRequester = new Map<string, Set<string>>();

  function remove(name: string): Kept | undefined {
    const found = kept.get(name);
    if (found === undefined) return undefined;
    kept.delete(name);
    const others = byRequester.get(found.requester);
    others?.delete(name);
    if (others?.size === 0) byRequester.delete(found.requester);
    return found;
  }

  function makeRoom(): void {
    for (const [name, { expires }] of kept) {
      if (expires > now()) break;
      remove(name);
    }
    if (kept.size < maxKept) return;
    let largest = new Set<string>();
    for (const names of byRequester.values()) if (names.size > largest.size) largest = names;
    const [oldest] = largest;
    if (oldest !== undefined) remove(oldest);
  }

  return {
    async keep(name, value, { milliseconds, requester }) {
      makeRoom();
      kept.set(name, { value, expires: now() + milliseconds, requester });
      byRequester.set(requester, (byRequester.get(requester) ?? new Set()).add(name));
    },
    async take(name) {
      const found = remove(name);
      return found && found.expires > now() ? found.value : undefined;
    },
  };
}

/** The keys of a limiter that were refused points, at most `maxRefused`, the last ones. */
export interface RefusedKeys {
  add(key: string): Promise<unknown>;
  remove(key: string): Promise<unknown>;
  list(): Promise<string[]>;
}

export const maxRefused = 1_000;

function createRefusedKeys(): RefusedKeys {
  const keys = new Set<string>();
  return {
    async add(key) {
      keys.delete(key);
      keys.add(key);
      const [oldest] = keys;
      if (keys.size > maxRefused && oldest !== undefined) keys.delete(oldest);
    },
    remove: async (key) => keys.delete(key),
    list: async () => [...keys],
  };
}

/** Implements the port with a limiter of the library, which does not say which keys it has. */
export function adaptRateLimiter(limiter: RateLimiterAbstract, refused: RefusedKeys): RateLimiter {
  async function read(key: string): Promise<LockedKey | undefined> {
    const found = await limiter.get(key);
    if (found !== null && found.remainingPoints <= 0)
      return { key, wait: found.msBeforeNext, points: found.consumedPoints };
    await refused.remove(key);
    return undefined;
  }

  return {
    async consume(key, wanted) {
      try {
        await limiter.consume(key, wanted);
        return undefined;
      } catch (refusal) {
        if (!(refusal instanceof RateLimiterRes)) throw refusal;
        await refused.add(key).catch(() => {});
        return refusal.msBeforeNext;
      }
    },
    reward: async (key, given) => void (await limiter.reward(key, given)),
    locked: async () =>
      (await Promise.all((await refused.list()).map(read))).filter((one) => one !== undefined),
    async lift(key) {
      await limiter.delete(key);
      await refused.remove(key);
    },
  };
}

function createRateLimiter(
  name: string,
  { points, seconds }: { points: number; seconds: number },
): RateLimiter {
  const limiter = new RateLimiterMemory({ keyPrefix: name, points, duration: seconds });
  return adaptRateLimiter(limiter, createRefusedKeys());
}

/** There is nobody to tell, and nothing to hear. */
const noExchange: Exchange = {
  publish: () => {},
  onMessage: () => () => {},
  recordWritten: () => {},
  follow: () => () => {},
  upToDate: () => undefined,
  isUpToDate: async () => false,
  published: () => undefined,
};

/** `now`: milliseconds since 1970. */
export function createInProcessCoordination({ now }: { now: () => number }): Coordination {
  return {
    ...createLocks(),
    ...createKeeper(now),
    isConnected: () => true,
    writePermit: () => () => true,
    ...noExchange,
    rateLimiter: createRateLimiter,
    lead: (begin) => begin(),
    isLeader: () => true,
  };
}
