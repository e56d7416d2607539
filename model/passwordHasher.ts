/**
 * The hasher behind the `PasswordHasher` port: bcrypt in worker threads with a bounded queue, so that fifty people who sign in at
 * once do not hold up those who are typing.
 */
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { MyPadsError } from './errors';
import type { PasswordHasher } from './ports';

export type HashingJob =
  | { kind: 'hash'; text: string; rounds: number }
  | { kind: 'compare'; text: string; hash: string };
export type HashingResult =
  | { kind: 'hash'; hash: string }
  | { kind: 'compare'; equal: boolean }
  | { kind: 'failed'; reason: string };

export interface HasherOptions {
  /** Threads. One core is left to the event loop unless there is only one. */
  workers?: number;
  /** Jobs that may wait; one more is refused with SERVER.BUSY. */
  queueLimit?: number;
  /** bcrypt's cost: each step doubles the time. */
  rounds?: number;
}

interface Task {
  job: HashingJob;
  done(result: HashingResult): void;
  fail(error: Error): void;
}

interface Bench {
  worker: Worker;
  task: Task | undefined;
}

/**
 * Beside the bundle at run time; in development the TypeScript beside this file, which a thread of Node 20 reads only through a
 * script that prepares it.
 */
function startWorker(): Worker {
  const built = join(__dirname, 'passwordWorker.js');
  if (existsSync(built)) return new Worker(built, { execArgv: [] });
  const source = JSON.stringify(join(__dirname, 'passwordWorker.ts'));
  return new Worker(`require('tsx/cjs'); require(${source});`, { eval: true, execArgv: [] });
}

/** Threads start with the first job and do not keep the process alive while they are idle. */
export function createHasher(options: HasherOptions = {}): PasswordHasher {
  const size = options.workers ?? Math.max(1, Math.min(4, availableParallelism() - 1));
  const queueLimit = options.queueLimit ?? 200;
  const rounds = options.rounds ?? 10;
  const benches = new Set<Bench>();
  const queue: Task[] = [];
  let closed = false;

  function lose(bench: Bench, error: Error): void {
    if (!benches.delete(bench)) return;
    bench.task?.fail(error);
    bench.task = undefined;
    void bench.worker.terminate();
    if (!closed) distribute();
  }

  function hire(): Bench {
    const bench: Bench = { worker: startWorker(), task: undefined };
    bench.worker.on('message', (result: HashingResult) => {
      const task = bench.task;
      bench.task = undefined;
      bench.worker.unref();
      task?.done(result);
      distribute();
    });
    bench.worker.on('error', (error) =>
      lose(bench, error instanceof Error ? error : new Error(String(error))),
    );
    bench.worker.on('exit', () => lose(bench, new Error('the hashing thread ended')));
    benches.add(bench);
    return bench;
  }

  function distribute(): void {
    while (queue.length > 0) {
      const idle = [...benches].find((bench) => bench.task === undefined);
      if (!idle && benches.size >= size) return;
      const bench = idle ?? hire();
      bench.task = queue.shift();
      bench.worker.ref();
      bench.worker.postMessage(bench.task?.job);
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
      const ending = [...benches].map((bench) => {
        bench.task?.fail(busy);
        bench.task = undefined;
        return bench.worker.terminate();
      });
      benches.clear();
      await Promise.all(ending);
    },
  };
}
