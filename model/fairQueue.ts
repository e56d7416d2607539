/**
 * A queue for checks of passwords in which callers take turns, so that guesses do not delay other people. Not p-limit
 * or p-queue: they fix the order when a task is added, before it is known who guesses.
 */
import { AsyncScope } from './asyncScope';
import { MyPadsError } from './errors';

export interface PasswordCaller {
  /** What is counted for this caller: address and account, folder or pad; of a known browser only its own name. */
  keys: readonly string[];
  /** The browser has signed in to this account before. */
  known?: boolean;
}

const callers = new AsyncScope<PasswordCaller>();

/** Runs `work` with its checks of passwords counted for `caller`. Without this, nothing is counted. */
export function asPasswordCaller<T>(caller: PasswordCaller, work: () => T | Promise<T>): Promise<T> {
  return callers.run(caller, work);
}

/** A failure counts until there was no other one for so many milliseconds. */
const failureTime = 15 * 60_000;
/** Keys with failures that are remembered. Above it, the one whose last failure is the oldest is forgotten. */
const maxFailing = 10_000;
/** Every so many turns, the check that has waited longest is next, so that everybody gets a turn. */
const turnsUntilOldest = 4;

/** Counts failures for each key. A success takes one away. */
class RecentFailures {
  private readonly failing = new Map<string, { count: number; until: number }>();

  of(key: string): number {
    const found = this.failing.get(key);
    return found && found.until > performance.now() ? found.count : 0;
  }

  note(key: string, failed: boolean): void {
    const count = this.of(key) + (failed ? 1 : -1);
    this.failing.delete(key);
    if (count > 0) this.failing.set(key, { count, until: performance.now() + failureTime });
    const [oldest] = this.failing.keys();
    if (this.failing.size > maxFailing && oldest !== undefined) this.failing.delete(oldest);
  }
}

interface Waiting extends PasswordCaller {
  /** How many checks for the same key were under way when it arrived. */
  place: number;
  begin(): void;
  refuse(error: Error): void;
}

export interface FairQueueOptions {
  /** How many run at the same time. Callers with failures leave one free, if there are several. */
  size: number;
  /** How many may wait. When one more arrives, the last in order is refused with SERVER.BUSY. */
  limit: number;
}

export class FairQueue {
  /** In the order of arrival. */
  private readonly queue: Waiting[] = [];
  private readonly failures = new RecentFailures();
  /** Waiting and running checks, for each key. */
  private readonly underWay = new Map<string, number>();
  private running = 0;
  private runningWithFailures = 0;
  private turns = 0;

  constructor(private readonly options: FairQueueOptions) {}

  get waiting(): number {
    return this.queue.length;
  }

  /**
   * Runs `work` at the caller's turn. `judge`: whether its result is a wrong password; `undefined` if it was no check.
   */
  async run<T>(work: () => Promise<T>, judge: (result: T) => boolean | undefined): Promise<T> {
    const caller = callers.value ?? { keys: [] };
    const place = this.underWayOf(caller);
    for (const key of caller.keys) this.underWay.set(key, (this.underWay.get(key) ?? 0) + 1);
    try {
      const end = await this.turn({ ...caller, place });
      try {
        const result = await work();
        const failed = judge(result);
        if (failed !== undefined) for (const key of caller.keys) this.failures.note(key, failed);
        return result;
      } finally {
        end();
      }
    } finally {
      for (const key of caller.keys) {
        const left = (this.underWay.get(key) ?? 1) - 1;
        if (left === 0) this.underWay.delete(key);
        else this.underWay.set(key, left);
      }
      this.next();
    }
  }

  /** Resolves at the caller's turn to the function that ends the turn. */
  private turn(caller: PasswordCaller & { place: number }): Promise<() => void> {
    return new Promise((resolve, reject) => {
      const begin = (): void => {
        const withFailures = this.failuresOf(caller) > 0 ? 1 : 0;
        this.running += 1;
        this.runningWithFailures += withFailures;
        resolve(() => {
          this.running -= 1;
          this.runningWithFailures -= withFailures;
        });
      };
      this.queue.push({ ...caller, begin, refuse: reject });
      this.next();
      if (this.queue.length > this.options.limit) {
        const last = this.queue.reduce((one, other) => (this.compare(one, other) > 0 ? one : other));
        this.remove(last).refuse(new MyPadsError('BACKEND.ERROR.SERVER.BUSY'));
      }
    });
  }

  private next(): void {
    const { size } = this.options;
    while (this.running < size) {
      const isShareUsed = this.runningWithFailures >= Math.max(1, size - 1);
      const possible = this.queue.filter((one) => !isShareUsed || this.failuresOf(one) === 0);
      const [oldest] = possible;
      if (oldest === undefined) return;
      this.turns += 1;
      const first = possible.reduce((one, other) => (this.compare(one, other) <= 0 ? one : other));
      this.remove(this.turns % turnsUntilOldest === 0 ? oldest : first).begin();
    }
  }

  /** Negative if `one` is before `other`. The order of arrival decides where this is 0. */
  private compare(one: Waiting, other: Waiting): number {
    return (
      this.failuresOf(one) - this.failuresOf(other) ||
      one.place - other.place ||
      Number(other.known ?? false) - Number(one.known ?? false) ||
      this.underWayOf(one) - this.underWayOf(other)
    );
  }

  private remove(one: Waiting): Waiting {
    this.queue.splice(this.queue.indexOf(one), 1);
    return one;
  }

  private failuresOf({ keys }: PasswordCaller): number {
    return Math.max(0, ...keys.map((key) => this.failures.of(key)));
  }

  private underWayOf({ keys }: PasswordCaller): number {
    return Math.max(0, ...keys.map((key) => this.underWay.get(key) ?? 0));
  }
}
