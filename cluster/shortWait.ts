/** Waits for other processes for a short time only, because a call must not hang when they or the network do. */

/** Milliseconds. */
const waitLimit = 500;

/**
 * Returns a function that waits for the end of `start()`, however it ends, but not longer than `waitLimit`. After that,
 * nobody waits until that work has ended: a page with ten calls would wait ten times.
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
