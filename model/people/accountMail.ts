/**
 * Mails with links: password recovery, confirmation of an address, change of an address. Neither an answer nor its time
 * may tell whether an address is known. So the work happens after the answer, or one mail is sent in both cases.
 */
import { isUnproved } from '../accounts/unprovedAddress';
import type { Users } from '../accounts/user';
import { MyPadsError } from '../errors';
import type { JobQueue, Jobs } from '../jobs/types';
import { lifetimes } from '../limits';
import { mailAddress } from '../mail/address';
import type { MailReceipt } from '../mail/mailer';
import type { OfferedMethods } from '../signin/methods';
import type { UserRecord } from '../store/entities';
import {
  type AccountMailSender,
  createAccountMailSender,
  homeOf,
  linkTo,
  mailAttempts,
  type Recipient,
  type SenderContext,
} from './accountMailSender';

/** The functions of `Users` that this module needs. */
export type AccountMailUsers = Pick<
  Users,
  'isReady' | 'get' | 'findByEmail' | 'findOwner' | 'extendUnconfirmed' | 'updateProfile' | 'releaseAddress'
>;

export interface AccountMailContext extends SenderContext {
  users: AccountMailUsers;
  methods: Pick<
    OfferedMethods<Pick<UserRecord, 'identities' | 'password'>>,
    'storePasswords' | 'isElsewhere'
  >;
  jobs: Pick<Jobs, 'define'>;
}

export type PendingEmail = NonNullable<UserRecord['pendingEmail']>;

/** Mails of one kind to one person that may wait. How many others wait does not matter: anybody can make them wait. */
const maxWaiting = 200;

/** `to`: who gets the mail. Throws SERVER.BUSY when too many mails to them wait. */
async function beginMail<Facts>(
  queue: JobQueue<Facts>,
  facts: Facts,
  to: (facts: Facts) => string,
): Promise<void> {
  const own = (await queue.open()).filter((waiting) => to(waiting) === to(facts));
  if (own.length >= maxWaiting) throw new MyPadsError('BACKEND.ERROR.SERVER.BUSY');
  await queue.begin(facts);
}

type Notices = 'emailnotice' | 'passwordchanged' | 'passwordnotice' | 'factoradded' | 'factorremoved';

interface Notice {
  user: Recipient;
  about: Notices;
  place?: string | undefined;
  address?: string | undefined;
}

interface RecoveryMail {
  email: string;
  place?: string | undefined;
}

/** `place`: the caller's IP address. Only mails about the caller's own account contain it. */
export class AccountMail {
  private readonly sender: AccountMailSender;
  private readonly notices: JobQueue<Notice>;
  private readonly recoveries: JobQueue<RecoveryMail>;

  constructor(private readonly context: AccountMailContext) {
    const options = { maxAttempts: mailAttempts, canCancel: true } as const;
    this.sender = createAccountMailSender(context);
    this.notices = context.jobs.define<Notice>({
      ...options,
      type: 'mailNotice',
      run: (notice, { begun }) => this.mailNotice(notice, begun),
    });
    this.recoveries = context.jobs.define<RecoveryMail>({
      ...options,
      type: 'mailRecovery',
      run: (recovery, { begun }) => this.mailRecovery(recovery, begun),
    });
  }

  private async mailNotice({ user, about, place, address }: Notice, time: number): Promise<void> {
    if ((await this.context.users.get(user._id)) === undefined) return;
    const base = this.sender.requireBaseUrl();
    const facts = { link: linkTo(base, 'passrecover'), home: homeOf(base), place, time };
    await this.sender.mail(user, about, { ...facts, ...(address !== undefined && { address }) });
  }

  private async mailRecovery({ email, place }: RecoveryMail, time: number): Promise<void> {
    const { users, mailer, methods, log } = this.context;
    // After the answer, so that its time does not tell whether the address is known.
    await new Promise((resolve) => setImmediate(resolve));
    const base = this.sender.requireBaseUrl();
    const facts = { home: homeOf(base), place, time };
    const user = await users.findByEmail(email);
    const isHere = methods.storePasswords() && user !== undefined && !methods.isElsewhere(user);
    if (!isHere || user.closed === true) {
      log.info('recovery mail not sent, no account with a password has this address', {
        action: 'passrecover',
      });
      const link = linkTo(base, `passrecover/${'0'.repeat(64)}`);
      const text = this.sender.write({ login: email, lang: '' }, 'passrecover', {
        ...facts,
        link,
        minutes: 60,
      });
      await mailer.simulateSend({ to: email, ...text });
      return;
    }
    const expires = await this.sender.withLink(user, 'passrecover', base, {
      send: (link, minutes) => this.sender.mail(user, 'passrecover', { ...facts, link, minutes }),
    });
    // The link also confirms the account, so the account must not be removed as unconfirmed while the link works.
    if (user.unconfirmedUntil !== undefined) {
      await users.extendUnconfirmed(user._id, expires + lifetimes.unconfirmed);
    }
  }

