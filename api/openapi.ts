/**
 * The description of the API for programs (OpenAPI 3.1), made from the routes themselves and from the schemas that check their
 * input: what it says is what the server does.
 */
import type { RequestHandler, Router } from 'express';
import * as z from 'zod';
import { errorStatus } from '../model/errors';
import { type InputSchema, schemaOf } from './middleware/validate';

type Json = Record<string, unknown>;

const toJson = (schema: z.ZodType): Json => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return rest;
};

function parametersOf(schema: z.ZodType | undefined, where: 'path' | 'query'): Json[] {
  if (!schema) return [];
  const { properties, required } = toJson(schema) as {
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

function operation(resource: string, { params, query, body }: InputSchema): Json {
  return {
    tags: [resource],
    parameters: [...parametersOf(params, 'path'), ...parametersOf(query, 'query')],
    ...(body ? { requestBody: { content: { 'application/json': { schema: toJson(body) } } } } : {}),
    responses: {
      200: { description: 'Done', content: { 'application/json': { schema: { type: 'object' } } } },
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
      const schema = schemaOf(handle) ?? {};
      paths[path] = { ...paths[path], [method]: operation(prefix.slice(1), schema) };
    }
  }
  return paths;
}

function describe(resources: Readonly<Record<string, Router>>): Json {
  const error = {
    type: 'object',
    required: ['error'],
    properties: {
      error: { type: 'string', enum: Object.keys(errorStatus) },
      field: { type: 'string' },
      key: { type: 'string' },
      retryAfter: { type: 'integer', description: 'Seconds' },
    },
  };
  return {
    openapi: '3.1.0',
    info: { title: 'MyPads', version: '2' },
    servers: [{ url: '.' }],
    security: [{}, { token: [] }, { auth_token: [] }],
    paths: Object.assign({}, ...Object.entries(resources).map(([prefix, router]) => pathsOf(prefix, router))),
    components: {
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer' },
        auth_token: { type: 'apiKey', in: 'query', name: 'auth_token' },
      },
      responses: {
        Error: {
          description: 'Not done; `error` says why',
          content: { 'application/json': { schema: error } },
        },
      },
    },
  };
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
