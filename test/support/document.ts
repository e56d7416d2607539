/** The API's own description, and a check of answers against it. */
import type { Agent } from 'supertest';
import * as z from 'zod';
import { errorStatus } from '../../model/errors';
import type { Answer } from './leaks';

type Schema = Parameters<typeof z.fromJSONSchema>[0];
interface Content {
  content: { 'application/json'?: { schema: Schema } };
}
interface OpenApi {
  paths: Record<string, Record<string, { responses: Record<string, Content> }>>;
  components: { schemas: Record<string, Schema> };
}

export interface Document {
  /** Every call as `GET /group/{id}`. */
  calls: string[];
  /** What is wrong with an answer, in words; `undefined` when it is as described. */
  faultOf(answer: Answer): string | undefined;
  /** The call that an address below `/api` means. */
  callOf(method: string, path: string): string | undefined;
}

/** Reads the description that an application gives of itself. */
export async function readDocument(agent: Agent): Promise<Document> {
  const { body, status } = await agent.get('/api/openapi.json');
  if (status !== 200) throw new Error(`There is no description of the API: ${status}`);
  return documentOf(body);
}

/** Stands for an answer that is no JSON. */
const file = z.unknown();

function documentOf({ paths, components }: OpenApi): Document {
  const $defs = JSON.parse(
    JSON.stringify(components.schemas).replaceAll('#/components/schemas/', '#/$defs/'),
  ) as Record<string, Schema>;

  function checkerOf({ content }: Content): z.ZodType {
    const json = content['application/json'];
    if (json === undefined) return file;
    const text = JSON.stringify(json.schema);
    const schema = JSON.parse(text.replaceAll('#/components/schemas/', '#/$defs/')) as object;
    return z.fromJSONSchema({ ...schema, $defs } as Schema);
  }

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
  const checkers = new Map<string, z.ZodType>();
  /** Checks answers to calls that do not exist. */
  const failure = checkerOf({
    content: { 'application/json': { schema: components.schemas.Failure as Schema } },
  });
  const find = (method: string, path: string) =>
    calls.find((one) => one.method === method && one.pattern.test(path));

  /** The schema for an answer; `undefined` if the description does not have this call or this status. */
  function describedOf({ method, path, status }: Answer): z.ZodType | undefined {
    const call = find(method, path);
    if (!call) return status === 200 ? undefined : failure;
    const content = call.responses[status];
    const name = `${call.name} ${status}`;
    const checker = checkers.get(name) ?? (content && checkerOf(content));
    if (checker) checkers.set(name, checker);
    return checker;
  }

  return {
    calls: calls.map(({ name }) => name),
    callOf: (method, path) => find(method, path)?.name,
    faultOf(answer) {
      const { method, path, status } = answer;
      if (answer.text === '' || !['GET', 'POST', 'PUT', 'DELETE', 'PATCH'].includes(method)) return undefined;
      const checker = describedOf(answer);
      if (!checker) return `${method} ${path} ${status} is not in the description: ${answer.text}`;
      if (checker === file) return undefined;
      const body: unknown = JSON.parse(answer.text);
      const { error } = checker.safeParse(body);
      if (error)
        return `${method} ${path} ${status} is not as described: ${answer.text} ${z.prettifyError(error)}`;
      const expected =
        status === 200 ? 200 : errorStatus[(body as { error: keyof typeof errorStatus }).error];
      return status === expected ? undefined : `${method} ${path}: ${status} instead of ${expected}`;
    },
  };
}
