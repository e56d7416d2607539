/**
 * Sign-in through an LDAP directory. Each sign-in is one conversation in another process, with its own copy of the
 * settings and its own connections, which are closed before the answer.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { MyPadsError } from '../errors';
import { loginAtService } from '../externalIdentity';
import { limits } from '../limits';
import type { Log } from '../ports';
import type { LdapAnswer } from './ldapConversation';
import { listEverybody } from './ldapPages';
import { createLdapPool, type LdapPool } from './ldapPool';
import { byLogin, type LdapSettings, readLdapSettings } from './ldapSettings';
import { firstText, personOf } from './profile';
import { type ConfirmedPerson, externalTimeLimit } from './signIn';

export interface LdapContext {
  /** `authLdapSettings`, read at each call. */
  settings(): unknown;
  /** The attributes that rules name. */
  wanted?(): Promise<readonly string[]>;
  log: Log;
  /** Time limit for the whole conversation including waiting, in milliseconds. */
  timeLimit?: number;
  /** Time limit for each page of a list, in milliseconds. */
  pageTimeLimit?: number | undefined;
}

/** Minimum time of a refusal in milliseconds, so that the time does not tell whether the login exists. */
const refusalTime = 500;

function isUsable(login: string, password: string): boolean {
  // LDAP accepts a bind with an empty password as an anonymous one (RFC 4513, 5.1.2).
  const typed = typeof login === 'string' && typeof password === 'string';
  if (!typed || login.trim() === '' || password === '') return false;
  // A directory written in C may treat a password that starts with a zero byte as empty.
  if (password.includes('\0')) return false;
  return login.length <= limits.email && password.length <= limits.password;
}

/** Asks the servers in order until one can answer. Each gets an equal share of the remaining time. */
async function askAll(
  pool: LdapPool,
  { servers }: LdapSettings,
  person: { username: string; password: string },
  timeLimit: number,
): Promise<LdapAnswer> {
  const deadline = performance.now() + timeLimit;
  let answer: LdapAnswer = { kind: 'failed', reason: 'no server is configured' };
  for (const [index, options] of servers.entries()) {
    const share = (deadline - performance.now()) / (servers.length - index);
    answer = await pool.ask({ ...person, options }, share);
    if (answer.kind !== 'failed') break;
  }
  return answer;
}

export function createLdapSignIn(context: LdapContext) {
  const { log, timeLimit = externalTimeLimit } = context;
  const pool = createLdapPool();

  function unavailable(reason: string): MyPadsError {
    log.error('LDAP directory unavailable', { reason });
    return new MyPadsError('BACKEND.ERROR.AUTHENTICATION.DIRECTORY_UNAVAILABLE');
  }

  function settingsNow(wanted: readonly string[] = []): LdapSettings {
    try {
      return readLdapSettings(context.settings(), wanted);
    } catch (error) {
      throw unavailable(String(error));
    }
  }

  async function ask(settings: LdapSettings, login: string, password: string): Promise<LdapAnswer> {
    const answer = await askAll(pool, settings, { username: login.trim(), password }, timeLimit);
    if (answer.kind === 'failed') throw unavailable(answer.reason);
    if (answer.kind === 'ambiguous') log.warn('LDAP searchFilter matched several people, password refused');
    return answer;
  }

  return {
    /**
     * Besides the errors of signIn.ts, throws AUTHENTICATION.PASSWORD_INCORRECT for a wrong password and for an
     * unknown login, after the same time, and SERVER.BUSY when the queue is full.
     */
    async authenticate({ login, password }: { login: string; password: string }): Promise<ConfirmedPerson> {
      const refused = new MyPadsError('BACKEND.ERROR.AUTHENTICATION.PASSWORD_INCORRECT');
      if (!isUsable(login, password)) throw refused;
      const earliest = performance.now() + refusalTime;
      const wanted = (await context.wanted?.()) ?? [];
      const settings = settingsNow(wanted);
      const answer = await ask(settings, login, password);
      if (answer.kind !== 'found') {
        await pause(Math.max(0, earliest - performance.now()));
        throw refused;
      }
      try {
        return personOf('ldap', answer.entry, settings, wanted);
      } catch (error) {
        log.warn('LDAP profile unusable, sign-in refused', {
          login: login.trim(),
          reason: error instanceof MyPadsError ? error.key : String(error),
        });
        throw error;
      }
    },

    /**
     * True when this is the password of the person with this login (letter case does not matter), also if they type
     * something else to sign in. Throws AUTHENTICATION.DIRECTORY_UNAVAILABLE and SERVER.BUSY.
     */
    async checkPassword(login: string, password: string): Promise<boolean> {
      if (!isUsable(login, password)) return false;
      const settings = settingsNow();
      const first = await ask(settings, login, password);
      const answer = first.kind === 'unknown' ? await ask(byLogin(settings), login, password) : first;
      if (answer.kind !== 'found') return false;
      return loginAtService(firstText(answer.entry, settings.names.login)) === loginAtService(login.trim());
    },

    /**
     * Everybody who can sign in, page by page; `email` may be `''`. The last page comes only if the directory has sent
     * everybody. Otherwise throws an Error with the reason. Aborted by `signal`, and when the caller reads no further.
     */
    async *everybody(signal: AbortSignal): AsyncGenerator<ConfirmedPerson[]> {
      const wanted = (await context.wanted?.()) ?? [];
      const settings = readLdapSettings(context.settings(), wanted);
      yield* listEverybody(pool, settings, { wanted, signal, timeLimit: context.pageTimeLimit });
    },

    /** The number of conversations that wait for their turn. */
    waiting: (): number => pool.waiting(),
    /** Ends the background processes. */
    close: (): void => pool.close(),
  };
}

export type LdapSignIn = ReturnType<typeof createLdapSignIn>;

/**
 * Tests settings: connects, binds with the service account and searches. Throws CONFIGURATION.UNABLE_TO_BIND_TO_LDAP
 * with a `reason` in words, within the time limit.
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
  // The answer "unknown" is success: bind and search worked.
  const pool = createLdapPool();
  const answer = await askAll(pool, usable, { username: nobody, password: nobody }, timeLimit);
  pool.close();
  if (answer.kind === 'failed') throw unable(answer.reason);
  if (answer.kind !== 'unknown') throw unable('searchFilter finds people whatever the login is');
}
