/** Works on revisions and chat messages of pads in batches. The batches of all pads start one after the other. */
import { createTurns } from '../model/turns';

/** Operations per batch, and milliseconds between batches (of all pads together), so that editing stays responsive. */
const batchSize = 50;
const pauseBetweenBatches = 5;
const nextBatch = createTurns();

/** Several batches of a pad may wait for the database at a time, because many databases answer writes after 100 ms. */
const maxPendingBatches = 10;

/**
 * Calls `work` for each number below `count`, in batches. Resolves when the database has stored everything. Not
 * `inBatches` of model/store: that one waits for each batch, and here all pads share one queue.
 */
export async function inBatches(
  count: number,
  signal: AbortSignal,
  work: (number: number) => Promise<unknown> | undefined,
): Promise<void> {
  const pending: Promise<unknown>[] = [];
  try {
    for (let first = 0; first < count; first += batchSize) {
      await nextBatch(pauseBetweenBatches);
      signal.throwIfAborted();
      const numbers = Array.from({ length: Math.min(batchSize, count - first) }, (_, index) => first + index);
      const done = Promise.all(numbers.map(work));
      // Awaited below. Without this, a failure before that would count as an unhandled rejection.
      done.catch(() => {});
      pending.push(done);
      if (pending.length >= maxPendingBatches) await pending.shift();
    }
  } finally {
    await Promise.all(pending);
  }
}
