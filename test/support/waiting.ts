/** Waiting for what comes about by itself. */
import { setTimeout as pause } from 'node:timers/promises';

/** Asks until it is so. Throws, with `what` in words, when that takes more than half a minute. */
export async function until(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
  const end = performance.now() + 30_000;
  for (let wait = 1; performance.now() < end; wait = Math.min(20, wait + 1)) {
    if (await isSo()) return;
    await pause(wait);
  }
  throw new Error(`Timed out waiting: ${what}`);
}
