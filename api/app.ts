/**
 * Our own express application, mounted at /mypads. The order from top to bottom is the order of work: headers, then for the API input,
 * caller, resources, and at the end what nobody knew and what went wrong.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import compression from 'compression';
import express, { type RequestHandler, type Router } from 'express';
import { MyPadsError } from '../model/errors';
import type { Model } from '../model/model';
import { authRoutes } from './auth/routes';
import { bookmarkRoutes } from './bookmark/routes';
import { cacheRoutes } from './cache/routes';
import { configurationRoutes } from './configuration/routes';
import { allUsersRoutes, searchUsersRoutes } from './directory/routes';
import { groupRoutes } from './group/routes';
import { l10nRoutes } from './l10n/routes';
import { readInput } from './middleware/body';
import { noteConnection } from './middleware/connection';
import { answerErrors } from './middleware/errors';
import { securityHeaders } from './middleware/headers';
import type { Limits } from './middleware/rateLimit';
import { type HostSessionOf, identify } from './middleware/session';
import { describeApi } from './openapi';
import { padRoutes } from './pad/routes';
import { createAssets } from './page/assets';
import { pageRoutes } from './page/routes';
import { confirmationRoutes, recoveryRoutes } from './recovery/routes';
import type { Services } from './services';
import { statsRoutes } from './stats/routes';
import { userRoutes } from './user/routes';
import { userListRoutes } from './userlist/routes';

export interface AppOptions {
  model: Model;
  /** The folder with the built page: `manifest.json`, `assets/`, `l10n/`. May be missing; the page then says so. */
  staticRoot: string;
  /** The folder with `index.html`. */
  templateRoot: string;
  /** Does a trusted proxy stand before us? Without it our own setting says so. */
  trustProxy?: () => boolean;
  /** The host's own session of a request; without it nobody comes in by one. */
  hostSession?: HostSessionOf;
  /** Shared with the doors of the pads: a guess counts once, wherever it is made. */
  limits: Limits;
}

/** A plain function, so that a host mounts it without lending its own express: `host.use('/mypads', app)`. */
export type App = (request: IncomingMessage, response: ServerResponse) => void;

/** Lists of hundreds of folders shrink to a tenth; small answers, which may hold a token, stay as they are. */
const compressed = compression({ threshold: 16 * 1024 });

const neverStored: RequestHandler = (_request, response, next) => {
  response.setHeader('Cache-Control', 'no-store');
  response.setHeader('Expires', '-1');
  next();
};

const unknownRoute: RequestHandler = () => {
  throw new MyPadsError('BACKEND.ERROR.TYPE.ROUTE');
};

export function createApp(options: AppOptions): App {
  const { model, limits, hostSession = () => undefined } = options;
  const services: Services = { model, limits };
  const assets = createAssets(options.staticRoot);
  const trusted = options.trustProxy ?? (() => model.configuration.get('trustProxy'));

  const resources: Record<string, Router> = {
    '/auth': authRoutes(services),
    '/configuration': configurationRoutes(services),
    '/user': userRoutes(services),
    '/all-users': allUsersRoutes(services),
    '/search-users': searchUsersRoutes(services),
    '/group': groupRoutes(services),
    '/pad': padRoutes(services),
    '/userlist': userListRoutes(services),
    '/usermark': bookmarkRoutes(services),
    '/passrecover': recoveryRoutes(services),
    '/accountconfirm': confirmationRoutes(services),
    '/cache': cacheRoutes(services),
    '/stats': statsRoutes(services),
    '/l10n': l10nRoutes(assets),
  };

  const api = express.Router();
  api.use(neverStored, compressed, readInput, identify(model, hostSession));
  for (const [path, router] of Object.entries(resources)) api.use(path, router);
  api.use('/openapi.json', describeApi(resources));
  api.use(unknownRoute);

  const app = express();
  app.disable('x-powered-by');
  app.use(noteConnection(trusted), securityHeaders);
  app.use('/api', api);
  app.use(pageRoutes(services, assets, options.templateRoot));
  app.use(unknownRoute);
  app.use(answerErrors(model.log));
  return (request, response) => void app(request, response);
}
