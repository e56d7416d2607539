/**
 * Sign-in of server administrators, who are accounts of Etherpad. They sign in with a password of the settings file,
 * through an authentication plugin, or with an existing Etherpad session. If the settings file lists the account, the
 * file decides at every request.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import { MyPadsError } from '../errors';
import type { HostAccounts, HostAnswer, HostSession, HostSettings, Log } from '../ports';
import { externalTimeLimit } from '../signin/signIn';
import type { SessionRecord, Voucher } from '../store/entities';
import { withinTime } from '../timeLimit';

/** A person who has just been recognised as a server administrator. */
export interface Administrator {
  /** The account's name at the host. */
  name: string;
  by: 'settings' | 'plugin' | 'host session';
  voucher: Voucher;
}

/**
 * `confirmed`: is an administrator now. `revoked`: is not, by the settings file. `unverifiable`: only a plugin could
 * confirm it, and there is none.
 */
export type AdministratorStatus = 'confirmed' | 'revoked' | 'unverifiable';

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

const maxNameLength = 300;

/** `__proto__`, `toString` and other names that exist on every JavaScript object are not valid account names. */
function isInvalidName(name: string): boolean {
  return name === '' || name.length > maxNameLength || name === 'prototype' || name in {};
}

/** Characters that Basic authentication cannot carry (RFC 7617, 2). A colon would end the name early. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the rule is about these characters
const notAllowedInBasic = /[:\u0000-\u001f\u007f]/;

/** The value of `is_admin` in the settings file; `undefined` when the file has none for this account. */
function isAdminInFile(settings: HostSettings, name: string): boolean | undefined {
  const accounts = settings.users();
  const value = !isInvalidName(name) && Object.hasOwn(accounts, name) ? accounts[name]?.is_admin : undefined;
  return value === undefined || value === null ? undefined : value === true;
}

/** True when the settings file makes this account an administrator. */
export function isHostAdministrator(settings: HostSettings, name: string): boolean {
  return isAdminInFile(settings, name) === true;
}

/**
 * A session opened through an Etherpad session is valid only together with that Etherpad session. `host` is the
 * administrator of the Etherpad session of this request.
 */
export function matchesHostSession(session: SessionRecord, host: Administrator | undefined): boolean {
  const bound = session.voucher?.hostSession;
  return bound === undefined || (host?.name === session.owner && host.voucher.hostSession === bound);
}

function accountIn(user: unknown): { name: string; administers: boolean } | undefined {
  if (typeof user !== 'object' || user === null) return undefined;
  const { username, is_admin } = user as { username?: unknown; is_admin?: unknown };
  if (typeof username !== 'string' || isInvalidName(username)) return undefined;
  return { name: username, administers: Object.hasOwn(user, 'is_admin') && is_admin === true };
}

/** Text of a plugin's error. It is replaced when it contains the login or password that was typed. */
function safeErrorText(error: unknown, login: string, password: string): string {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  const basicCredentials = Buffer.from(`${login}:${password}`).toString('base64');
  const quotes = text.includes(password) || text.includes(basicCredentials);
  return quotes ? 'its message contains what was typed and is not logged' : text.slice(0, 500);
}

/** The password in the settings file; `''` if there is none. */
function passwordInFile(settings: HostSettings, login: string): string {
  const accounts = settings.users();
  const expected =
    !isInvalidName(login) && Object.hasOwn(accounts, login) ? accounts[login]?.password : undefined;
  return typeof expected === 'string' ? expected : '';
}

function matchesSettings(settings: HostSettings, login: string, password: string): boolean {
  const expected = passwordInFile(settings, login);
  const equal = timingSafeEqual(digest(password), digest(expected));
  return expected !== '' && equal;
}

/** Returns `undefined` when the plugin or Etherpad session does not say `is_admin`, or the settings file says no. */
function recognise(
  settings: HostSettings,
  { name, administers }: { name: string; administers: boolean },
  by: Administrator['by'],
  hostSession?: string,
): Administrator | undefined {
  const inFile = isAdminInFile(settings, name);
  if (!administers || inFile === false) return undefined;
  const bound = hostSession === undefined ? {} : { hostSession };
  return { name, by, voucher: { listed: inFile === true, ...bound } };
}

export function createAdministrators(context: {
  settings: HostSettings;
  /** Missing without an Etherpad server, for example in the doctor. */
  host: HostAccounts | undefined;
  log: Log;
  /** Time limit for plugins, in milliseconds. */
  timeLimit?: number;
}) {
  const { settings, host, log, timeLimit = externalTimeLimit } = context;

  function unavailable(why: string): MyPadsError {
    log.warn('authentication plugin of Etherpad failed', { error: why });
    return new MyPadsError('BACKEND.ERROR.AUTHENTICATION.HOST_UNAVAILABLE');
  }

  async function askHost(login: string, password: string, address: string): Promise<HostAnswer | undefined> {
    if (!host || isInvalidName(login) || notAllowedInBasic.test(login)) return undefined;
    try {
      const late = (): Error => new Error(`no answer within ${timeLimit / 1_000} seconds`);
      return await withinTime(host.authenticate(login, password, address), timeLimit, late);
    } catch (error) {
      throw unavailable(safeErrorText(error, login, password));
    }
  }

  return {
    /**
     * Checks name and password against the settings file, then through the plugins, which also get `address`. Throws
     * AUTHENTICATION.PASSWORD_INCORRECT (also for an unknown name), AUTHENTICATION.ADMIN when the account is not an
     * administrator, AUTHENTICATION.HOST_UNAVAILABLE when a plugin fails, times out or gives an invalid answer.
     */
    async authenticate(login: string, password: string, address: string): Promise<Administrator> {
      const matches = matchesSettings(settings, login, password);
      if (matches && isHostAdministrator(settings, login)) {
        return { name: login, by: 'settings', voucher: { listed: true } };
      }
      const accepted = await askHost(login, password, address);
      if (!accepted && !matches) throw new MyPadsError('BACKEND.ERROR.AUTHENTICATION.PASSWORD_INCORRECT');
      const account = accepted ? accountIn(accepted.user) : undefined;
      if (accepted && !account) throw unavailable('it accepted somebody without a username');
      const administrator = account && recognise(settings, account, 'plugin');
      if (!administrator) throw new MyPadsError('BACKEND.ERROR.AUTHENTICATION.ADMIN');
      return administrator;
    },
    /** The administrator who is signed in with this Etherpad session; `undefined` when there is none. */
    ofHostSession(session: HostSession | undefined): Administrator | undefined {
      const account = session && accountIn(session.user);
      return (
        account && recognise(settings, account, 'host session', digest(session.id).toString('base64url'))
      );
    },
    /** A digest of the password of this account in the settings file; `undefined` if it has none there. */
    passwordOf(login: string): string | undefined {
      const password = passwordInFile(settings, login);
      return password === '' ? undefined : digest(password).toString('base64url');
    },
    /** Whether the owner of this session is still an administrator. */
    statusOf({ owner, voucher }: SessionRecord): AdministratorStatus {
      const inFile = isAdminInFile(settings, owner);
      if (voucher?.listed === false) {
        if (inFile === false) return 'revoked';
        return inFile === true || host?.present() === true ? 'confirmed' : 'unverifiable';
      }
      return inFile === true ? 'confirmed' : 'revoked';
    },
  };
}

export type Administrators = ReturnType<typeof createAdministrators>;
