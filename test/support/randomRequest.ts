/** Requests at random, shaped after the description of the API: some nearly right, some far off. */
import fc from 'fast-check';

/** Of a JSON schema, what a request is made from. */
export interface Shape {
  type?: string | string[];
  enum?: unknown[];
  anyOf?: Shape[];
  items?: Shape;
  properties?: Record<string, Shape>;
  required?: string[];
}

export interface Operation {
  parameters: { name: string; in: 'path' | 'query'; schema: Shape }[];
  requestBody?: { content: { 'application/json': { schema: Shape } } };
}

export interface RandomRequest {
  method: string;
  /** Below `/api`, with its query, as it goes over the wire. */
  path: string;
  token: string | undefined;
  /** As it goes over the wire. */
  body: string | undefined;
  contentType: string;
}

/** What is really there, to be met now and then: ids, logins, names of settings. */
export interface Known {
  words: string[];
  tokens: string[];
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
];

/** Also halves of characters, which JSON can carry and UTF-8 cannot. */
const codeUnits = fc
  .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 40 })
  .map((units) => String.fromCharCode(...units));

const oddText = fc.oneof(
  fc.constantFrom(...reserved),
  fc.string(),
  fc.string({ unit: 'binary', maxLength: 60 }),
  codeUnits,
  fc.constantFrom('x'.repeat(101), '\u0000', '‮txt', '#12345', '%', 'a@b', 'é'.repeat(300)),
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

function textOf({ words }: Known): fc.Arbitrary<string> {
  return fc.oneof(
    { arbitrary: fc.constantFrom(...words), weight: 6 },
    { arbitrary: fc.string({ minLength: 1, maxLength: 30 }), weight: 2 },
    { arbitrary: oddText, weight: 1 },
  );
}

/** A value as the schema wants it; limits are left to chance. */
function fitting(shape: Shape, known: Known): fc.Arbitrary<unknown> {
  if (shape.enum) return fc.constantFrom(...shape.enum);
  if (shape.anyOf) return fc.oneof(...shape.anyOf.map((one) => fitting(one, known)));
  const kinds = [shape.type ?? 'any'].flat();
  return fc.oneof(
    ...kinds.map((kind): fc.Arbitrary<unknown> => {
      if (kind === 'string') return textOf(known);
      if (kind === 'boolean') return fc.boolean();
      if (kind === 'null') return fc.constant(null);
      if (kind === 'array') return fc.array(fitting(shape.items ?? {}, known), { maxLength: 6 });
      return fc.oneof(junk, fc.nat(40), fc.boolean(), textOf(known));
    }),
  );
}

function bodyOf(shape: Shape | undefined, known: Known): fc.Arbitrary<string | undefined> {
  const fields = Object.fromEntries(
    Object.entries(shape?.properties ?? {}).map(([name, one]) => [
      name,
      fc.oneof({ arbitrary: fitting(one, known), weight: 20 }, { arbitrary: junk, weight: 1 }),
    ]),
  );
  const shaped = fc.oneof(
    { arbitrary: fc.record(fields), weight: 1 },
    { arbitrary: fc.record(fields, { requiredKeys: shape?.required ?? [] }), weight: 4 },
    { arbitrary: fc.record(fields, { requiredKeys: [] }), weight: 1 },
  );
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
    '\ufeff{}',
    '{"a":"\\ud800"}',
  );
  return fc.oneof(
    { arbitrary: fc.constant(undefined), weight: shape ? 1 : 10 },
    { arbitrary: shaped.map((value) => JSON.stringify(value)), weight: 12 },
    { arbitrary: junk.map((value) => JSON.stringify(value)), weight: 2 },
    { arbitrary: wild, weight: 1 },
  );
}

/** Half characters have no place in an address: there they come as bytes that are no UTF-8. */
const encoded = (text: string): string => encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd'));

function pathOf(path: string, { parameters }: Operation, known: Known): fc.Arbitrary<string> {
  const segment = fc.oneof(
    { arbitrary: textOf(known).map(encoded), weight: 20 },
    { arbitrary: fc.constantFrom('%', '%ff', '%00', '%2e%2e', '%2f', 'a%zz'), weight: 1 },
  );
  const holes = path.split(/\{\w+\}/);
  const places = fc.array(segment, { minLength: holes.length - 1, maxLength: holes.length - 1 });
  const names = parameters.filter((one) => one.in === 'query').map(({ name }) => name);
  const name = fc.constantFrom(...names, 'auth_token', 'auth_token[]', '__proto__', 'unknown');
  const value = fc.oneof(textOf(known), fc.nat().map(String));
  const query = fc.array(fc.tuple(name, value), { maxLength: names.length > 0 ? 3 : 1 });
  return fc.tuple(places, query).map(([filled, pairs]) => {
    const address = holes.map((hole, index) => hole + (filled[index] ?? '')).join('');
    const search = pairs.map(([key, one]) => `${encodeURIComponent(key)}=${encoded(one)}`).join('&');
    return search ? `${address}?${search}` : address;
  });
}

/** Requests of one call, `GET` and `/group/{id}`. */
export function randomRequests(
  method: string,
  path: string,
  operation: Operation,
  known: Known,
): fc.Arbitrary<RandomRequest> {
  return fc.record({
    method: fc.constant(method),
    path: pathOf(path, operation, known),
    token: fc.constantFrom(undefined, 'garbage', ...known.tokens, ...known.tokens),
    body: bodyOf(operation.requestBody?.content['application/json'].schema, known),
    contentType: fc.oneof(
      { arbitrary: fc.constant('application/json'), weight: 30 },
      { arbitrary: fc.constantFrom('text/plain', 'application/json; charset=nonsense', ''), weight: 1 },
    ),
  });
}
