/**
 * Implements the `PasswordHasher` port: bcrypt in worker threads with a bounded queue, so that many sign-ins at once do
 * not slow down editing.
 */
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { MyPadsError } from '../errors';
import type { PasswordHasher } from '../ports';

export type HashingJob =
  | { kind: 'hash'; text: string; rounds: number }
  | { kind: 'compare'; text: string; hash: string };
export type HashingResult =
  | { kind: 'hash'; hash: string }
  | { kind: 'compare'; equal: boolean }
  | { kind: 'failed'; reason: string };

export interface HasherOptions {
  /**
   * Number of threads. One core is left to the event loop. At most four, because a container may see more cores than it
   * can use.
   */
  workers?: number;
  /** Maximum length of the queue. Further jobs are refused with SERVER.BUSY. */
  queueLimit?: number;
  /** Cost of bcrypt; each step doubles the time. */
  rounds?: number;
}

interface Task {
  job: HashingJob;
  done(result: HashingResult): void;
  fail(error: Error): void;
}

interface WorkerSlot {
  worker: Worker;
  task: Task | undefined;
}

/**
 * At run time the worker lies beside the bundle. In development it is TypeScript, for which a thread of Node 20 needs a
 * script that loads tsx first.
 */
function startWorker(): Worker {
  const built = join(__dirname, 'passwordWorker.js');
  if (existsSync(built)) return new Worker(built, { execArgv: [] });
  const source = JSON.stringify(join(__dirname, 'worker.ts'));
  return new Worker(`require('tsx/cjs'); require(${source});`, { eval: true, execArgv: [] });
}

/** Starts threads with the first jobs. Idle threads do not keep the process alive. */
export function createHasher(options: HasherOptions = {}): PasswordHasher {
  const size = options.workers ?? Math.max(1, Math.min(4, availableParallelism() - 1));
  const queueLimit = options.queueLimit ?? 200;
  const rounds = options.rounds ?? 10;
  const slots = new Set<WorkerSlot>();
  const queue: Task[] = [];
  let closed = false;

  function discardSlot(slot: WorkerSlot, error: Error): void {
    if (!slots.delete(slot)) return;
    slot.task?.fail(error);
    slot.task = undefined;
    void slot.worker.terminate();
    if (!closed) distribute();
  }

  function startSlot(): WorkerSlot {
    const slot: WorkerSlot = { worker: startWorker(), task: undefined };
    slot.worker.on('message', (result: HashingResult) => {
      const task = slot.task;
      slot.task = undefined;
      slot.worker.unref();
      task?.done(result);
      distribute();
    });
    slot.worker.on('error', (error) =>
      discardSlot(slot, error instanceof Error ? error : new Error(String(error))),
    );
    slot.worker.on('exit', () => discardSlot(slot, new Error('the hashing thread ended')));
    slots.add(slot);
    return slot;
  }

  function distribute(): void {
    while (queue.length > 0) {
      const idle = [...slots].find((slot) => slot.task === undefined);
      if (!idle && slots.size >= size) return;
      const slot = idle ?? startSlot();
      slot.task = queue.shift();
      slot.worker.ref();
      slot.worker.postMessage(slot.task?.job);
    }
  }

  function run(job: HashingJob): Promise<HashingResult> {
    if (closed || queue.length >= queueLimit) {
      return Promise.reject(new MyPadsError('BACKEND.ERROR.SERVER.BUSY'));
    }
    return new Promise((done, fail) => {
      queue.push({ job, done, fail });
      distribute();
    });
  }

  return {
    async hash(text) {
      const result = await run({ kind: 'hash', text, rounds });
      if (result.kind !== 'hash') throw new Error(result.kind === 'failed' ? result.reason : 'wrong answer');
      return result.hash;
    },
    async compare(text, hash) {
      const result = await run({ kind: 'compare', text, hash });
      if (result.kind !== 'compare')
        throw new Error(result.kind === 'failed' ? result.reason : 'wrong answer');
      return result.equal;
    },
    async close() {
      closed = true;
      const busy = new MyPadsError('BACKEND.ERROR.SERVER.BUSY');
      for (const task of queue.splice(0)) task.fail(busy);
      const ending = [...slots].map((slot) => {
        slot.task?.fail(busy);
        slot.task = undefined;
        return slot.worker.terminate();
      });
      slots.clear();
      await Promise.all(ending);
    },
  };
}
