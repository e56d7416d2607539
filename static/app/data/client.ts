/**
 * Sends all calls to the server. Every failure is an `ApiError` with a key that has a text, so that no other code needs
 * to look at statuses or bodies.
 */

import type { ErrorAnswer } from '../../../api/answers';
import type { AnswerOf, Calls, InputOf } from '../../../api/calls';
import type { ErrorKey } from '../../../model/errors';
import { base } from '../navigation/location';
import { connectionLost } from './connection';
import { bearer, dropGuestToken, endSession, readSession, whenNotEnded } from './session';

/** Errors that no answer of the API names: no network, time-out, an answer that is not JSON, and those of a call. */
export type ClientErrorKey =
  | 'CLIENT.ERROR.NETWORK'
  | 'CLIENT.ERROR.TIMEOUT'
  | 'CLIENT.ERROR.ANSWER'
  | 'CLIENT.ERROR.NOT_IN_TRASH'
  | 'CLIENT.ERROR.PASSKEY'
  | 'CLIENT.ERROR.PASSKEY_KNOWN';

/** A failed call. `message` is the `key`, which has a text. */
export class ApiError extends Error {
  readonly key: ErrorKey | ClientErrorKey;
  /** HTTP status; 0 without an answer. */
  readonly status: number;
  /** The input that caused the error, by its name in the call. */
  readonly field: string | undefined;
  /** Seconds to wait before another try, with TOO_MANY. */
  readonly retryAfter: number | undefined;
  /** A sentence for administrators that says why a setting was refused. */
  readonly reason: string | undefined;
  /** The person's session has ended. A dialog over the screen already asks them to sign in again. */
  sessionEnded = false;

  constructor(key: ErrorKey | ClientErrorKey, status = 0, details: Partial<ErrorAnswer> = {}) {
    super(key);
    this.name = 'ApiError';
    this.key = key;
    this.status = status;
    this.field = details.field;
    this.retryAfter = details.retryAfter;
    this.reason = details.reason;
  }
}

/** Whether `error` is an ApiError with one of these keys. Takes any thrown value. */
export function isError(error: unknown, ...keys: readonly (ErrorKey | ClientErrorKey)[]): error is ApiError {
  return error instanceof ApiError && (keys.length === 0 || keys.includes(error.key));
}

export type CallName = keyof Calls;

export interface CallOptions {
  /** Aborts the call. The promise then rejects with the signal's reason. */
  signal?: AbortSignal;
  /** Time-out in milliseconds. */
  timeout?: number;
  /** A file that is sent instead of a body. */
  upload?: Blob;
  /** Sent instead of the stored token; `null` sends none. */
  token?: string | null;
}

/** The parameters of a query; `undefined` ones are left out. */
export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

/** The input of any call. */
interface AnyInput {
  params?: Readonly<Record<string, string>>;
  query?: Query;
  body?: object;
}

/** A call as it is sent. */
interface Sent {
  method: string;
  /** Below `<base>api/`, with the query. */
  path: string;
  body?: object;
}

/** In milliseconds. */
const defaultTimeout = 20_000;
/** For calls that send a mail before they answer: the server takes up to 40 seconds. */
export const mailTimeout = 45_000;

/**
 * Cached answers with their ETags. Only in memory: the browser's cache would be written to the disk, and computers may
 * be shared.
 */
const kept = new Map<string, { tag: string; body: object }>();
const maxKept = 30;
/** The token for which the answers were cached. */
let keptFor: string | null = null;

/** The cached answer of this call, if it belongs to the same token. */
function lastAnswer({ method, path }: Sent, token: string | null) {
  if (keptFor !== token) kept.clear();
  keptFor = token;
  return method === 'GET' ? kept.get(path) : undefined;
}

function keepAnswer({ path }: Sent, response: Response, body: object, token: string | null): void {
  const tag = response.headers.get('ETag');
  if (tag === null || keptFor !== token) return;
  kept.delete(path);
  kept.set(path, { tag, body });
  const [oldest] = kept.keys();
  if (kept.size > maxKept && oldest !== undefined) kept.delete(oldest);
}

/** Error keys that mean, for a call with a person's token, that the session has ended. */
const sessionEnds: readonly string[] = [
  'BACKEND.ERROR.AUTHENTICATION.NOT_AUTH',
  'BACKEND.ERROR.AUTHENTICATION.MUST_BE',
] satisfies ErrorKey[];

/** Puts the input into the path of the call. Ids are escaped, because they may contain any character. */
function sentAs(name: CallName, { params = {}, query = {}, body }: AnyInput): Sent {
  const [method = '', path = ''] = name.split(' ');
  const filled = path.slice(1).replace(/\{(\w+)\}/g, (_, field) => encodeURIComponent(params[field] ?? ''));
  const search = new URLSearchParams();
  for (const [field, value] of Object.entries(query))
    if (value !== undefined) search.set(field, String(value));
  return { method, path: search.size > 0 ? `${filled}?${search}` : filled, body };
}

