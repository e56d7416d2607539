/**
 * Where a call comes from, and under which address it came. One proxy before us can be trusted to tell it. Of a header with several values
 * only the last is the proxy's: what stands before it the caller may have written himself. Used by the API and by the doors of the pads.
 */
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import type { CookieOptions, RequestHandler } from 'express';

export interface Connection {
  /** The caller's IP address. */
  address: string;
  /** Did people come by https? */
  secure: boolean;
  /** `host` or `host:port`, as the caller wrote it unless a trusted proxy says so. */
  host: string | undefined;
  /** The path below which a trusted proxy says that it serves the host, as `/pads/`; `undefined` when it says none. */
  folder: string | undefined;
}

declare module 'express-serve-static-core' {
  interface Request {
    connected: Connection;
  }
}

/** Names that proxies use for the path that they take off, as Etherpad 3.x knows them. */
const folderHeaders = ['x-forwarded-prefix', 'x-ingress-path', 'x-proxy-path'];

function folderOf(told: string | undefined): string | undefined {
  if (told === undefined || !/^\/[\w./~-]*$/.test(told) || /\/\/|\/\.\.(\/|$)/.test(told)) return undefined;
  return told.endsWith('/') ? told : `${told}/`;
}

/** Some proxies write a port behind the address. `undefined` for what is none. */
function addressIn(told = ''): string | undefined {
  const bare = told.replace(/^\[(.*)\](:\d+)?$/, '$1').replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1');
  return isIP(bare) ? bare : undefined;
}

/** `trusted`: does a proxy stand before us? Without it nothing but the connection itself counts. */
export function connectionOf(request: IncomingMessage, trusted: boolean): Connection {
  const { headers, socket } = request;
  const told = (name: string): string | undefined =>
    trusted
      ? String(headers[name] ?? '')
          .split(',')
          .at(-1)
          ?.trim() || undefined
      : undefined;
  const address = addressIn(told('x-forwarded-for')) ?? socket.remoteAddress ?? '';
  const scheme = told('x-forwarded-proto');
  const encrypted = 'encrypted' in socket && socket.encrypted === true;
  return {
    address: address.replace(/^::ffff:(?=\d+\.)/i, ''),
    secure: scheme === undefined ? encrypted : scheme.toLowerCase() === 'https',
    host: told('x-forwarded-host') ?? headers.host,
    folder: folderHeaders.map((name) => folderOf(told(name))).find((folder) => folder !== undefined),
  };
}

/** Fills `request.connected`. */
export function noteConnection(trusted: () => boolean): RequestHandler {
  return (request, _response, next) => {
    request.connected = connectionOf(request, trusted());
    next();
  };
}

/** How the cookie that opens pads is set: readable for no script, and for no other place on the same host. */
export function entryCookieOptions({ secure, folder = '/' }: Connection): CookieOptions {
  return { httpOnly: true, sameSite: 'lax', secure, path: folder };
}
