/**
 * Recovery of a forgotten password and confirmation of an address, both by a mailed link. Asking for a recovery answers the same, and
 * as fast, whether the address is known or not: everything that depends on it happens after the answer.
 */
import type { UserRecord } from './entities';
import { MyPadsError } from './errors';
import { type Mailer, mailAddress } from './mail';
import { type MailAction, type MailSubject, mailLanguage, writeMail } from './mailText';
import type { MailTokens } from './mailToken';
import type { Log } from './ports';
import type { Users } from './user';

/** What is asked of the accounts (model/user.ts). */
export type AccountMailUsers = Pick<Users, 'isReady' | 'findByEmail' | 'findOwner' | 'updateProfile'>;

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
   * Sets the password, ends all sessions of the person, opens an account that was not confirmed yet. Nobody is signed in. Throws
   * AUTHENTICATION.NO_RECOVER, TOKEN.INCORRECT, TOKEN.EXPIRED, USER.ERR.PASSWORD_MISMATCH, TYPE.PASSWORD_SIZE; after the last two, and
   * after SERVER.BUSY, the link still works.
   */
  completeRecovery(token: unknown, password: string, passwordConfirm: string): Promise<{ login: string }>;
  /**
   * Mails the link that opens a new account; resolves when the mail server has taken the mail. Where the address was another's
   * (`addressTaken`), that person is told instead, which looks the same from here. `rootUrl` is where the person reaches us as seen by a
   * trusted proxy; left out, the configured one counts. Throws the errors of `mustBeConfigured` and of `Mailer.send`; then no link is
   * left behind, and it can be asked for again.
   */
  requestConfirmation(user: UserRecord, rootUrl?: string): Promise<void>;
  /** Opens the account. Throws AUTHENTICATION.NO_RECOVER, TOKEN.INCORRECT, TOKEN.EXPIRED. */
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

  async function mail(user: UserRecord, about: MailSubject, link: string, minutes: number): Promise<void> {
    const facts = { login: user.login, title: settings('title') ?? '', link, minutes };
    const language = mailLanguage(user.lang, settings('defaultLanguage'));
    await mailer.send({ to: user.email, ...writeMail(about, language, facts) });
    log.info('a mail was sent', { action: about, user: user._id });
  }

  const linkTo = (base: string, place: string): string => `${base}/mypads/index.html?/${place}`;

  /** Mails a new link, or leaves none behind. */
  async function mailLink(user: UserRecord, action: MailAction, base: string): Promise<void> {
    const { token, minutes, withdraw } = await tokens.issue(user, action);
    try {
      await mail(user, action, linkTo(base, `${action}/${token}`), minutes);
    } catch (error) {
      await withdraw();
      throw error;
    }
  }

  /** Somebody registered with the address of an account that is there. */
  async function mailOwner(email: string, base: string): Promise<void> {
    const owner = await users.findOwner(email);
    if (owner) await mail(owner, 'accountexists', linkTo(base, 'passrecover'), 0);
  }

  async function mailRecovery(email: string, base: string): Promise<void> {
    const user = await users.findByEmail(email);
    if (user && user.closed !== true) await mailLink(user, 'passrecover', base);
    else log.info('no mail was sent: nobody to recover', { action: 'passrecover' });
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

    async completeRecovery(token, password, passwordConfirm) {
      mustKeepPasswords();
      return tokens.use(token, 'passrecover', async (user) => {
        if (password !== passwordConfirm) {
          throw new MyPadsError('USER.ERR.PASSWORD_MISMATCH', { field: 'passwordConfirm' });
        }
        await users.updateProfile(user._id, { password, active: true });
        log.info('a password was recovered', { user: user._id });
        return { login: user.login };
      });
    },

    async requestConfirmation(user, rootUrl) {
      const base = mustHaveBase(rootUrl);
      if (user.addressTaken) await mailOwner(user.email, base);
      else await mailLink(user, 'accountconfirm', base);
    },

    async confirm(token) {
      mustKeepPasswords();
      return tokens.use(token, 'accountconfirm', async (user) => {
        if (!user.active) await users.updateProfile(user._id, { active: true });
        log.info('an address was confirmed', { user: user._id });
        return { login: user.login };
      });
    },

    async idle() {
      while (promised.size > 0) await Promise.all(promised);
    },
  };
}