/**
 * The body; `undefined` if it is not a JSON object (an empty answer, the error page of a proxy). Throws if it cannot be
 * read to its end.
 */
async function bodyOf(response: Response): Promise<object | undefined> {
  const body: unknown = await response.json().catch((error: unknown) => {
    if (!(error instanceof SyntaxError)) throw error;
  });
  return typeof body === 'object' && body !== null ? body : undefined;
}

async function send(
  { method, path, body }: Sent,
  options: CallOptions,
  token: string | null,
  tag?: string,
): Promise<{ response: Response; body: object | undefined }> {
  const { upload } = options;
  const tooLate = AbortSignal.timeout(options.timeout ?? defaultTimeout);
  const headers: Record<string, string> = { Accept: 'application/json' };
  if (token !== null) headers.Authorization = `Bearer ${token}`;
  if (upload ?? body) headers['Content-Type'] = upload?.type ?? 'application/json';
  if (tag !== undefined) headers['If-None-Match'] = tag;
  try {
    const response = await fetch(`${base}api/${path}`, {
      method,
      headers,
      cache: 'no-store',
      signal: options.signal === undefined ? tooLate : AbortSignal.any([options.signal, tooLate]),
      body: upload ?? JSON.stringify(body),
    });
    return { response, body: await bodyOf(response) };
  } catch {
    options.signal?.throwIfAborted();
    void connectionLost();
    throw new ApiError(tooLate.aborted ? 'CLIENT.ERROR.TIMEOUT' : 'CLIENT.ERROR.NETWORK');
  }
}

function failure(response: Response, body: object | undefined): ApiError {
  if (body !== undefined && 'error' in body && typeof body.error === 'string') {
    const answer = body as ErrorAnswer;
    return new ApiError(answer.error, response.status, answer);
  }
  return new ApiError('CLIENT.ERROR.ANSWER', response.status);
}

/** A proxy sends these answers while the server restarts. */
const isProxyWithoutServer = ({ key, status }: ApiError): boolean =>
  key === 'CLIENT.ERROR.ANSWER' && [502, 503, 504].includes(status);

/** Ends the stored session if the server does not accept its token any more. */
function endRejectedSession(error: ApiError, token: string | null): void {
  const { token: own, guestToken } = readSession();
  const ended = error.key === 'CLIENT.ERROR.ANSWER' ? error.status === 401 : sessionEnds.includes(error.key);
  if (!ended || token === null) return;
  if (token === own) {
    error.sessionEnded = true;
    endSession();
  } else if (token === guestToken) dropGuestToken();
}

/** Whether the call may succeed without the token, because the token belonged to a guest whose session has ended. */
const isEndedGuest = ({ key }: ApiError, token: string | null): boolean =>
  key === 'BACKEND.ERROR.AUTHENTICATION.NOT_AUTH' && token !== null && token === readSession().guestToken;

/**
 * After the end of a session, what the person reads waits until they have signed in again. A refusal would take the
 * place of their screen, and of what they have typed.
 */
const isWaiting = ({ method }: Sent, { token }: CallOptions): boolean =>
  method === 'GET' && token === undefined && readSession().ended;

async function exchange(sent: Sent, options: CallOptions): Promise<object> {
  if (isWaiting(sent, options)) await whenNotEnded(options.signal);
  const token = options.token === undefined ? bearer() : options.token;
  const last = lastAnswer(sent, token);
  const { response, body } = await send(sent, options, token, last?.tag);
  if (response.status === 304 && last !== undefined) return last.body;
  if (response.ok && body !== undefined) {
    if (sent.method === 'GET') keepAnswer(sent, response, body, token);
    return body;
  }
  const error = failure(response, body);
  if (isProxyWithoutServer(error)) void connectionLost();
  const again = isEndedGuest(error, token);
  endRejectedSession(error, token);
  if (again) return exchange(sent, { ...options, token: null });
  if (isWaiting(sent, options)) return exchange(sent, options);
  throw error;
}

/**
 * Makes a call of api/calls.ts and returns the body of the answer.
 * @throws ApiError for every failure; the signal's reason if `signal` aborted the call.
 */
export async function call<Name extends CallName>(
  name: Name,
  given: InputOf<Name> & CallOptions,
): Promise<AnswerOf<Name>> {
  // What is sent and what arrives has no type. Tests of the API compare each answer with its schema.
  return (await exchange(sentAs(name, given as AnyInput), given)) as AnswerOf<Name>;
}

/** Whether the call failed because the thing does not exist. */
export function isMissing(error: unknown): boolean {
  return isError(error, 'BACKEND.ERROR.CONFIGURATION.KEY_NOT_FOUND', 'BACKEND.ERROR.TYPE.PARAM_INVALID');
}
