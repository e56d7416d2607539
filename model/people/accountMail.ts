/**
 * Mails with links: password recovery, confirmation of an address, change of an address. Neither an answer nor its time
 * may tell whether an address is known. So the work happens after the answer, or one mail is sent in both cases.
 */
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
  'isReady' | 'get' | 'findByEmail' | 'findOwner' | 'extendUnconfirmed' | 'updateProfile'
>;

/** `place`: the caller's IP address. Only mails about the caller's own account contain it. */
export interface AccountMail extends Pick<AccountMailSender, 'mustBeConfigured'> {
  /** Whether `requestRecovery` is configured. Does not ask the mail server. */
  canRecover(): boolean;
  /**
   * Queues a recovery mail to this address. Throws AUTHENTICATION.NO_RECOVER unless passwords are stored here,
   * TYPE.MAIL, the errors of `mustBeConfigured`, SERVER.BUSY until accounts are indexed, SERVER.MAIL_UNAVAILABLE.
   * Whether the address is known changes nothing.
   */
  requestRecovery(email: string, place?: string): Promise<void>;
  /** Throws AUTHENTICATION.NO_RECOVER, TOKEN.INCORRECT, TOKEN.EXPIRED unless `completeRecovery` can use the token. */
  checkRecovery(token: unknown): Promise<void>;
  /**
   * Sets the password, ends all sessions of the account, confirms it, and queues a notice. Does not sign in. Throws
   * AUTHENTICATION.NO_RECOVER, TOKEN.INCORRECT, TOKEN.EXPIRED; also USER.ERR.PASSWORD_MISMATCH, TYPE.PASSWORD_SIZE and
   * SERVER.BUSY, after which the link still works.
   */
  completeRecovery(
    token: unknown,
    password: string,
    passwordConfirm: string,
    place?: string,
  ): Promise<{ login: string }>;
  /**
   * Mails the confirmation link of a new account; resolves when the mail server has accepted it. If the address was
   * taken (`addressTaken`), its owner gets a notice instead; the caller sees no difference. Throws as
   * `mustBeConfigured` and `Mailer.send`; then the link is withdrawn.
   */
  requestConfirmation(user: UserRecord): Promise<void>;
  /**
   * Mails a link to the new address `wanted`; following it changes the address. If another account has the address, its
   * owner gets a notice instead. Throws as `requestConfirmation`.
   */
  requestEmailChange(user: UserRecord, wanted: PendingEmail): Promise<void>;
  /**
   * Mails a link to choose the first password of an account without one. It is a recovery link that works for a week.
   * Throws as `requestConfirmation`.
   */
  requestFirstPassword(user: UserRecord): Promise<void>;
  /** Queues a notice to the current address that another one was requested. Does nothing when mail cannot be sent. */
  announceEmailChange(user: UserRecord, wanted: PendingEmail, place?: string): Promise<void>;
  /**
   * Queues a notice to the address in `user` that the password was changed in the profile. Does nothing when mail
   * cannot be sent.
   */
  announcePasswordChange(user: UserRecord, place?: string): Promise<void>;
  /** Queues a notice that a second factor was added or removed. Does nothing when mail cannot be sent. */
  announceFactor(user: UserRecord, about: 'factoradded' | 'factorremoved', place?: string): Promise<void>;
  /**
   * Confirms a new account, or changes the address of an account. Throws TOKEN.INCORRECT, TOKEN.EXPIRED; for a new
   * account AUTHENTICATION.NO_RECOVER unless passwords are stored here; for an address USER.EMAIL_ALREADY_EXISTS when
   * another account has taken it since (the link then still works).
   */
  confirm(token: unknown): Promise<{ login: string }>;
  /**
   * Sends a test mail to any address, for server administrators. Resolves when the mail server has accepted it. Throws
   * TYPE.MAIL and the errors of `mustBeConfigured` and `Mailer.sendTest`.
   */
  sendTest(to: string, language: string | undefined): Promise<MailReceipt>;
  /** Takes back mails to removed accounts, by id, and to their addresses. */
  forget(accounts: ReadonlySet<string>, addresses: ReadonlySet<string>): Promise<void>;
}

export interface AccountMailContext extends SenderContext {
  users: AccountMailUsers;
  methods: Pick<
    OfferedMethods<Pick<UserRecord, 'identities' | 'password'>>,
    'storePasswords' | 'isElsewhere'
  >;
  jobs: Pick<Jobs, 'define'>;
}

export type PendingEmail = NonNullable<UserRecord['pendingEmail']>;

/** Mails of one kind that may wait at the same time. Further requests are refused with SERVER.BUSY. */
const maxWaiting = 200;

