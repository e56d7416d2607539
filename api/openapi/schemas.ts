/** Converts the schemas of the routes to JSON Schema for the API description. */
import * as z from 'zod';
import { isIgnored } from '../middleware/ignoredFields';

export type Json = Record<string, unknown>;

export interface ObjectSchema extends Json {
  properties?: Record<string, Json>;
  required?: string[];
}

/**
 * All numbers of the API are integers. Removes what client generators would check, or cannot: zod's bounds of safe
 * integers, and that a field is always true.
 */
function simplify(schema: Json): void {
  if (schema.type === 'number') schema.type = 'integer';
  if (schema.type === 'boolean') delete schema.const;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
}

/** Removes ignored fields: readers of the description would expect that they have an effect. */
function dropIgnored(schema: ObjectSchema): void {
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    if (isIgnored(property)) delete schema.properties?.[name];
  }
}

export function toJson(schema: z.ZodType, io: 'input' | 'output'): ObjectSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ jsonSchema }) => simplify(jsonSchema as Json),
  });
  return rest as ObjectSchema;
}

/** The schema of an input without ignored fields. */
function inputOf(schema: z.ZodType): ObjectSchema {
  const json = toJson(schema, 'input');
  dropIgnored(json);
  return json;
}

/** Numbers in a query are sent as text. They are described as numbers, without the pattern of the text. */
const withoutPatternOfNumber = ({ pattern, ...schema }: Json): Json =>
  schema.type === 'integer' || pattern === undefined ? schema : { pattern, ...schema };

/** Examples of path parameters. */
const samples: Readonly<Record<string, string>> = {
  login: 'alice',
  id: 'minutes-of-the-board-x2k3v9',
  key: 'title',
  text: 'ali',
  file: 'en.json',
  token: '<the token of the link>',
  session: '0b6d3f4c9a1e27585d9c1f4e60a7b382',
};

export function parametersOf(schema: z.ZodType | undefined, where: 'path' | 'query'): Json[] {
  if (!schema) return [];
  const { properties = {}, required = [] } = inputOf(schema);
  return Object.entries(properties).map(([name, { description, deprecated, ...property }]) => ({
    name,
    in: where,
    required: where === 'path' || required.includes(name),
    ...(description === undefined ? {} : { description }),
    ...(deprecated === undefined ? {} : { deprecated }),
    schema: withoutPatternOfNumber(property),
    ...(where === 'path' && Object.hasOwn(samples, name) ? { example: samples[name] } : {}),
  }));
}

const token = {
  type: 'string',
  description: 'The token, for programs that cannot send the header `Authorization`',
};

/** The same schema under a name: client generators make a class of it, and would otherwise invent one. */
export const namedSchema = ({ $defs, ...schema }: Json, name: string): Json =>
  schema.$ref === undefined
    ? { $ref: `#/$defs/${name}`, $defs: { ...($defs as Json | undefined), [name]: schema } }
    : { ...schema, $defs };

/** The schema of a body, which may always contain the token too. */
export function bodyOf(schema: z.ZodType, name: string): Json {
  const { properties, ...rest } = inputOf(schema);
  // A body of any names has no list of them: generated clients could not say of which type `auth_token` is.
  const named = properties === undefined ? {} : { properties: { ...properties, auth_token: token } };
  return namedSchema({ ...rest, ...named }, name);
}

/** zod repeats named schemas wherever they are used. This moves them to the components of the document, once each. */
export function withSharedSchemas(document: Json & { components: Json }): Json {
  const shared: Json = {};
  const text = JSON.stringify(document, (_name, value: unknown) => {
    if (typeof value !== 'object' || value === null || !('$defs' in value)) return value;
    const { $defs, ...rest } = value;
    Object.assign(shared, $defs);
    return rest;
  });
  const refer = (json: string): string => json.replaceAll('"#/$defs/', '"#/components/schemas/');
  const whole: Json & { components: Json } = JSON.parse(refer(text));
  const named = whole.components.schemas as Json | undefined;
  whole.components.schemas = { ...named, ...JSON.parse(refer(JSON.stringify(shared))) };
  return whole;
}
