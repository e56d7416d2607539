/**
 * Queues for calls that check a password. Each address has one for each kind of password, and only some of its calls
 * run at a time: right passwords that arrive at once must not use up a limit. model/fairQueue.ts decides whose password
 * is checked next.
 */
import { asPasswordCaller, type PasswordCaller } from '../model/fairQueue';
import { NamedQueues } from './namedQueues';

/** High enough for a school behind one address that signs in through a slow directory. */
const limits = { running: 10, waiting: 200 };

/** One for the process, like the hasher's queue. */
const queues = new NamedQueues();

/** The number of calls that wait in all queues. */
export const waitingPasswordCalls = (): number => queues.waiting();

/**
 * Runs `work` when the queue for this kind of password and the first key of the caller has a free place. The place
 * stays taken until `work` ends, even if the caller disconnects. Throws SERVER.BUSY when too many wait.
 */
export function runInPasswordQueue<T>(
  kind: string,
  caller: PasswordCaller,
  work: () => Promise<T> | T,
): Promise<T> {
  return queues.run(`${kind} ${caller.keys[0] ?? ''}`, limits, () => asPasswordCaller(caller, work));
}
