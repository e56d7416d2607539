/**
 * Rate limits, in one table that docs/limits.md shows. Most rows count failures: an attempt consumes a point first, so
 * that parallel attempts cannot exceed the limit, and gets it back when it succeeds.
 */
import type { Request } from 'express';
import { comparableAddress } from '../model/accounts/accountNames';
import { MyPadsError } from '../model/errors';
import type { PasswordCaller } from '../model/fairQueue';
import type { Coordination, LockedKey, RateLimiter } from '../model/ports';
import { runInPasswordQueue } from './passwordQueue';

/**
 * `account`: login or e-mail address as it was typed, normalised. `user`: id of an account. `record`: what a password
 * opens, such as `group:<id>`. `browser`: the name of a known browser. `token`: the name of an API token in answers.
 */
export type KeyPart =
  | 'address'
  | 'account'
  | 'user'
  | 'administrator'
  | 'record'
  | 'browser'
  | 'token'
  | 'other';

const quarter = 15 * 60;
const hour = 60 * 60;
// Limits of an address are high, because a whole school may share one. Limits of an address at one account are low.
const signIns = 'failed sign-ins';
const adminSignIns = 'failed sign-ins of administrators';
const guesses =
  'wrong passwords of folders, pads and links, and unknown links, sent by the page, through the API or in the URL of a pad';
const knownBrowser = 'browser in which the same password was right before';
const factors = 'wrong codes after the right password, also recovery codes';
const joining = 'other people added to folders';
const invitations = 'invitations by email';
const recoveries = 'emails for choosing a new password';

/**
 * What is counted and for whom, as docs/limits.md says it; at most so many points in so many seconds after the first;
 * what the parts of its keys name, with a space between them.
 */
const row = <const Key extends readonly KeyPart[]>(
  counts: string,
  by: string,
  [points, seconds]: readonly [points: number, seconds: number],
  key: Key,
) => ({ counts, by, points, seconds, key });

export const limitTable = {
  signIn: row(signIns, 'address and account', [10, quarter], ['address', 'account']),
  signInAddress: row(`${signIns}, also with CAS`, 'address', [200, quarter], ['address']),
  signInAccount: row(signIns, 'account, from all addresses', [100, hour], ['account']),
  signInBrowser: row(signIns, knownBrowser, [10, quarter], ['browser', 'record']),
  adminSignIn: row(adminSignIns, 'address and account', [5, quarter], ['address', 'administrator']),
  adminSignInAddress: row(adminSignIns, 'address', [20, quarter], ['address']),
  adminSignInAccount: row(adminSignIns, 'account, from all addresses', [100, hour], ['administrator']),
  adminSignInBrowser: row(adminSignIns, knownBrowser, [5, quarter], ['browser', 'record']),
  factor: row(factors, 'account, from all browsers that are not known', [10, hour], ['user']),
  factorBrowser: row(factors, knownBrowser, [10, quarter], ['browser', 'record']),
  factorChange: row('changes of the second step, and new recovery codes', 'account', [20, hour], ['user']),
  ownPassword: row('wrong current passwords', 'account', [10, quarter], ['user']),
  passwordChange: row('changes of one’s own password', 'account', [10, hour], ['user']),
  registration: row('registrations', 'address', [100, hour], ['address']),
  registrationMail: row(
    'registrations and changes of the email address, if `checkMails` is on',
    'mailbox, from all addresses',
    [10, hour],
    ['account'],
  ),
  emailChange: row('changes of the email address, if `checkMails` is on', 'account', [20, hour], ['user']),
  recovery: row(recoveries, 'address and mailbox', [5, hour], ['address', 'account']),
  recoveryAccount: row(recoveries, 'mailbox, from all addresses', [20, hour], ['account']),
  recoveryAddress: row(recoveries, 'address', [50, hour], ['address']),
  // Not with failed sign-ins: any site can make a browser send such a form.
  providerLogout: row(
    'invalid messages that single sign-on has signed someone out',
    'address',
    [200, quarter],
    ['address'],
  ),
  mailedLink: row(
    'invalid links of emails; valid ones are not locked out',
    'address',
    [50, quarter],
    ['address'],
  ),
  apiToken: row('calls with an API token', 'token', [1_200, 60], ['token']),
  wrongApiToken: row(
    'calls with an API token that does not exist or has ended; valid tokens are not locked out',
    'address',
    [200, quarter],
    ['address'],
  ),
  testMail: row('test emails', 'server administrator', [30, hour], ['administrator']),
  passwordProof: row(guesses, 'address and folder or pad', [20, quarter], ['address', 'record']),
  passwordProofAddress: row(guesses, 'address', [200, quarter], ['address']),
  passwordProofBrowser: row(guesses, knownBrowser, [20, quarter], ['browser', 'record']),
  guest: row(
    'guests who open a folder or pad with its password in a new browser',
    'address',
    [1_000, hour],
    ['address'],
  ),
  folders: row('folders created', 'account', [300, hour], ['user']),
  pads: row('pads created', 'account', [1_000, hour], ['user']),
  imports: row('ZIPs uploaded for import, also for a preview', 'account', [60, hour], ['user']),
  userLists: row('people lists created or changed', 'account', [300, hour], ['user']),
  exports: row('exports begun', 'account or server administrator', [20, hour], ['user']),
  request: row('requests for access', 'account', [20, hour], ['user']),
  invitation: row(joining, 'account and added person', [100, hour], ['user', 'other']),
  invitationPerson: row(joining, 'added person, from all accounts', [500, hour], ['user']),
  invitationMail: row(invitations, 'account', [50, hour], ['user']),
  invitationMailbox: row(invitations, 'mailbox, from all accounts', [3, 24 * hour], ['account']),
  addedMail: row(
    'emails about being added to a folder; no more are sent then',
    'added person, from all accounts',
    [10, 24 * hour],
    ['user'],
  ),
};

