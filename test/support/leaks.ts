/**
 * Searches every answer that a test gets for secrets: hashes, salts, session ids, author tokens, and session tokens
 * where none belongs. An answer with a secret is replaced by an error, so the test fails and says why. It looks for
 * patterns, and for the very secrets in the database of the test.
 */
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { App } from '../../api/app';
import type { Database } from '../../model/ports';
import type { FactorsRecord } from '../../model/store/entities';
import { readZip } from './zips';

const fieldNames = /"(?:password|hash|salt|scheme)"\s*:/;
/** Length of the shortest hash, salt or token in hexadecimal digits. */
const shortestDigits = 48;

const isDigit = (code: number): boolean =>
  (code >= 48 && code <= 57) || (code >= 65 && code <= 70) || (code >= 97 && code <= 102);

/**
 * Whether a text has so many hexadecimal digits in a row as a secret. Looks only at every 48th character, because one
 * of them belongs to such a row. The pattern alone would take a third of the time of some tests.
 */
function hasLongDigits(text: string): boolean {
  for (let at = shortestDigits - 1; at < text.length; at += shortestDigits) {
    let [start, end] = [at, at];
    while (start >= 0 && isDigit(text.charCodeAt(start))) start -= 1;
    while (end < text.length && isDigit(text.charCodeAt(end))) end += 1;
    if (end - start > shortestDigits) return true;
  }
  return false;
}

interface Look {
  what: string;
  pattern: RegExp;
  /** A cheap check that is true for every text that the pattern matches. */
  mayMatch?: (text: string) => boolean;
}

