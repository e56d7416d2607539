/**
 * Identifies the caller of the API. The token is sent as `Authorization: Bearer …` (or `JWT …`), or as `auth_token` in
 * the query or body. The entry cookie is ignored, so that another site cannot make a browser call the API (CSRF).
 */
import type { Request, RequestHandler } from 'express';
import { type Administrator, matchesHostSession } from '../../model/access/administrator';
import type { Actor } from '../../model/access/permissions';
import { actorOf } from '../../model/access/session';
import type { EventActor } from '../../model/actor';
import type { Model } from '../../model/model';
import type { HostSession } from '../../model/ports';
import type { SessionRecord, UserRecord } from '../../model/store/entities';
import { addressOf } from '../../web/rateLimit';

export interface Caller {
  actor: Actor;
  /** The valid session that the token names, of any kind. */
  session?: SessionRecord;
  /** The account, in a user's session. */
  user?: UserRecord;
  /** A token was sent that is invalid or whose session has ended. `actor` is a guest then. */
  tokenRefused?: true;
  /** The administrator who is signed in at Etherpad itself in this browser. Gives no right by itself. */
  host?: Administrator;
  /** The refusal of this call is logged already. */
  refusalLogged?: true;
}

declare module 'express-serve-static-core' {
  interface Request {
    mypads: Caller;
  }
}

function tokenOf(request: Request): string | undefined {
  const header = /^(?:Bearer|JWT) +(\S.*)$/i.exec(request.headers.authorization ?? '')?.[1];
  const fields = [request.query.auth_token, request.body?.auth_token];
  return header ?? fields.find((sent): sent is string => typeof sent === 'string' && sent !== '');
}

/** Finds Etherpad's own session of a request. */
export type HostSessionOf = (request: Request) => HostSession | undefined;

/** Sets `request.mypads`. Removes `auth_token` from query and body. */
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
  const guest = { actor: { kind: 'guest', unlocked } } as const;
  if (token === undefined) return guest;
  if (session?.kind === 'guest') return { ...guest, session };
  if (session?.kind === 'admin' && matchesHostSession(session, host))
    return { actor: { kind: 'admin' }, session };
  const user = session?.kind === 'user' ? await model.users.get(session.owner) : undefined;
  return user
    ? { actor: { kind: 'user', id: user._id, unlocked }, session, user }
    : { ...guest, tokenRefused: true };
}

/** A program that makes many accounts and folders sends the same random text with each call. */
const importHeader = 'Mypads-Import';

/** The caller as events name them. */
export function eventActorOf(request: Request): EventActor {
  const actor = actorOf(request.mypads.session ?? { kind: 'guest', owner: '' });
  const sent = request.get(importHeader) ?? '';
  const isImport = actor.kind === 'administrator' && /^[\w-]{8,64}$/.test(sent);
  return isImport ? { ...actor, import: sent } : actor;
}

/** The caller and their address, for the log. */
export function callerFacts(request: Request): Record<string, string> {
  const { session } = request.mypads ?? {};
  const address = addressOf(request);
  if (session?.kind === 'user') return { by: session.owner, address };
  return session?.kind === 'admin' ? { byAdministrator: session.owner, address } : { address };
}