export type LimitName = keyof typeof limitTable;

type Costs = readonly (readonly [LimitName, string])[];

export interface SigningIn {
  /** As `addressOf` returns it. */
  address: string;
  /** The login or e-mail address as it was typed. */
  typed: string;
  /** A known browser, as `deviceOf` returns it. It has limits of its own, so that strangers cannot lock it out. */
  device: string | undefined;
}

export interface Limits {
  /**
   * Consumes `points` (default 1) of a limit. Throws PERMISSION.TOO_MANY with `retryAfter` in seconds when too few are
   * left. Returns a function that gives the points back.
   */
  consume(name: LimitName, key: string, points?: number): Promise<() => Promise<void>>;
  /**
   * Consumes a point of each limit in order and runs `work`, if there is some. Gives the points back when a later limit
   * refuses, and on an error with status 503: an outage must not lock people out, and a caller who guesses has learnt
   * nothing.
   */
  spend(costs: Costs, work?: () => Promise<void>): Promise<void>;
  /** As `spend`, and gives the points back on success too. */
  attempt<T>(costs: Costs, work: () => Promise<T>): Promise<T>;
  /** As `attempt`, at the turn of the caller and with the limits for sign-ins. */
  attemptSignIn<T>(kind: 'signIn' | 'adminSignIn', caller: SigningIn, attempt: () => Promise<T>): Promise<T>;
  /** What is locked now, in all processes: the keys of which a call was refused and would be refused again. */
  locked(): Promise<(LockedKey & { limit: LimitName })[]>;
  /** Forgets what was counted for a key. */
  lift(limit: LimitName, key: string): Promise<void>;
  /** Stops listening to other processes. */
  close(): void;
}

/**
 * Normalises a name: letter case, wide letters, accents, blanks and invisible characters do not count, as in many
 * directories and mail servers, nor do the spellings by which an address finds its account. Different accounts can get
 * the same result; they then share a limit.
 */
function normaliseName(typed: string): string {
  return comparableAddress(typed)
    .normalize('NFKD')
    .replace(/[\s\p{M}\p{C}]/gu, '')
    .toUpperCase()
    .toLowerCase();
}

/** The mailbox of an e-mail address: without the part after `+`, with which one mailbox has any number of addresses. */
export function mailboxOf(email: string): string {
  return normaliseName(email).replace(/^([^+@]+)\+.*(?=@[^@]*$)/, '$1');
}

/** Whether attempts with this login or address are counted under this name. */
export const isCountedAs = (typed: string, name: string): boolean =>
  normaliseName(typed) === name || mailboxOf(typed) === name;

/** The number of pairs of address and account that are remembered. */
const maxKnown = 50_000;

/** The caller's address; for IPv6 the network, such as `2001:db8:1:2::/64`: one customer gets all addresses in it. */
export function addressOf({ connected: { address } }: Pick<Request, 'connected'>): string {
  if (!address.includes(':')) return address;
  const [before = '', after] = address.split('::');
  const start = before === '' ? [] : before.split(':');
  const end = after === undefined || after === '' ? [] : after.split(':');
  const middle = after === undefined ? [] : new Array(Math.max(0, 8 - start.length - end.length)).fill('0');
  return `${[...start, ...middle, ...end].slice(0, 4).join(':')}::/64`;
}

