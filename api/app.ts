/**
 * The plugin's own express application, mounted at /mypads. Middleware runs from top to bottom: headers, input, caller,
 * routes. Unknown routes and errors are handled last.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import express, { type RequestHandler } from 'express';
import { MyPadsError } from '../model/errors';
import type { Model } from '../model/model';
import type { PeopleInPad } from '../model/ports';
import { attachConnection } from '../web/connection';
import { securityHeaders } from '../web/headers';
import type { Metrics } from '../web/metrics';
import type { Limits } from '../web/rateLimit';
import { callRouter } from './handlers';
import { metricsRoute } from './metrics';
import { readInput } from './middleware/body';
import { type HostSessionOf, identify } from './middleware/caller';
import { deferCall } from './middleware/deferCall';
import { answerErrors } from './middleware/errors';
import { waitForOthers } from './middleware/otherProcesses';
import { checkOtherRoutes } from './otherRoutes';
import { createAssets } from './page/assets';
import { pageRoutes } from './page/routes';
import { type PadOfReadOnlyId, routingKeyRoute } from './routingKey';
import type { Services } from './services';

export interface AppOptions {
  model: Model;
  /** The folder with the built page: `manifest.json`, `assets/`, `l10n/`. If it is missing, the page answers 503. */
  staticRoot: string;
  /** The folder with `index.html`. */
  templateRoot: string;
  /** Whether a trusted proxy is in front of the server. Default: the setting `trustProxy`. */
  trustProxy?: () => boolean;
  /** Finds Etherpad's own session of a request. Without it, nobody can sign in with an Etherpad session. */
  hostSession?: HostSessionOf;
  /** Shared with the access check of pads, so that a wrong password counts once, wherever it was sent. */
  limits: Limits;
  /** Finds out who has pads open now. Default: nobody. */
  peopleInPads?: () => Iterable<[string, PeopleInPad]>;
  /** What `GET metrics` answers. Without it, the call does not exist. */
  metrics?: Metrics;
  /** `ep_mypads.metrics` of the settings file, not validated: who may call `GET metrics`. */
  metricsAccess?: () => unknown;
  /** Without it, no read-only id is known. */
  padOfReadOnlyId?: PadOfReadOnlyId;
  /** The key by which a proxy chooses the process of a pad. Without it, `GET routing-key` does not exist. */
  routingKeyOf?: (padId: string) => string;
}

/** A plain function: Etherpad mounts it with `host.use('/mypads', app)`, whatever its version of express. */
export type App = (request: IncomingMessage, response: ServerResponse) => void;

const noStore: RequestHandler = (_request, response, next) => {
  response.setHeader('Cache-Control', 'no-store');
  response.setHeader('Expires', '-1');
  next();
};

/** Thousands of pages may ask in a second, so an answer is reused for a second. */
function cachedForASecond(find: AppOptions['peopleInPads'] = () => []): Services['peopleInPads'] {
  let found: ReadonlyMap<string, PeopleInPad> = new Map();
  let until = Number.NEGATIVE_INFINITY;
  return () => {
    const now = performance.now();
    if (now >= until) {
      found = new Map(find());
      until = now + 1_000;
    }
    return found;
  };
}

const unknownRoute: RequestHandler = () => {
  throw new MyPadsError('BACKEND.ERROR.TYPE.ROUTE');
};

/** A CAS server tells that somebody has signed out at the address for which it has issued the ticket, by default. */
const logoutAtService: RequestHandler = (request, _response, next) => {
  const { method, url } = request;
  if (method === 'POST' && /^\/\?\/login$/.test(url)) request.url = '/api/auth/cas/logout';
  next();
};

export function createApp(options: AppOptions): App {
  const { model, limits, hostSession = () => undefined } = options;
  const trustsProxy = options.trustProxy ?? (() => model.configuration.get('trustProxy'));
  const peopleInPads = cachedForASecond(options.peopleInPads);
  const padOfReadOnlyId = options.padOfReadOnlyId ?? (async () => undefined);
  const services: Services = { model, limits, trustsProxy, peopleInPads, padOfReadOnlyId };
  const assets = createAssets(options.staticRoot);

  const api = express.Router();
  if (options.metrics) api.use(options.metrics.timeCalls);
  api.use(
    deferCall,
    noStore,
    readInput,
    waitForOthers(model),
    identify(model, limits, hostSession),
    callRouter(services, assets),
    unknownRoute,
  );

  const app = express();
  app.disable('x-powered-by');
  app.use(attachConnection(trustsProxy), securityHeaders, logoutAtService);
  app.use('/api', api);
  const forPrograms = express.Router();
  if (options.metrics)
    forPrograms.get(
      '/metrics',
      metricsRoute(services, options.metrics, options.metricsAccess ?? (() => undefined)),
    );
  if (options.routingKeyOf)
    forPrograms.get('/routing-key', routingKeyRoute(options.routingKeyOf, padOfReadOnlyId));
  for (const router of [forPrograms, pageRoutes(services, assets, options.templateRoot)]) {
    checkOtherRoutes(router);
    app.use(router);
  }
  app.use(unknownRoute);
  app.use(answerErrors(model.log));
  return (request, response) => void app(request, response);
}
