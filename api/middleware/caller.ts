/**
 * Identifies the caller of the API. The token is sent as `Authorization: Bearer …` (or `JWT …`), that of a session also
 * as `auth_token` in the query or body. The entry cookie is ignored, so that another site cannot make a browser call
 * the API (CSRF).
 */
import type { Request, RequestHandler } from 'express';
import { type Administrator, matchesHostSession } from '../../model/access/administrator';
import { looksLikeApiToken } from '../../model/access/apiTokens';
import { type Actor, mayAdministrate } from '../../model/access/permissions';
import { actorOf } from '../../model/access/session';
import type { EventActor } from '../../model/actor';
import { MyPadsError } from '../../model/errors';
import type { Model } from '../../model/model';
import type { HostSession } from '../../model/ports';
import { handleOf } from '../../model/sha256';
import type { ApiTokenRecord, Scope, SessionRecord, UserRecord } from '../../model/store/entities';
import { unlessProxyNamesAnother } from '../../web/proxyHeaders';
import { addressOf, type Limits } from '../../web/rateLimit';

export interface Caller {
  actor: Actor;
  /** The valid session that the token names, of any kind. */
  session?: SessionRecord;
  /** The valid API token with which the call was made. There is no session then. */
  apiToken?: ApiTokenRecord;
  /** The account of a person who is signed in or has sent an API token. */
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

/** `''`: the header has no token, which is an invalid one. Throws API_TOKEN.PLACE for an API token elsewhere. */
function tokenOf(request: Request): string | undefined {
  const header = /^(?:Bearer|JWT)(?: +(\S.*))?$/i.exec(request.headers.authorization ?? '');
  const fields = [request.query.auth_token, request.body?.auth_token].flat();
  const sent = fields.filter((one): one is string => typeof one === 'string' && one !== '');
  // It would get into logs, and into the history of a browser.
  if (sent.some(looksLikeApiToken)) throw new MyPadsError('BACKEND.ERROR.API_TOKEN.PLACE');
  return header ? (header[1] ?? '') : sent[0];
}

/** Finds Etherpad's own session of a request. */
export type HostSessionOf = (request: Request) => HostSession | undefined;

/** Sets `request.mypads`. Removes `auth_token` from query and body. */
export function identify(model: Model, limits: Limits, hostSessionOf: HostSessionOf): RequestHandler {
  return async (request, _response, next) => {
    const token = tokenOf(request);
    delete request.query.auth_token;
    delete request.body.auth_token;
    const host = model.administrators.ofHostSession(hostSessionOf(request));
    const caller =
      token !== undefined && looksLikeApiToken(token)
        ? await callerOfApiToken(model, limits, token, request)
        : await callerOf(model, token, host, request);
    request.mypads = { ...caller, ...(host && { host }) };
    next();
  };
}

/**
 * Throws API_TOKEN.ADDRESS, and PERMISSION.TOO_MANY for too many calls with this token, or with wrong ones from this
 * address. Those are counted after they were read: a program with an old token must not lock out others.
 */
export async function callerOfApiToken(
  model: Model,
  limits: Limits,
  token: string,
  request: Request,
): Promise<Caller> {
  const inUse = await model.apiTokens.read(token, request.connected.address);
  if (inUse === undefined) {
    await limits.consume('wrongApiToken', addressOf(request));
    return { actor: { kind: 'guest', unlocked: model.sessions.unlockedOf(undefined) }, tokenRefused: true };
  }
  const { record: apiToken, user } = inUse;
  await limits.consume('apiToken', handleOf(apiToken));
  if (!user) return { actor: { kind: 'admin' }, apiToken };
  const unlocked = model.sessions.unlockedOf({ unlocked: model.keptLinks.proofsOf(user) });
  return { actor: { kind: 'user', id: user._id, unlocked }, apiToken, user };
}

/** Whether the caller may make calls of this scope: an API token must have it, a session has all. */
export const allows = ({ apiToken }: Caller, scope: Scope | null): boolean =>
  apiToken === undefined || (scope !== null && apiToken.scopes.includes(scope));

/** Whom the session or the API token of a caller belongs to. `undefined` for a guest without a session. */
export const ownerOf = ({ session, apiToken }: Caller): Pick<SessionRecord, 'kind' | 'owner'> | undefined =>
  apiToken ?? session;

async function callerOf(
  model: Model,
  token: string | undefined,
  host: Administrator | undefined,
  request: Request,
): Promise<Caller> {
  const named = await model.sessions.read(token, ['user', 'admin', 'guest']);
  const session = await unlessProxyNamesAnother(model, named, request);
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
  const { mypads: caller } = request;
  const actor = {
    ...actorOf(ownerOf(caller) ?? { kind: 'guest', owner: '' }),
    ...(caller.apiToken && { token: caller.apiToken.name }),
  };
  const sent = request.get(importHeader) ?? '';
  const isImport = actor.kind === 'administrator' && /^[\w-]{8,64}$/.test(sent);
  return isImport ? { ...actor, import: sent } : actor;
}

/** The caller and their address, for the log. */
export function callerFacts(request: Request): Record<string, string> {
  const { session, apiToken } = request.mypads ?? {};
  const owner = apiToken ?? session;
  const facts = { ...(apiToken && { token: handleOf(apiToken) }), address: addressOf(request) };
  if (owner?.kind === 'user') return { by: owner.owner, ...facts };
  return owner?.kind === 'admin' ? { byAdministrator: owner.owner, ...facts } : facts;
}

export const placeOf = (request: Request): string | undefined =>
  mayAdministrate(request.mypads.actor) ? undefined : request.connected.address;
