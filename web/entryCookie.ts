/** The cookie that opens pads, and nothing else. */
import type { Request, Response } from 'express';
import type { SignedIn } from '../model/access/session';
import { entryCookieOptions } from './connection';

export const entryCookie = 'mypads_entry';

/** Sets the entry cookie until the session expires. Does nothing for sessions that cannot open pads. */
export function setEntryCookie(request: Request, response: Response, signedIn: SignedIn): void {
  if (signedIn.entryToken === undefined) return;
  response.cookie(entryCookie, signedIn.entryToken, {
    ...entryCookieOptions(request.connected),
    // A guest's cookie ends with the browser session, because many people may use the same computer.
    ...(signedIn.session.kind === 'guest' ? {} : { expires: new Date(signedIn.expires) }),
  });
}

export function clearEntryCookie(request: Request, response: Response): void {
  response.clearCookie(entryCookie, entryCookieOptions(request.connected));
}
