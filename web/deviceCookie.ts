/** The cookie by which a browser is known that has proved a password before: see model/access/devices.ts. */
import type { IncomingMessage } from 'node:http';
import type { Response } from 'express';
import type { Devices, Proved } from '../model/access/devices';
import { lifetimes } from '../model/limits';
import { type Connection, entryCookieOptions } from './connection';
import { readCookie } from './cookie';

const deviceCookie = 'mypads_device';

type WithCookies = Pick<IncomingMessage, 'headers'>;

const cookieOf = ({ headers }: WithCookies): string | undefined => readCookie(headers.cookie, deviceCookie);

/**
 * The name of the browser in limits, if it has proved this password before: its random name and what it has proved.
 * `find` is called only for a browser with the cookie, so that other calls read nothing for it.
 */
export async function deviceOf(
  devices: Devices,
  request: WithCookies,
  find: () => Promise<Proved | undefined> | Proved | undefined,
): Promise<string | undefined> {
  const cookie = cookieOf(request);
  if (cookie === undefined) return undefined;
  const proved = await find();
  const name = proved && devices.find(cookie, proved);
  return name && `${name} ${proved.what}:${proved.id}`;
}

/** Sets the cookie after the right password, with an entry for each proof. */
export function rememberDevice(
  devices: Devices,
  request: WithCookies,
  response: Response,
  connected: Connection,
  ...all: readonly Proved[]
): void {
  const value = all.reduce((cookie, proved) => devices.remember(cookie, proved), cookieOf(request));
  response.cookie(deviceCookie, value, {
    ...entryCookieOptions(connected),
    maxAge: lifetimes.device,
  });
}
