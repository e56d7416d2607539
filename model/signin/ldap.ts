/**
 * Sign-in through an LDAP directory (spec 3 `authLdapSettings`, server.md 4.5). Each sign-in is one conversation in
 * another process, with its own copy of the settings and connections of its own that are closed before the answer is given.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { MyPadsError } from '../errors';
import { limits } from '../limits';
import type { Log } from '../ports';
import type { LdapAnswer } from './ldapConversation';
import { createLdapPool, type LdapPool } from './ldapPool';
import { type LdapSettings, readLdapSettings } from './ldapSettings';
import { firstText, profileOf } from './profile';
import { externalTimeLimit, type PasswordCredentials, type SignInMethod } from './signIn';

export interface LdapSignIn extends SignInMethod<PasswordCredentials> {
  /**
   * Beside what `SignInMethod` says, throws AUTHENTICATION.PASSWORD_INCORRECT for a wrong password and for an unknown login, after the
   * same time, and SERVER.BUSY when too many wait.
   */
  authenticate: SignInMethod<PasswordCredentials>['authenticate'];
  /**
   * Is this the password of the person with exactly this login (letter case aside)? Throws
   * AUTHENTICATION.DIRECTORY_UNAVAILABLE and SERVER.BUSY.
   */
  checkPassword(login: string, password: string): Promise<boolean>;
  /** Ends what runs in the background. */
  close(): void;
}

export interface LdapContext {
  /** `authLdapSettings`, read at each call. */
  settings(): unknown;
  log: Log;
  /** Milliseconds for the whole conversation, waiting included. */
  timeLimit?: number;
}

/** No refusal is faster than this (milliseconds), so that a bind that was tried looks like one that was not. */
const refusalTime = 500;

function isUsable(login: string, password: string): boolean {
  // An empty password would be an unauthenticated bind, which directories answer with success (RFC 4513, 5.1.2).
  const typed = typeof login === 'string' && typeof password === 'string';
  if (!typed || login.trim() === '' || password === '') return false;
  // To a directory written in C that may well be an empty one.
  if (password.includes('\0')) return false;
  return login.length <= limits.email && password.length <= limits.password;
}

/** Asks one server after the other until one can answer; each has an equal part of the time that is left. */
async function askAll(
  pool: LdapPool,
  { servers }: LdapSettings,
  person: { username: string; password: string },
  timeLimit: number,
): Promise<LdapAnswer> {
  const deadline = performance.now() + timeLimit;
  let answer: LdapAnswer = { kind: 'failed', reason: 'there is no server to ask' };
  for (const [index, options] of servers.entries()) {
    const share = (deadline - performance.now()) / (servers.length - index);
    answer = await pool.ask({ ...person, options }, share);
    if (answer.kind !== 'failed') break;
  }
  return answer;
}

export function createLdapSignIn(context: LdapContext): LdapSignIn {
  const { log, timeLimit = externalTimeLimit } = context;
  const pool = createLdapPool();

  function unavailable(reason: string): MyPadsError {
    log.error('the LDAP directory cannot be used', { reason });
    return new MyPadsError('BACKEND.ERROR.AUTHENTICATION.DIRECTORY_UNAVAILABLE');
  }

  function settingsNow(): LdapSettings {
    try {
      return readLdapSettings(context.settings());
    } catch (error) {
      throw unavailable(String(error));
    }
  }

  /** The entry of the person who has this password, `undefined` when there is nobody. */
  async function find(
    settings: LdapSettings,
    login: string,
    password: string,
  ): Promise<Record<string, unknown> | undefined> {
    const answer = await askAll(pool, settings, { username: login.trim(), password }, timeLimit);
    if (answer.kind === 'failed') throw unavailable(answer.reason);
    if (answer.kind === 'ambiguous') log.warn('the LDAP searchFilter finds several people for one login');
    return answer.kind === 'found' ? answer.entry : undefined;
  }

  return {
    async authenticate({ login, password }) {
      const refused = new MyPadsError('BACKEND.ERROR.AUTHENTICATION.PASSWORD_INCORRECT');
      if (!isUsable(login, password)) throw refused;
      const earliest = performance.now() + refusalTime;
      const settings = settingsNow();
      const entry = await find(settings, login, password);
      if (!entry) {
        await pause(Math.max(0, earliest - performance.now()));
        throw refused;
      }
      try {
        return profileOf(entry, settings.names, settings.lang);
      } catch (error) {
        log.warn('the LDAP directory has no usable profile for a person', {
          login: login.trim(),
          reason: error instanceof MyPadsError ? error.key : String(error),
        });
        throw error;
      }
    },

    async checkPassword(login, password) {
      if (!isUsable(login, password)) return false;
      const settings = settingsNow();
      const entry = await find(settings, login, password);
      if (!entry) return false;
      return firstText(entry, settings.names.login).toLowerCase() === login.trim().toLowerCase();
    },

    close: () => pool.close(),
  };
}

/**
 * Do these settings reach a directory that takes the service account and answers a search? For the settings form. Throws
 * CONFIGURATION.UNABLE_TO_BIND_TO_LDAP with the `reason` in words, within the time limit.
 */
export async function testBind(settings: unknown, timeLimit: number = externalTimeLimit): Promise<void> {
  const unable = (reason: string): MyPadsError =>
    new MyPadsError('BACKEND.ERROR.CONFIGURATION.UNABLE_TO_BIND_TO_LDAP', { reason: reason.slice(0, 300) });
  let usable: LdapSettings;
  const nobody = `nobody-${randomUUID()}`;
  try {
    usable = readLdapSettings(settings);
  } catch (error) {
    throw unable(error instanceof Error ? error.message : String(error));
  }
  // That nobody has this name is the good answer: the bind and the search went well.
  const pool = createLdapPool();
  const answer = await askAll(pool, usable, { username: nobody, password: nobody }, timeLimit);
  pool.close();
  if (answer.kind === 'failed') throw unable(answer.reason);
  if (answer.kind !== 'unknown') throw unable('searchFilter finds people whatever the login is');
}
