/** The API's own description, and a check of answers against it. */
import type { Agent } from 'supertest';
import * as z from 'zod';
import { errorStatus } from '../../model/errors';
import type { Answer } from './leaks';

type Schema = Parameters<typeof z.fromJSONSchema>[0];
interface Content {
  content?: { 'application/json'?: { schema: Schema } };
}
interface OpenApi {
  paths: Record<string, Record<string, { responses: Record<string, Content> }>>;
  components: { schemas: Record<string, Schema> };
}

export interface Document {
  /** What is wrong with an answer, in words; `undefined` when it is as described. */
  faultOf(answer: Answer): string | undefined;
  /** The call that an address below `/api` means, as `GET /group/{id}`. */
  callOf(method: string, path: string): string | undefined;
}

/** Reads the description that an application gives of itself. */
export async function readDocument(agent: Agent): Promise<Document> {
  const { body, status } = await agent.get('/api/openapi.json');
  if (status !== 200) throw new Error(`There is no description of the API: ${status}`);
  return documentOf(body);
}

/** The checks of these answers. Made in one step: one by one, each would convert the shared schemas again. */
function checkersOf(
  contents: Record<string, Content>,
  shared: Record<string, Schema>,
): Record<string, z.ZodType> {
  const local = (schema: unknown): unknown =>
    JSON.parse(JSON.stringify(schema).replaceAll('#/components/schemas/', '#/$defs/'));
  const schemas = Object.entries(contents).map(([name, { content }]): [string, unknown] => [
    name,
    content?.['application/json']?.schema ?? {},
  ]);
  const properties = local(Object.fromEntries(schemas));
  const all = { type: 'object', properties, required: Object.keys(contents), $defs: local(shared) };
  return (z.fromJSONSchema(all as Schema) as z.ZodObject<Record<string, z.ZodType>>).shape;
}

function documentOf({ paths, components }: OpenApi): Document {
  const calls = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { responses }]) => ({
      name: `${method.toUpperCase()} ${path}`,
      method: method.toUpperCase(),
      pattern: new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}/?$`, 'i'),
      parameters: path.split('{').length,
      responses,
    })),
  );
  // A path with fewer parameters comes first, as in the routers.
  calls.sort((one, other) => one.parameters - other.parameters);
  const described = calls.flatMap(({ name, responses }) =>
    Object.entries(responses).map(([status, response]): [string, Content] => [`${name} ${status}`, response]),
  );
  const isFile = new Set(
    described.filter(([, { content }]) => !content?.['application/json']).map(([name]) => name),
  );
  const failure = { content: { 'application/json': { schema: components.schemas.Failure as Schema } } };
  const checkers = checkersOf({ ...Object.fromEntries(described), failure }, components.schemas);
  const find = (method: string, path: string) =>
    calls.find((one) => one.method === method && one.pattern.test(path));

  /** The described answer that this one should be; `undefined` if there is no such call. */
  function nameOf({ method, path, status }: Answer): string | undefined {
    const call = find(method, path);
    if (!call) return status === 200 ? undefined : 'failure';
    return `${call.name} ${status}`;
  }

  return {
    callOf: (method, path) => find(method, path)?.name,
    faultOf(answer) {
      const { method, path, status } = answer;
      if (answer.text === '' || !['GET', 'POST', 'PUT', 'DELETE', 'PATCH'].includes(method)) return undefined;
      const name = nameOf(answer);
      const checker = name === undefined ? undefined : checkers[name];
      if (name === undefined || !checker)
        return `${method} ${path} ${status} is not in the description: ${answer.text}`;
      if (isFile.has(name)) return undefined;
      const body: unknown = JSON.parse(answer.text);
      // By itself too: together with the error keys of the call, zod lets fields pass that no error has.
      const ofFailure = status < 400 ? undefined : checkers.failure?.safeParse(body);
      const error = checker.safeParse(body).error ?? ofFailure?.error;
      if (error)
        return `${method} ${path} ${status} is not as described: ${answer.text} ${z.prettifyError(error)}`;
      const expected =
        status === 200 ? 200 : errorStatus[(body as { error: keyof typeof errorStatus }).error];
      return status === expected ? undefined : `${method} ${path}: ${status} instead of ${expected}`;
    },
  };
}
