/**
 * The access check of pads over HTTP: page, timeslider, export, import and read-only address, for every method. It uses
 * the pad that Etherpad will really open, not the text of the URL. editorMessages.ts does the same for the websocket.
 */
import type { Request, RequestHandler, Response } from 'express';
import { authorCookie, setAuthorCookie } from '../host/authorToken';
import type { Visitor } from '../model/access/padDecisions';
import { type Guarded, isOpen } from '../model/access/permissions';
import { type ErrorKey, MyPadsError } from '../model/errors';
import { connectionOf, entryCookieOptions } from '../web/connection';
import { deviceOf, rememberDevice } from '../web/deviceCookie';
import { entryCookie } from '../web/entryCookie';
import { isPartOfForeignPage } from '../web/foreignPage';
import { attemptPassword } from '../web/passwordAttempt';
import { visitorOf } from '../web/proxyHeaders';
import { tokenNumber } from './authorTokens';
import { reloadEditors } from './editorAccess';
import { answerError, answerInForeignFrame } from './errorPage';
import { isTooLargeExport } from './historyRequests';
import { identityOf, namesSomebodyElse } from './identity';
import { followImport, isImport } from './importAnswer';
import { hidePadId } from './padExports';
import { hasProgramAuthor } from './programSessions';
import { addressAt, logRefusedAccess, refusals } from './refusal';
import { currentRuntime, type Runtime } from './runtime';
import { answerUnavailable, discardEmptySession, wantsPage } from './unavailable';

/** The relative path from `/p/x/y` to Etherpad's root: `../../`. Relative, because a proxy may add a path prefix. */
function pathToHost(path: string): string {
  return '../'.repeat(path.split('/').length - 2);
}

function splitUrl(request: Request): { path: string; query: URLSearchParams } {
  const [path = '', ...query] = request.originalUrl.split('?');
  return { path, query: new URLSearchParams(query.join('?')) };
}

/** Whether a browser asks for the page of a frame on another site, where it would not show the app. */
const isInForeignFrame = ({ headers }: Request): boolean =>
  headers['sec-fetch-dest'] === 'iframe' && headers['sec-fetch-site'] !== 'same-origin';

/**
 * Redirects a browser to the app, which asks to sign in or explains the refusal. A program gets the error key. `id`: a
 * read-only id is kept, because the id of the pad would open more. `group`: missing if the visitor may not know it.
 */
function refuse(request: Request, response: Response, error: ErrorKey, id: string, group = '-'): void {
  if (!wantsPage(request)) {
    answerError(request, response, new MyPadsError(error));
    return;
  }
  discardEmptySession(request);
  response.set('Cache-Control', 'no-store');
  const view = `group/${encodeURIComponent(group)}/pad/view/${encodeURIComponent(id)}`;
  const address = `${pathToHost(splitUrl(request).path)}mypads/?/mypads/${view}`;
  if (isInForeignFrame(request)) answerInForeignFrame(request, response, { error, address });
  else response.redirect(302, address);
}

function logPadRefusal(
  runtime: Runtime,
  request: Request,
  visitor: Visitor | undefined,
  reason: ErrorKey,
  pad: string,
): void {
  logRefusedAccess(runtime, request, visitor, { call: `${request.method} /p/:id`, reason, pad });
}

/** Exchanges a ticket or password for a new entry cookie. `undefined`: the old one stays. Guesses are limited. */
async function redeemSecrets(
  runtime: Runtime,
  request: Request,
  response: Response,
  secrets: Secrets,
): Promise<string | undefined> {
  const { padAccess, unlocks, devices } = runtime.model;
  const visitor = await visitorOf(runtime.model, request);
  const browser = request.headers['user-agent'];
  const redeem = () => padAccess.redeem({ ...secrets, visitor, browser });
  if (secrets.password === undefined) return (await redeem()).entryToken;
  const guarded: Guarded = (await padAccess.guardOf(secrets.padId)) ?? { what: 'pad', id: secrets.padId };
  const address = addressAt(runtime, request);
  const provedOf = () => unlocks.provedOf(guarded);
  const device = await deviceOf(devices, request, provedOf);
  const wrongPassword = new MyPadsError('BACKEND.ERROR.PERMISSION.UNAUTHORIZED');
  let entryToken: string | undefined;
  const attempt = async () => {
    const redeemed = await redeem();
    entryToken = redeemed.entryToken;
    // Not the access that they have then: readers could try any number of passwords.
    if (redeemed.wrongPassword) throw wrongPassword;
    return { started: entryToken };
  };
  try {
    await attemptPassword(runtime.limits, { address, guarded, device, guest: !visitor.session }, attempt);
    const connected = connectionOf(request, runtime.trustsProxy());
    if (entryToken !== undefined) rememberDevice(devices, request, response, connected, await provedOf());
  } catch (error) {
    if (error !== wrongPassword) throw error;
    logPadRefusal(runtime, request, visitor, wrongPassword.key, secrets.padId);
  }
  return entryToken;
}