const looks: readonly Look[] = [
  { what: 'a stored password', pattern: fieldNames },
  { what: 'a bcrypt hash', pattern: /\$2[aby]\$\d\d\$/ },
  {
    what: 'a session id, a mailed token, an old salt or an old hash',
    // A single digit that is repeated is not a secret: tests make up such values.
    pattern:
      /(?<![0-9a-f])(?!(.)\1{47})(?:[0-9a-f]{48}|[0-9a-f]{64}|[0-9a-f]{80}|[0-9a-f]{128})(?![0-9a-f])/i,
    mayMatch: hasLongDigits,
  },
  { what: "a session's proofs", pattern: /"unlocked"\s*:/ },
  { what: 'an author token', pattern: /"eplAuthorToken"\s*:|"authors"\s*:/ },
  {
    what: "a session's token",
    pattern: /eyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{8,}/,
    mayMatch: (text) => text.includes('.eyJ'),
  },
  { what: 'an API token', pattern: /mp_[0-9a-f]{40}/ },
  { what: 'the cookie of a known browser', pattern: /\bd\.[\w-]{12}\.[0-9a-z]{4}\.[\w-]{22}/ },
  {
    what: 'a stack trace',
    pattern: /\bat \S+ \(?\/\S+:\d+:\d+/,
    mayMatch: (text) => text.includes('at '),
  },
];

/** The kind of secret that a text seems to contain, by its pattern; `undefined` when there is none. */
export function findLeak(text: string): string | undefined {
  const found = looks.find(({ pattern, mayMatch }) => (mayMatch?.(text) ?? true) && pattern.test(text));
  return found?.what;
}

/** The description of the API tells what programs send, so it names fields that no other answer may have. */
const describes = (path: string): boolean => /^\/api\/openapi\.json\/?$/i.test(path);

/** The secrets that the server of a test has read or written, each with its kind in words. */
export interface Secrets {
  /** The kind of secret that the text contains; `undefined` when there is none. */
  find(text: string): string | undefined;
}

interface Stored {
  password?: unknown;
  eplAuthorToken?: unknown;
  base64?: unknown;
}

/** The secrets in a stored value, each with its kind. */
function secretsIn(key: string, value: unknown): [string, unknown][] {
  const [, kind = '', id = ''] = key.split(':');
  const { password, eplAuthorToken, base64 } = (value ?? {}) as Stored;
  if (kind === 'session') return [['the id of a session', id]];
  if (kind === 'mailtoken') return [['the hash of a mailed token', id]];
  if (kind === 'apitoken') return [['the hash of an API token', id]];
  if (kind === 'factors') {
    const { totp, recovery = [] } = (value ?? {}) as Partial<FactorsRecord>;
    const codes = recovery.map((hash): [string, unknown] => ['the hash of a recovery code', hash]);
    return [['the seed of an authenticator app', totp?.seed], ...codes];
  }
  if (kind === 'secret') return [['the secret of the tokens', base64]];
  if (!['user', 'group', 'pad'].includes(kind)) return [];
  const parts = typeof password === 'object' && password !== null ? Object.values(password) : [];
  return [
    ['the author token of a person', eplAuthorToken],
    ...parts.map((part): [string, unknown] => ['a stored hash or salt', part]),
  ];
}

/** Values shorter than this are not searched for, because a text may contain `bcrypt` or `t.x` by chance. */
const shortest = { 'a stored hash or salt': 16 } as Record<string, number>;

/** Remembers the secrets in everything that is read from or written to a database from now on. */
export function watchDatabase(database: Database): Secrets {
  const known = new Map<string, string>();
  function note(key: string, value: unknown): void {
    for (const [what, secret] of secretsIn(key, value)) {
      if (typeof secret === 'string' && secret.length >= (shortest[what] ?? 5)) known.set(secret, what);
    }
  }
  const { get, set } = database;
  database.get = async (key) => {
    const value = await get(key);
    note(key, value);
    return value;
  };
  database.set = (key, value) => {
    note(key, value);
    return set(key, value);
  };
  return {
    find(text) {
      for (const [secret, what] of known) if (text.includes(secret)) return what;
      return undefined;
    },
  };
}

/** The answer to a call. `path`: below `/api`, without the query. */
export interface Answer {
  method: string;
  path: string;
  status: number;
  text: string;
}

/** Calls whose answer may contain a `token`: that of the session that they have opened, or the new API token. */
const opening =
  /^\/api\/(auth\/login|auth\/login\/(cas|oidc|header|factor|passkey)|auth\/admin\/login(\/host)?|(group|pad)\/[^/]+(\/unlock)?|links\/open|user\/[^/]+\/tokens|admin\/tokens)\/?$/i;

/** The answer without the one token that it may contain. */
function withoutOwnToken(path: string, text: string): string {
  if (!opening.test(path) || !text.startsWith('{')) return text;
  const { token, ...rest } = JSON.parse(text) as { token?: unknown };
  return JSON.stringify(rest);
}

/** The headers without the cookies that the server may set. */
function headersOf(headers: Record<string, unknown>): string {
  const cookies = [headers['set-cookie'] ?? []].flat().map(String);
  return JSON.stringify({
    ...headers,
    'set-cookie': cookies.filter((one) => !/^mypads_(entry|device)=/.test(one)),
  });
}

/** The kind of secret in an answer; `undefined` when there is none. `path` without the query, `/api/…` for the API. */
export function leakOf(
  path: string,
  { headers, body }: { headers: Record<string, unknown>; body: string },
  secrets?: Secrets,
): string | undefined {
  const head = headersOf(headers);
  const text = withoutOwnToken(path, body);
  const searched = describes(path) ? text.replaceAll(new RegExp(fieldNames, 'g'), '') : text;
  return findLeak(`${head}\n${searched}`) ?? secrets?.find(`${head}\n${text}`);
}

/**
 * The same application. Every answer except compressed files of the page is searched for secrets, and answers of `/api`
 * are also checked by `faultOf`, which says what is wrong.
 */
export function watchAnswers(
  app: App,
  faultOf: (answer: Answer) => string | undefined,
  secrets?: Secrets,
): App {
  return (request, response) => {
    const [path = ''] = (request.url ?? '').split('?');
    const ofApi = /^\/api\//i.test(path);
    // Compressed answers of `/api` are not searched.
    if (ofApi) delete request.headers['accept-encoding'];
    const { method = '' } = request;
    watch(response, (status, body) => {
      const leak = leakOf(path, { headers: response.getHeaders(), body }, secrets);
      if (leak !== undefined) return `${method} ${path} ${status} reveals ${leak}`;
      if (!ofApi || describes(path)) return undefined;
      return faultOf({ method, path: path.slice('/api'.length), status, text: body });
    });
    app(request, response);
  };
}

/** The text of an answer. Compressed files of the page are left out: they are the same for everybody. */
export function readableText(body: Buffer, headers: OutgoingHttpHeaders): string {
  if (headers['content-type'] === 'application/zip')
    return [...readZip(body).entries()]
      .flatMap(([name, content]) => [name, content.toString('utf8')])
      .join('\n');
  const encoding = headers['content-encoding'];
  if (encoding === undefined) return body.toString('utf8');
  if (body.length === 0 || !String(headers['content-type']).startsWith('text/html')) return '';
  return (encoding === 'br' ? brotliDecompressSync(body) : gunzipSync(body)).toString('utf8');
}

const bytesOf = (chunk: unknown): Uint8Array[] => {
  if (typeof chunk === 'string') return [Buffer.from(chunk)];
  return chunk instanceof Uint8Array ? [chunk] : [];
};

/** Holds the answer back, with status and headers, until it is complete. */
function watch(
  response: ServerResponse,
  faultOf: (status: number, text: string) => string | undefined,
): void {
  const { writeHead } = response;
  const end = response.end.bind(response) as (chunk?: unknown, done?: unknown) => ServerResponse;
  const chunks: Uint8Array[] = [];
  const callbackOf = (parameters: unknown[]): unknown =>
    parameters.find((parameter) => typeof parameter === 'function');

  response.writeHead = ((status: number, ...more: unknown[]) => {
    response.statusCode = status;
    const headers = more.find((parameter) => typeof parameter === 'object') ?? {};
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    return response;
  }) as typeof response.writeHead;

  response.write = ((...parameters: unknown[]) => {
    chunks.push(...bytesOf(parameters[0]));
    const done = callbackOf(parameters);
    if (typeof done === 'function') setImmediate(() => done());
    return true;
  }) as typeof response.write;

  response.end = ((...parameters: unknown[]) => {
    response.writeHead = writeHead;
    const whole = Buffer.concat([...chunks, ...bytesOf(parameters[0])]);
    const done = callbackOf(parameters);
    const fault = faultOf(response.statusCode, readableText(whole, response.getHeaders()));
    if (fault === undefined) return whole.length > 0 ? end(whole, done) : end(done);
    const body = JSON.stringify({ fault });
    for (const name of response.getHeaderNames()) response.removeHeader(name);
    response.statusCode = 599;
    response.setHeader('Content-Type', 'application/json');
    response.setHeader('Content-Length', Buffer.byteLength(body));
    return end(body, done);
  }) as typeof response.end;
}