/** Throws SERVER.BUSY when too many mails wait. */
async function beginMail<Facts>(queue: JobQueue<Facts>, facts: Facts): Promise<void> {
  if ((await queue.open()).length >= maxWaiting) throw new MyPadsError('BACKEND.ERROR.SERVER.BUSY');
  await queue.begin(facts);
}

/** The context of `createAccountMail`, and what all parts of this file share. */
interface Parts extends AccountMailContext {
  sender: AccountMailSender;
}

type Announce = (
  user: UserRecord,
  about: 'emailnotice' | 'passwordchanged' | 'passwordnotice' | 'factoradded' | 'factorremoved',
  place: string | undefined,
  facts?: { address?: string },
) => Promise<void>;

interface Notice {
  user: Recipient;
  about: Parameters<Announce>[1];
  place?: string | undefined;
  address?: string | undefined;
}

function defineNotices({ jobs, sender, users }: Parts): JobQueue<Notice> {
  return jobs.define<Notice>({
    type: 'mailNotice',
    maxAttempts: mailAttempts,
    canCancel: true,
    async run({ user, about, place, address }) {
      if ((await users.get(user._id)) === undefined) return;
      const base = sender.requireBaseUrl();
      const facts = { link: linkTo(base, 'passrecover'), home: homeOf(base), place };
      await sender.mail(user, about, { ...facts, ...(address !== undefined && { address }) });
    },
  });
}

/** Queues a notice. Does nothing when mail is not set up. Its link leads to the form for a new password. */
function createAnnounce({ sender, methods, log }: Parts, queue: JobQueue<Notice>): Announce {
  return async ({ addressTaken, ...user }, about, place, facts = {}) => {
    // `addressTaken`: the address belongs to another account. Old databases may hold invalid addresses.
    if (!methods.storePasswords() || addressTaken || mailAddress(user.email) === undefined) return;
    const { _id, login, lang, email } = user;
    try {
      sender.mustBeConfigured();
      await beginMail(queue, { user: { _id, login, lang, email }, about, place, ...facts });
    } catch (error) {
      log.debug('notice not sent', { error: String(error) });
    }
  };
}

function requireInternalAccounts({ methods }: Parts): void {
  if (!methods.storePasswords()) throw new MyPadsError('BACKEND.ERROR.AUTHENTICATION.NO_RECOVER');
}

type Recovery = Pick<AccountMail, 'canRecover' | 'requestRecovery' | 'checkRecovery' | 'completeRecovery'>;

interface RecoveryMail {
  email: string;
  place?: string | undefined;
}

/** Mails for the recovery of a password. */
function defineRecoveryMails(parts: Parts): JobQueue<RecoveryMail> {
  const { jobs, sender, users, mailer, methods, log } = parts;

  async function mailRecovery(email: string, base: string, place?: string): Promise<void> {
    const user = await users.findByEmail(email);
    if (!user || user.closed === true || methods.isElsewhere(user)) {
      log.info('recovery mail not sent, no account with a password has this address', {
        action: 'passrecover',
      });
      const link = linkTo(base, `passrecover/${'0'.repeat(64)}`);
      await mailer.simulateSend({
        to: email,
        ...sender.write({ login: email, lang: '' }, 'passrecover', {
          link,
          minutes: 60,
          home: homeOf(base),
          place,
        }),
      });
      return;
    }
    const expires = await sender.withLink(user, 'passrecover', base, {
      send: (link, minutes) => sender.mail(user, 'passrecover', { link, minutes, home: homeOf(base), place }),
    });
    // The link also confirms the account, so the account must not be removed as unconfirmed while the link works.
    if (user.unconfirmedUntil !== undefined) {
      await users.extendUnconfirmed(user._id, expires + lifetimes.unconfirmed);
    }
  }

  return jobs.define<RecoveryMail>({
    type: 'mailRecovery',
    maxAttempts: mailAttempts,
    canCancel: true,
    async run({ email, place }) {
      // After the answer, so that its time does not tell whether the address is known.
      await new Promise((resolve) => setImmediate(resolve));
      await mailRecovery(email, sender.requireBaseUrl(), place);
    },
  });
}

function createRecovery(parts: Parts, queue: JobQueue<RecoveryMail>, announce: Announce): Recovery {
  const { sender, users, tokens, mailer, log } = parts;

  return {
    canRecover: () => parts.methods.storePasswords() && sender.isConfigured(),

    async requestRecovery(email, place) {
      requireInternalAccounts(parts);
      if (mailAddress(email) === undefined)
        throw new MyPadsError('BACKEND.ERROR.TYPE.MAIL', { field: 'email' });
      sender.mustBeConfigured();
      if (!users.isReady()) throw new MyPadsError('BACKEND.ERROR.SERVER.BUSY');
      await mailer.probe();
      await beginMail(queue, { email, place });
    },

    async checkRecovery(token) {
      requireInternalAccounts(parts);
      await tokens.check(token, 'passrecover');
    },

    async completeRecovery(token, password, passwordConfirm, place) {
      requireInternalAccounts(parts);
      const recovered = await tokens.use(token, 'passrecover', async (user, check) => {
        if (password !== passwordConfirm) {
          throw new MyPadsError('USER.ERR.PASSWORD_MISMATCH', { field: 'passwordConfirm' });
        }
        return users.updateProfile(user._id, { password, active: true }, { check });
      });
      log.info('password recovered', { user: recovered._id });
      await announce(recovered, 'passwordchanged', place);
      return { login: recovered.login };
    },
  };
}