/** The same path with another query, relative to the requested address. */
function relativeAddress(path: string, query: URLSearchParams): string {
  // The editor decodes the query with decodeURIComponent, which does not turn `+` into a space.
  const rest = query.size > 0 ? `?${query.toString().replaceAll('+', '%20')}` : '';
  return `./${path.slice(path.lastIndexOf('/') + 1)}${rest}`;
}

interface Secrets {
  padId: string;
  ticket?: string;
  password?: string;
}

/**
 * Exchanges ticket and password in the URL for a cookie and redirects to the URL without them, so that they do not stay
 * in the history, in logs and in Referer headers. Returns true if the request has been answered.
 */
async function exchangeSecrets(
  runtime: Runtime,
  request: Request,
  response: Response,
  padId: string,
): Promise<boolean> {
  const { path, query } = splitUrl(request);
  const ticket = query.get('auth_token') ?? undefined;
  // Old links do not encode the `+` of Base64, so it arrives as a space.
  const sent = query.get('mypadspassword')?.replaceAll(' ', '+');
  const password = isPartOfForeignPage(request) ? undefined : sent;
  if (request.method !== 'GET' || (ticket === undefined && password === undefined)) return false;
  const entryToken = await redeemSecrets(runtime, request, response, { padId, ticket, password });
  if (entryToken !== undefined) {
    const connected = connectionOf(request, runtime.trustsProxy());
    response.cookie(entryCookie, entryToken, entryCookieOptions(connected));
  }
  query.delete('auth_token');
  query.delete('mypadspassword');
  response.set({ 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' });
  response.redirect(302, relativeAddress(path, query));
  return true;
}

/**
 * Removes cookies that the parser turned into objects (`j:{…}`): Etherpad expects strings, and 1.8.14 would exit. Also
 * those with NUL: Etherpad looks for a record of that name, which PostgreSQL refuses.
 */
function removeInvalidCookies(request: Request): void {
  for (const [name, value] of Object.entries<unknown>(request.cookies ?? {})) {
    if (typeof value !== 'string' || value.includes('\0')) delete request.cookies[name];
  }
}

/**
 * Applies the identity of a signed-in person: an import gets the author of their account, and a name or colour in the
 * URL that is not theirs is removed by a redirect. Returns true if the request has been answered.
 */
async function applyIdentity(
  runtime: Runtime,
  request: Request,
  response: Response,
  { padId, visitor }: { padId: string; visitor: Visitor },
): Promise<boolean> {
  if (await hasProgramAuthor(padId, request)) return false;
  if (isImport(request)) {
    const identity = await identityOf(runtime, visitor);
    if (identity)
      setAuthorCookie(request, runtime.model.authorToken(identity.user._id, tokenNumber(1, identity.name)));
  }
  const { path, query } = splitUrl(request);
  if (request.method !== 'GET' || !(await namesSomebodyElse(runtime, visitor, query))) return false;
  query.delete('userName');
  query.delete('userColor');
  response.redirect(302, relativeAddress(path, query));
  return true;
}

/**
 * Redirects from `/ro/…` to the same pad at `/p/…`: there, 1.8.14 shows the id of the pad as the title of the page, and
 * later versions have no such address. Returns true if the request has been answered.
 */
function leaveOldAddress({ padIds }: Runtime, request: Request, response: Response): boolean {
  const id = String(request.params.id);
  if (request.path !== '/' || !padIds.isReadOnlyId(id)) return false;
  const pad = `${pathToHost(splitUrl(request).path)}p/${encodeURIComponent(id)}`;
  response.redirect(302, wantsPage(request) ? pad : `${pad}/export/html`);
  return true;
}

/** Returns true if the request may go on to Etherpad; otherwise it has been answered. */
async function checkAccess(
  runtime: Runtime,
  request: Request,
  response: Response,
  kind: 'pad' | 'readOnly',
): Promise<boolean> {
  const id = String(request.params.id);
  const padId = await (kind === 'readOnly' ? runtime.padIds.ofReadOnlyId(id) : runtime.padIds.ofUrl(id));
  if (padId === undefined) {
    logPadRefusal(runtime, request, undefined, refusals.unknown, id);
    refuse(request, response, refusals.unknown, id);
    return false;
  }
  // Records are read from the database, but settings are in memory.
  await runtime.model.upToDate();
  if (await exchangeSecrets(runtime, request, response, padId)) return false;
  const byReadOnlyId = kind === 'readOnly' || runtime.padIds.isReadOnlyId(id);
  const visitor = await visitorOf(runtime.model, request);
  const { entry, seenGroup, managed } = await runtime.model.padAccess.decide(padId, visitor);
  if (!isOpen(entry)) {
    logPadRefusal(runtime, request, visitor, refusals[entry], padId);
    if (byReadOnlyId) refuse(request, response, refusals[entry], id);
    else refuse(request, response, refusals[entry], padId, seenGroup);
    return false;
  }
  const reader = entry === 'read' || byReadOnlyId;
  if (reader && managed && request.method !== 'GET' && request.method !== 'HEAD') {
    const reason = 'BACKEND.ERROR.AUTHENTICATION.DENIED_RECORD_EDIT';
    logPadRefusal(runtime, request, visitor, reason, padId);
    refuse(request, response, reason, padId, seenGroup);
    return false;
  }
  // Everything but the page of the editor loads the pad.
  const loadsPad = kind === 'readOnly' || request.path !== '/';
  if (loadsPad && runtime.padSharing && !(await runtime.padSharing.claim(padId))) {
    answerUnavailable(request, response, 'BACKEND.ERROR.SERVER.BUSY');
    return false;
  }
  if (managed) response.set('Cache-Control', 'no-store');
  if (managed && kind === 'readOnly' && leaveOldAddress(runtime, request, response)) return false;
  if (managed && byReadOnlyId && !hidePadId(request, response, { kind, id, padId })) {
    logPadRefusal(runtime, request, visitor, refusals.no, padId);
    answerError(request, response, new MyPadsError(refusals.no));
    return false;
  }
  if (await isTooLargeExport(padId, request.path)) {
    answerError(request, response, new MyPadsError('BACKEND.ERROR.TYPE.TOO_LARGE'));
    return false;
  }
  return !(await applyIdentity(runtime, request, response, { padId, visitor }));
}

/**
 * Otherwise the search would still find the text before the import, until somebody writes in the pad, and other editors
 * would apply the changes that follow to the text before. Etherpad itself reloads that of whoever imports.
 */
async function noteImport(
  { model, padIds, authors, log }: Runtime,
  request: Request,
  id: string,
): Promise<void> {
  try {
    const padId = await padIds.ofUrl(id);
    if (padId === undefined) return;
    const token = authorCookie(request);
    reloadEditors(padId, token === undefined ? undefined : await authors.ofToken(token));
    await model.pads.touch(padId);
  } catch (error) {
    log.warn('storing the edit time of a pad failed', { pad: id, error: String(error) });
  }
}

/** Whether the sender of an import may still write in the pad, now that its file has arrived. */
async function isStillWriter(runtime: Runtime, request: Request, id: string): Promise<boolean> {
  const { model, padIds } = runtime;
  const padId = await padIds.ofUrl(id);
  if (padId === undefined) return false;
  await model.upToDate();
  const visitor = await visitorOf(model, request);
  const { entry } = await model.padAccess.decide(padId, visitor);
  if (entry === 'write') return true;
  const reason = entry === 'read' ? 'BACKEND.ERROR.AUTHENTICATION.DENIED_RECORD_EDIT' : refusals[entry];
  logPadRefusal(runtime, request, visitor, reason, padId);
  return false;
}

/** Use it as `app.use('/p/:id', …)` and, for read-only ids, `app.use('/ro/:id', …)`. An error refuses access. */
export function padGate(kind: 'pad' | 'readOnly'): RequestHandler {
  return (request, response, next) => {
    const runtime = currentRuntime();
    if (!runtime) return answerUnavailable(request, response);
    removeInvalidCookies(request);
    checkAccess(runtime, request, response, kind).then(
      (allowed) => {
        if (!allowed) return;
        // Etherpad's own route gives the request other parameters.
        const { id } = request.params;
        const changed = (): void => void noteImport(runtime, request, String(id));
        const isAllowed = () => isStillWriter(runtime, request, String(id));
        if (isImport(request))
          followImport(request, response, { next, changed, isAllowed, schedule: runtime.schedule });
        else next();
      },
      (error: unknown) => {
        const key = error instanceof MyPadsError ? error.key : undefined;
        if (key === 'BACKEND.ERROR.SERVER.DATABASE_UNAVAILABLE')
          return answerUnavailable(request, response, key);
        if (error instanceof MyPadsError) {
          if (error.status === 429)
            logPadRefusal(runtime, request, undefined, error.key, String(request.params.id));
          return answerError(request, response, error);
        }
        runtime.log.error('pad access check failed, page refused', { error: String(error) });
        if (!response.headersSent) answerUnavailable(request, response);
      },
    );
  };
}
