/**
 * Locks of several processes. In each process, the callers that want the same lock queue up, and only the first of them
 * asks Redis. Between processes, Redis hands a released lock to the process that has waited longest.
 */

import { MyPadsError } from '../../model/errors';
import { createLocks } from '../../model/inProcessCoordination';
import type { Coordination } from '../../model/ports';
import { keys } from '../../model/store/store';
import { withinTime } from '../../model/timeLimit';
import type { Lease } from './lease';
import type { Link } from './link';
import type { Names } from './names';
import { verifyHeld } from './scripts';

/** Milliseconds after which locks of processes that have ended expire. The expiry of held locks is extended. */
export const heldExpiry = 24 * 60 * 60_000;
/** Milliseconds between two attempts to get a lock, in case its holder crashes without handing it over. */
const retryEvery = 500;
/**
 * In milliseconds. A call that waits longer for a lock ends with SERVER.BUSY: whoever made it has given up by then. A
 * process that has died keeps its locks for the time of a lease, which is shorter.
 */
export const lockTimes = { wait: 30_000 };

interface Context {
  link: Link;
  names: Names;
  /** Read at each use, because the lease needs the locks too. */
  lease: () => Lease;
}

const unavailable = (): MyPadsError => new MyPadsError('BACKEND.ERROR.SERVER.DATABASE_UNAVAILABLE');
const busy = (): MyPadsError => new MyPadsError('BACKEND.ERROR.SERVER.BUSY');

const isJob = (key: string): boolean => key.startsWith(keys.job(''));
/**
 * Locks of work that may take minutes and has read no records under them. When Redis has lost its data, they are taken
 * again: otherwise another process would begin the same work beside this one.
 */
const isLong = (key: string): boolean => isJob(key) || key.startsWith(keys.removalOfText(''));

/** `settles`: after Redis has lost its data, refused until the process that had the lock could take it again. */
interface Asking {
  wait?: boolean;
  settles?: boolean;
}

/** Wakes callers whose token was granted, or after `retryEvery`. */
class Grants {
  private readonly waiting = new Map<string, () => void>();

  wake(token: string): void {
    this.waiting.get(token)?.();
  }

  wait(token: string): Promise<void> {
    return new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        this.waiting.delete(token);
        resolve();
      };
      // Not `withinTime`: it is no error if nothing was granted.
      const timer = setTimeout(end, retryEvery);
      this.waiting.set(token, end);
    });
  }
}

export class Locks implements Pick<Coordination, 'lock' | 'tryLock'> {
  private readonly local = createLocks();
  private readonly grants = new Grants();
  /** The tokens of the locks that this process holds, and their keys. */
  private readonly held = new Map<string, string>();
  private readonly lost = new Set<string>();
  /** Locks that could not be released because Redis was unavailable, or has refused it. */
  private readonly unreleased = new Map<string, string>();
  private count = 0;
  private taken: (key: string) => void = () => {};
  /** The data of Redis at the last `verify`. */
  private generation: string | undefined;

  constructor(private readonly context: Context) {}

  /** See `Coordination`. */
  onTaken(listener: (key: string) => void): void {
    this.taken = listener;
  }

  /** True while running work holds a lock that another process may have taken over. It must not write. */
  hasLost(): boolean {
    return this.lost.size > 0;
  }

  /** Redis has handed the lock to this token. */
  granted(token: string): void {
    this.grants.wake(token);
  }

  async lock(key: string): Promise<() => void> {
    const end = performance.now() + lockTimes.wait;
    const releaseHere = await this.lockHere(key);
    return this.hold(key, releaseHere, async (token) => {
      let wait = true;
      while (!(await this.acquire(key, token, { wait }))) {
        if (performance.now() > end) throw busy();
        wait = false;
        await this.grants.wait(token);
      }
      return true;
    }) as Promise<() => void>;
  }

  /** Waits until no other call of this process has the lock. Returns the function that lets the next one have it. */
  private async lockHere(key: string): Promise<() => void> {
    const locked = this.local.lock(key);
    try {
      return await withinTime(locked, lockTimes.wait, busy);
    } catch (error) {
      void locked.then((releaseHere) => releaseHere());
      throw error;
    }
  }

