/**
 * Recovery of a forgotten password, confirmation of an address and its change, each by a mailed link. Nobody learns from an answer, or
 * from its time, whether an address is known: either all that depends on it happens after the answer, or there is one mail in each case.
 */
import type { UserRecord } from './entities';
import { MyPadsError } from './errors';
import { lifetimes } from './limits';
import { type Mailer, mailAddress } from './mail';
import { type MailAction, type MailSubject, type MailText, mailLanguage, writeMail } from './mailText';
import type { MailTokens } from './mailToken';
import type { Log } from './ports';
import type { Users } from './user';

/** What is asked of the accounts (model/user.ts). */
export type AccountMailUsers = Pick<
  Users,
  'isReady' | 'findByEmail' | 'findOwner' | 'keepWaiting' | 'updateProfile'
>;

export interface AccountMail {
  /**
   * Everything that a mail needs except the mail server itself; ask before an account is made that will wait for a mail. Throws
   * CONFIGURATION.ROOTURL_NOT_CONFIGURED, CONFIGURATION.MAIL_NOT_CONFIGURED.
   */
  mustBeConfigured(rootUrl?: string): void;
  /**
   * Promises a recovery mail to whoever has this address. Throws AUTHENTICATION.NO_RECOVER when accounts live elsewhere, TYPE.MAIL, the
   * errors of `mustBeConfigured`, SERVER.BUSY while accounts are indexed, SERVER.MAIL_UNAVAILABLE while the mail server is down: each
   * of them whatever the address. `rootUrl` as for `requestConfirmation`.
   */
  requestRecovery(email: string, rootUrl?: string): Promise<void>;
  /**
   * Sets the password, ends all sessions of the person, opens an account that was not confirmed yet, and promises a mail that says so.
   * Nobody is signed in. Throws AUTHENTICATION.NO_RECOVER, TOKEN.INCORRECT, TOKEN.EXPIRED, USER.ERR.PASSWORD_MISMATCH, TYPE.PASSWORD_SIZE;
   * after the last two, and after SERVER.BUSY, the link still works.
   */
  completeRecovery(
    token: unknown,
    password: string,
    passwordConfirm: string,
    rootUrl?: string,
  ): Promise<{ login: string }>;
  /**
   * Mails the link that opens a new account; resolves when the mail server has taken the mail. Where the address was another's
   * (`addressTaken`), that person is told instead, which looks the same from here. `rootUrl` is where the person reaches us as seen by a
   * trusted proxy; left out, the configured one counts. Throws the errors of `mustBeConfigured` and of `Mailer.send`; then no link is
   * left behind, and it can be asked for again.
   */
  requestConfirmation(user: UserRecord, rootUrl?: string): Promise<void>;
  /**
   * Mails the link that makes `wanted` the address of the account, to that address; whoever has it already is told instead. For the rest
   * as `requestConfirmation`.
   */
  requestEmailChange(user: UserRecord, wanted: PendingEmail, rootUrl?: string): Promise<void>;
  /** Promises a mail to the address that the account has: it is to be another. Where no mail can be sent, nothing happens. */
  announceEmailChange(user: UserRecord, wanted: PendingEmail, rootUrl?: string): void;
  /** Promises a mail to the address that `user` has: the password was changed in the profile. As `announceEmailChange`. */
  announcePasswordChange(user: UserRecord, rootUrl?: string): void;
  /**
   * Opens a new account, or gives an account the address that it wanted. Throws TOKEN.INCORRECT, TOKEN.EXPIRED; of a new account
   * AUTHENTICATION.NO_RECOVER where accounts live elsewhere, of an address USER.EMAIL_ALREADY_EXISTS when somebody else has got it
   * meanwhile; then the link still works.
   */
  confirm(token: unknown): Promise<{ login: string }>;
  /** Resolves when no promised mail is on its way any more. */
  idle(): Promise<void>;
}

export interface AccountMailContext {
  users: AccountMailUsers;
  tokens: MailTokens;
  mailer: Mailer;
  settings(name: 'authMethod' | 'defaultLanguage' | 'rootUrl' | 'title'): string | undefined;
  log: Log;
}

export type PendingEmail = NonNullable<UserRecord['pendingEmail']>;

