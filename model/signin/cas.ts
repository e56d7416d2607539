/**
 * Single sign-on with a CAS server, protocol versions 1, 2 and 3 (spec 3 `authCasSettings`, server.md 4.6). Of cas-authentication
 * only the validation of a ticket is used, through its middleware, with a request that we build: no redirect, no session, nothing from
 * the visitor but the ticket. Its connection is ours, with a time and a size limit.
 */
import { EventEmitter } from 'node:events';
import http, { type IncomingMessage, type RequestOptions } from 'node:http';
import https from 'node:https';
import CASAuthentication from 'cas-authentication';
import { MyPadsError } from '../errors';
import type { Log } from '../ports';
import { casServiceUrl } from './casAddresses';
import { type CasSettings, readCasSettings } from './casSettings';
import { firstText, isSettings, profileOf } from './profile';
import { externalTimeLimit, type SignInMethod, type TicketCredentials } from './signIn';

export { casLoginUrl, casLogoutUrl, casServiceUrl } from './casAddresses';
export { readCasSettings } from './casSettings';

export interface CasContext {
  /** `authCasSettings`, read at each call. */
  settings(): unknown;
  /** Where people reach the host; the tickets are for `<rootUrl>/mypads/?/login`. */
  rootUrl(): string;
  log: Log;
  /** Milliseconds for the answer of the server. */
  timeLimit?: number;
}

/**
 * Beside what `SignInMethod` says, throws AUTHENTICATION.CAS_NO_TICKET, AUTHENTICATION.CAS_FAILED (the server refuses the ticket, or its
 * answer is not one of the protocol) and CONFIGURATION.ROOTURL_NOT_CONFIGURED.
 */
export type CasSignIn = SignInMethod<TicketCredentials>;

/** The protocol advises to accept 256 characters; some servers sign theirs. */
const ticketLimit = 2_048;

/** Characters of an answer; with long lists of groups it has some ten thousand. */
const answerLimit = 256 * 1024;

interface Validation {
  user: unknown;
  attributes: unknown;
}

/** A ticket or an answer that is not accepted; `code` is the protocol's own, or what we say. */
class Refusal extends Error {
  readonly code: string;

  constructor(code: string) {
    super(code);
    this.code = code;
  }
}

/** The whole answer as text. Rejects when it is not a whole answer with status 200. */
function textOf(response: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const { statusCode = 0 } = response;
    response.setEncoding('utf8');
    response.on('error', reject);
    response.on('data', (part: string) => {
      text += part;
      if (text.length > answerLimit) response.destroy(new Error('its answer is too long'));
    });
    response.on('end', () => {
      if (statusCode >= 400 && statusCode < 500) reject(new Refusal(`status ${statusCode}`));
      else if (statusCode !== 200) reject(new Error(`it answers with status ${statusCode}`));
      else resolve(text);
    });
  });
}

/** The server's answer to a request that the CAS library made up. */
function fetchAnswer(settings: CasSettings, options: RequestOptions, signal: AbortSignal): Promise<string> {
  const client = settings.serverUrl.toLowerCase().startsWith('https:') ? https : http;
  return new Promise((resolve, reject) => {
    const request = client.request({ ...options, ...settings.tls, agent: false, signal }, (response) => {
      textOf(response).then(resolve, reject);
    });
    request.on('error', reject);
    request.end();
  });
}

/**
 * Tells the CAS library an answer, in the form of a response. A plain refusal is not told: the library writes a stack trace to the
 * console for each, and anybody can send a made-up ticket. It expands no entities; a document that declares some is refused.
 */
