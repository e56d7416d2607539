/** Starts threads. */
import { existsSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';

/**
 * Starts a thread with a script. At run time `built` is beside the bundle, so in `folder`. In development there is
 * `worker.ts` instead, and a thread of Node 20 needs a script that loads tsx first.
 */
export function startWorker(folder: string, built: string): Worker {
  const file = join(folder, built);
  if (existsSync(file)) return new Worker(file, { execArgv: [] });
  const name = JSON.stringify(join(folder, 'worker.ts'));
  return new Worker(`require('tsx/cjs'); require(${name});`, { eval: true, execArgv: [] });
}

/**
 * Call it in a thread: editing comes first when all cores are busy. Only on Linux, where priorities are per thread.
 * `by`: as for `nice`, up to 19.
 */
export function lowerPriority(by: number): void {
  if (process.platform !== 'linux') return;
  try {
    setPriority(0, Math.min(19, getPriority(0) + by));
  } catch {
    // Not permitted: the thread works with the normal priority.
  }
}