type LinkMails = Pick<AccountMail, 'requestConfirmation' | 'requestEmailChange' | 'requestFirstPassword'>;

function createLinkMails({ sender, users }: Parts): LinkMails {
  const { requireBaseUrl, mail, withLink } = sender;

  /** Tells the owner of an address or login that somebody else wants to use it. */
  async function notifyOwner(
    owner: UserRecord,
    about: 'accountexists' | 'emailtaken',
    wanted: string,
    base: string,
  ): Promise<void> {
    const to = owner.email.toLowerCase() === wanted.toLowerCase() ? owner.email : wanted;
    await mail(owner, about, { to, link: linkTo(base, 'passrecover'), home: homeOf(base) });
  }

  return {
    async requestConfirmation(user) {
      const base = requireBaseUrl();
      // The link for a taken address is never mailed. It is issued so that both cases take the same time.
      const owner = user.addressTaken ? await users.findOwner(user.email) : undefined;
      await withLink(user, 'accountconfirm', base, {
        send: (link, minutes) =>
          owner
            ? notifyOwner(owner, 'accountexists', user.email, base)
            : mail(user, 'accountconfirm', { link, minutes, home: homeOf(base) }),
      });
    },

    async requestEmailChange(user, { address, id }) {
      const base = requireBaseUrl();
      const owner = await users.findOwner(address, user._id);
      await withLink(user, 'emailchange', base, {
        change: id,
        send: (link, minutes) =>
          owner
            ? notifyOwner(owner, 'emailtaken', address, base)
            : mail(user, 'emailchange', { to: address, link, minutes, home: homeOf(base) }),
      });
    },

    async requestFirstPassword(user) {
      const base = requireBaseUrl();
      await withLink(user, 'passrecover', base, {
        validMinutes: lifetimes.invitation / 60_000,
        send: (link, minutes) => mail(user, 'accountmade', { link, minutes, home: homeOf(base) }),
      });
    },
  };
}

function createConfirm(parts: Parts): AccountMail['confirm'] {
  const { users, tokens, log } = parts;
  return async (token) => {
    if (await tokens.isFor(token, 'emailchange')) {
      return tokens.use(token, 'emailchange', async (user, check) => {
        await users.updateProfile(user._id, { email: user.pendingEmail?.address }, { check });
        log.info('e-mail address changed', { user: user._id });
        return { login: user.login };
      });
    }
    requireInternalAccounts(parts);
    return tokens.use(token, 'accountconfirm', async (user, check) => {
      // The address belonged to another account. The update fails if it still does.
      const email = user.addressTaken ? { email: user.email } : {};
      if (!user.active) await users.updateProfile(user._id, { active: true, ...email }, { check });
      log.info('e-mail address confirmed', { user: user._id });
      return { login: user.login };
    });
  };
}

function createSendTest({ sender, mailer }: Parts): AccountMail['sendTest'] {
  return async (to, language = '') => {
    if (mailAddress(to) === undefined) throw new MyPadsError('BACKEND.ERROR.TYPE.MAIL', { field: 'to' });
    const home = homeOf(sender.requireBaseUrl());
    const text = sender.write({ login: '', lang: language }, 'test', { link: home, home });
    return mailer.sendTest({ to, ...text });
  };
}

export function createAccountMail(context: AccountMailContext): AccountMail {
  const sender = createAccountMailSender(context);
  const parts = { ...context, sender };
  const notices = defineNotices(parts);
  const recoveries = defineRecoveryMails(parts);
  const announce = createAnnounce(parts, notices);
  return {
    mustBeConfigured: sender.mustBeConfigured,
    ...createRecovery(parts, recoveries, announce),
    ...createLinkMails(parts),
    announceEmailChange: (user, { address }, place) => announce(user, 'emailnotice', place, { address }),
    announcePasswordChange: (user, place) => announce(user, 'passwordnotice', place),
    announceFactor: announce,
    confirm: createConfirm(parts),
    sendTest: createSendTest(parts),
    async forget(accounts, addresses) {
      await notices.end(({ user }) => accounts.has(user._id));
      await recoveries.end(({ email }) => addresses.has(email));
    },
  };
}
