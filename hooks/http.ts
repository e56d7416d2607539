/** Registers on Etherpad's web server: our application at /mypads, the gate before every pad, the redirect from `/`. */
import type { Application, ErrorRequestHandler, Request, RequestHandler, Response } from 'express';
import { hostVersion } from '../host/core';
import { MyPadsError } from '../model/errors';
import { cutLongHeaders } from '../web/longHeaders';
import { removeForeignHeaders } from '../web/proxyHeaders';
import { takeTurns } from './connectionTurns';
import { refuseMalformedAddress } from './errorPage';
import { addToAdministration } from './hostPages';
import { otherAddresses } from './otherAddresses';
import { padGate } from './padGate';
import { currentRuntime } from './runtime';
import { answerUnavailable, discardEmptySession, guardServerFiles } from './unavailable';

function serve(request: Request, response: Response): void {
  const runtime = currentRuntime();
  if (!runtime) {
    answerUnavailable(request, response);
    return;
  }
  discardEmptySession(request);
  runtime.app(request, response);
}

/** What nobody but a proxy may say, and what is too long, is removed before anything reads it. */
const checkHeaders: RequestHandler = (request, _response, next) => {
  cutLongHeaders(request);
  const runtime = currentRuntime();
  if (runtime) removeForeignHeaders(runtime.model, request);
  next();
};

/** Etherpad 2.x and 3.x parse JSON bodies before us. Passes parse errors on to our API, which answers them itself. */
const unreadableBody: ErrorRequestHandler = (error: { type?: unknown }, request, response, next) => {
  if (response.headersSent) return next(error);
  request.bodyError = new MyPadsError(
    error.type === 'entity.too.large' ? 'BACKEND.ERROR.TYPE.TOO_LARGE' : 'BACKEND.ERROR.TYPE.JSON',
  );
  serve(request, response);
};

/** 2.x and 3.x add their routes for scripts and styles right after this hook. 1.8.14 does not call it. */
export function expressPreSession(_name: string, { app }: { app: Application }): void {
  app.use(takeTurns, checkHeaders);
  guardServerFiles(app);
}

/** Registers everything synchronously: Etherpad adds its own routes right after this hook, and ours must come first. */
export function expressConfigure(_name: string, { app }: { app: Application }): void {
  app.use(takeTurns, checkHeaders);
  guardServerFiles(app);
  app.use('/mypads', serve);
  app.use('/mypads', unreadableBody);
  app.get('/', (_request, response, next) => {
    const runtime = currentRuntime();
    if (runtime && !runtime.model.configuration.get('allowEtherPads')) response.redirect(302, 'mypads/');
    else next();
  });
  // The version is read at the request, because tests call this hook without Etherpad.
  app.use('/admin', (request, response, next) => {
    if (hostVersion().startsWith('1.')) next();
    else addToAdministration(request, response, next);
  });
  app.use(['/p', '/ro'], refuseMalformedAddress);
  // Not `:pad`: Etherpad has a handler for that parameter name, which would answer before the gate.
  app.use('/p/:id', padGate('pad'));
  app.use('/ro/:id', padGate('readOnly'));
  app.use(otherAddresses);
}

/** Etherpad with `requireAuthentication` must let requests through to /mypads, which authenticates them itself. */
export function preAuthorize(_name: string, { req }: { req: { path: string } }): true | undefined {
  return /^\/mypads(\/|$)/i.test(req.path) ? true : undefined;
}
