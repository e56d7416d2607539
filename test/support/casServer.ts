/**
 * A CAS server for versions 1, 2 and 3 of the protocol, on a free port of 127.0.0.1. A ticket is valid once, for ten
 * seconds, for the service that asked for it. Signing out leads back to the service that the address names, if any.
 * Tests can make the server misbehave.
 */
import { randomBytes } from 'node:crypto';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import https from 'node:https';
import { listen } from './listening';

export interface CasPerson {
  user: string;
  /** Sent by version 3, in this order. */
  attributes?: Record<string, string | string[]>;
}

/** What the server does instead of answering. `answer`: the answer that it would have given. */
export type Misbehaviour = (response: ServerResponse, answer: string) => void;

export interface CasServer {
  /** `serverUrl` of the settings. */
  url: string;
  /** `authCasSettings` that work, changed by `changes`. */
  settings(changes?: Record<string, unknown>): Record<string, unknown>;
  /** Gives out a ticket, as after a sign-in on the server's own page. */
  ticket(person: CasPerson, service: string): string;
  /** Visitors of `/login` are this person and are sent back at once. `undefined`: they must sign in first (403). */
  present(person: CasPerson | undefined): void;
  misbehave(how: Misbehaviour | undefined): void;
  /** Tells a service that the session of a ticket has ended (single logout). Resolves to the status of its answer. */
  signOut(ticket: string, service: string): Promise<number>;
  /** Path and query of every request, in order. */
  requests: string[];
  stop(): Promise<void>;
}

interface Grant {
  person: CasPerson;
  service: string;
  expires: number;
}

const validity = 10_000;

function escaped(text: string): string {
  return text.replace(/[<>&"]/g, (letter) => `&#${letter.charCodeAt(0)};`);
}

/** The message as CAS servers send it. */
export const logoutRequest = (ticket: string): string =>
  `<samlp:LogoutRequest xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" ID="LR-1-x" Version="2.0" IssueInstant="${new Date().toISOString()}">` +
  '<saml:NameID xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion">@NOT_USED@</saml:NameID>' +
  `<samlp:SessionIndex>${escaped(ticket)}</samlp:SessionIndex></samlp:LogoutRequest>`;

function document(content: string): string {
  return `<cas:serviceResponse xmlns:cas="http://www.yale.edu/tp/cas">\n${content}\n</cas:serviceResponse>\n`;
}

function success({ user, attributes }: CasPerson, withAttributes: boolean): string {
  const values = Object.entries(attributes ?? {}).flatMap(([name, value]) =>
    [value].flat().map((one) => `    <cas:${name}>${escaped(one)}</cas:${name}>`),
  );
  const block = withAttributes ? `\n  <cas:attributes>\n${values.join('\n')}\n  </cas:attributes>` : '';
  return document(
    `<cas:authenticationSuccess>\n  <cas:user>${escaped(user)}</cas:user>${block}\n</cas:authenticationSuccess>`,
  );
}

function failure(code: string): string {
  return document(`<cas:authenticationFailure code="${code}">It was refused.</cas:authenticationFailure>`);
}

/** With a certificate it speaks https. */
export async function startCasServer(tls?: { cert: string; key: string }): Promise<CasServer> {
  const grants = new Map<string, Grant>();
  const requests: string[] = [];
  let misbehaviour: Misbehaviour | undefined;
  let visitor: CasPerson | undefined;

  function ticket(person: CasPerson, service: string): string {
    const name = `ST-${grants.size + 1}-${randomBytes(12).toString('base64url')}`;
    grants.set(name, { person, service, expires: Date.now() + validity });
    return name;
  }

  /** The person of a ticket, or the error code of the protocol. A ticket is used up, whatever the answer. */
  function redeem(query: URLSearchParams): CasPerson | string {
    const name = query.get('ticket');
    const service = query.get('service');
    if (!name || !service) return 'INVALID_REQUEST';
    const grant = grants.get(name);
    grants.delete(name);
    if (!grant || grant.expires < Date.now()) return 'INVALID_TICKET';
    return grant.service === service ? grant.person : 'INVALID_SERVICE';
  }

  function validation(path: string, query: URLSearchParams): string | undefined {
    if (!['/cas/validate', '/cas/serviceValidate', '/cas/p3/serviceValidate'].includes(path))
      return undefined;
    const person = redeem(query);
    if (path === '/cas/validate') return typeof person === 'string' ? 'no\n\n' : `yes\n${person.user}\n`;
    return typeof person === 'string' ? failure(person) : success(person, path.startsWith('/cas/p3/'));
  }

  function answer(request: IncomingMessage, response: ServerResponse): void {
    requests.push(request.url ?? '');
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    const text = validation(pathname, searchParams);
    const service = searchParams.get('service');
    if (text !== undefined) {
      if (misbehaviour) misbehaviour(response, text);
      else response.end(text);
    } else if (pathname === '/cas/login' && service && visitor) {
      const back = `${service}${service.includes('?') ? '&' : '?'}ticket=${ticket(visitor, service)}`;
      response.writeHead(302, { location: back }).end();
    } else if (pathname === '/cas/login') response.writeHead(403).end('Please sign in.');
    else if (pathname === '/cas/logout') {
      visitor = undefined;
      if (service) response.writeHead(302, { location: service }).end();
      else response.end('You have signed out.');
    } else response.writeHead(404).end();
  }

  const server = tls ? https.createServer(tls, answer) : http.createServer(answer);
  const { port, stop } = await listen(server);
  const url = `${tls ? 'https' : 'http'}://127.0.0.1:${port}/cas`;

  return {
    url,
    settings: (changes = {}) => ({
      serverUrl: url,
      protocolVersion: 3,
      properties: { login: 'user', email: 'email', firstname: 'firstname', lastname: 'lastname' },
      defaultLang: 'de',
      ...changes,
    }),
    ticket,
    present: (person) => {
      visitor = person;
    },
    misbehave: (how) => {
      misbehaviour = how;
    },
    async signOut(name, service) {
      const body = new URLSearchParams({ logoutRequest: logoutRequest(name) });
      return (await fetch(service, { method: 'POST', body })).status;
    },
    requests,
    stop,
  };
}
