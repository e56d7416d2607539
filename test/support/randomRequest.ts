/** Random requests based on the description of the API: some valid, most nearly valid, some far from it. */
import fc from 'fast-check';

/** The parts of a JSON schema from which requests are made. */
export interface Shape {
  type?: string | string[];
  enum?: unknown[];
  anyOf?: Shape[];
  items?: Shape;
  properties?: Record<string, Shape>;
  required?: string[];
}

export interface Operation {
  parameters: { name: string; in: 'path' | 'query'; required?: boolean; schema: Shape }[];
  requestBody?: { content: { 'application/json': { schema: Shape } } };
}

/** The description with the schemas of the bodies in place of the references to them. */
export function withBodies<Description extends { paths: object; components: { schemas: object } }>(
  description: Description,
): Description {
  const schemas: Record<string, unknown> = { ...description.components.schemas };
  const body = ({ $ref }: { $ref?: string }) => schemas[$ref?.replace('#/components/schemas/', '') ?? ''];
  const paths = JSON.stringify(description.paths, (name, value) =>
    name === 'requestBody'
      ? {
          content: {
            'application/json': {
              schema: body(Object.values<{ schema: object }>(value.content)[0]?.schema ?? {}),
            },
          },
        }
      : value,
  );
  return { ...description, paths: JSON.parse(paths) };
}

export interface RandomRequest {
  method: string;
  /** Below `/api`, with its query, as it is sent. */
  path: string;
  /** The caller: a name of `Known.tokens`, or missing for a guest. */
  who: string;
  headers: Record<string, string>;
  /** As it is sent. */
  body: string | undefined;
}

/** Values that really exist on the server, so that some requests use them. */
export interface Known {
  /**
   * Sensible values of a field or parameter. Those of a resource come first: `group/id` in an address, `user.login` in
   * a body.
   */
  fitting: Record<string, readonly unknown[]>;
  /** The tokens of the callers, by kind of caller. */
  tokens: Record<string, string>;
}

const reserved = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  '',
  '.',
  '..',
  'null',
  'undefined',
];

/** Texts of any UTF-16 units. Unpaired surrogates can be in JSON, but not in UTF-8. */
const codeUnits = fc
  .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 40 })
  .map((units) => String.fromCharCode(...units));

const oddText = fc.oneof(
  fc.constantFrom(...reserved),
  fc.string(),
  fc.string({ unit: 'binary', maxLength: 60 }),
  codeUnits,
  fc.constantFrom('x'.repeat(101), '\u0000', '‮txt', '#12345', '%', 'a@b', 'é'.repeat(300), 'x'.repeat(9_000)),
);

const oddNumber = fc.oneof(
  fc.integer(),
  fc.double(),
  fc.constantFrom(Number.MAX_SAFE_INTEGER + 2, 1e308, -0, 5e-324),
);

const junk: fc.Arbitrary<unknown> = fc.oneof(
  oddText,
  oddNumber,
  fc.boolean(),
  fc.constant(null),
  fc.jsonValue({ maxDepth: 4 }),
  fc.object({ maxDepth: 3, key: oddText }),
  fc.array(oddText, { maxLength: 5 }),
);

type Texts = (name: string) => fc.Arbitrary<string>;

function sensible({ fitting }: Known, resource: string, name: string): readonly unknown[] {
  const found = [`${resource}.${name}`, name].find((one) => Object.hasOwn(fitting, one));
  return found === undefined ? [] : (fitting[found] ?? []);
}

/** Texts for a field of this name: existing values that fit, existing values of other fields, or any text. */
function textsOf(known: Known, resource: string): Texts {
  const strings = (values: readonly unknown[]): string[] =>
    values.filter((value): value is string => typeof value === 'string');
  const all = strings(Object.values(known.fitting).flat());
  return (name) => {
    const own = strings(sensible(known, resource, name));
    return fc.oneof(
      { arbitrary: fc.constantFrom(...(own.length > 0 ? own : all)), weight: 20 },
      { arbitrary: fc.constantFrom(...all), weight: 3 },
      { arbitrary: fc.string({ minLength: 1, maxLength: 30 }), weight: 2 },
      { arbitrary: oddText, weight: 1 },
    );
  };
}

