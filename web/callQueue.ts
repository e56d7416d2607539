/**
 * Queues for calls of the API: only some calls of each caller run at a time, and the others wait in turn. So somebody
 * who makes hundreds at once delays their own, and not those of others. Calls with passwords wait in queues of their
 * own, because many of them take longer.
 */
import { NamedQueues, type QueueLimits } from './namedQueues';

/** A browser has six connections to a server. Programs may make hundreds of calls without waiting. */
const ofPerson: QueueLimits = { running: 6, waiting: 500 };
/** More, because a whole school may share an address. */
const ofAddress: QueueLimits = { running: 16, waiting: 2_000 };

/** One for the process, because all calls share its main thread. */
const queues = new NamedQueues();

/** The number of calls that wait in all queues. */
export const waitingCalls = (): number => queues.waiting();

/**
 * Runs `work` when the person and their address have a free place. It stays taken until `work` ends, even if the caller
 * disconnects. `person`: who is signed in; `undefined` for guests. Throws SERVER.BUSY when too many wait.
 */
export function runInTurn<T>(
  {
    address,
    person,
    what,
  }: { address: string; person: string | undefined; what: 'calls' | 'calls with passwords' },
  work: () => Promise<T>,
): Promise<T> {
  // Apart, so that guests cannot hold up people who are signed in at the same address.
  if (person === undefined) return queues.run(`${what} of guests at ${address}`, ofAddress, work);
  // The person's place first: otherwise their waiting calls would take the places of others at their address.
  return queues.run(`${what} of ${person}`, ofPerson, () =>
    queues.run(`${what} of people at ${address}`, ofAddress, work),
  );
}
