/**
 * Loaded by mocha in `npm test`: all tests and hooks get three times their own time limit, because files that run at
 * the same time are slower. A limit only has to end tests that would never end.
 */
import Mocha from 'mocha';

const { prototype } = Mocha.Runnable;
const original: (...limit: number[]) => unknown = prototype.timeout;

/** Sets the limit in milliseconds; without an argument, returns it. */
function timeout(this: Mocha.Runnable, ...limit: number[]): unknown {
  return original.apply(
    this,
    limit.map((milliseconds) => milliseconds * 3),
  );
}
Object.assign(prototype, { timeout });
