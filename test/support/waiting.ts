/** Waits for a condition, and lets others wait. */
import { setTimeout as pause } from 'node:timers/promises';

/** Polls until the condition is true. Throws, with `what` in words, after a minute. */
export async function until(what: string, condition: () => boolean | Promise<boolean>): Promise<void> {
  const end = performance.now() + 60_000;
  for (let wait = 1; performance.now() < end; wait = Math.min(20, wait + 1)) {
    if (await condition()) return;
    await pause(wait);
  }
  throw new Error(`Timed out waiting: ${what}`);
}

/** Whether the promise is fulfilled. Never rejects. */
export const succeeds = (work: Promise<unknown>): Promise<boolean> =>
  work.then(
    () => true,
    () => false,
  );

/** Work that goes on until it is told to end: `held` settles when `release` or `fail` is called. */
export function heldWork() {
  let release = (): void => {};
  let fail = (_error: Error): void => {};
  const held = new Promise<void>((resolve, reject) => {
    release = resolve;
    fail = reject;
  });
  held.catch(() => {});
  return { held, release, fail };
}