/** A value of the type in the schema. It may exceed the limits in the schema. */
function fitting(name: string, shape: Shape, known: Known, texts: Texts): fc.Arbitrary<unknown> {
  if (shape.enum) return fc.constantFrom(...shape.enum);
  if (shape.anyOf) return fc.oneof(...shape.anyOf.map((one) => fitting(name, one, known, texts)));
  const kinds = [shape.type ?? 'any'].flat();
  return fc.oneof(
    ...kinds.map((kind): fc.Arbitrary<unknown> => {
      if (kind === 'string') return texts(name);
      if (kind === 'boolean') return fc.boolean();
      if (kind === 'null') return fc.constant(null);
      if (kind === 'array') {
        return fc.array(fitting(name, shape.items ?? {}, known, texts), { maxLength: 6 });
      }
      if (kind === 'object' && shape.properties) return bodyOf(shape, known, texts);
      const own = Object.hasOwn(known.fitting, name) ? (known.fitting[name] ?? []) : [];
      return fc.oneof(
        ...(own.length > 0 ? [{ arbitrary: fc.constantFrom(...own), weight: 10 }] : []),
        { arbitrary: junk, weight: 1 },
        { arbitrary: fc.oneof(fc.nat(40), fc.boolean(), texts(name)), weight: 3 },
      );
    }),
  );
}

const wild = fc.constantFrom(
  '',
  '{',
  'null',
  '[]',
  '"text"',
  '{"__proto__":{"active":true,"kind":"admin"}}',
  '{"constructor":{"prototype":{"active":true}}}',
  '{"a":1e999}',
  `${'[{"a":'.repeat(2_000)}1${'}]'.repeat(2_000)}`,
  `{"name":"${'x'.repeat(110_000)}"}`,
  `{"loginsOrEmails":[${'"x",'.repeat(20_000)}"x"]}`,
  '\ufeff{}',
  '{"a":"\\ud800"}',
  '{"name":"a","name":"b"}',
);

function bodyOf(shape: Shape | undefined, known: Known, texts: Texts): fc.Arbitrary<unknown> {
  const fields = Object.fromEntries(
    Object.entries(shape?.properties ?? {}).map(([name, one]) => [
      name,
      fc.oneof(
        { arbitrary: fitting(name, one, known, texts), weight: 40 },
        { arbitrary: junk, weight: 1 },
        // Instead of a value that fits: a list with that value, and an object with it.
        { arbitrary: texts(name).map((text) => [text]), weight: 1 },
        { arbitrary: texts(name).map((text) => ({ [name]: text })), weight: 1 },
      ),
    ]),
  );
  const needed = shape?.required ?? [];
  return fc.oneof(
    { arbitrary: fc.record(fields), weight: 1 },
    { arbitrary: fc.record(fields, { requiredKeys: needed }), weight: 3 },
    // Only a few optional fields, because each further field makes a refusal more probable.
    { arbitrary: fewOf(fields, needed), weight: 8 },
    { arbitrary: fc.record(fields, { requiredKeys: [] }), weight: 1 },
  );
}

function fewOf(fields: Record<string, fc.Arbitrary<unknown>>, needed: string[]): fc.Arbitrary<unknown> {
  const others = Object.keys(fields).filter((name) => !needed.includes(name));
  const pick = (names: string[]) =>
    fc.record(Object.fromEntries(names.map((name) => [name, fields[name] ?? junk])));
  return fc
    .subarray(others, { maxLength: Math.min(2, others.length) })
    .chain((more) => pick([...needed, ...more]));
}

/** Percent-encodes a text. Unpaired surrogates cannot be encoded, so they are replaced. */
const encoded = (text: string): string => encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd'));

function pathOf(
  path: string,
  { parameters }: Operation,
  texts: Texts,
  resource: string,
): fc.Arbitrary<string> {
  const segment = (name: string) =>
    fc.oneof(
      { arbitrary: texts(`${resource}/${name}`).map(encoded), weight: 30 },
      { arbitrary: fc.constantFrom('%', '%ff', '%00', '%2e%2e', '%2f', 'a%zz'), weight: 1 },
    );
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const holes = path.split(/\{\w+\}/);
  const asked = parameters.filter((one) => one.in === 'query').map(({ name }) => name);
  const pair = fc
    .constantFrom(...asked, ...asked, 'auth_token', 'auth_token[]', '__proto__', 'unknown')
    .chain((name) => fc.tuple(fc.constant(name), fc.oneof(texts(name), texts(name), fc.nat().map(String))));
  const query = fc.oneof(
    { arbitrary: fc.constant([]), weight: 3 },
    { arbitrary: fc.array(pair, { maxLength: asked.length > 0 ? 3 : 1 }), weight: asked.length > 0 ? 4 : 1 },
  );
  const needed = parameters
    .filter((one) => one.in === 'query' && one.required)
    .map(({ name }) => fc.tuple(fc.constant(name), texts(name)));
  const neededQuery = fc.oneof(
    { arbitrary: fc.tuple(...needed), weight: 3 },
    { arbitrary: query, weight: 1 },
  );
  const search = needed.length > 0 ? neededQuery : query;
  return fc.tuple(fc.tuple(...names.map(segment)), search).map(([filled, pairs]) => {
    const address = holes.map((hole, index) => hole + (filled[index] ?? '')).join('');
    const text = pairs.map(([key, one]) => `${encodeURIComponent(key)}=${encoded(one)}`).join('&');
    return text ? `${address}?${text}` : address;
  });
}

