/** Work on many records in batches with pauses between them, so that editing stays responsive. */
import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { nextSlice, sliceUsed } from './timeSlice';

/** Records per batch, processed in parallel because many databases need 100 ms for each write. */
const batchSize = 100;
/** Milliseconds between two batches. */
const pauseBetweenBatches = 5;

export interface BatchOptions {
  /** Aborts between two batches. */
  signal?: AbortSignal;
}

/** Calls `work` with one batch after the other. Throws what `work` throws, and when `signal` is aborted. */
export async function inBatches<Item>(
  items: readonly Item[],
  work: (batch: Item[]) => Promise<void>,
  { signal }: BatchOptions = {},
): Promise<void> {
  for (let start = 0; start < items.length; start += batchSize) {
    if (start > 0) await pause(pauseBetweenBatches);
    signal?.throwIfAborted();
    await work(items.slice(start, start + batchSize));
  }
}

/** Calls `work` for each item, one batch in parallel. Throws as `inBatches` does. */
export function forEachInBatches<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<unknown>,
  options: BatchOptions = {},
): Promise<void> {
  return inBatches(
    items,
    async (part) => {
      await Promise.all(part.map(work));
    },
    options,
  );
}

/**
 * Records in progress in `forEachInSlices`. The steps of all of them may come in one turn of the event loop, so there
 * are few. Another one begins each `patience` milliseconds only while the database is slow.
 */
const fewInProgress = 10;
const mostInProgress = 100;
const patience = 2;

/**
 * Calls `work` for each item. The time in which calls begin is shared with all other work of timeSlice.ts, so that
 * calls of it may be nested, and thousands of records of several groups delay nobody. Throws what `work` throws first,
 * after those that have begun, and begins no others.
 */
export async function forEachInSlices<Item>(
  items: Iterable<Item>,
  work: (item: Item) => Promise<unknown>,
): Promise<void> {
  const running = new Set<Promise<void>>();
  const errors: unknown[] = [];
  for (const item of items) {
    if (sliceUsed()) await nextSlice();
    if (running.size >= mostInProgress) await Promise.race(running);
    else if (running.size >= fewInProgress) await Promise.race([...running, pause(patience)]);
    if (errors.length > 0) break;
    const one = work(item)
      .then(
        () => {},
        (error) => void errors.push(error),
      )
      .finally(() => running.delete(one));
    running.add(one);
  }
  await Promise.all(running);
  if (errors.length > 0) throw errors[0];
}

/** Milliseconds of work, and of the pause after it, in which other work of the event loop runs. */
const workTime = 3;
const pauseTime = 1;
/** Items in progress at the same time, so that a slow database does not cost one round trip per item. */
const concurrency = 10;

/**
 * Calls `work` for each item in short periods with pauses between them. Each item is removed from the set when it is
 * taken; items may be added or removed meanwhile. Throws what `work` throws. Not p-limit: it counts tasks and no time.
 */
export async function inTurns<Item>(items: Set<Item>, work: (item: Item) => Promise<void>): Promise<void> {
  let ends = performance.now() + workTime;
  let pausing: Promise<void> | undefined;

  async function pauseWork(): Promise<void> {
    await pause(pauseTime);
    ends = performance.now() + workTime;
    pausing = undefined;
  }

  async function worker(): Promise<void> {
    while (items.size > 0) {
      if (performance.now() >= ends) {
        pausing ??= pauseWork();
        await pausing;
        continue;
      }
      const [item] = items;
      if (item === undefined) return;
      items.delete(item);
      await work(item);
    }
  }

  await Promise.all(Array.from({ length: concurrency }, worker));
}
