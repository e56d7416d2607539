/**
 * The door of a pad over HTTP: page, timeslider, export, import, read-only ids, whatever the method and the spelling. Decided from
 * the pad that the host will really open. The websocket (padAccess.ts) is the same door once more.
 */
import type { Request, RequestHandler, Response } from 'express';
import { connectionOf, entryCookieOptions } from '../api/middleware/connection';
import { costsOfProof } from '../api/middleware/rateLimit';
import { entryCookie } from '../api/middleware/session';
import { inTurn } from '../api/middleware/turns';
import type { Visitor } from '../model/door';
import { type ErrorKey, errorStatus, MyPadsError } from '../model/errors';
import { answerClosed, leaveEmptySession, wantsPage } from './closed';
import { readCookie } from './cookie';
import { type House, openHouse } from './house';
import { addressAt, noteRefusal, refusals } from './refusal';

/** The way back from `/p/x/y` to the folder that Etherpad is served from, which only a proxy may know: `../../`. */
function upToHost(path: string): string {
  return '../'.repeat(path.split('/').length - 2);
}

function splitUrl(request: Request): { path: string; query: URLSearchParams } {
  const [path = '', ...query] = request.originalUrl.split('?');
  return { path, query: new URLSearchParams(query.join('?')) };
}

/** A person is sent to the app, which asks for what is missing or says why not; a program gets the key. */
function refuse(request: Request, response: Response, error: ErrorKey, padId: string, group = '-'): void {
  leaveEmptySession(request);
  response.set('Cache-Control', 'no-store');
  if (!wantsPage(request)) {
    response.status(errorStatus[error]).json({ error });
    return;
  }
  const view = `group/${encodeURIComponent(group)}/pad/view/${encodeURIComponent(padId)}`;
  response.redirect(302, `${upToHost(splitUrl(request).path)}mypads/?/mypads/${view}`);
}

function note(
  house: House,
  request: Request,
  visitor: Visitor | undefined,
  reason: ErrorKey,
  pad: string,
): void {
  noteRefusal(house, request, visitor, { call: `${request.method} /p/:id`, reason, pad });
}

/** The new value of the entry cookie. Guessing passwords is limited as in the API. */
async function exchange(house: House, request: Request, secrets: Secrets): Promise<string | undefined> {
  const { door } = house.model;
  const cookie = readCookie(request.headers.cookie, entryCookie);
  const visitor = await door.visitor(cookie);
  const browser = request.headers['user-agent'];
  const redeem = () => door.redeem({ ...secrets, visitor, browser });
  if (secrets.password === undefined) return (await redeem()).entryToken;
  const guarded = (await door.guardOf(secrets.padId)) ?? { what: 'pad', id: secrets.padId };
  const address = addressAt(house, request);
  const refundGuest = visitor.session ? undefined : await house.limits.spend('guest', address);
  const refunds: (() => Promise<void>)[] = [];
  for (const [name, key] of costsOfProof(address, guarded)) refunds.push(await house.limits.spend(name, key));
  const { entryToken } = await inTurn(`${address} /p`, redeem);
  if (entryToken === undefined) await refundGuest?.();
  // Somebody who was signed in keeps the cookie, and may have had no need of the password.
  const { entry } = await door.decide(secrets.padId, await door.visitor(entryToken ?? cookie));
  if (entry !== 'password') for (const refund of refunds) await refund();
  else note(house, request, visitor, 'BACKEND.ERROR.PERMISSION.UNAUTHORIZED', secrets.padId);
  return entryToken;
}

interface Secrets {
  padId: string;
  ticket?: string;
  password?: string;
}

/** Ticket and password leave the URL for a cookie, so that no history, log or Referer keeps them. */
async function takeSecrets(
  house: House,
  request: Request,
  response: Response,
  padId: string,
): Promise<boolean> {
  const { path, query } = splitUrl(request);
  const ticket = query.get('auth_token') ?? undefined;
  // Old links did not encode the `+` of Base64.
  const password = query.get('mypadspassword')?.replaceAll(' ', '+');
  if (request.method !== 'GET' || (ticket === undefined && password === undefined)) return false;
  const entryToken = await exchange(house, request, { padId, ticket, password });
  if (entryToken !== undefined) {
    const connected = connectionOf(request, house.trustsProxy());
    response.cookie(entryCookie, entryToken, entryCookieOptions(connected));
  }
  query.delete('auth_token');
  query.delete('mypadspassword');
  // The editor reads the rest with decodeURIComponent, which leaves a `+` as it is.
  const rest = query.size > 0 ? `?${query.toString().replaceAll('+', '%20')}` : '';
  response.set({ 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' });
  response.redirect(302, `./${path.slice(path.lastIndexOf('/') + 1)}${rest}`);
  return true;
}

/** Etherpad takes every cookie for text, and 1.8.14 exits over one that its parser has made something else of (`j:{…}`). */
function keepTextCookies(request: Request): void {
  for (const [name, value] of Object.entries<unknown>(request.cookies ?? {})) {
    if (typeof value !== 'string') delete request.cookies[name];
  }
}

/** Answers the request, or returns true: it may go on to the host. */
async function mayGoOn(
  house: House,
  request: Request,
  response: Response,
  kind: 'pad' | 'readOnly',
): Promise<boolean> {
  const id = String(request.params.id);
  const padId = await (kind === 'readOnly' ? house.names.ofReadOnlyId(id) : house.names.ofUrl(id));
  if (padId === undefined) {
    note(house, request, undefined, refusals.unknown, id);
    refuse(request, response, refusals.unknown, id);
    return false;
  }
  if (await takeSecrets(house, request, response, padId)) return false;
  const { door } = house.model;
  const visitor = await door.visitor(readCookie(request.headers.cookie, entryCookie));
  const { entry, group, known } = await door.decide(padId, visitor);
  if (entry !== 'read' && entry !== 'write') {
    note(house, request, visitor, refusals[entry], padId);
    refuse(request, response, refusals[entry], padId, group);
    return false;
  }
  const reader = entry === 'read' || kind === 'readOnly' || house.names.isReadOnlyId(id);
  if (reader && known && request.method !== 'GET' && request.method !== 'HEAD') {
    const reason = 'BACKEND.ERROR.AUTHENTICATION.DENIED_RECORD_EDIT';
    note(house, request, visitor, reason, padId);
    refuse(request, response, reason, padId, group);
    return false;
  }
  if (known) response.set('Cache-Control', 'no-store');
  return true;
}

/** For `app.use('/p/:id', …)` and, with read-only ids, `app.use('/ro/:id', …)`. Refuses when anything goes wrong. */
export function padGate(kind: 'pad' | 'readOnly'): RequestHandler {
  return (request, response, next) => {
    const house = openHouse();
    if (!house) return answerClosed(request, response);
    keepTextCookies(request);
    mayGoOn(house, request, response, kind).then(
      (on) => {
        if (on) next();
      },
      (error: unknown) => {
        const key = error instanceof MyPadsError ? error.key : undefined;
        if (key === 'BACKEND.ERROR.SERVER.DATABASE_UNAVAILABLE') return answerClosed(request, response, key);
        if (error instanceof MyPadsError) {
          const { retryAfter } = error.details;
          if (retryAfter !== undefined) response.set('Retry-After', String(retryAfter));
          if (error.status === 429) note(house, request, undefined, error.key, String(request.params.id));
          response.status(error.status).set('Cache-Control', 'no-store');
          response.json({ ...error.details, error: error.key });
          return;
        }
        house.log.error('a pad stays closed: the door failed', { error: String(error) });
        if (!response.headersSent) answerClosed(request, response);
      },
    );
  };
}
