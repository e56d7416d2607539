/** Work on many records in the background, so that nobody who types waits for it. */
import { setTimeout as pause } from 'node:timers/promises';

/** Records that are worked on at once: many databases answer a write only every 100 ms. */
const size = 100;
/** Milliseconds in which others have their turn. */
const breath = 5;

export interface SliceOptions {
  /** Breaks off between two slices. */
  signal?: AbortSignal;
}

/** Hands the items over a slice at a time. Throws what `work` throws, and when `signal` breaks it off. */
export async function inSlices<Item>(
  items: readonly Item[],
  work: (slice: Item[]) => Promise<void>,
  { signal }: SliceOptions = {},
): Promise<void> {
  for (let start = 0; start < items.length; start += size) {
    if (start > 0) await pause(breath);
    signal?.throwIfAborted();
    await work(items.slice(start, start + size));
  }
}

/** Does something with each item, with a slice of them at the same time. Throws what `work` throws. */
export function each<Item>(items: readonly Item[], work: (item: Item) => Promise<unknown>): Promise<void> {
  return inSlices(items, async (part) => {
    await Promise.all(part.map(work));
  });
}
