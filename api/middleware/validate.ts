/**
 * A route's input: checked against its schema, typed, and the first fault answered with the key that programs know. Handlers
 * return what is answered as JSON.
 */
import type { Request, RequestHandler, Response } from 'express';
import * as z from 'zod';
import { type ErrorKey, MyPadsError } from '../../model/errors';
import { limits } from '../../model/limits';
import { addressOf } from './rateLimit';
import { inTurn } from './turns';

/**
 * Use `z.strictObject`. What a call has no schema for must be empty in a body and is ignored in a query. `errors` gives the key of
 * a missing or wrong field by its name; others are PARAM_INVALID, or STR_100 for a text of more than `limits.text` characters. Unknown fields are PARAM_UNKNOWN. All answers name the `field`.
 */
export interface InputSchema {
  params?: z.ZodType;
  query?: z.ZodType;
  body?: z.ZodType;
  errors?: Readonly<Record<string, ErrorKey>>;
}

type Part<Schema, Name extends keyof Schema> = Schema[Name] extends z.ZodType
  ? z.output<Schema[Name]>
  : Record<string, never>;

export interface Input<Schema extends InputSchema> {
  params: Part<Schema, 'params'>;
  query: Part<Schema, 'query'>;
  body: Part<Schema, 'body'>;
}

const nothing = z.strictObject({});
const anything = z.unknown().transform(() => ({}));

function faultOf(error: z.ZodError, errors: InputSchema['errors']): MyPadsError {
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
  if (!result.success) throw faultOf(result.error, errors);
  return result.data;
}

/** What a call takes and what it answers. */
export interface Description {
  input: InputSchema;
  answer: z.ZodType;
}

const descriptions = new WeakMap<object, Description>();

/** Notes for the API's own description what a handler takes and answers. */
export function described<Handler extends RequestHandler>(
  description: Description,
  handler: Handler,
): Handler {
  descriptions.set(handler, description);
  return handler;
}

/** `undefined` for a handler that nobody has described. */
export function descriptionOf(handler: object): Description | undefined {
  return descriptions.get(handler);
}

/** Is there a password to be checked or kept? */
function carriesPassword({ query, body }: Input<InputSchema>): boolean {
  return [query, body].some((part) => Object.keys(part).some((name) => /password/i.test(name)));
}

/** A handler that gets checked input and answers what it returns. What it throws becomes an error answer. */
export function route<Schema extends InputSchema, Answer extends object>(
  schema: Schema,
  answer: z.ZodType<Answer>,
  handle: (input: Input<Schema>, request: Request, response: Response) => Promise<Answer> | Answer,
): RequestHandler {
  const handler: RequestHandler = async (request, response) => {
    const { errors } = schema;
    const input = {
      params: read(schema.params ?? anything, request.params, errors),
      query: read(schema.query ?? anything, request.query, errors),
      body: read(schema.body ?? nothing, request.body, errors),
    } as Input<Schema>;
    const work = () => handle(input, request, response);
    const turns = carriesPassword(input) ? `${addressOf(request)} ${request.baseUrl}` : undefined;
    response.json(turns === undefined ? await work() : await inTurn(turns, work));
  };
  return described({ input: schema, answer }, handler);
}
