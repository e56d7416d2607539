/**
 * Implements the `PasswordHasher` port: bcrypt in worker threads with a bounded and fair queue, so that many sign-ins
 * at once do not slow down editing, and guesses do not slow down sign-ins.
 */
import { availableParallelism } from 'node:os';
import { MyPadsError } from '../errors';
import { FairQueue } from '../fairQueue';
import type { PasswordHasher } from '../ports';
import { startWorker } from '../workerThread';

export type HashingJob =
  | { kind: 'hash'; text: string; rounds: number }
  | { kind: 'compare'; text: string; hash: string };
/** `value`: the hash, or whether the password is right. */
export type HashingResult = { value: string | boolean } | { failed: string };

export interface HasherOptions {
  /**
   * Number of threads. One core is left to the event loop. At most four, because a container may see more cores than it
   * can use.
   */
  workers?: number;
  /** Maximum length of the queue. When one more arrives, the last in order is refused with SERVER.BUSY. */
  queueLimit?: number;
  /** Cost of bcrypt; each step doubles the time. */
  rounds?: number;
}

interface Ending {
  done(result: HashingResult): void;
  fail(error: Error): void;
}

/** A thread that does one job at a time. `onEnd` is called once, when it cannot do more. */
function createThread(onEnd: () => void) {
  const worker = startWorker(__dirname, 'passwordWorker.js');
  let ending: Ending | undefined;
  let ended = false;

  function settle(how: (ending: Ending) => void): void {
    const current = ending;
    ending = undefined;
    if (current) how(current);
  }

  function end(error: Error): Promise<unknown> {
    if (!ended) onEnd();
    ended = true;
    settle(({ fail }) => fail(error));
    return worker.terminate();
  }

  worker.on('message', (result: HashingResult) => {
    worker.unref();
    settle(({ done }) => done(result));
  });
  worker.on('error', (error) => void end(error instanceof Error ? error : new Error(String(error))));
  worker.on('exit', () => void end(new Error('the hashing thread ended')));

  return {
    run(job: HashingJob): Promise<HashingResult> {
      return new Promise((done, fail) => {
        ending = { done, fail };
        worker.ref();
        worker.postMessage(job);
      });
    },
    end,
  };
}

type Thread = ReturnType<typeof createThread>;

/**
 * Starts threads with the first jobs. Idle threads do not keep the process alive. Not piscina: it starts its threads
 * with a file of its own package, which our bundle does not have.
 */
function createThreads() {
  const all = new Set<Thread>();
  const idle: Thread[] = [];

  function start(): Thread {
    const thread: Thread = createThread(() => {
      all.delete(thread);
      const place = idle.indexOf(thread);
      if (place >= 0) idle.splice(place, 1);
    });
    all.add(thread);
    return thread;
  }

  return {
    async run(job: HashingJob): Promise<HashingResult> {
      const thread = idle.pop() ?? start();
      try {
        return await thread.run(job);
      } finally {
        if (all.has(thread)) idle.push(thread);
      }
    },
    close: (error: Error) => Promise.all([...all].map((thread) => thread.end(error))),
  };
}

export function createHasher(options: HasherOptions = {}): PasswordHasher {
  const size = options.workers ?? Math.max(1, Math.min(4, availableParallelism() - 1));
  const queueLimit = options.queueLimit ?? 200;
  const rounds = options.rounds ?? 10;
  const turns = new FairQueue({ size, limit: queueLimit });
  const threads = createThreads();
  const busy = (): MyPadsError => new MyPadsError('BACKEND.ERROR.SERVER.BUSY');
  let closed = false;

  async function run<Value extends string | boolean>(job: HashingJob): Promise<Value> {
    if (closed) throw busy();
    const result = await turns.run(
      async () => {
        if (closed) throw busy();
        return threads.run(job);
      },
      (done) => (job.kind === 'compare' && 'value' in done ? !done.value : undefined),
    );
    if ('failed' in result) throw new Error(result.failed);
    return result.value as Value;
  }

  return {
    hash: (text) => run<string>({ kind: 'hash', text, rounds }),
    compare: (text, hash) => run<boolean>({ kind: 'compare', text, hash }),
    waiting: () => turns.waiting,
    async close() {
      closed = true;
      await threads.close(busy());
    },
  };
}
