/**
 * Server administrators: accounts of the host, never of ours. Three ways lead in: the password of the host's settings file, an
 * authentication plugin of the host, and a session that the host has opened already. Wherever the settings file says of an account whether it is
 * an administrator, it has the last word, at every use; whom it does not mention, the plugin vouches for, and not for long.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { SessionRecord, Voucher } from './entities';
import { MyPadsError } from './errors';
import type { HostAccounts, HostAnswer, HostSession, HostSettings, Log } from './ports';
import { externalTimeLimit } from './signin/signIn';

/** Somebody who has just been recognised as a server administrator. */
export interface Administrator {
  /** The account's name at the host. */
  name: string;
  by: 'settings' | 'plugin' | 'host session';
  voucher: Voucher;
}

/** `vouched`: is one now. `dismissed`: the settings file has taken it away. `alone`: nobody is there who could vouch for it. */
export type Standing = 'vouched' | 'dismissed' | 'alone';

export interface Administrators {
  /**
   * Checks name and password: against the settings file, then by the host's authentication plugins; `address` is what they are told of the
   * caller. Throws AUTHENTICATION.PASSWORD_INCORRECT for an unknown name as for a wrong password, AUTHENTICATION.ADMIN when both are
   * right and the account administers nothing, AUTHENTICATION.HOST_UNAVAILABLE when a plugin fails, answers nonsense or nothing at all.
   */
  authenticate(login: string, password: string, address: string): Promise<Administrator>;
  /** Whom a session of the host makes an administrator, `undefined` when it makes nobody one. */
  ofHostSession(session: HostSession | undefined): Administrator | undefined;
  /** How the owner of an administrator's session stands now. */
  standing(session: SessionRecord): Standing;
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

const longestName = 300;

/** Names that every JavaScript object answers to, as `__proto__` or `toString`, are nobody's. */
function isNobody(name: string): boolean {
  return name === '' || name.length > longestName || name === 'prototype' || name in {};
}

/** What Basic authentication cannot carry (RFC 7617, 2): a colon would move the border between name and password. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that are meant
const uncarriable = /[:\u0000-\u001f\u007f]/;

/** What the settings file says of an account; `undefined` when it says nothing. */
function isAdministrator(settings: HostSettings, name: string): boolean | undefined {
  const accounts = settings.users();
  const said = !isNobody(name) && Object.hasOwn(accounts, name) ? accounts[name]?.is_admin : undefined;
  return said === undefined || said === null ? undefined : said === true;
}

/** Does the settings file call this account an administrator? */
export function isHostAdministrator(settings: HostSettings, name: string): boolean {
  return isAdministrator(settings, name) === true;
}

/**
 * A session that was opened with a session of the host is good only together with it: `host` is whom the host's session of this very
 * call makes an administrator.
 */
export function isAccompanied(session: SessionRecord, host: Administrator | undefined): boolean {
  const bound = session.voucher?.hostSession;
  return bound === undefined || (host?.name === session.owner && host.voucher.hostSession === bound);
}

function accountIn(user: unknown): { name: string; administers: boolean } | undefined {
  if (typeof user !== 'object' || user === null) return undefined;
  const { username, is_admin } = user as { username?: unknown; is_admin?: unknown };
  if (typeof username !== 'string' || isNobody(username)) return undefined;
  return { name: username, administers: Object.hasOwn(user, 'is_admin') && is_admin === true };
}

/** What a plugin threw, without what was typed. */
function told(error: unknown, login: string, password: string): string {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  const carried = Buffer.from(`${login}:${password}`).toString('base64');
  const quotes = text.includes(password) || text.includes(carried);
  return quotes ? 'its message quotes what was typed' : text.slice(0, 500);
}

async function within<T>(limit: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${limit / 1_000} seconds`)), limit);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

export function createAdministrators(context: {
  settings: HostSettings;
  /** Missing where there is no host that could be asked. */
  host: HostAccounts | undefined;
  log: Log;
  /** Milliseconds. */
  timeLimit?: number;
}): Administrators {
  const { settings, host, log, timeLimit = externalTimeLimit } = context;

  function matchesSettings(login: string, password: string): boolean {
    const accounts = settings.users();
    const expected =
      !isNobody(login) && Object.hasOwn(accounts, login) ? accounts[login]?.password : undefined;
    const usable = typeof expected === 'string' && expected !== '';
    const equal = timingSafeEqual(digest(password), digest(usable ? expected : ''));
    return usable && equal;
  }

  function unavailable(why: string): MyPadsError {
    log.warn('an authentication plugin of Etherpad cannot be used', { error: why });
    return new MyPadsError('BACKEND.ERROR.AUTHENTICATION.HOST_UNAVAILABLE');
  }

  async function askHost(login: string, password: string, address: string): Promise<HostAnswer | undefined> {
    if (!host || isNobody(login) || uncarriable.test(login)) return undefined;
    try {
      return await within(timeLimit, host.authenticate(login, password, address));
    } catch (error) {
      throw unavailable(told(error, login, password));
    }
  }

  /** `undefined` when the host, or the settings file against the host, does not call the account an administrator. */
  function recognise(
    { name, administers }: { name: string; administers: boolean },
    by: Administrator['by'],
    hostSession?: string,
  ): Administrator | undefined {
    const said = isAdministrator(settings, name);
    if (!administers || said === false) return undefined;
    const bound = hostSession === undefined ? {} : { hostSession };
    return { name, by, voucher: { listed: said === true, ...bound } };
  }

  return {
    async authenticate(login, password, address) {
      const matches = matchesSettings(login, password);
      if (matches && isHostAdministrator(settings, login)) {
        return { name: login, by: 'settings', voucher: { listed: true } };
      }
      const accepted = await askHost(login, password, address);
      if (!accepted && !matches) throw new MyPadsError('BACKEND.ERROR.AUTHENTICATION.PASSWORD_INCORRECT');
      const account = accepted ? accountIn(accepted.user) : undefined;
      if (accepted && !account) throw unavailable('it accepted somebody without saying who');
      const administrator = account && recognise(account, 'plugin');
      if (!administrator) throw new MyPadsError('BACKEND.ERROR.AUTHENTICATION.ADMIN');
      return administrator;
    },
    ofHostSession(session) {
      const account = session && accountIn(session.user);
      return account && recognise(account, 'host session', digest(session.id).toString('base64url'));
    },
    standing({ owner, voucher }) {
      const said = isAdministrator(settings, owner);
      if (voucher?.listed === false) {
        if (said === false) return 'dismissed';
        return said === true || host?.present() === true ? 'vouched' : 'alone';
      }
      return said === true ? 'vouched' : 'dismissed';
    },
  };
}
