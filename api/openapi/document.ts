/**
 * The API description (OpenAPI 3.1). It is made from the routes and their schemas, so that it cannot differ from what
 * the server does.
 */
import type { RequestHandler, Router } from 'express';
import * as z from 'zod';
import { errorAnswer } from '../answers';
import { type CallSummary, calls } from '../calls';
import { type Description, descriptionOf } from '../middleware/validate';
import { operation } from './operation';
import { type Json, toJson, withSharedSchemas } from './schemas';
import { tags } from './tags';

function summaryOf(method: string, path: string): CallSummary {
  const summary = calls[`${method.toUpperCase()} ${path}`];
  if (!summary) throw new Error(`${method} ${path} is missing in api/calls.ts.`);
  return summary;
}

/** Express writes `/:id`, OpenAPI writes `/{id}`. */
const pathOf = (prefix: string, path: string): string =>
  (prefix + path).replace(/\/$/, '').replace(/:(\w+)/g, '{$1}');

function pathsOf(prefix: string, router: Router): Record<string, Json> {
  const paths: Record<string, Json> = {};
  for (const { route } of router.stack) {
    if (!route) continue;
    const path = pathOf(prefix, route.path);
    for (const { method, handle } of route.stack) {
      const description = descriptionOf(handle);
      if (!description) throw new Error(`${method} ${path} says neither what it takes nor what it answers.`);
      const summary = summaryOf(method, path);
      paths[path] = { ...paths[path], [method]: operation(method, path, description, summary) };
    }
  }
  return paths;
}

const ownDescription: Description = { who: 'public', answer: z.looseObject({}) };

const info = {
  title: 'MyPads',
  version: '2',
  description: [
    'Accounts, folders of pads and who may open them, for Etherpad. Sign in with `POST /auth/login` and send the `token` of the answer',
    'as `Authorization: Bearer …`. Error answers are `{"error": "<key>"}`; programs should look at the key.',
    'If a path matches both a fixed path and one with a parameter, the fixed one counts.',
  ].join(' '),
  license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
};

const securitySchemes = {
  token: { type: 'http', scheme: 'bearer', description: 'The `token` of the answer to a sign-in.' },
  auth_token: {
    type: 'apiKey',
    in: 'query',
    name: 'auth_token',
    description:
      'The same, for programs that cannot send a header. URLs are written to logs, so prefer the header.',
  },
  hostSession: {
    type: 'apiKey',
    in: 'cookie',
    name: 'express_sid',
    description:
      'Etherpad’s own session in a browser that is signed in at its `/admin`. Etherpad may add a prefix to the name.',
  },
};

/** Throws if a call of `api/calls.ts` is not a route. */
function requireRoutes(paths: Record<string, Json>): void {
  const gone = Object.keys(calls).find((call) => {
    const [method = '', path = ''] = call.split(' ');
    return !paths[path]?.[method.toLowerCase()];
  });
  if (gone) throw new Error(`${gone} is in api/calls.ts, but there is no such call.`);
}

function describe(resources: Readonly<Record<string, Router>>): Json {
  const own = '/openapi.json';
  const paths: Record<string, Json> = Object.assign(
    {},
    ...Object.entries(resources).map(([prefix, router]) => pathsOf(prefix, router)),
    { [own]: { get: operation('get', own, ownDescription, summaryOf('get', own)) } },
  );
  requireRoutes(paths);
  const used = new Set(Object.keys(paths).map((path) => path.split('/')[1] ?? ''));
  return withSharedSchemas({
    openapi: '3.1.0',
    info,
    // Relative to the URL of this description, so that it is right behind a proxy with any path.
    servers: [{ url: '../api' }],
    tags: [...used].map((name) => ({ name, description: tags[name] })),
    paths,
    components: { securitySchemes, schemas: { Failure: toJson(errorAnswer, 'output') } },
  });
}

/** Answers the API description of these resources. The keys are the paths where they are mounted. */
export function describeApi(resources: Readonly<Record<string, Router>>): RequestHandler {
  let description: Json | undefined;
  return (request, response, next) => {
    if (request.method !== 'GET' || request.path !== '/') {
      next();
      return;
    }
    description ??= describe(resources);
    response.json(description);
  };
}
