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

/**
 * As `withinTime`, but the time does not count in which this process was busy itself: an answer may have arrived, and
 * nothing could handle it. `late` gets these milliseconds.
 */
export function withinFreeTime<T>(
  work: Promise<T>,
  limit: number,
  late: (busy: number) => Error,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const begin = performance.now();
    const part = limit / parts;
    let free = 0;
    let timer: NodeJS.Timeout;
    const wait = (): void => {
      const start = performance.now();
      timer = setTimeout(() => {
        const now = performance.now();
        if (now - start < 2 * part) free += 1;
        if (free < parts && now - begin < atMost * limit) wait();
        else reject(late(now - begin - free * part));
      }, part).unref();
    };
    const done =
      <Result>(settle: (result: Result) => void) =>
      (result: Result): void => {
        clearTimeout(timer);
        settle(result);
      };
    wait();
    work.then(done(resolve), done(reject));
  });
}

/** Throws SERVER.BUSY after `limit` milliseconds; `work` continues. */
export function orBusy<T>(work: Promise<T>, limit: number): Promise<T> {
  return withinTime(work, limit, () => new MyPadsError('BACKEND.ERROR.SERVER.BUSY'));
}
