/**
 * Looks through every answer that a test gets for what must never leave the server: hashes, salts, session ids, author tokens. An
 * answer that has any of it is replaced by an error, so that whichever test it happens in fails and says why.
 */
import type { ServerResponse } from 'node:http';
import type { App } from '../../api/app';

const secrets: Record<string, RegExp> = {
  'a stored password': /"(?:password|hash|salt|scheme)"\s*:/,
  'a bcrypt hash': /\$2[aby]\$\d\d\$/,
  'a session id, an old salt or an old hash':
    /(?<![0-9a-f])(?:[0-9a-f]{48}|[0-9a-f]{80}|[0-9a-f]{128})(?![0-9a-f])/,
  "a session's proofs": /"unlocked"\s*:/,
  'an author token': /"eplAuthorToken"\s*:/,
  'a stack trace': /\bat \S+ \(?\/\S+:\d+:\d+/,
};

/** What a text must not contain, in words; `undefined` when it is clean. */
export function findLeak(text: string): string | undefined {
  return Object.entries(secrets).find(([, pattern]) => pattern.test(text))?.[0];
}

function textOf(chunk: unknown): string {
  if (typeof chunk === 'string') return chunk;
  return chunk instanceof Uint8Array ? Buffer.from(chunk).toString('utf8') : '';
}

/** The same application, with answers of `/api` looked through, but for the description of what programs send. */
export function watchAnswers(app: App): App {
  return (request, response) => {
    if (request.url?.startsWith('/api') && request.url !== '/api/openapi.json') watch(response);
    app(request, response);
  };
}

function watch(response: ServerResponse): void {
  const end = response.end.bind(response) as (chunk?: unknown, ...more: unknown[]) => ServerResponse;
  response.end = ((chunk?: unknown, ...more: unknown[]) => {
    const leak = typeof chunk === 'function' ? undefined : findLeak(textOf(chunk));
    if (leak === undefined) return end(chunk, ...more);
    const body = JSON.stringify({ leak });
    response.statusCode = 599;
    response.setHeader('Content-Length', Buffer.byteLength(body));
    return end(body);
  }) as typeof response.end;
}
