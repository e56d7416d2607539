/** Waits for other processes for a short time only, because a call must not hang when they or the network do. */

/** The longest wait of a call, in milliseconds. */
const waitLimit = 500;

/**
 * Returns a function that calls `start` and waits until this work has succeeded or failed. If it takes longer than
 * `waitLimit`, this call and all later ones go on without waiting until that work has ended. Otherwise each call of a
 * page would wait as long.
 */
export function createShortWait(start: () => Promise<unknown> | undefined): () => Promise<void> | undefined {
  let late: Promise<unknown> | undefined;
  return () => {
    const work = late === undefined ? start() : undefined;
    if (work === undefined) return undefined;
    // Not `withinTime`: it is no error if the time is over.
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        late = work;
        resolve();
      }, waitLimit).unref();
      const ended = (): void => {
        clearTimeout(timer);
        if (late === work) late = undefined;
        resolve();
      };
      work.then(ended, ended);
    });
  };
}