/** Where a link leads. Old mails and programs know these. */
const places: Record<MailAction, string> = {
  accountconfirm: 'accountconfirm',
  emailchange: 'accountconfirm',
  passrecover: 'passrecover',
};

/** Promised mails that may wait at the same moment; beyond, none is promised to anybody. */
const mostPromised = 200;

/** `https://host/path` without a slash at the end; `undefined` for anything else. */
function baseOf(rootUrl: string | undefined): string | undefined {
  if (!rootUrl || !URL.canParse(rootUrl)) return undefined;
  const url = new URL(rootUrl);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return undefined;
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}

export function createAccountMail(context: AccountMailContext): AccountMail {
  const { users, tokens, mailer, settings, log } = context;
  const promised = new Set<Promise<void>>();

  function mustKeepPasswords(): void {
    if (settings('authMethod') !== 'internal')
      throw new MyPadsError('BACKEND.ERROR.AUTHENTICATION.NO_RECOVER');
  }

  function mustHaveBase(rootUrl: string | undefined): string {
    const base = baseOf(rootUrl ?? settings('rootUrl'));
    if (base === undefined) throw new MyPadsError('BACKEND.ERROR.CONFIGURATION.ROOTURL_NOT_CONFIGURED');
    return base;
  }

  function write(
    { login, lang }: Pick<UserRecord, 'login' | 'lang'>,
    about: MailSubject,
    facts: { link: string; minutes?: number; address?: string },
  ): MailText {
    const words = { login, title: settings('title') ?? '', minutes: 0, ...facts };
    return writeMail(about, mailLanguage(lang, settings('defaultLanguage')), words);
  }

  async function mail(
    user: UserRecord,
    about: MailSubject,
    { to = user.email, ...facts }: { to?: string; link: string; minutes?: number; address?: string },
  ): Promise<void> {
    await mailer.send({ to, ...write(user, about, facts) });
    log.info('a mail was sent', { action: about, user: user._id });
  }

  const linkTo = (base: string, place: string): string => `${base}/mypads/index.html?/${place}`;

  /** Issues a link and mails it, or leaves none behind. Resolves when it ends, in milliseconds since 1970. */
  async function withLink(
    user: UserRecord,
    action: MailAction,
    base: string,
    { change, send }: { change?: string; send: (link: string, minutes: number) => Promise<void> },
  ): Promise<number> {
    const { token, minutes, expires, withdraw } = await tokens.issue(user, action, change);
    try {
      await send(linkTo(base, `${places[action]}/${token}`), minutes);
      return expires;
    } catch (error) {
      await withdraw();
      throw error;
    }
  }

  const mailLink = (user: UserRecord, action: MailAction, base: string): Promise<number> =>
    withLink(user, action, base, { send: (link, minutes) => mail(user, action, { link, minutes }) });

  /** Tells whoever has an address, as his own address or as his login, that somebody else wants it. */
  async function mailOwner(
    owner: UserRecord,
    about: 'accountexists' | 'emailtaken',
    wanted: string,
    base: string,
  ): Promise<void> {
    const to = owner.email.toLowerCase() === wanted.toLowerCase() ? owner.email : wanted;
    await mail(owner, about, { to, link: linkTo(base, 'passrecover') });
  }

  async function mailRecovery(email: string, base: string): Promise<void> {
    const user = await users.findByEmail(email);
    if (!user || user.closed === true) {
      log.info('no mail was sent: nobody to recover', { action: 'passrecover' });
      const link = linkTo(base, `passrecover/${'0'.repeat(64)}`);
      await mailer.rehearse({
        to: email,
        ...write({ login: email, lang: '' }, 'passrecover', { link, minutes: 60 }),
      });
      return;
    }
    const expires = await mailLink(user, 'passrecover', base);
    // The link also confirms: nobody may be given up who can still follow it.
    if (user.unconfirmedUntil !== undefined) {
      await users.keepWaiting(user._id, expires + lifetimes.unconfirmed);
    }
  }

  /** A notice that nothing depends on: where mail is not set up there is none. Its link is to where a new password is asked for. */
  function announce(
    user: UserRecord,
    about: 'emailnotice' | 'passwordchanged' | 'passwordnotice',
    rootUrl: string | undefined,
    facts: { address?: string } = {},
  ): void {
    // An address that was another's all along is nobody's to write to, nor is one that old databases have and mail does not know.
    if (settings('authMethod') !== 'internal' || user.addressTaken || mailAddress(user.email) === undefined) {
      return;
    }
    try {
      const link = linkTo(mustHaveBase(rootUrl), 'passrecover');
      mailer.mustBeConfigured();
      promise(() => mail(user, about, { link, ...facts }));
    } catch (error) {
      log.debug('a notice was not sent', { error: String(error) });
    }
  }

  /** Begins after the answer has left. */
  function promise(work: () => Promise<void>): void {
    if (promised.size >= mostPromised) throw new MyPadsError('BACKEND.ERROR.SERVER.BUSY');
    const job = new Promise<void>((resolve) => setImmediate(resolve))
      .then(work)
      .catch((error: unknown) => log.warn('a promised mail was not sent', { error: String(error) }))
      .finally(() => promised.delete(job));
    promised.add(job);
  }

  return {
    mustBeConfigured(rootUrl) {
      mustHaveBase(rootUrl);
      mailer.mustBeConfigured();
    },

    async requestRecovery(email, rootUrl) {
      mustKeepPasswords();
      if (mailAddress(email) === undefined)
        throw new MyPadsError('BACKEND.ERROR.TYPE.MAIL', { field: 'email' });
      const base = mustHaveBase(rootUrl);
      mailer.mustBeConfigured();
      if (!users.isReady()) throw new MyPadsError('BACKEND.ERROR.SERVER.BUSY');
      await mailer.probe();
      promise(() => mailRecovery(email, base));
    },

    async completeRecovery(token, password, passwordConfirm, rootUrl) {
      mustKeepPasswords();
      const recovered = await tokens.use(token, 'passrecover', async (user, check) => {
        if (password !== passwordConfirm) {
          throw new MyPadsError('USER.ERR.PASSWORD_MISMATCH', { field: 'passwordConfirm' });
        }
        return users.updateProfile(user._id, { password, active: true }, { check });
      });
      log.info('a password was recovered', { user: recovered._id });
      announce(recovered, 'passwordchanged', rootUrl);
      return { login: recovered.login };
    },

    async requestConfirmation(user, rootUrl) {
      const base = mustHaveBase(rootUrl);
      // The link of an address that is taken is never told to anybody: it is there because its writing takes time.
      const owner = user.addressTaken ? await users.findOwner(user.email) : undefined;
      await withLink(user, 'accountconfirm', base, {
        send: (link, minutes) =>
          owner
            ? mailOwner(owner, 'accountexists', user.email, base)
            : mail(user, 'accountconfirm', { link, minutes }),
      });
    },

    async requestEmailChange(user, { address, id }, rootUrl) {
      const base = mustHaveBase(rootUrl);
      const owner = await users.findOwner(address, user._id);
      await withLink(user, 'emailchange', base, {
        change: id,
        send: (link, minutes) =>
          owner
            ? mailOwner(owner, 'emailtaken', address, base)
            : mail(user, 'emailchange', { to: address, link, minutes }),
      });
    },

    announceEmailChange: (user, { address }, rootUrl) => announce(user, 'emailnotice', rootUrl, { address }),
    announcePasswordChange: (user, rootUrl) => announce(user, 'passwordnotice', rootUrl),

    async confirm(token) {
      if (await tokens.isFor(token, 'emailchange')) {
        return tokens.use(token, 'emailchange', async (user, check) => {
          await users.updateProfile(user._id, { email: user.pendingEmail?.address }, { check });
          log.info('an address was changed', { user: user._id });
          return { login: user.login };
        });
      }
      mustKeepPasswords();
      return tokens.use(token, 'accountconfirm', async (user, check) => {
        // The address was another's, and is not any more.
        const email = user.addressTaken ? { email: user.email } : {};
        if (!user.active) await users.updateProfile(user._id, { active: true, ...email }, { check });
        log.info('an address was confirmed', { user: user._id });
        return { login: user.login };
      });
    },

    async idle() {
      while (promised.size > 0) await Promise.all(promised);
    },
  };
}
