/** How many jobs of `npm test` run at a time: as many as keep the processors busy. */
import { availableParallelism, cpus } from 'node:os';
import pLimit, { type LimitFunction } from 'p-limit';

/** Milliseconds between two measurements. A new job needs about as long until it uses the processors fully. */
const interval = 4_000;

/** Milliseconds since the machine started, added up over all processors: idle, and in total. */
function processorTimes(): { idle: number; total: number } {
  const times = cpus().map((cpu) => cpu.times);
  const sum = (values: number[]): number => values.reduce((a, b) => a + b, 0);
  return {
    idle: sum(times.map(({ idle }) => idle)),
    total: sum(times.flatMap(({ user, nice, sys, idle, irq }) => [user, nice, sys, idle, irq])),
  };
}

/**
 * A queue for jobs, and a function that stops watching the processors. Many jobs wait for time limits and for servers,
 * others need a whole core. So one more job starts when more than 20 % of the processor time was unused, up to three
 * times the first number, and one fewer runs when less than 3 % was. `fixed`: always this many.
 */
export function jobQueue(fixed: number | undefined): { limit: LimitFunction; stop: () => void } {
  const fewest = Math.max(3, availableParallelism());
  const limit = pLimit(fixed ?? fewest);
  if (fixed !== undefined) return { limit, stop: () => {} };
  let before = processorTimes();
  const timer = setInterval(() => {
    const now = processorTimes();
    const unused = (now.idle - before.idle) / (now.total - before.total);
    before = now;
    if (unused > 0.2 && limit.pendingCount > 0) {
      limit.concurrency = Math.min(3 * fewest, limit.activeCount + 1);
    } else if (unused < 0.03) {
      limit.concurrency = Math.max(fewest, limit.activeCount - 1);
    }
  }, interval);
  return { limit, stop: () => clearInterval(timer) };
}
