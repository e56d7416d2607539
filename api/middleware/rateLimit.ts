/**
 * How often somebody may try, as one table. What counts is failures: an attempt is paid before it is made, so that many at once do
 * not slip through, and paid back when it succeeds. Addresses behind one router share a limit, so these are wide; the narrow ones
 * are of one address at one account, so that nobody can lock another person out from elsewhere.
 */
import type { Request } from 'express';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { MyPadsError } from '../../model/errors';
import type { Guarded } from '../../model/unlock';

const minutes = 60;

/** `points` tries in `seconds`, counted by … */
const table = {
  /** … address and account. */
  signIn: { points: 10, seconds: 15 * minutes },
  /** … account, from everywhere: guessing spread over many addresses. */
  signInAccount: { points: 100, seconds: 60 * minutes },
  /** … address. */
  signInAddress: { points: 200, seconds: 15 * minutes },
  adminSignIn: { points: 5, seconds: 15 * minutes },
  /** … account, from everywhere: wide, so that strangers do not keep an administrator out for long. */
  adminSignInAccount: { points: 100, seconds: 60 * minutes },
  adminSignInAddress: { points: 20, seconds: 15 * minutes },
  /** … address; successes count too. */
  registration: { points: 100, seconds: 60 * minutes },
  /** … e-mail address, from everywhere: nobody's mailbox is flooded by registering with it. */
  registrationMail: { points: 10, seconds: 60 * minutes },
  /** … address and e-mail address; successes count, here and in the next two. */
  recovery: { points: 5, seconds: 60 * minutes },
  /** … e-mail address, from everywhere. */
  recoveryAccount: { points: 20, seconds: 60 * minutes },
  /** … address. */
  recoveryAddress: { points: 50, seconds: 60 * minutes },
  /** … address: links that are not good. */
  mailedLink: { points: 50, seconds: 15 * minutes },
  /** … account: proving one's own password. */
  ownPassword: { points: 10, seconds: 15 * minutes },
  /** … address and group or pad. */
  passwordProof: { points: 20, seconds: 15 * minutes },
  passwordProofAddress: { points: 200, seconds: 15 * minutes },
} as const;

export type LimitName = keyof typeof table;

export interface Limits {
  /**
   * Pays for one try and throws PERMISSION.TOO_MANY (with `retryAfter` in seconds) when there is nothing left. Returns the function
   * that pays it back.
   */
  spend(name: LimitName, key: string): Promise<() => Promise<void>>;
  /** Pays for all of `costs`, runs `attempt`, and pays back when it succeeds. */
  attempt<T>(costs: readonly (readonly [LimitName, string])[], attempt: () => Promise<T>): Promise<T>;
}

/** The caller's address; of IPv6 the /64 that one customer has. */
export function addressOf({ connected: { address } }: Pick<Request, 'connected'>): string {
  if (!address.includes(':')) return address;
  const [before = '', after] = address.split('::');
  const start = before === '' ? [] : before.split(':');
  const end = after === undefined || after === '' ? [] : after.split(':');
  const middle = after === undefined ? [] : new Array(Math.max(0, 8 - start.length - end.length)).fill('0');
  return [...start, ...middle, ...end].slice(0, 4).join(':');
}

/** What one guess at the password of a group or a pad costs, at whichever door it is made. */
export function costsOfProof(address: string, { what, id }: Guarded): [LimitName, string][] {
  return [
    ['passwordProofAddress', address],
    ['passwordProof', `${address} ${what}:${id}`],
  ];
}

/** `factor` widens every limit; tests that sign in a hundred times from one address set it. */
export function createLimits(factor = 1): Limits {
  const limiters = Object.fromEntries(
    Object.entries(table).map(([name, { points, seconds }]) => [
      name,
      new RateLimiterMemory({ keyPrefix: name, points: points * factor, duration: seconds }),
    ]),
  ) as { [Name in LimitName]: RateLimiterMemory };

  async function spend(name: LimitName, key: string): Promise<() => Promise<void>> {
    try {
      await limiters[name].consume(key);
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      const retryAfter = Math.max(1, Math.ceil(refusal.msBeforeNext / 1000));
      throw new MyPadsError('BACKEND.ERROR.PERMISSION.TOO_MANY', { retryAfter });
    }
    return async () => void (await limiters[name].reward(key));
  }

  return {
    spend,
    async attempt(costs, attempt) {
      const refunds: (() => Promise<void>)[] = [];
      for (const [name, key] of costs) refunds.push(await spend(name, key));
      const result = await attempt();
      for (const refund of refunds) await refund();
      return result;
    },
  };
}
