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

/** Throws SERVER.BUSY after `limit` milliseconds; `work` continues. */
export function orBusy<T>(work: Promise<T>, limit: number): Promise<T> {
  return withinTime(work, limit, () => new MyPadsError('BACKEND.ERROR.SERVER.BUSY'));
}
