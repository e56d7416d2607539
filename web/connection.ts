/**
 * Where a request comes from and which address it was sent to. If a proxy is trusted, only the last value of each of
 * its headers counts: callers can send the values before it themselves.
 */
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import type { CookieOptions, RequestHandler } from 'express';

export interface Connection {
  /** The caller's IP address. */
  address: string;
  /** Whether the browser used https. */
  secure: boolean;
  /** `host` or `host:port`, from the trusted proxy, otherwise as the caller sent it. */
  host: string | undefined;
  /** The path under which a trusted proxy serves Etherpad, such as `/pads/`; `undefined` when it does not say. */
  folder: string | undefined;
}

declare module 'express-serve-static-core' {
  interface Request {
    connected: Connection;
  }
}

/** Headers in which proxies send the path that they remove. Etherpad 3.x reads the same ones. */
const folderHeaders = ['x-forwarded-prefix', 'x-ingress-path', 'x-proxy-path'];

function folderOf(forwarded: string | undefined): string | undefined {
  if (forwarded === undefined || !/^\/[\w./~-]*$/.test(forwarded) || /\/\/|\/\.\.(\/|$)/.test(forwarded))
    return undefined;
  return forwarded.endsWith('/') ? forwarded : `${forwarded}/`;
}

/** Returns the IP address, without the port that some proxies add; `undefined` if there is none. */
function addressIn(forwarded = ''): string | undefined {
  const bare = forwarded.replace(/^\[(.*)\](:\d+)?$/, '$1').replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1');
  return isIP(bare) ? bare : undefined;
}

/** `trusted`: whether a trusted proxy is in front of the server. Otherwise all forwarding headers are ignored. */
export function connectionOf(request: IncomingMessage, trusted: boolean): Connection {
  const { headers, socket } = request;
  const forwarded = (name: string): string | undefined =>
    trusted
      ? String(headers[name] ?? '')
          .split(',')
          .at(-1)
          ?.trim() || undefined
      : undefined;
  const address = addressIn(forwarded('x-forwarded-for')) ?? socket.remoteAddress ?? '';
  const scheme = forwarded('x-forwarded-proto');
  const encrypted = 'encrypted' in socket && socket.encrypted === true;
  return {
    address: address.replace(/^::ffff:(?=\d+\.)/i, ''),
    secure: scheme === undefined ? encrypted : scheme.toLowerCase() === 'https',
    host: forwarded('x-forwarded-host') ?? headers.host,
    folder: folderHeaders.map((name) => folderOf(forwarded(name))).find((folder) => folder !== undefined),
  };
}

/** Middleware that sets `request.connected`. */
export function attachConnection(trusted: () => boolean): RequestHandler {
  return (request, _response, next) => {
    request.connected = connectionOf(request, trusted());
    next();
  };
}

/** Options of the entry cookie: scripts cannot read it, and it is sent only below the path of this Etherpad. */
export function entryCookieOptions({ secure, folder = '/' }: Connection): CookieOptions {
  return { httpOnly: true, sameSite: 'lax', secure, path: folder };
}