function tell(answer: string, respond: (answer: CASAuthentication.Answer) => void): void {
  const failure = /<(?:[\w.-]+:)?authenticationFailure\b([^>]*)/.exec(answer);
  if (failure)
    throw new Refusal(/\bcode=["'](\w{1,40})["']/.exec(failure[1] ?? '')?.[1] ?? 'without a reason');
  if (/^no\s/.test(answer)) throw new Refusal('no');
  // Somebody else's service got it for the person, and could come in as them.
  if (/<(?:[\w.-]+:)?proxies\b/.test(answer)) throw new Refusal('a ticket from a proxy');
  if (/<!(DOCTYPE|ENTITY)/i.test(answer)) throw new Refusal('an answer with a document type');
  const told = Object.assign(new EventEmitter(), { setEncoding: () => undefined });
  respond(told);
  told.emit('data', answer);
  told.emit('end');
}

/** Asks the server whose ticket this is. */
function validate(
  settings: CasSettings,
  service: string,
  ticket: string,
  signal: AbortSignal,
): Promise<Validation> {
  const { protocol, port, pathname } = new URL(settings.serverUrl);
  // The library adds the path of the request to the address of the service.
  const path = '/login';
  if (!service.endsWith(path)) throw new Error('the address of the service has changed its form');
  const cas = new CASAuthentication({
    cas_url: settings.serverUrl,
    service_url: service.slice(0, -path.length),
    cas_version: settings.version,
    session_name: 'user',
    session_info: 'attributes',
  });
  // It knows no ports, and would double the slash of a server without a path.
  cas.cas_port = Number(port) || (protocol === 'https:' ? 443 : 80);
  cas.cas_path = pathname.replace(/\/+$/, '');

  return new Promise((resolve, reject) => {
    const fail = (): void => reject(new Refusal('an answer that is not one of the protocol'));
    cas.request_client = {
      request(options, respond) {
        return Object.assign(new EventEmitter(), {
          end(): void {
            fetchAnswer(settings, options, signal)
              .then((answer) => tell(answer, respond))
              .catch(reject);
          },
        });
      },
    };
    const session: Record<string, unknown> = Object.create(null);
    const { bounce } = cas;
    bounce(
      { url: path, query: { ticket }, session },
      { redirect: () => resolve({ user: session.user, attributes: session.attributes }), sendStatus: fail },
      fail,
    );
  });
}

/** The attributes without what XML may add to a text (`<mail type="work">`): there the library puts the text under `_`. */
function plain(attributes: unknown): Record<string, unknown> {
  if (!isSettings(attributes)) return {};
  const text = (value: unknown): unknown => (isSettings(value) ? value._ : value);
  return Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.map(text) : text(value),
    ]),
  );
}

export function createCasSignIn(context: CasContext): CasSignIn {
  const { log, timeLimit = externalTimeLimit } = context;

  function refused(code: string): MyPadsError {
    log.warn('the CAS server does not confirm a ticket', { code });
    return new MyPadsError('BACKEND.ERROR.AUTHENTICATION.CAS_FAILED');
  }

  function unavailable(error: unknown): MyPadsError {
    const reason =
      error instanceof Error && /^(Abort|Timeout)Error$/.test(error.name)
        ? 'no answer in time'
        : String(error);
    log.error('the CAS server cannot be used', { reason });
    return new MyPadsError('BACKEND.ERROR.AUTHENTICATION.DIRECTORY_UNAVAILABLE');
  }

  function settingsNow(): CasSettings {
    try {
      return readCasSettings(context.settings());
    } catch (error) {
      throw unavailable(error);
    }
  }

  return {
    async authenticate({ ticket }) {
      if (typeof ticket !== 'string' || ticket.trim() === '') {
        throw new MyPadsError('BACKEND.ERROR.AUTHENTICATION.CAS_NO_TICKET');
      }
      if (ticket.length > ticketLimit) throw refused('a ticket that is too long');
      const settings = settingsNow();
      const service = casServiceUrl(context.rootUrl());
      let validation: Validation;
      try {
        validation = await validate(settings, service, ticket, AbortSignal.timeout(timeLimit));
      } catch (error) {
        throw error instanceof Refusal ? refused(error.code) : unavailable(error);
      }
      const user = firstText({ user: validation.user }, 'user');
      if (user === '' || typeof validation.user !== 'string') {
        throw refused('an answer without a user');
      }
      const attributes = plain(validation.attributes);
      try {
        return profileOf({ ...attributes, user }, settings.names, settings.lang);
      } catch (error) {
        log.warn('the CAS server has no usable profile for a person', {
          user,
          attributes: Object.keys(attributes).slice(0, 50).join(' '),
          reason: error instanceof MyPadsError ? error.key : String(error),
        });
        throw error;
      }
    },
  };
}
