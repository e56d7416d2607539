/**
 * Single sign-on with a CAS server (protocol 1, 2 and 3). Only the ticket validation of cas-authentication is used,
 * with a request and a session object made here. The connection is our own, with time and size limits.
 */
import { randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';
import http, { type IncomingMessage, type RequestOptions } from 'node:http';
import https from 'node:https';
import CASAuthentication from 'cas-authentication';
import { MyPadsError } from '../errors';
import { isObject } from '../fields';
import type { Log } from '../ports';
import { casServiceUrl } from './casAddresses';
import { type CasSettings, readCasSettings } from './casSettings';
import { firstText, personOf } from './profile';
import { type ConfirmedPerson, externalTimeLimit } from './signIn';

export { casLoginUrl, casLogoutUrl } from './casAddresses';
export { readCasSettings } from './casSettings';

export interface CasContext {
  /** `authCasSettings`, read at each call. */
  settings(): unknown;
  /** Address of Etherpad. Tickets are for `<rootUrl>/mypads/?/login`. */
  rootUrl(): string;
  /** The attributes that rules name. */
  wanted?(): Promise<readonly string[]>;
  log: Log;
  /** Time limit for the server's answer, in milliseconds. */
  timeLimit?: number;
}

/** The protocol asks for 256 characters. Some servers sign their tickets, which makes them longer. */
const ticketLimit = 2_048;

/** Maximum characters of an answer. Long lists of groups have about ten thousand. */
const answerLimit = 256 * 1024;

interface Validation {
  user: unknown;
  attributes: unknown;
}

/** A ticket or answer was refused; `code` is the protocol's or our own reason. */
class TicketRefused extends Error {
  readonly code: string;

  constructor(code: string) {
    super(code);
    this.code = code;
  }
}

/** The complete answer as text. Rejects unless the status is 200. */
function textOf(response: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const { statusCode = 0 } = response;
    response.setEncoding('utf8');
    response.on('error', reject);
    response.on('data', (part: string) => {
      text += part;
      if (text.length > answerLimit) response.destroy(new Error('the answer is too long'));
    });
    response.on('end', () => {
      if (statusCode >= 400 && statusCode < 500) reject(new TicketRefused(`status ${statusCode}`));
      else if (statusCode !== 200) reject(new Error(`it answers with status ${statusCode}`));
      else resolve(text);
    });
  });
}

/** Sends the request that the CAS library prepared, and returns the answer. */
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
 * Gives an answer to the CAS library. Refusals are handled here, because the library prints a stack trace for each, and
 * anybody can send invalid tickets. It does not expand entities; documents that declare some are refused.
 */
