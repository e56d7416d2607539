/** Time limits for promises. */
import { MyPadsError } from './errors';

/**
 * Rejects with `late()` after `limit` milliseconds; `work` continues, unless `late` stops it. The timer does not keep
 * the process running. Not p-timeout: each database call comes through here, and p-timeout creates several promises
 * more.
 */
export function withinTime<T>(work: Promise<T>, limit: number, late: () => Error): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(late()), limit).unref();
    const done =
      <Result>(settle: (result: Result) => void) =>
      (result: Result): void => {
        clearTimeout(timer);
        settle(result);
      };
    work.then(done(resolve), done(reject));
  });
}

/** A limit of free time is measured in so many parts … */
const parts = 10;
/** … and ends after so many times its length in any case. */
const atMost = 6;

interface Waiting {
  begin: number;
  freeParts: number;
  tooLate(busy: number): void;
}

/** Everything that waits with the same limit, with one timer: there are thousands of reads in a list. */
class FreeTime {
  private readonly waiting = new Set<Waiting>();
  private ticking = false;

  constructor(private readonly limit: number) {}

  add(waiting: Waiting): void {
    this.waiting.add(waiting);
    if (this.ticking) return;
    this.ticking = true;
    this.tick();
  }

  remove(waiting: Waiting): void {
    this.waiting.delete(waiting);
  }

  private tick(): void {
    const part = this.limit / parts;
    const start = performance.now();
    setTimeout(() => {
      const now = performance.now();
      const wasFree = now - start < 2 * part;
      for (const one of this.waiting) {
        if (wasFree) one.freeParts += 1;
        // One part more, because the first may have begun long before.
        if (one.freeParts <= parts && now - one.begin < atMost * this.limit) continue;
        this.waiting.delete(one);
        one.tooLate(now - one.begin - one.freeParts * part);
      }
      if (this.waiting.size > 0) this.tick();
      else this.ticking = false;
    }, part).unref();
  }
}

const freeTimes = new Map<number, FreeTime>();

function freeTimeOf(limit: number): FreeTime {
  const known = freeTimes.get(limit) ?? new FreeTime(limit);
  freeTimes.set(limit, known);
  return known;
}

/**
 * As `withinTime`, but the time does not count in which this process was busy itself: an answer may have arrived, and
 * nothing could handle it. `late` gets these milliseconds. Up to a tenth later than `limit`.
 */
export function withinFreeTime<T>(
  work: Promise<T>,
  limit: number,
  late: (busy: number) => Error,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const freeTime = freeTimeOf(limit);
    const waiting = {
      begin: performance.now(),
      freeParts: 0,
      tooLate: (busy: number) => reject(late(busy)),
    };
    freeTime.add(waiting);
    work.then(
      (value) => {
        freeTime.remove(waiting);
        resolve(value);
      },
      (error) => {
        freeTime.remove(waiting);
        reject(error);
      },
    );
  });
}

/** Throws SERVER.BUSY after `limit` milliseconds; `work` continues. */
export function orBusy<T>(work: Promise<T>, limit: number): Promise<T> {
  return withinTime(work, limit, () => new MyPadsError('BACKEND.ERROR.SERVER.BUSY'));
}