  /** Queues a notice. Does nothing when mail is not set up. Its link leads to the form for a new password. */
  private async announce(
    { _id, login, lang, email, addressTaken }: UserRecord,
    about: Notices,
    facts: Pick<Notice, 'place' | 'address'>,
  ): Promise<void> {
    // `addressTaken`: the address belongs to another account. Old databases may hold invalid addresses.
    if (!this.context.methods.storePasswords() || addressTaken || mailAddress(email) === undefined) return;
    if (!this.sender.isConfigured()) return;
    try {
      const notice = { user: { _id, login, lang, email }, about, ...facts };
      await beginMail(this.notices, notice, ({ user }) => user._id);
    } catch (error) {
      this.context.log.warn('security notice not stored', { user: _id, error: String(error) });
    }
  }

  private requireInternalAccounts(): void {
    if (!this.context.methods.storePasswords())
      throw new MyPadsError('BACKEND.ERROR.AUTHENTICATION.NO_RECOVER');
  }

  /** As `AccountMailSender.mustBeConfigured`. */
  mustBeConfigured(): void {
    this.sender.mustBeConfigured();
  }

  /** Whether `requestRecovery` is configured. Does not ask the mail server. */
  canRecover(): boolean {
    return this.context.methods.storePasswords() && this.sender.isConfigured();
  }

  /**
   * Queues a recovery mail to this address. Throws AUTHENTICATION.NO_RECOVER unless passwords are stored here,
   * TYPE.MAIL, the errors of `mustBeConfigured`, SERVER.BUSY until accounts are indexed, SERVER.MAIL_UNAVAILABLE.
   * Whether the address is known changes nothing.
   */
  async requestRecovery(email: string, place?: string): Promise<void> {
    this.requireInternalAccounts();
    if (mailAddress(email) === undefined)
      throw new MyPadsError('BACKEND.ERROR.TYPE.MAIL', { field: 'email' });
    this.sender.mustBeConfigured();
    if (!this.context.users.isReady()) throw new MyPadsError('BACKEND.ERROR.SERVER.BUSY');
    await this.context.mailer.probe();
    await beginMail(this.recoveries, { email, place }, (recovery) => recovery.email.toLowerCase());
  }

  /** After the link was sent, the person may have signed in by a service, which says since then who they are. */
  private requirePasswordHere(user: UserRecord): void {
    if (this.context.methods.isElsewhere(user))
      throw new MyPadsError('BACKEND.ERROR.AUTHENTICATION.NO_RECOVER');
  }

  /** Throws AUTHENTICATION.NO_RECOVER, TOKEN.INCORRECT, TOKEN.EXPIRED unless `completeRecovery` can use the token. */
  async checkRecovery(token: unknown): Promise<void> {
    this.requireInternalAccounts();
    this.requirePasswordHere(await this.context.tokens.check(token, 'passrecover'));
  }

  /**
   * Sets the password, ends all sessions of the account, confirms it, and queues a notice. Does not sign in. Throws
   * AUTHENTICATION.NO_RECOVER, TOKEN.INCORRECT, TOKEN.EXPIRED; also USER.ERR.PASSWORD_MISMATCH, TYPE.PASSWORD_SIZE and
   * SERVER.BUSY, after which the link still works.
   */
  async completeRecovery(
    token: unknown,
    password: string,
    passwordConfirm: string,
    place?: string,
  ): Promise<{ login: string }> {
    const { tokens, users, log } = this.context;
    this.requireInternalAccounts();
    const recovered = await tokens.use(token, 'passrecover', async (user, requireValid) => {
      if (password !== passwordConfirm) {
        throw new MyPadsError('USER.ERR.PASSWORD_MISMATCH', { field: 'passwordConfirm' });
      }
      const check = (current: UserRecord): void => {
        requireValid(current);
        this.requirePasswordHere(current);
      };
      return users.updateProfile(user._id, { password, active: true }, { check });
    });
    log.info('password recovered', { user: recovered._id });
    await this.announce(recovered, 'passwordchanged', { place });
    return { login: recovered.login };
  }

  /** Not an account that nobody has confirmed: whoever opens the mailed link has shown that the address is theirs. */
  private async ownerOf(address: string, self?: string): Promise<UserRecord | undefined> {
    const owner = await this.context.users.findOwner(address, self);
    return owner && !isUnproved(owner) ? owner : undefined;
  }

  /** Tells the owner of an address or login that somebody else wants to use it. */
  private async notifyOwner(
    owner: UserRecord,
    about: 'accountexists' | 'emailtaken',
    wanted: string,
    base: string,
  ): Promise<void> {
    const to = owner.email.toLowerCase() === wanted.toLowerCase() ? owner.email : wanted;
    await this.sender.mail(owner, about, { to, link: linkTo(base, 'passrecover'), home: homeOf(base) });
  }

