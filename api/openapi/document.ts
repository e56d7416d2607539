/**
 * The API description (OpenAPI 3.1). It is made from the routes and their schemas, so that it cannot differ from what
 * the server does.
 */
import { Router } from 'express';
import * as z from 'zod';
import { errorAnswer } from '../answers';
import { callsOf, route } from '../middleware/route';
import { AnswerBuilder, type SerialisedAnswer } from '../serialisedAnswer';
import { operation } from './operation';
import { type Json, toJson, withSharedSchemas } from './schemas';

/** A part of the API. */
export interface Resource {
  /** Where it is mounted below `/mypads/api`, with a slash at the start. */
  path: string;
  /** What it is about, in a sentence. */
  about: string;
  router: Router;
}

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

function describe(resources: readonly Resource[]): Json {
  const paths: Record<string, Json> = {};
  for (const { path: prefix, router } of resources) {
    for (const call of callsOf(prefix, router)) {
      paths[call.path] = { ...paths[call.path], [call.method]: operation(call) };
    }
  }
  return withSharedSchemas({
    openapi: '3.1.0',
    info,
    // Relative to the URL of this description, so that it is right behind a proxy with any path.
    servers: [{ url: '../api' }],
    tags: resources.map(({ path, about }) => ({ name: path.slice(1), description: about })),
    paths,
    components: { securitySchemes, schemas: { Failure: toJson(errorAnswer, 'output') } },
  });
}

/** `GET openapi.json`. It is made at the first call, and describes itself too. */
export function descriptionRoutes(resources: () => readonly Resource[]): Router {
  const router = Router();
  let description: SerialisedAnswer<Json> | undefined;
  router.get(
    '/',
    route(
      {
        who: 'public',
        summary: 'Returns the description of the API for programs (OpenAPI 3.1).',
        answer: z.looseObject({}),
      },
      () => {
        description ??= new AnswerBuilder()
          .text(JSON.stringify(describe(resources())))
          .done({ kept: 'here' });
        return description;
      },
    ),
  );
  return router;
}
