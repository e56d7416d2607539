/**
 * The second step of a sign-in with a password that is stored here: a code, a recovery code or a passkey. Until it is
 * done there is no session, so nothing else has to ask for it. Who must have a factor and has none sets up an
 * authenticator app or a passkey as this step. Services such as LDAP have second factors of their own.
 */

import { randomBytes } from 'node:crypto';
import type { Proved } from '../access/devices';
import type { AddedFactor, Factors } from '../access/factors';
import type { NewPasskeyAnswer, NewPasskeyOptions, PasskeyAnswer, Passkeys } from '../access/passkeys';
import type { Sessions } from '../access/session';
import type { Users } from '../accounts/user';
import { MyPadsError } from '../errors';
import type { Groups } from '../folders/group';
import { lifetimes } from '../limits';
import type { Coordination } from '../ports';
import { sha256 } from '../sha256';
import type { OfferedMethods } from '../signin/methods';
import type { Basics } from '../store/basics';
import type { FactorsRecord, UserRecord } from '../store/entities';
import { hasFactor } from '../store/records';
import type { AccountMail } from './accountMail';

export const secondSteps = ['totp', 'passkey', 'recovery'] as const;

/** What somebody needs for the second step. */
export interface SecondStepQuestion {
  factor: (typeof secondSteps)[number][];
  /** Proves the first step, once. */
  pending: string;
  /** For an account that must have a factor and has none: the authenticator app to set up, or a passkey. */
  setUp?: { secret: string; uri: string; passkey?: NewPasskeyOptions };
}

export interface SecondStepAnswer {
  code?: string | undefined;
  recoveryCode?: string | undefined;
  passkey?: PasskeyAnswer | undefined;
  newPasskey?: { name: string; passkey: NewPasskeyAnswer } | undefined;
}

/** Who has done all steps. `version`: of the factors, see `isCurrent`. */
export interface Confirmed {
  user: UserRecord;
  version: string;
  recoveryCodes?: string[];
}

export interface SecondStepContext extends Pick<Basics, 'log' | 'now'> {
  factors: Factors;
  passkeys: Passkeys;
  users: Pick<Users, 'get'>;
  sessions: Pick<Sessions, 'endAll'>;
  groups: Pick<Groups, 'findMany'>;
  methods: Pick<OfferedMethods<UserRecord>, 'storePasswords' | 'isElsewhere'>;
  accountMail: Pick<AccountMail, 'announceFactor'>;
  coordination: Pick<Coordination, 'keep' | 'take'>;
  rule: () => 'optional' | 'managers' | 'everybody';
  title: () => string;
}

/** What is kept between the two steps. */
interface Pending {
  user: string;
  /** A digest of the password of the first step as it was stored. Another one ends the sign-in. */
  password: string;
  /** Of the authenticator app to set up. */
  seed?: string;
  ends: number;
  requester: string;
}

const nameOf = (pending: string): string => `second-step:${pending}`;
const passwordOf = ({ password }: UserRecord): string => sha256(JSON.stringify(password));
const expired = () => new MyPadsError('BACKEND.ERROR.FACTOR.EXPIRED');
const refusedPasskey = () => new MyPadsError('BACKEND.ERROR.FACTOR.PASSKEY');

export class SecondStep {
  constructor(private readonly context: SecondStepContext) {}

  /**
   * What is missing after the right password; only `version` if nothing is. `isConfirmed`: whether the browser has a
   * valid entry for this. `requester`: for the limit of what is kept.
   */
  async begin(
    user: UserRecord,
    { isConfirmed, requester }: { isConfirmed: (proved: Proved) => Promise<boolean>; requester: string },
  ): Promise<{ question: SecondStepQuestion } | { version: string }> {
    const { factors, passkeys, title, now } = this.context;
    const record = await factors.of(user);
    const { version } = record;
    const mustSetUp = !hasFactor(record) && (await this.isRequired(user));
    const isDone = hasFactor(record) ? await isConfirmed(this.proved(user, version)) : !mustSetUp;
    if (isDone) return { version };
    const ends = now() + lifetimes.secondStep;
    const kept = { user: user._id, password: passwordOf(user), ends, requester };
    const pending = randomBytes(32).toString('base64url');
    const question = { factor: this.stepsOf(record), pending };
    if (!mustSetUp) {
      await this.keep(pending, kept);
      return { question };
    }
    const { seed, ...setUp } = factors.newTotp({ site: title(), login: user.login });
    await this.keep(pending, { ...kept, seed });
    const names = { site: title(), requester };
    const passkey = passkeys.arePossible() ? await passkeys.optionsForNew(user, names) : undefined;
    return { question: { ...question, setUp: { ...setUp, ...(passkey && { passkey }) } } };
  }

