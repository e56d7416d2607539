/**
 * Queues for calls of the API: only some calls of each caller run at a time, and the others wait in turn. So somebody
 * who makes hundreds at once delays their own, and not those of others. Calls with passwords have queues of their own.
 */
import pLimit, { type LimitFunction } from 'p-limit';
import { MyPadsError } from '../model/errors';

/** Calls that run, and calls that may wait. One more is refused. */
interface QueueLimits {
  readonly running: number;
  readonly waiting: number;
}

/** A browser has six connections to a server. Programs may make hundreds of calls without waiting. */
const ofPerson: QueueLimits = { running: 6, waiting: 500 };
/** More, because a whole school may share an address. */
const ofAddress: QueueLimits = { running: 16, waiting: 2_000 };

/** Queues that are in use, by name. One map for the process, because all calls share its main thread. */
const queues = new Map<string, LimitFunction>();

/** The number of calls that wait in all queues. */
export function waitingCalls(): number {
  let sum = 0;
  for (const { pendingCount } of queues.values()) sum += pendingCount;
  return sum;
}

async function run<T>(name: string, limits: QueueLimits, work: () => Promise<T>): Promise<T> {
  const queue = queues.get(name) ?? pLimit(limits.running);
  if (queue.pendingCount >= limits.waiting) throw new MyPadsError('BACKEND.ERROR.SERVER.BUSY');
  queues.set(name, queue);
  try {
    return await queue(work);
  } finally {
    // A call that ended just before may have removed this queue, and another call may have started the next one.
    if (queue.activeCount + queue.pendingCount === 0 && queues.get(name) === queue) queues.delete(name);
  }
}

/**
 * Runs `work` when the person and their address have a free place. It stays taken until `work` ends, even if the caller
 * disconnects. `person`: who is signed in; `undefined` for guests. Throws SERVER.BUSY when too many wait.
 */
export function runInTurn<T>(
  { address, person }: { address: string; person: string | undefined },
  work: () => Promise<T>,
): Promise<T> {
  // Apart, so that guests cannot hold up people who are signed in at the same address.
  if (person === undefined) return run(`guests at ${address}`, ofAddress, work);
  // The person's place first: otherwise their waiting calls would take the places of others at their address.
  return run(person, ofPerson, () => run(`people at ${address}`, ofAddress, work));
}
