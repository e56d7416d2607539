/**
 * How the page speaks to the server: one function for every call. Whatever goes wrong comes out as an `ApiError` with a key
 * that has a text; nobody else in the page looks at statuses or bodies.
 */
import type { ErrorAnswer, ErrorKey } from '../../../api/wire';
import { base } from '../location';
import { bearer, dropGuestToken, endSession, readSession } from './session';

/** What can go wrong before an answer of ours arrives: no network, too slow, or an answer that is not JSON. */
export type ClientErrorKey = 'CLIENT.ERROR.NETWORK' | 'CLIENT.ERROR.TIMEOUT' | 'CLIENT.ERROR.ANSWER';

/** A call that did not succeed. `message` equals `key`, which names a text. */
export class ApiError extends Error {
  readonly key: ErrorKey | ClientErrorKey;
  /** HTTP status, 0 where no answer came. */
  readonly status: number;
  /** The input that is meant, as the call names it. */
  readonly field: string | undefined;
  /** Seconds to wait before another try, with TOO_MANY. */
  readonly retryAfter: number | undefined;

  constructor(key: ErrorKey | ClientErrorKey, status = 0, details: Partial<ErrorAnswer> = {}) {
    super(key);
    this.name = 'ApiError';
    this.key = key;
    this.status = status;
    this.field = details.field;
    this.retryAfter = details.retryAfter;
  }
}

/** Is it this error? Safe to ask of anything that was thrown. */
export function isError(error: unknown, ...keys: readonly (ErrorKey | ClientErrorKey)[]): error is ApiError {
  return error instanceof ApiError && (keys.length === 0 || keys.includes(error.key));
}

export interface CallOptions {
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Sent as JSON. */
  body?: object;
  /** Ends the call from outside; the promise then rejects with the signal's reason. */
  signal?: AbortSignal;
  /** Milliseconds until the call counts as lost. */
  timeout?: number;
  /** Sent instead of the stored token; `null` sends none. */
  token?: string | null;
}

const defaultTimeout = 20_000;

/** A key that says, on a call that carried a person's token, that this session is over. */
const sessionEnds: readonly string[] = [
  'BACKEND.ERROR.AUTHENTICATION.NOT_AUTH',
  'BACKEND.ERROR.AUTHENTICATION.MUST_BE',
] satisfies ErrorKey[];

/** Path segments of a call: ids may hold anything, so each is escaped. */
export function path(...segments: readonly string[]): string {
  return segments.map(encodeURIComponent).join('/');
}

async function send(address: string, options: CallOptions, token: string | null): Promise<Response> {
  const tooLate = AbortSignal.timeout(options.timeout ?? defaultTimeout);
  const headers: Record<string, string> = { Accept: 'application/json' };
  if (token !== null) headers.Authorization = `Bearer ${token}`;
  if (options.body !== undefined) headers['Content-Type'] = 'application/json';
  try {
    return await fetch(address, {
      method: options.method ?? 'GET',
      headers,
      cache: 'no-store',
      signal: options.signal === undefined ? tooLate : AbortSignal.any([options.signal, tooLate]),
      ...(options.body !== undefined && { body: JSON.stringify(options.body) }),
    });
  } catch (error) {
    if (options.signal?.aborted) throw error;
    throw new ApiError(tooLate.aborted ? 'CLIENT.ERROR.TIMEOUT' : 'CLIENT.ERROR.NETWORK');
  }
}

/** The body, `undefined` where it is not a JSON object (a proxy's error page, an empty answer). */
async function bodyOf(response: Response): Promise<object | undefined> {
  const body: unknown = await response.json().catch(() => undefined);
  return typeof body === 'object' && body !== null ? body : undefined;
}

function failure(response: Response, body: object | undefined): ApiError {
  if (body !== undefined && 'error' in body && typeof body.error === 'string') {
    const answer = body as ErrorAnswer;
    return new ApiError(answer.error, response.status, answer);
  }
  return new ApiError('CLIENT.ERROR.ANSWER', response.status);
}

/** Tells the session store that the server no longer knows the token that this call carried. */
function noticeEnd(error: ApiError, token: string | null): void {
  const { token: own, guestToken } = readSession();
  const ended = error.key === 'CLIENT.ERROR.ANSWER' ? error.status === 401 : sessionEnds.includes(error.key);
  if (!ended || token === null) return;
  if (token === own) endSession();
  else if (token === guestToken) dropGuestToken();
}

/**
 * Calls `<base>api/<path>` and gives the answer's body.
 * @throws ApiError for everything that is not a success; the signal's reason when `signal` ended it.
 */
export async function call<Answer extends object>(path: string, options: CallOptions = {}): Promise<Answer> {
  const token = options.token === undefined ? bearer() : options.token;
  const response = await send(`${base}api/${path}`, options, token);
  const body = await bodyOf(response);
  if (response.ok && body !== undefined) return body as Answer;
  const error = failure(response, body);
  noticeEnd(error, token);
  throw error;
}
