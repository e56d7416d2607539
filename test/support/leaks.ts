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

/** What was answered to a call; `path` below `/api`, without the query. */
export interface Answer {
  method: string;
  path: string;
  status: number;
  text: string;
}

/**
 * The same application, with every answer of `/api` looked through for secrets, but for the description of what programs send, and by
 * `faultOf`, which says in words what is wrong.
 */
export function watchAnswers(app: App, faultOf: (answer: Answer) => string | undefined): App {
  return (request, response) => {
    const [path = ''] = (request.url ?? '').split('?');
    if (path.startsWith('/api/') && path !== '/api/openapi.json') {
      // Compressed answers could not be looked through.
      delete request.headers['accept-encoding'];
      const { method = '' } = request;
      watch(
        response,
        (status, text) =>
          findLeak(text) ?? faultOf({ method, path: path.slice('/api'.length), status, text }),
      );
    }
    app(request, response);
  };
}

function watch(
  response: ServerResponse,
  faultOf: (status: number, text: string) => string | undefined,
): void {
  const end = response.end.bind(response) as (chunk?: unknown, ...more: unknown[]) => ServerResponse;
  response.end = ((chunk?: unknown, ...more: unknown[]) => {
    const fault = typeof chunk === 'function' ? undefined : faultOf(response.statusCode, textOf(chunk));
    if (fault === undefined) return end(chunk, ...more);
    const body = JSON.stringify({ fault });
    response.statusCode = 599;
    response.setHeader('Content-Length', Buffer.byteLength(body));
    return end(body);
  }) as typeof response.end;
}