  /**
   * Mails the confirmation link of a new account; resolves when the mail server has accepted it. If the address was
   * taken (`addressTaken`), its owner gets a notice instead; the caller sees no difference. Throws as
   * `mustBeConfigured` and `Mailer.send`; then the link is withdrawn.
   */
  async requestConfirmation(user: UserRecord): Promise<void> {
    const { sender } = this;
    const base = sender.requireBaseUrl();
    // The link for a taken address is never mailed. It is issued so that both cases take the same time.
    const owner = user.addressTaken ? await this.ownerOf(user.email) : undefined;
    await sender.withLink(user, 'accountconfirm', base, {
      send: (link, minutes) =>
        owner
          ? this.notifyOwner(owner, 'accountexists', user.email, base)
          : sender.mail(user, 'accountconfirm', { link, minutes, home: homeOf(base) }),
    });
  }

  /**
   * Mails a link to the new address `wanted`; following it changes the address. If another account has the address, its
   * owner gets a notice instead. Throws as `requestConfirmation`.
   */
  async requestEmailChange(user: UserRecord, { address, id }: PendingEmail): Promise<void> {
    const { sender } = this;
    const base = sender.requireBaseUrl();
    const owner = await this.ownerOf(address, user._id);
    await sender.withLink(user, 'emailchange', base, {
      change: id,
      send: (link, minutes) =>
        owner
          ? this.notifyOwner(owner, 'emailtaken', address, base)
          : sender.mail(user, 'emailchange', { to: address, link, minutes, home: homeOf(base) }),
    });
  }

  /**
   * Mails a link to choose the first password of an account without one. It is a recovery link that works for a week.
   * Throws as `requestConfirmation`.
   */
  async requestFirstPassword(user: UserRecord): Promise<void> {
    const { sender } = this;
    const base = sender.requireBaseUrl();
    await sender.withLink(user, 'passrecover', base, {
      validMinutes: lifetimes.invitation / 60_000,
      send: (link, minutes) => sender.mail(user, 'accountmade', { link, minutes, home: homeOf(base) }),
    });
  }

  /** Queues a notice to the current address that another one was requested. Does nothing when mail cannot be sent. */
  announceEmailChange(user: UserRecord, { address }: PendingEmail, place?: string): Promise<void> {
    return this.announce(user, 'emailnotice', { place, address });
  }

  /**
   * Queues a notice to the address in `user` that the password was changed in the profile. Does nothing when mail
   * cannot be sent.
   */
  announcePasswordChange(user: UserRecord, place?: string): Promise<void> {
    return this.announce(user, 'passwordnotice', { place });
  }

  /** Queues a notice that a second factor was added or removed. Does nothing when mail cannot be sent. */
  announceFactor(user: UserRecord, about: 'factoradded' | 'factorremoved', place?: string): Promise<void> {
    return this.announce(user, about, { place });
  }

  /**
   * Confirms a new account, or changes the address of an account. Throws TOKEN.INCORRECT, TOKEN.EXPIRED; for a new
   * account AUTHENTICATION.NO_RECOVER unless passwords are stored here; for an address USER.EMAIL_ALREADY_EXISTS when
   * another account has taken it since (the link then still works).
   */
  async confirm(token: unknown): Promise<{ login: string }> {
    const { users, tokens, log } = this.context;
    if (await tokens.isFor(token, 'emailchange')) {
      return tokens.use(token, 'emailchange', async (user, check) => {
        const email = user.pendingEmail?.address;
        if (email !== undefined) await users.releaseAddress(email);
        await users.updateProfile(user._id, { email }, { check });
        log.info('e-mail address changed', { user: user._id });
        return { login: user.login };
      });
    }
    this.requireInternalAccounts();
    return tokens.use(token, 'accountconfirm', async (user, check) => {
      // The address belonged to another account. The update fails if it still does.
      const email = user.addressTaken ? { email: user.email } : {};
      if (user.addressTaken) await users.releaseAddress(user.email);
      if (!user.active) await users.updateProfile(user._id, { active: true, ...email }, { check });
      log.info('e-mail address confirmed', { user: user._id });
      return { login: user.login };
    });
  }

  /**
   * Sends a test mail to any address, for server administrators. Resolves when the mail server has accepted it. Throws
   * TYPE.MAIL and the errors of `mustBeConfigured` and `Mailer.sendTest`.
   */
  async sendTest(to: string, language = ''): Promise<MailReceipt> {
    if (mailAddress(to) === undefined) throw new MyPadsError('BACKEND.ERROR.TYPE.MAIL', { field: 'to' });
    const home = homeOf(this.sender.requireBaseUrl());
    const text = this.sender.write({ login: '', lang: language }, 'test', { link: home, home });
    return this.context.mailer.sendTest({ to, ...text });
  }

  /** Takes back mails to removed accounts, by id, and to their addresses. */
  async forget(accounts: ReadonlySet<string>, addresses: ReadonlySet<string>): Promise<void> {
    await this.notices.end(({ user }) => accounts.has(user._id));
    await this.recoveries.end(({ email }) => addresses.has(email));
  }
}
