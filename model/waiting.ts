/** Waiting for something that happens once. */

/** Waits for `work`, or throws the signal's reason. Leaves no listener behind. */
export function unlessAborted(work: Promise<unknown>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason);
    if (signal.aborted) return stop();
    signal.addEventListener('abort', stop, { once: true });
    work.then(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, reject);
  });
}

export interface Milestone {
  readonly isReached: boolean;
  reached: Promise<void>;
  reach(): void;
}

/** A promise that resolves when `reach` is called. */
export function createMilestone(): Milestone {
  let isReached = false;
  let resolveReached = (): void => {};
  const reached = new Promise<void>((resolve) => {
    resolveReached = resolve;
  });
  return {
    get isReached() {
      return isReached;
    },
    reached,
    reach() {
      isReached = true;
      resolveReached();
    },
  };
}
