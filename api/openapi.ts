/**
 * The description of the API for programs (OpenAPI 3.1), made from the routes themselves and from the schemas that check their
 * input and say what they answer: what it says is what the server does.
 */
import type { RequestHandler, Router } from 'express';
import * as z from 'zod';
import { errorAnswer } from './answers';
import { calls } from './calls';
import { type Description, descriptionOf } from './middleware/validate';

type Json = Record<string, unknown>;

const toJson = (schema: z.ZodType, io: 'input' | 'output'): Json => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return rest;
};

function parametersOf(schema: z.ZodType | undefined, where: 'path' | 'query'): Json[] {
  if (!schema) return [];
  const { properties, required } = toJson(schema, 'input') as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties ?? {}).map(([name, property]) => ({
    name,
    in: where,
    required: where === 'path' || required?.includes(name) === true,
    schema: property,
  }));
}

const token = {
  type: 'string',
  description: 'As in the header `Authorization`, for programs that cannot send one',
};

/** A body as it may be sent: each may have the token beside what the call takes. */
function bodyOf(schema: z.ZodType): Json {
  const { properties, ...rest } = toJson(schema, 'input');
  return { ...rest, properties: { ...(properties as Json), auth_token: token } };
}

/** `postPadByIdTicket` of `POST /pad/{id}/ticket`: what generators of clients call a function. */
const nameOf = (method: string, path: string): string =>
  method +
  path.replace('{', 'by-').replace(/[^a-z0-9]+([a-z0-9]?)/gi, (_all, first: string) => first.toUpperCase());

function operation(method: string, path: string, { input, answer }: Description): Json {
  const words = calls[`${method.toUpperCase()} ${path}`];
  if (!words) throw new Error(`${method} ${path} is not told in words.`);
  const { params, query, body } = input;
  return {
    tags: [path.split('/')[1]],
    summary: words.does,
    description: `For: ${words.who}`,
    operationId: nameOf(method, path),
    parameters: [...parametersOf(params, 'path'), ...parametersOf(query, 'query')],
    ...(body ? { requestBody: { content: { 'application/json': { schema: bodyOf(body) } } } } : {}),
    responses: {
      200: { description: 'Done', content: { 'application/json': { schema: toJson(answer, 'output') } } },
      default: { $ref: '#/components/responses/Error' },
    },
  };
}

/** Express writes `/:id`, OpenAPI `/{id}`. */
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
      paths[path] = { ...paths[path], [method]: operation(method, path, description) };
    }
  }
  return paths;
}

/** Schemas with a name stand in each schema that uses them; here they come once, among the components. */
function withSharedSchemas(description: Json & { components: Json }): Json {
  const shared: Json = {};
  const text = JSON.stringify(description, (_name, value: unknown) => {
    if (typeof value !== 'object' || value === null || !('$defs' in value)) return value;
    const { $defs, ...rest } = value;
    Object.assign(shared, $defs);
    return rest;
  });
  const refer = (json: string): string => json.replaceAll('"#/$defs/', '"#/components/schemas/');
  const whole: Json & { components: Json } = JSON.parse(refer(text));
  whole.components.schemas = JSON.parse(refer(JSON.stringify(shared)));
  return whole;
}

function describe(resources: Readonly<Record<string, Router>>): Json {
  const paths: Record<string, Json> = Object.assign(
    {},
    ...Object.entries(resources).map(([prefix, router]) => pathsOf(prefix, router)),
    { '/openapi.json': { get: operation('get', '/openapi.json', { input: {}, answer: z.looseObject({}) }) } },
  );
  const gone = Object.keys(calls).find((call) => {
    const [method = '', path = ''] = call.split(' ');
    return !paths[path]?.[method.toLowerCase()];
  });
  if (gone) throw new Error(`${gone} is told in words, and there is no such call.`);
  return withSharedSchemas({
    openapi: '3.1.0',
    info: { title: 'MyPads', version: '2' },
    servers: [{ url: '.' }],
    security: [{}, { token: [] }, { auth_token: [] }],
    paths,
    components: {
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer' },
        auth_token: { type: 'apiKey', in: 'query', name: 'auth_token' },
      },
      responses: {
        Error: {
          description: 'Not done; `error` says why',
          headers: {
            'Retry-After': {
              description: 'Seconds, where another try later may succeed: with 429 and some 503',
              schema: { type: 'integer', minimum: 1 },
            },
          },
          content: { 'application/json': { schema: toJson(errorAnswer, 'output') } },
        },
      },
    },
  });
}

/** Answers the description of these resources, by the path that each is mounted at. */
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
