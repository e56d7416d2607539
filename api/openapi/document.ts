/** The API description (OpenAPI 3.1). It is made from calls.ts, so that it cannot differ from what the server does. */
import { errorAnswer } from '../answers';
import { calls, type Handlers, resources } from '../calls';
import type { Call } from '../declaration';
import { AnswerBuilder, type SerialisedAnswer } from '../serialisedAnswer';
import { operation } from './operation';
import { type Json, toJson, withSharedSchemas } from './schemas';

const info = {
  title: 'MyPads',
  version: '2',
  description: [
    'Accounts, folders of pads and who may open them, for Etherpad. Sign in with `POST /auth/login` and send the `token` of the answer',
    'as `Authorization: Bearer …`, or an API token that has the `x-api-token-scope` of the call. Error answers are `{"error": "<key>"}`; programs should look at the key.',
    'If a path matches both a fixed path and one with a parameter, the fixed one counts.',
  ].join(' '),
  license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
};

const securitySchemes = {
  token: {
    type: 'http',
    scheme: 'bearer',
    description: 'The `token` of the answer to a sign-in, or an API token.',
  },
  auth_token: {
    type: 'apiKey',
    in: 'query',
    name: 'auth_token',
    description:
      'The token of a session, for programs that cannot send a header. URLs are written to logs, so prefer the header.',
  },
  hostSession: {
    type: 'apiKey',
    in: 'cookie',
    name: 'express_sid',
    description:
      'Etherpad’s own session in a browser that is signed in at its `/admin`. Etherpad may add a prefix to the name.',
  },
};

function describe(): Json {
  const paths: Record<string, Json> = {};
  for (const [name, declaration] of Object.entries<Call>(calls)) {
    const [method = '', path = ''] = name.split(' ');
    const described = operation({ method: method.toLowerCase(), path, declaration });
    paths[path] = { ...paths[path], [method.toLowerCase()]: described };
  }
  return withSharedSchemas({
    openapi: '3.1.0',
    info,
    // Relative to the URL of this description, so that it is right behind a proxy with any path.
    servers: [{ url: '../api' }],
    tags: Object.entries(resources).map(([name, description]) => ({ name, description })),
    paths,
    components: { securitySchemes, schemas: { Failure: toJson(errorAnswer, 'output') } },
  });
}

/** The description is made at the first call, and describes itself too. */
export function descriptionHandlers() {
  let description: SerialisedAnswer<Json> | undefined;
  return {
    'GET /openapi.json'() {
      description ??= new AnswerBuilder().text(JSON.stringify(describe())).done({ kept: 'here' });
      return description;
    },
  } satisfies Partial<Handlers>;
}
