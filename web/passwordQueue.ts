/**
 * Queues for calls that check a password. Each address has one for each kind of password, and only some of its calls
 * run at a time: right passwords that arrive at once must not use up a limit. model/fairQueue.ts decides whose password
 * is checked next.
 */
import pLimit, { type LimitFunction } from 'p-limit';
import { MyPadsError } from '../model/errors';
import { asPasswordCaller, type PasswordCaller } from '../model/fairQueue';

/**
 * Calls of one queue that run at a time. High enough for a school behind one address that signs in through a slow
 * directory.
 */
const maxRunning = 10;
/** Calls of one queue that may wait. One more is refused. */
const maxWaiting = 200;

/** Queues that are in use, by name. One map for the process, like the hasher's queue. */
const queues = new Map<string, LimitFunction>();

/** The number of calls that wait in all queues. */
export function waitingPasswordCalls(): number {
  let sum = 0;
  for (const { pendingCount } of queues.values()) sum += pendingCount;
  return sum;
}

/**
 * Runs `work` when the queue for this kind of password and the first key of the caller has a free place. The place
 * stays taken until `work` ends, even if the caller disconnects. Throws SERVER.BUSY when too many wait.
 */
export async function runInPasswordQueue<T>(
  kind: string,
  caller: PasswordCaller,
  work: () => Promise<T> | T,
): Promise<T> {
  const name = `${kind} ${caller.keys[0] ?? ''}`;
  const queue = queues.get(name) ?? pLimit(maxRunning);
  if (queue.pendingCount >= maxWaiting) throw new MyPadsError('BACKEND.ERROR.SERVER.BUSY');
  queues.set(name, queue);
  try {
    return await queue(() => asPasswordCaller(caller, work));
  } finally {
    // A call that ended just before may have removed this queue, and another call may have started the next one.
    if (queue.activeCount + queue.pendingCount === 0 && queues.get(name) === queue) queues.delete(name);
  }
}
