/**
 * Who calls. A token comes as `Authorization: Bearer …` (or `JWT …`), as `auth_token` in the query or in the body. The entry cookie is
 * good for pads and never looked at here, so a foreign page can make a browser do nothing.
 */
import type { Request, RequestHandler, Response } from 'express';
import { type Administrator, isAccompanied } from '../../model/administrator';
import type { SessionRecord, UserRecord } from '../../model/entities';
import { MyPadsError } from '../../model/errors';
import type { Model } from '../../model/model';
import { type Actor, mayAdministrate } from '../../model/permissions';
import type { HostSession } from '../../model/ports';
import type { SignedIn } from '../../model/session';
import { entryCookieOptions } from './connection';
import { addressOf } from './rateLimit';

export interface Caller {
  actor: Actor;
  /** The living session that the token names, of whatever kind. */
  session?: SessionRecord;
  /** The account, in a user's session. */
  user?: UserRecord;
  /** Whom the host's own session makes a server administrator, whatever the token says. Gives no right by itself. */
  host?: Administrator;
  /** A refusal of this call stands in the log already. */
  noted?: true;
}

declare module 'express-serve-static-core' {
  interface Request {
    mypads: Caller;
  }
}

/** The cookie that opens pads. */
export const entryCookie = 'mypads_entry';

function tokenOf(request: Request): string | undefined {
  const header = /^(?:Bearer|JWT) +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
  const others = [request.query.auth_token, request.body?.auth_token];
  return header ?? others.find((one): one is string => typeof one === 'string' && one !== '');
}

/** The host's own session of whoever makes a request. */
export type HostSessionOf = (request: Request) => HostSession | undefined;

/** Fills `request.mypads`; a token that is worth nothing makes a guest. Takes `auth_token` out of query and body. */
export function identify(model: Model, hostSessionOf: HostSessionOf): RequestHandler {
  return async (request, _response, next) => {
    const token = tokenOf(request);
    delete request.query.auth_token;
    delete request.body.auth_token;
    const host = model.administrators.ofHostSession(hostSessionOf(request));
    request.mypads = { ...(await callerOf(model, token, host)), ...(host && { host }) };
    next();
  };
}

async function callerOf(
  model: Model,
  token: string | undefined,
  host: Administrator | undefined,
): Promise<Caller> {
  const session = await model.sessions.read(token, ['user', 'admin', 'guest']);
  const unlocked = model.sessions.unlockedOf(session);
  if (session?.kind === 'admin' && isAccompanied(session, host)) return { actor: { kind: 'admin' }, session };
  if (session?.kind === 'admin') return { actor: { kind: 'guest', unlocked } };
  if (session?.kind !== 'user') return { actor: { kind: 'guest', unlocked }, session };
  const user = await model.users.get(session.owner);
  return user
    ? { actor: { kind: 'user', id: user._id, unlocked }, session, user }
    : { actor: { kind: 'guest', unlocked } };
}

/** Who calls and from where, for the log. */
export function callerFacts(request: Request): Record<string, string> {
  const { session } = request.mypads ?? {};
  const address = addressOf(request);
  if (session?.kind === 'user') return { by: session.owner, address };
  return session?.kind === 'admin' ? { byAdministrator: session.owner, address } : { address };
}

/** The names of the fields that a call sets, for the log. */
export const namesOf = (fields: object): string[] =>
  Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([name]) => name);

/** The signed-in person. Throws AUTHENTICATION.NOT_AUTH. */
export function requireUser(request: Request): { session: SessionRecord; user: UserRecord } {
  const { session, user } = request.mypads;
  if (!session || !user) throw new MyPadsError('BACKEND.ERROR.AUTHENTICATION.NOT_AUTH');
  return { session, user };
}

/** The server administrator's session. Throws AUTHENTICATION.ADMIN. */
export function requireAdmin(request: Request): SessionRecord {
  const { actor, session } = request.mypads;
  if (!session || !mayAdministrate(actor)) throw new MyPadsError('BACKEND.ERROR.AUTHENTICATION.ADMIN');
  return session;
}

/** Gives the browser the cookie that opens pads, for as long as the session can last. */
export function setEntryCookie(request: Request, response: Response, signedIn: SignedIn): void {
  if (signedIn.entryToken === undefined) return;
  response.cookie(entryCookie, signedIn.entryToken, {
    ...entryCookieOptions(request.connected),
    // A guest's ends with the browser, as on a computer that many use.
    ...(signedIn.session.kind === 'guest' ? {} : { expires: new Date(signedIn.expires) }),
  });
}

export function clearEntryCookie(request: Request, response: Response): void {
  response.clearCookie(entryCookie, entryCookieOptions(request.connected));
}
