/**
 * How often somebody may try, as one table, which docs/limits.md shows. What counts is failures, unless the row says otherwise: an attempt
 * is paid before it is made, so that many at once do not slip through, and paid back when it succeeds. Addresses behind one router share a
 * limit, so these are wide; the narrow ones are of one address at one account. The ones of an account from everywhere are paid last, so
 * that no single address can use them up, and not at all where that account has signed in before: nobody can lock another person out.
 */
import type { Request } from 'express';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { MyPadsError } from '../../model/errors';
import type { Guarded } from '../../model/unlock';

interface Row {
  /** What is counted, and by what, in words. */
  counts: string;
  by: string;
  /** At most so many … */
  points: number;
  /** … in so many seconds from the first. */
  seconds: number;
}

const quarter = 15 * 60;
const hour = 60 * 60;
const signIns = 'sign-ins that fail';
const adminSignIns = 'sign-ins of administrators that fail';
const guesses =
  'wrong passwords of folders and pads, on the page, through the API and in the address of a pad';
const joining = 'times that somebody puts another person into a folder';
const recoveries = 'mails asked for to choose a new password';

export const limitTable = {
  signIn: { counts: signIns, by: 'address and account', points: 10, seconds: quarter },
  signInAddress: { counts: `${signIns}, also with CAS`, by: 'address', points: 200, seconds: quarter },
  signInAccount: { counts: signIns, by: 'account, from everywhere', points: 100, seconds: hour },
  adminSignIn: { counts: adminSignIns, by: 'address and account', points: 5, seconds: quarter },
  adminSignInAddress: { counts: adminSignIns, by: 'address', points: 20, seconds: quarter },
  adminSignInAccount: { counts: adminSignIns, by: 'account, from everywhere', points: 100, seconds: hour },
  ownPassword: {
    counts: 'wrong answers to “your current password”',
    by: 'account',
    points: 10,
    seconds: quarter,
  },
  passwordChange: { counts: 'changes of one’s own password', by: 'account', points: 10, seconds: hour },
  registration: { counts: 'registrations', by: 'address', points: 100, seconds: hour },
  registrationMail: {
    counts: 'registrations and changes of the address, where addresses are confirmed by mail',
    by: 'e-mail address, from everywhere',
    points: 10,
    seconds: hour,
  },
  emailChange: {
    counts: 'changes of the address, where addresses are confirmed by mail',
    by: 'account',
    points: 20,
    seconds: hour,
  },
  recovery: { counts: recoveries, by: 'address and e-mail address', points: 5, seconds: hour },
  recoveryAccount: { counts: recoveries, by: 'e-mail address, from everywhere', points: 20, seconds: hour },
  recoveryAddress: { counts: recoveries, by: 'address', points: 50, seconds: hour },
  mailedLink: { counts: 'links of mails that are not good', by: 'address', points: 50, seconds: quarter },
  passwordProof: { counts: guesses, by: 'address and folder or pad', points: 20, seconds: quarter },
  passwordProofAddress: { counts: guesses, by: 'address', points: 200, seconds: quarter },
  guest: {
    counts: 'browsers that nobody has signed in with and that open a folder or pad with its password',
    by: 'address',
    points: 1_000,
    seconds: hour,
  },
  padsListed: {
    counts: 'pads in the folders that are opened',
    by: 'account, or address of a guest',
    points: 100_000,
    seconds: 60,
  },
  folders: { counts: 'folders made', by: 'account', points: 300, seconds: hour },
  pads: { counts: 'pads made', by: 'account', points: 1_000, seconds: hour },
  userLists: { counts: 'lists of people made or changed', by: 'account', points: 300, seconds: hour },
  invitation: { counts: joining, by: 'account and person who is put there', points: 100, seconds: hour },
  invitationPerson: {
    counts: joining,
    by: 'person who is put there, from everywhere',
    points: 500,
    seconds: hour,
  },
} as const satisfies Record<string, Row>;

export type LimitName = keyof typeof limitTable;

export interface Limits {
  /**
   * Pays for one try and throws PERMISSION.TOO_MANY (with `retryAfter` in seconds) when there is nothing left. Returns the function
   * that pays it back. `points`: what it costs, where that is not one.
   */
  spend(name: LimitName, key: string, points?: number): Promise<() => Promise<void>>;
  /**
   * Pays for all of `costs` in turn, runs `attempt`, and pays back when it succeeds, or could not be made because something that it needs is
   * down or busy: then nobody has learnt anything, and nobody is to be kept out for it afterwards.
   */
  attempt<T>(costs: readonly (readonly [LimitName, string])[], attempt: () => Promise<T>): Promise<T>;
  /** The same for signing in with an account from an address. `account` as it was typed. */
  attemptSignIn<T>(
    kind: 'signIn' | 'adminSignIn',
    address: string,
    account: string,
    attempt: () => Promise<T>,
  ): Promise<T>;
}

/**
 * One text for all the ways to write a name that a directory or a mail server may take for the same: in any letter case, wide letters,
 * accents, blanks, and characters that are not seen. Names of different accounts may share one; then they share a limit.
 */
export function asOneName(typed: string): string {
  return typed
    .normalize('NFKD')
    .replace(/[\s\p{M}\p{C}]/gu, '')
    .toUpperCase()
    .toLowerCase();
}

/** Addresses that are remembered as those of an account. */
const mostKnown = 50_000;

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
    Object.entries(limitTable).map(([name, { points, seconds }]) => [
      name,
      new RateLimiterMemory({ keyPrefix: name, points: points * factor, duration: seconds }),
    ]),
  ) as { [Name in LimitName]: RateLimiterMemory };

  async function spend(name: LimitName, key: string, points = 1): Promise<() => Promise<void>> {
    try {
      await limiters[name].consume(key, points);
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      const retryAfter = Math.max(1, Math.ceil(refusal.msBeforeNext / 1000));
      throw new MyPadsError('BACKEND.ERROR.PERMISSION.TOO_MANY', { retryAfter });
    }
    return async () => void (await limiters[name].reward(key, points));
  }

  async function attempt<T>(
    costs: readonly (readonly [LimitName, string])[],
    work: () => Promise<T>,
  ): Promise<T> {
    const refunds: (() => Promise<void>)[] = [];
    for (const [name, key] of costs) refunds.push(await spend(name, key));
    const payBack = async (): Promise<void> => {
      for (const refund of refunds) await refund();
    };
    try {
      const result = await work();
      await payBack();
      return result;
    } catch (error) {
      if (error instanceof MyPadsError && error.status === 503) await payBack();
      throw error;
    }
  }

  /** Where accounts have signed in since the start, the oldest first. */
  const known = new Set<string>();

  function remember(place: string): void {
    known.delete(place);
    known.add(place);
    const [oldest] = known;
    if (known.size > mostKnown && oldest !== undefined) known.delete(oldest);
  }

  return {
    spend,
    attempt,
    async attemptSignIn(kind, address, typed, work) {
      const account = asOneName(typed);
      // As it was typed: somebody else's account may have a name that is written alike.
      const place = `${kind} ${address} ${typed}`;
      const costs: [LimitName, string][] = [
        [`${kind}Address`, address],
        [kind, `${address} ${account}`],
      ];
      if (!known.has(place)) costs.push([`${kind}Account`, account]);
      const result = await attempt(costs, work);
      remember(place);
      return result;
    },
  };
}
