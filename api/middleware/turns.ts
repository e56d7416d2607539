/**
 * Checking a password takes long, and all checks go through one queue. Of one address only a few are in it at the same moment; more wait here
 * for their turn. So hundreds of guesses hold up nobody elsewhere, and at one place guesses at folders hold up no sign-in.
 */
import { MyPadsError } from '../../model/errors';

/** Calls of one lane that run at the same moment. Not fewer: a school behind one address may sign in through a directory that is slow. */
const atOnce = 10;
/** Calls of one lane that may wait; one more is refused. */
const mostWaiting = 200;

interface Lane {
  running: number;
  waiting: (() => void)[];
}

/** Those where somebody is, by name. One for the process, as the queue of the hasher. */
const lanes = new Map<string, Lane>();

/**
 * Does `work` when it is its turn in the lane, an address and what is called from there. A caller who has gone meanwhile does not free the
 * place, since the work goes on. Throws SERVER.BUSY.
 */
export async function inTurn<T>(name: string, work: () => Promise<T> | T): Promise<T> {
  const lane = lanes.get(name) ?? { running: 0, waiting: [] };
  lanes.set(name, lane);
  if (lane.running < atOnce) lane.running += 1;
  else if (lane.waiting.length >= mostWaiting) throw new MyPadsError('BACKEND.ERROR.SERVER.BUSY');
  // Whoever ends hands its place on.
  else await new Promise<void>((resolve) => lane.waiting.push(resolve));
  try {
    return await work();
  } finally {
    const next = lane.waiting.shift();
    if (next) next();
    else lane.running -= 1;
    if (lane.running === 0) lanes.delete(name);
  }
}
