/**
 * Declares routes. The input is checked against the schema of the route; the first error is answered with its key.
 * Handlers return the object that is answered as JSON.
 */
import type { Request, RequestHandler, Response, Router } from 'express';
import * as z from 'zod';
import { type ErrorKey, MyPadsError } from '../../model/errors';
import { limits } from '../../model/limits';
import { runInPasswordQueue } from '../../web/passwordQueue';
import { addressOf } from '../../web/rateLimit';
import { SerialisedAnswer } from '../serialisedAnswer';
import { type Callers, requireCaller, type Who } from './authorise';
import { sendSerialised } from './sendSerialised';

/**
 * Use `z.strictObject`. Without a schema, a body must be empty and a query is ignored. `errors` gives the key for a bad
 * field by name; the default is PARAM_INVALID, or STR_100 for a text that is too long. Unknown fields are
 * PARAM_UNKNOWN.
 */
export interface InputSchema {
  params?: z.ZodType;
  query?: z.ZodType;
  body?: z.ZodType;
  errors?: Readonly<Record<string, ErrorKey>>;
}

/** The schema of a call without input. */
type Nothing = Record<never, never>;

type Part<Schema, Name extends keyof Schema> = Schema[Name] extends z.ZodType
  ? z.output<Schema[Name]>
  : Record<string, never>;

export interface Input<Schema extends InputSchema> {
  params: Part<Schema, 'params'>;
  query: Part<Schema, 'query'>;
  body: Part<Schema, 'body'>;
}

/** The body of a call as clients send it. Without ignored fields, whose type is `unknown`. */
export type Sent<Schema extends { body: z.ZodType }> = {
  [Name in keyof z.input<Schema['body']> as unknown extends z.input<Schema['body']>[Name]
    ? never
    : Name]: z.input<Schema['body']>[Name];
};

const nothing = z.strictObject({});
const anything = z.unknown().transform(() => ({}));

function inputError(error: z.ZodError, errors: InputSchema['errors']): MyPadsError {
  const issue = error.issues.find((one) => one.code !== 'unrecognized_keys') ?? error.issues[0];
  const unknown = issue?.code === 'unrecognized_keys' ? issue.keys[0] : undefined;
  const field = String(unknown ?? issue?.path[0] ?? '').slice(0, 100);
  if (errors && Object.hasOwn(errors, field)) {
    return new MyPadsError(errors[field] ?? 'BACKEND.ERROR.TYPE.PARAM_INVALID', { field });
  }
  const long = issue?.code === 'too_big' && issue.origin === 'string' && issue.maximum === limits.text;
  if (long) return new MyPadsError('BACKEND.ERROR.TYPE.STR_100', { field });
  return new MyPadsError(
    unknown === undefined ? 'BACKEND.ERROR.TYPE.PARAM_INVALID' : 'BACKEND.ERROR.TYPE.PARAM_UNKNOWN',
    { field },
  );
}

function read(schema: z.ZodType, value: unknown, errors: InputSchema['errors']): unknown {
  const result = schema.safeParse(value);
  if (!result.success) throw inputError(result.error, errors);
  return result.data;
}

/** What a route declares: who may call it, its input and its answer. */
export interface Description {
  who: Who;
  input?: InputSchema;
  answer: z.ZodType;
}

const descriptions = new WeakMap<object, Description>();

/** Registers the declaration of a handler, for the check at the start and for the API description. */
export function described<Handler extends RequestHandler>(
  description: Description,
  handler: Handler,
): Handler {
  descriptions.set(handler, description);
  return handler;
}

/** `undefined` for a handler without a declaration. */
export function descriptionOf(handler: object): Description | undefined {
  return descriptions.get(handler);
}

/** Throws an Error that names a route without a declaration, so that the server does not start with one. */
export function requireDeclarations(prefix: string, router: Router): void {
  for (const { route } of router.stack) {
    if (!route)
      throw new Error(`${prefix} has a handler that is no route, so nothing declares who may call it.`);
    for (const { method, handle } of route.stack) {
      if (!descriptions.has(handle))
        throw new Error(`${method} ${prefix}${route.path} does not declare who may call it.`);
    }
  }
}

/** Whether the input contains a password that has to be checked or hashed. */
function carriesPassword({ query, body }: Input<InputSchema>): boolean {
  return [query, body].some((part) => Object.keys(part).some((name) => /password/i.test(name)));
}

/** What a handler answers: an object, or JSON that is already serialised. */
export type RouteAnswer<Answer extends object> = Answer | SerialisedAnswer<Answer>;

/**
 * Makes a request handler. It checks the caller before the input: a guest who sends bad input gets 401, and learns
 * nothing about the call. The handler's result is the answer; what it throws becomes an error answer.
 */
export function route<Name extends Who, Answer extends object, Schema extends InputSchema = Nothing>(
  declared: { who: Name; input?: Schema; answer: z.ZodType<Answer> },
  handle: (
    input: Input<Schema> & { caller: Callers[Name] },
    request: Request,
    response: Response,
  ) => RouteAnswer<Answer> | Promise<RouteAnswer<Answer>>,
): RequestHandler {
  const schema: InputSchema = declared.input ?? {};
  const handler: RequestHandler = async (request, response) => {
    const caller = requireCaller(declared.who, request);
    if (request.bodyError) throw request.bodyError;
    const { errors } = schema;
    const input = {
      params: read(schema.params ?? anything, request.params, errors),
      query: read(schema.query ?? anything, request.query, errors),
      body: read(schema.body ?? nothing, request.body, errors),
    } as Input<Schema>;
    const work = () => handle({ ...input, caller }, request, response);
    const queue = carriesPassword(input) ? `${addressOf(request)} ${request.baseUrl}` : undefined;
    const answer = queue === undefined ? await work() : await runInPasswordQueue(queue, work);
    if (answer instanceof SerialisedAnswer) await sendSerialised(request, response, answer);
    else response.json(answer);
  };
  return described(declared, handler);
}