type Shared = Pick<Coordination, 'rateLimiter' | 'publish' | 'onMessage'>;

/** Remembers which accounts have signed in from which addresses since the start, in any process. */
function createKnownSignIns({ publish, onMessage }: Shared) {
  /** The oldest first. */
  const known = new Set<string>();

  function add(signIn: string): void {
    known.delete(signIn);
    known.add(signIn);
    const [oldest] = known;
    if (known.size > maxKnown && oldest !== undefined) known.delete(oldest);
  }

  // After lost messages, an account counts as unknown at an address until it signs in there again.
  const close = onMessage('knownSignIn', add);

  return {
    has: (signIn: string) => known.has(signIn),
    add(signIn: string): void {
      if (!known.has(signIn)) publish('knownSignIn', signIn);
      add(signIn);
    },
    close,
  };
}

/** For whom a sign-in is counted. `isKnown`: this account has signed in from this address before. */
function signInCosts(
  kind: 'signIn' | 'adminSignIn',
  { address, typed, device }: SigningIn,
  isKnown: boolean,
): { caller: PasswordCaller; costs: [LimitName, string][] } {
  if (device !== undefined)
    return { caller: { keys: [device], known: true }, costs: [[`${kind}Browser`, device]] };
  const account = normaliseName(typed);
  const costs: [LimitName, string][] = [
    [`${kind}Address`, address],
    [kind, `${address} ${account}`],
  ];
  // The limit for all addresses together is checked last, so that one address cannot use it up. It does not apply
  // at an address where the account has signed in before, so that other people cannot lock its owner out there.
  if (!isKnown) costs.push([`${kind}Account`, account]);
  return { caller: { keys: [address, `${kind} ${account}`], known: isKnown }, costs };
}

type Limiters = { [Name in LimitName]: RateLimiter };

function createLifting(limiters: Limiters): Pick<Limits, 'locked' | 'lift'> {
  return {
    async locked() {
      const found = await Promise.all(
        (Object.keys(limiters) as LimitName[]).map(async (limit) =>
          (await limiters[limit].locked()).map((one) => ({ ...one, limit })),
        ),
      );
      return found.flat();
    },
    lift: (limit, key) => limiters[limit].lift(key),
  };
}

/** `factor` multiplies every limit, for tests that sign in many times from one address. */
export function createLimits(coordination: Shared, factor = 1): Limits {
  const limiters = Object.fromEntries(
    Object.entries(limitTable).map(([name, { points, seconds }]) => [
      name,
      coordination.rateLimiter(name, { points: points * factor, seconds }),
    ]),
  ) as Limiters;

  async function consume(name: LimitName, key: string, points = 1): Promise<() => Promise<void>> {
    const wait = await limiters[name].consume(key, points);
    if (wait !== undefined) {
      const retryAfter = Math.max(1, Math.ceil(wait / 1000));
      throw new MyPadsError('BACKEND.ERROR.PERMISSION.TOO_MANY', { retryAfter });
    }
    return () => limiters[name].reward(key, points);
  }

  async function spend<T>(
    costs: Costs,
    work: () => Promise<T>,
    { isFree = false }: { isFree?: boolean } = {},
  ): Promise<T> {
    const refunds: (() => Promise<void>)[] = [];
    const refundAll = async (): Promise<void> => {
      for (const refund of refunds) await refund();
    };
    try {
      for (const [name, key] of costs) refunds.push(await consume(name, key));
    } catch (error) {
      // No password was checked, so nothing was guessed. Otherwise one person who goes on trying with a locked account
      // would use up the limit of an address that a whole school shares.
      await refundAll();
      throw error;
    }
    try {
      const result = await work();
      if (isFree) await refundAll();
      return result;
    } catch (error) {
      if (error instanceof MyPadsError && error.status === 503) await refundAll();
      throw error;
    }
  }

  const attempt: Limits['attempt'] = (costs, work) => spend(costs, work, { isFree: true });
  const known = createKnownSignIns(coordination);

  return {
    consume,
    spend: (costs, work = async () => {}) => spend(costs, work),
    attempt,
    async attemptSignIn(kind, who, work) {
      // With the name as it was typed: normalised, the names of two accounts can be the same.
      const signIn = `${kind} ${who.address} ${who.typed}`;
      const { caller, costs } = signInCosts(kind, who, known.has(signIn));
      const result = await runInPasswordQueue(kind, caller, () => attempt(costs, work));
      known.add(signIn);
      return result;
    },
    ...createLifting(limiters),
    close: known.close,
  };
}
