/**
 * The errors that a call can answer: those of every call, those of its caller, its record and its input, and those
 * that it declares.
 */
import { type ErrorKey, errorStatus } from '../../model/errors';
import { limits } from '../../model/limits';
import type { Call, InputSchema } from '../declaration';
import type { Who } from '../middleware/authorise';
import { isIgnored } from '../middleware/ignoredFields';
import { type Json, toJson } from './schemas';

const errorsOfEveryCall: readonly ErrorKey[] = [
  'BACKEND.ERROR.TYPE.JSON',
  'BACKEND.ERROR.TYPE.TOO_LARGE',
  'BACKEND.ERROR.TYPE.PARAM_UNKNOWN',
  'BACKEND.ERROR.API_TOKEN.SCOPE',
  'BACKEND.ERROR.API_TOKEN.ADDRESS',
  'BACKEND.ERROR.API_TOKEN.PLACE',
  'BACKEND.ERROR.PERMISSION.TOO_MANY',
  'BACKEND.ERROR.SERVER.BUSY',
  'BACKEND.ERROR.SERVER.DATABASE_UNAVAILABLE',
  'BACKEND.ERROR.SERVER.UNEXPECTED',
];

const notAuth = 'BACKEND.ERROR.AUTHENTICATION.NOT_AUTH';
const notAdmin = 'BACKEND.ERROR.AUTHENTICATION.ADMIN';

const errorsOfCaller: Readonly<Record<Who, readonly ErrorKey[]>> = {
  public: [],
  everybody: [notAuth],
  visitor: [notAuth],
  person: [notAuth],
  signedIn: [notAuth],
  oneself: [notAuth, 'BACKEND.ERROR.AUTHENTICATION.DENIED'],
  administrator: [notAdmin],
  hostAdministrator: [notAdmin],
};

/** `own`: the error key of this field. */
function errorsOfField(field: Json, own: ErrorKey | undefined): ErrorKey[] {
  if (own) return [own];
  if (isIgnored(field)) return [];
  const hasTextLimit = field.maxLength === limits.text;
  return [
    'BACKEND.ERROR.TYPE.PARAM_INVALID',
    ...(hasTextLimit ? ['BACKEND.ERROR.TYPE.STR_100' as const] : []),
  ];
}

function errorsOfInput({ params, query, body, errors = {} }: InputSchema): ErrorKey[] {
  const fields = [params, query, body].flatMap((part) =>
    part ? Object.entries(toJson(part, 'input').properties ?? {}) : [],
  );
  return [
    // `errors` may also name fields that this call lacks.
    ...fields.flatMap(([name, field]) => errorsOfField(field, errors[name])),
    ...(params ? ['BACKEND.ERROR.TYPE.ROUTE' as const] : []),
  ];
}

/** All errors that the call can answer, each once, in the order of model/errors.ts. */
export function errorsOf({ who, on, input = {}, errors = [] }: Call): ErrorKey[] {
  const keys = new Set<ErrorKey>([
    ...errorsOfEveryCall,
    ...errorsOfCaller[who],
    ...(on?.errors ?? []),
    ...errorsOfInput(input),
    ...errors,
  ]);
  return (Object.keys(errorStatus) as ErrorKey[]).filter((key) => keys.has(key));
}

const meanings: Readonly<Record<number, string>> = {
  400: 'The request is invalid',
  401: 'The caller must sign in, or may not do this',
  403: 'This is not allowed here',
  404: 'Not found',
  413: 'The body is too large',
  429: 'Too many requests; `Retry-After` says when to try again',
  500: 'An error of the server',
  501: 'A setting is missing',
  503: 'Not possible at the moment; the same request may succeed later',
};

const retryAfter = {
  'Retry-After': {
    description: 'Seconds until another try may succeed',
    schema: { type: 'integer', minimum: 1 },
  },
};

function response(status: number, keys: readonly ErrorKey[]): Json {
  const schema = {
    allOf: [
      { $ref: '#/components/schemas/Failure' },
      { type: 'object', properties: { error: { type: 'string', enum: keys } }, required: ['error'] },
    ],
  };
  return {
    description: meanings[status] ?? 'Error',
    ...(status === 429 || status === 503 ? { headers: retryAfter } : {}),
    content: { 'application/json': { schema } },
  };
}

/** The error answers of a call, by status. */
export function failuresOf(declaration: Call): Record<string, Json> {
  const byStatus = new Map<number, ErrorKey[]>();
  for (const key of errorsOf(declaration)) {
    byStatus.set(errorStatus[key], [...(byStatus.get(errorStatus[key]) ?? []), key]);
  }
  return Object.fromEntries([...byStatus].map(([status, keys]) => [status, response(status, keys)]));
}
