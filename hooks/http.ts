/** What we put on Etherpad's own web server: our application at /mypads, the gate before every pad, and the way from `/` to us. */
import type { Application, ErrorRequestHandler } from 'express';
import { securityHeaders } from '../api/middleware/headers';
import { MyPadsError } from '../model/errors';
import { answerClosed, leaveEmptySession } from './closed';
import { openHouse } from './house';
import { padGate } from './padGate';

/** Later Etherpads read JSON bodies before we see them; what they cannot read comes here. */
const unreadableBody: ErrorRequestHandler = (error: { type?: unknown }, request, response, next) => {
  if (response.headersSent) return next(error);
  const failure = new MyPadsError(
    error.type === 'entity.too.large' ? 'BACKEND.ERROR.TYPE.TOO_LARGE' : 'BACKEND.ERROR.TYPE.JSON',
  );
  securityHeaders(request, response, () => {
    response.status(failure.status).set('Cache-Control', 'no-store').json({ error: failure.key });
  });
};

/** Registers everything before it returns: Etherpad's own routes come right after, and must not come first. */
export function expressConfigure(_name: string, { app }: { app: Application }): void {
  app.use('/mypads', (request, response) => {
    const house = openHouse();
    if (!house) return answerClosed(request, response);
    leaveEmptySession(request);
    house.app(request, response);
  });
  app.use('/mypads', unreadableBody);
  app.get('/', (_request, response, next) => {
    const house = openHouse();
    if (house && !house.model.configuration.get('allowEtherPads')) response.redirect(302, 'mypads/');
    else next();
  });
  // Not `:pad`: the host answers that one itself, before anybody is asked.
  app.use('/p/:id', padGate('pad'));
  app.use('/ro/:id', padGate('readOnly'));
}

/** A host that asks everybody to sign in lets everybody through to us: we ask ourselves. */
export function preAuthorize(_name: string, { req }: { req: { path: string } }): true | undefined {
  return /^\/mypads(\/|$)/i.test(req.path) ? true : undefined;
}
