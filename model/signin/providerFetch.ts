/** Requests to a provider of OpenID Connect, with limits: one time for all of them, and a size for each answer. */
import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';

/** Maximum bytes of an answer. Lists of keys and of groups have a few thousand. */
const answerLimit = 256 * 1024;

export interface RequestTerms {
  /** Ends all requests. */
  signal: AbortSignal;
  rejectUnauthorized: boolean;
  ca?: string | undefined;
}

interface Options {
  method?: string;
  headers?: HeadersInit;
  body?: unknown;
}

function readAnswer(response: IncomingMessage): Promise<Response> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    let bytes = 0;
    response.on('error', reject);
    response.on('data', (part: Buffer) => {
      parts.push(part);
      bytes += part.length;
      if (bytes > answerLimit) response.destroy(new Error('the answer is too long'));
    });
    response.on('end', () => {
      const { statusCode: status = 0, headers } = response;
      const known = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
        typeof value === 'string' ? [[name, value]] : [],
      );
      const hasBody = status >= 200 && status !== 204 && status !== 304;
      if (status < 200 || status > 599) reject(new Error(`it answers with status ${status}`));
      else resolve(new Response(hasBody ? Buffer.concat(parts) : null, { status, headers: known }));
    });
  });
}

const textOf = (body: unknown): string | undefined =>
  body === undefined || body === null
    ? undefined
    : body instanceof URLSearchParams
      ? body.toString()
      : String(body);

/** Works as `fetch`, and follows no redirect: an answer of another address would count as the provider's. */
export const createProviderFetch =
  ({ signal, rejectUnauthorized, ca }: RequestTerms) =>
  (url: string, { method = 'GET', headers, body }: Options = {}): Promise<Response> =>
    new Promise((resolve, reject) => {
      const client = url.startsWith('https:') ? https : http;
      const sent = textOf(body);
      const request = client.request(
        url,
        {
          method,
          headers: {
            ...Object.fromEntries(new Headers(headers)),
            ...(sent !== undefined && { 'content-length': Buffer.byteLength(sent) }),
          },
          agent: false,
          signal,
          rejectUnauthorized,
          ...(ca !== undefined && { ca }),
        },
        (response) => {
          readAnswer(response).then(resolve, reject);
        },
      );
      request.on('error', reject);
      request.end(sent);
    });