/** The ways in which a token is sent. */
type Carriage = 'Bearer' | 'JWT' | 'query' | 'body' | 'cookie';

const oddHeaders = fc.oneof(
  { arbitrary: fc.constant({}), weight: 20 },
  {
    arbitrary: fc.constantFrom<Record<string, string>>(
      { 'content-type': 'text/plain' },
      { 'content-type': 'application/json; charset=nonsense' },
      { 'content-type': '' },
      { 'content-encoding': 'gzip' },
      { 'content-encoding': 'nonsense' },
      { 'x-forwarded-for': '"><script>, 1.2.3.4:x, ::' },
      { 'x-forwarded-host': 'evil.example.org/"><script>' },
      { 'accept-language': 'x-'.repeat(500) },
      { authorization: 'Bearer' },
      { authorization: `JWT ${'x'.repeat(5_000)}` },
      { cookie: 'mypads_entry=%zz; mypads_entry=; =;;' },
      { 'user-agent': 'é'.repeat(1_000) },
      { 'x-http-method-override': 'DELETE' },
    ),
    weight: 1,
  },
);

function carry(request: RandomRequest & { content: unknown }, token: string, how: Carriage): RandomRequest {
  const { content, ...rest } = request;
  if (how === 'query') {
    return { ...rest, path: `${rest.path}${rest.path.includes('?') ? '&' : '?'}auth_token=${token}` };
  }
  if (how === 'body' && rest.body !== undefined && typeof content === 'object' && content !== null) {
    return { ...rest, body: JSON.stringify({ ...content, auth_token: token }) };
  }
  const scheme = how === 'JWT' ? 'JWT' : 'Bearer';
  const header: Record<string, string> =
    how === 'cookie' ? { cookie: `mypads_entry=${token}` } : { authorization: `${scheme} ${token}` };
  return { ...rest, headers: { ...header, ...rest.headers } };
}

/** Requests of one call, for example of `GET` and `/group/{id}`. */
export function randomRequests(
  method: string,
  path: string,
  operation: Operation,
  known: Known,
): fc.Arbitrary<RandomRequest> {
  const [, resource = ''] = path.split('/');
  const texts = textsOf(known, resource);
  const shape = operation.requestBody?.content['application/json'].schema;
  const content = bodyOf(shape, known, texts);
  const sent: fc.Arbitrary<{ content?: unknown; body: string | undefined }> = fc.oneof(
    { arbitrary: fc.constant({ body: undefined }), weight: shape?.required?.length ? 1 : 10 },
    { arbitrary: content.map((value) => ({ content: value, body: JSON.stringify(value) })), weight: 18 },
    { arbitrary: junk.map((value) => ({ body: JSON.stringify(value) })), weight: 1 },
    { arbitrary: wild.map((body) => ({ body })), weight: 1 },
  );
  const whos = ['nobody', ...Object.keys(known.tokens)];
  const carriage = fc.constantFrom<Carriage>('Bearer', 'Bearer', 'JWT', 'query', 'body', 'cookie');
  return fc
    .record({
      method: fc.constant(method),
      path: pathOf(path, operation, texts, resource),
      who: fc.constantFrom(...whos),
      carriage,
      headers: oddHeaders,
      sent,
    })
    .map(({ sent: { content: value, body }, who, carriage: how, ...rest }) => {
      const request = { ...rest, who, body, content: value };
      const token = Object.hasOwn(known.tokens, who) ? known.tokens[who] : undefined;
      if (token !== undefined) return carry(request, token, how);
      const { content: _, ...anonymous } = request;
      return anonymous;
    });
}