function passToLibrary(answer: string, respond: (answer: CASAuthentication.Answer) => void): void {
  const failure = /<(?:[\w.-]+:)?authenticationFailure\b([^>]*)/.exec(answer);
  if (failure)
    throw new TicketRefused(/\bcode=["'](\w{1,40})["']/.exec(failure[1] ?? '')?.[1] ?? 'without a reason');
  if (/^no\s/.test(answer)) throw new TicketRefused('no');
  // Another service requested this ticket for the person, and could sign in as them.
  if (/<(?:[\w.-]+:)?proxies\b/.test(answer)) throw new TicketRefused('a ticket from a proxy');
  if (/<!(DOCTYPE|ENTITY)/i.test(answer)) throw new TicketRefused('an answer with a document type');
  const response = Object.assign(new EventEmitter(), { setEncoding: () => undefined });
  respond(response);
  response.emit('data', answer);
  response.emit('end');
}

/** Asks the server which user the ticket belongs to. */
function validate(
  settings: CasSettings,
  service: string,
  ticket: string,
  signal: AbortSignal,
): Promise<Validation> {
  const { protocol, port, pathname } = new URL(settings.serverUrl);
  // The library appends the request's path to the service address.
  const path = '/login';
  if (!service.endsWith(path)) throw new Error('the service address does not end with /login');
  const cas = new CASAuthentication({
    cas_url: settings.serverUrl,
    service_url: service.slice(0, -path.length),
    cas_version: settings.version,
    session_name: 'user',
    session_info: 'attributes',
  });
  // The library ignores ports, and doubles the slash of a server address without path.
  cas.cas_port = Number(port) || (protocol === 'https:' ? 443 : 80);
  cas.cas_path = pathname.replace(/\/+$/, '');

  return new Promise((resolve, reject) => {
    const fail = (): void => reject(new TicketRefused('an answer that is not one of the protocol'));
    cas.request_client = {
      request(options, respond) {
        return Object.assign(new EventEmitter(), {
          end(): void {
            fetchAnswer(settings, options, signal)
              .then((answer) => passToLibrary(answer, respond))
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

/** Attributes as plain texts. For XML attributes (`<mail type="work">`) the library puts the text under `_`. */
function plainAttributes(attributes: unknown): Record<string, unknown> {
  if (!isObject(attributes)) return {};
  const text = (value: unknown): unknown => (isObject(value) ? value._ : value);
  return Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.map(text) : text(value),
    ]),
  );
}

/** The error in words. */
function failureText(error: unknown): string {
  const late = error instanceof Error && /^(Abort|Timeout)Error$/.test(error.name);
  return late ? 'no answer in time' : String(error).slice(0, 300);
}

/** Codes with which servers refuse a ticket that they have not issued. `no` is the answer of protocol version 1. */
const unknownTicket: readonly string[] = ['INVALID_TICKET', 'INVALID_REQUEST', 'no'];

/** The server's reason for refusing a made-up ticket; `''` if it accepted the ticket. */
async function refusalOf(settings: CasSettings, service: string): Promise<string> {
  try {
    await validate(settings, service, `ST-test-${randomUUID()}`, AbortSignal.timeout(externalTimeLimit));
    return '';
  } catch (error) {
    if (error instanceof TicketRefused) return error.code;
    throw error;
  }
}

/**
 * Tests settings with a made-up ticket, which the server must refuse. Throws CONFIGURATION.ROOTURL_NOT_CONFIGURED. With
 * a `reason`: AUTHENTICATION.CAS_FAILED (ticket accepted, or refused for another reason, such as `INVALID_SERVICE`),
 * AUTHENTICATION.DIRECTORY_UNAVAILABLE (no usable answer within the time limit).
 */
export async function testCas(value: unknown, rootUrl: string): Promise<void> {
  const service = casServiceUrl(rootUrl);
  let code: string;
  try {
    code = await refusalOf(readCasSettings(value), service);
  } catch (error) {
    const reason = failureText(error);
    throw new MyPadsError('BACKEND.ERROR.AUTHENTICATION.DIRECTORY_UNAVAILABLE', { reason });
  }
  if (unknownTicket.includes(code)) return;
  const reason = code === '' ? 'it accepts tickets that it has not issued' : code;
  throw new MyPadsError('BACKEND.ERROR.AUTHENTICATION.CAS_FAILED', { reason });
}

export function createCasSignIn(context: CasContext) {
  const { log, timeLimit = externalTimeLimit } = context;

  function refused(code: string): MyPadsError {
    log.warn('CAS ticket not confirmed, sign-in refused', { code });
    return new MyPadsError('BACKEND.ERROR.AUTHENTICATION.CAS_FAILED');
  }

  function unavailable(error: unknown): MyPadsError {
    log.error('CAS server unavailable', { reason: failureText(error) });
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
    /**
     * `ticket`: as the sign-on server sends it to our sign-in page. Besides the errors of signIn.ts, throws
     * AUTHENTICATION.CAS_NO_TICKET, AUTHENTICATION.CAS_FAILED (the ticket is refused or the answer invalid),
     * CONFIGURATION.ROOTURL_NOT_CONFIGURED.
     */
    async authenticate({ ticket }: { ticket: string }): Promise<ConfirmedPerson> {
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
        throw error instanceof TicketRefused ? refused(error.code) : unavailable(error);
      }
      const user = firstText({ user: validation.user }, 'user');
      if (user === '' || typeof validation.user !== 'string') {
        throw refused('an answer without a user');
      }
      const attributes = plainAttributes(validation.attributes);
      const wanted = (await context.wanted?.()) ?? [];
      try {
        return personOf('cas', { ...attributes, user }, settings, wanted);
      } catch (error) {
        log.warn('CAS profile unusable, sign-in refused', {
          user,
          attributes: Object.keys(attributes).slice(0, 50).join(' '),
          reason: error instanceof MyPadsError ? error.key : String(error),
        });
        throw error;
      }
    },
  };
}

export type CasSignIn = ReturnType<typeof createCasSignIn>;
