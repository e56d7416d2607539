/**
 * Password checks are slow and share one worker queue. Here each address gets a queue of its own for each part of the
 * API, and only some of its calls run at a time. Many guesses from one address then delay nobody else.
 */
import { MyPadsError } from '../model/errors';

/**
 * Calls of one queue that run at a time. High enough for a school behind one address that signs in through a slow
 * directory.
 */
const mostRunning = 10;
/** Calls of one queue that may wait. One more is refused. */
const mostWaiting = 200;

interface Queue {
  running: number;
  waiting: (() => void)[];
}

/** Queues that are in use, by name. One map for the process, like the hasher's queue. */
const queues = new Map<string, Queue>();

/**
 * Runs `work` when its queue has a free place. The place stays taken until `work` ends, even if the caller disconnects.
 * Throws SERVER.BUSY when too many wait.
 */
export async function runInPasswordQueue<T>(name: string, work: () => Promise<T> | T): Promise<T> {
  const queue = queues.get(name) ?? { running: 0, waiting: [] };
  queues.set(name, queue);
  if (queue.running < mostRunning) queue.running += 1;
  else if (queue.waiting.length >= mostWaiting) throw new MyPadsError('BACKEND.ERROR.SERVER.BUSY');
  // The call that ends passes its place to the first waiting one.
  else await new Promise<void>((resolve) => queue.waiting.push(resolve));
  try {
    return await work();
  } finally {
    const next = queue.waiting.shift();
    if (next) next();
    else queue.running -= 1;
    if (queue.running === 0) queues.delete(name);
  }
}