  async tryLock(key: string): Promise<(() => void) | undefined> {
    const releaseHere = await this.local.tryLock(key);
    const settles = isJob(key);
    return releaseHere && this.hold(key, releaseHere, (token) => this.acquire(key, token, { settles }));
  }

  /** Releases locks that could not be released before. Never rejects. */
  async releaseLate(): Promise<void> {
    for (const [token, key] of this.unreleased) {
      const isReleased = await this.releaseInRedis(key, token).then(
        () => true,
        () => false,
      );
      if (!isReleased) return;
      this.unreleased.delete(token);
    }
  }

  /** Finds out which locks were lost. */
  async verify(): Promise<void> {
    const { link, names } = this.context;
    const held = [...this.held];
    const generation = this.context.lease().generation();
    const isSameData = generation === this.generation;
    const found = await verifyHeld(
      link.commands,
      held.map(([token, key]) => [names.lock(key), token] as const),
      heldExpiry,
    );
    for (const [index, [token, key]] of held.entries()) {
      if (found[index] === 'mine' || !this.held.has(token)) continue;
      const isForgotten = found[index] === 'nobody' && !isSameData;
      if (isForgotten && isLong(key) && (await this.takeAgain(key, token))) continue;
      // If nobody has it and Redis has not lost its data, the other process has released it already.
      if (!isForgotten || isJob(key)) this.taken(key);
      // The run of a job is ended, and must not stop all writes.
      if (!isJob(key)) this.lost.add(token);
    }
    this.generation = generation;
  }

  /** Returns false when another process has it. */
  private async takeAgain(key: string, token: string): Promise<boolean> {
    const isTaken = await this.ask(key, token);
    if (this.held.has(token)) return isTaken;
    // It was released meanwhile.
    this.release(key, token);
    return true;
  }

  /** True if this process has lost the lock of this key and has not released it. */
  isLost(key: string): boolean {
    return [...this.lost].some((token) => this.held.get(token) === key);
  }

  /** Returns the function that releases the lock; `undefined` if `acquire` does not get it. */
  private async hold(
    key: string,
    releaseHere: () => void,
    acquire: (token: string) => Promise<boolean>,
  ): Promise<(() => void) | undefined> {
    this.count += 1;
    const token = `${this.context.lease().process}:${this.count}`;
    // Redis has not heard of the token, so nothing is to be released. After hours without Redis, thousands of such
    // releases would delay the return of this process.
    if (!this.context.lease().isValid()) {
      releaseHere();
      throw unavailable();
    }
    try {
      if (!(await acquire(token))) {
        releaseHere();
        return undefined;
      }
    } catch (error) {
      this.release(key, token);
      releaseHere();
      throw error instanceof MyPadsError ? error : unavailable();
    }
    this.held.set(token, key);
    return () => {
      if (!this.held.delete(token)) return;
      this.lost.delete(token);
      this.release(key, token);
      releaseHere();
    };
  }

  private async acquire(key: string, token: string, how: Asking): Promise<boolean> {
    if (!this.context.lease().isValid()) throw unavailable();
    return this.ask(key, token, how);
  }

  private async ask(key: string, token: string, { wait, settles }: Asking = {}): Promise<boolean> {
    const { link, names, lease } = this.context;
    const answer = await link.commands.acquireLock(
      names.lock(key),
      names.waiters(key),
      names.lease(lease().process),
      names.settling,
      token,
      names.lease(''),
      heldExpiry,
      wait ? '1' : '0',
      link.epoch(),
      settles ? '1' : '0',
    );
    if (answer < 0) throw unavailable();
    return answer === 1;
  }

  private releaseInRedis(key: string, token: string): Promise<number> {
    const { link, names } = this.context;
    return link.commands.releaseLock(
      names.lock(key),
      names.waiters(key),
      token,
      names.lease(''),
      heldExpiry,
      names.to(''),
    );
  }

  /** If Redis does not answer now, `releaseLate` tries again. */
  private release(key: string, token: string): void {
    this.releaseInRedis(key, token).catch(() => this.unreleased.set(token, key));
  }
}