  /**
   * Does the second step. `counted` runs the check with limits for this account. Throws FACTOR.EXPIRED, FACTOR.CODE,
   * FACTOR.PASSKEY and what `counted` throws; after the last three, `pending` still works.
   */
  async finish(
    pending: string,
    answer: SecondStepAnswer,
    counted: <T>(user: UserRecord, check: () => Promise<T>) => Promise<T>,
  ): Promise<Confirmed> {
    const { coordination, users, factors } = this.context;
    const kept = (await coordination.take(nameOf(pending))) as Pending | undefined;
    const user = kept && (await users.get(kept.user));
    if (!kept || !user?.active || passwordOf(user) !== kept.password || !this.isPossible(user))
      throw expired();
    // An administrator may have reset them. No code could be right, and each would count as an attempt.
    if (kept.seed === undefined && !hasFactor(await factors.of(user))) throw expired();
    try {
      const added = await counted(user, () => this.check(user, kept, answer));
      const { version } = await factors.of(user);
      return { user, version, ...(added?.recoveryCodes && { recoveryCodes: added.recoveryCodes }) };
    } catch (error) {
      // A wrong code does not cost the password once more. The time stays the same.
      if (kept.ends > this.context.now()) await this.keep(pending, kept);
      throw error;
    }
  }

  /** The account that has this passkey. */
  async ownerOf({ id }: Pick<PasskeyAnswer, 'id'>): Promise<UserRecord | undefined> {
    const owner = await this.context.factors.ownerOf(id);
    return owner === undefined ? undefined : this.context.users.get(owner);
  }

  /** Signs in with a passkey alone. Throws FACTOR.PASSKEY, also for a closed account, and FACTOR.UNAVAILABLE. */
  async byPasskey(answer: PasskeyAnswer): Promise<Confirmed> {
    const { factors, passkeys } = this.context;
    if (!passkeys.arePossible()) throw new MyPadsError('BACKEND.ERROR.FACTOR.UNAVAILABLE');
    const user = await this.ownerOf(answer);
    if (!user?.active || !this.isPossible(user)) throw refusedPasskey();
    const { version } = await factors.of(user);
    await passkeys.use(user, answer);
    return { user, version };
  }

  /** False if the factors have changed since. The session that was made meanwhile must end. */
  isCurrent = async (user: Pick<UserRecord, '_id'>, version: string): Promise<boolean> =>
    (await this.context.factors.of(user)).version === version;

  /** What a browser is remembered for after the second step. It ends with the password, and with each factor. */
  proved(user: UserRecord, version: string): Proved {
    return { what: 'factor', id: user._id, password: `${version} ${passwordOf(user)}` };
  }

  /** Whether the account can have factors: its password is here. */
  isPossible(user: UserRecord): boolean {
    const { methods } = this.context;
    return methods.storePasswords() && !methods.isElsewhere(user);
  }

  /** Whether the setting `secondFactor` asks this account for one. */
  async isRequired(user: UserRecord): Promise<boolean> {
    const { rule, groups } = this.context;
    if (rule() === 'optional' || !this.isPossible(user)) return false;
    if (rule() === 'everybody') return true;
    return [...(await groups.findMany(user.groups)).values()].some(({ admins }) => admins.includes(user._id));
  }

  private stepsOf({ totp, passkeys, recovery }: FactorsRecord): SecondStepQuestion['factor'] {
    const has = {
      totp: totp !== undefined,
      passkey: passkeys.length > 0 && this.context.passkeys.arePossible(),
      recovery: recovery.length > 0,
    };
    return secondSteps.filter((step) => has[step]);
  }

  /** Throws FACTOR.CODE, FACTOR.PASSKEY. Returns the factor that was set up in this step. */
  private async check(
    user: UserRecord,
    { seed }: Pending,
    answer: SecondStepAnswer,
  ): Promise<AddedFactor<unknown> | undefined> {
    const { factors, passkeys, log } = this.context;
    const { code, recoveryCode, passkey } = answer;
    if (seed !== undefined) return this.setUp(user, seed, answer);
    if (passkey !== undefined) {
      await passkeys.use(user, passkey);
      return undefined;
    }
    const isRight =
      recoveryCode === undefined
        ? await factors.acceptCode(user, code ?? '')
        : await factors.acceptRecoveryCode(user, recoveryCode);
    if (!isRight)
      throw new MyPadsError('BACKEND.ERROR.FACTOR.CODE', {
        field: code === undefined ? 'recoveryCode' : 'code',
      });
    if (recoveryCode !== undefined) log.info('recovery code used', { user: user._id });
    return undefined;
  }

  /** Adds the first factor, and ends all sessions. */
  private async setUp(
    user: UserRecord,
    seed: string,
    { code, newPasskey }: SecondStepAnswer,
  ): Promise<AddedFactor<unknown>> {
    const { factors, passkeys, sessions, accountMail, log } = this.context;
    // Another sign-in may have set up a factor meanwhile, which this one must not replace.
    const check = (record: FactorsRecord): void => {
      if (hasFactor(record)) throw expired();
    };
    check(await factors.of(user));
    const passkey = newPasskey && (await passkeys.verifyNew(user, newPasskey.passkey));
    // They have proved no factor. Before it is added: if this fails, nothing has changed.
    const first = () => sessions.endAll(user._id);
    if (passkey) await first();
    const added =
      passkey === undefined
        ? await factors.addTotp(user, { seed, code: code ?? '', first, check })
        : await factors.addPasskey(user, { ...passkey, name: newPasskey?.name ?? '' }, check);
    log.info('second factor added', { user: user._id, kind: newPasskey === undefined ? 'totp' : 'passkey' });
    await accountMail.announceFactor(user, 'factoradded');
    return added;
  }

  private keep(pending: string, kept: Pending): Promise<void> {
    const terms = { milliseconds: kept.ends - this.context.now(), requester: kept.requester };
    return this.context.coordination.keep(nameOf(pending), kept, terms);
  }
}
