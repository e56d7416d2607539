/** The token by which Etherpad knows the author of a connection or a request. */
import type { IncomingMessage } from 'node:http';
import { core } from './core';
import type { EditorSocket } from './sockets';

/** Etherpad 2.7 and later can put a prefix before the names of their cookies. */
export function cookieName(name: 'token' | 'sessionID'): string {
  const { cookie } = core<{ cookie?: { prefix?: unknown } }>('node/utils/Settings');
  return `${typeof cookie?.prefix === 'string' ? cookie.prefix : ''}${name}`;
}

function withCookie(header: string | undefined, name: string, value: string): string {
  const others = (header ?? '').split(/;\s*/).filter((one) => one !== '' && one.split('=')[0] !== name);
  return [...others, `${name}=${value}`].join('; ');
}

/** Call it before Etherpad gets a message that opens a pad. From 2.7 on, Etherpad reads the token from the cookie. */
export function setAuthorToken(socket: EditorSocket, opening: { token?: unknown }, token: string): void {
  opening.token = token;
  const { headers } = socket.client.request;
  headers.cookie = withCookie(headers.cookie, cookieName('token'), token);
}

/** Call it before Etherpad gets an import or another request for a pad: its text gets this author. */
export function setAuthorCookie(
  request: IncomingMessage & { cookies?: Record<string, unknown> },
  token: string,
): void {
  if (request.cookies) request.cookies[cookieName('token')] = token;
}

/** The token by which Etherpad finds the author of an import. */
export function authorCookie({ cookies = {} }: { cookies?: Record<string, unknown> }): string | undefined {
  const token = cookies[cookieName('token')] || cookies.token;
  return typeof token === 'string' ? token : undefined;
}
