/**
 * Declares routes. A route checks its caller and its input before its handler runs. The handler returns the answer,
 * which is sent as JSON.
 */
import type { Request, RequestHandler, Response, Router } from 'express';
import * as z from 'zod';
import { type ErrorKey, MyPadsError } from '../../model/errors';
import { asPasswordCaller } from '../../model/fairQueue';
import { limits } from '../../model/limits';
import { runInTurn } from '../../web/callQueue';
import { addressOf } from '../../web/rateLimit';
import { SerialisedAnswer } from '../serialisedAnswer';
import { type Callers, requireCaller, type Who } from './authorise';
import { sendObject, sendSerialised, untilSent } from './sendAnswer';

/** Use `z.strictObject`. Without a schema, a body must be empty and a query is ignored. */
export interface InputSchema {
  params?: z.ZodType;
  query?: z.ZodType;
  body?: z.ZodType;
  /**
   * The error keys for invalid fields, by name. The first invalid field is answered. Default: PARAM_INVALID, STR_100
   * for a text that is too long, PARAM_UNKNOWN for an unknown field.
   */
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

const emptyObject = z.strictObject({});
const ignoredInput = z.unknown().transform(() => ({}));

function inputError(error: z.ZodError, errors: InputSchema['errors']): MyPadsError {
  const issue = error.issues.find((one) => one.code !== 'unrecognized_keys') ?? error.issues[0];
  const unknown = issue?.code === 'unrecognized_keys' ? issue.keys[0] : undefined;
  const field = String(unknown ?? issue?.path[0] ?? '').slice(0, 100);
  if (errors && Object.hasOwn(errors, field)) {
    return new MyPadsError(errors[field] ?? 'BACKEND.ERROR.TYPE.PARAM_INVALID', { field });
  }
  const isTooLong = issue?.code === 'too_big' && issue.origin === 'string' && issue.maximum === limits.text;
  if (isTooLong) return new MyPadsError('BACKEND.ERROR.TYPE.STR_100', { field });
  return new MyPadsError(
    unknown === undefined ? 'BACKEND.ERROR.TYPE.PARAM_INVALID' : 'BACKEND.ERROR.TYPE.PARAM_UNKNOWN',
    { field },
  );
}

function parse(schema: z.ZodType, value: unknown, errors: InputSchema['errors']): unknown {
  const result = schema.safeParse(value);
  if (!result.success) throw inputError(result.error, errors);
  return result.data;
}

/**
 * Everything that a route declares about its call. The server applies it, and the API description is generated from it.
 */
export interface Declaration {
  who: Who;
  /** Who may call, in words, where the handler decides more than `who` says. */
  openTo?: string;
  /** What the call does, in whole sentences. */
  summary: string;
  /** Kept for older programs. New programs use another call. */
  deprecated?: true;
  input?: InputSchema;
  answer: z.ZodType;
  /** The errors that do not follow from `who` and `input`. The API tests check every error that they get. */
  errors?: readonly ErrorKey[];
  /** For the API description. */
  example?: { body?: object; answer?: object };
}

/** The declaration of one call, with the types that its handler and its example must have. */
interface TypedDeclaration<Name extends Who, Answer, Schema extends InputSchema> extends Declaration {
  who: Name;
  input?: Schema;
  answer: z.ZodType<Answer>;
  example?: {
    body?: NoInfer<Schema['body'] extends z.ZodType ? z.input<Schema['body']> & object : never>;
    answer?: NoInfer<Answer & object>;
  };
}

const declarations = new WeakMap<object, Declaration>();

/**
 * Registers the declaration of a handler that sends its answer itself, for the check at start-up and the API
 * description.
 */
export function declared<Handler extends RequestHandler>(
  declaration: Declaration,
  handler: Handler,
): Handler {
  declarations.set(handler, declaration);
  return handler;
}

/** A call of the API with the path as OpenAPI writes it: `/group/{id}`. */
export interface DeclaredCall {
  method: string;
  path: string;
  declaration: Declaration;
}

/**
 * The calls of a router that is mounted at `prefix`. Throws an Error for a route without a declaration or without a
 * summary, so the server does not start with such a route.
 */
export function callsOf(prefix: string, router: Router): DeclaredCall[] {
  return router.stack.flatMap(({ route }) => {
    if (!route)
      throw new Error(
        `${prefix} has a handler that was not made with route(), so nothing declares who may call it.`,
      );
    const path = (prefix + route.path).replace(/\/$/, '').replace(/:(\w+)/g, '{$1}');
    return route.stack.map(({ method, handle }) => {
      const declaration = declarations.get(handle);
      if (!declaration) throw new Error(`${method} ${prefix}${route.path} does not declare who may call it.`);
      if (!declaration.summary)
        throw new Error(`${method} ${prefix}${route.path} does not say what it does.`);
      return { method, path, declaration };
    });
  });
}

/** Whether the input contains a password that has to be checked or hashed. */
function containsPassword({ query, body }: Input<InputSchema>): boolean {
  return [query, body].some((part) => Object.keys(part).some((name) => /password/i.test(name)));
}

/** What a handler answers: an object, or JSON that is already serialised. */
export type RouteAnswer<Answer extends object> = Answer | SerialisedAnswer<Answer>;

function callerOf(request: Request): { address: string; person: string | undefined } {
  const { session } = request.mypads;
  const isGuest = session === undefined || session.kind === 'guest';
  return { address: addressOf(request), person: isGuest ? undefined : `${session.kind} ${session.owner}` };
}

/**
 * Makes a request handler. The caller is checked before the input: a guest who sends invalid input gets 401 and learns
 * nothing about the call. Calls wait in the queue of their caller, except for those with a password, which have queues
 * of their own, and those for the public, which are cheap: so monitoring works at any time.
 */
export function route<Name extends Who, Answer extends object, Schema extends InputSchema = Nothing>(
  declaration: TypedDeclaration<Name, Answer, Schema>,
  handle: (
    input: Input<Schema> & { caller: Callers[Name] },
    request: Request,
    response: Response,
  ) => RouteAnswer<Answer> | Promise<RouteAnswer<Answer>>,
): RequestHandler {
  const schema: InputSchema = declaration.input ?? {};
  const handler: RequestHandler = async (request, response) => {
    const caller = requireCaller(declaration.who, request);
    if (request.bodyError) throw request.bodyError;
    const { errors } = schema;
    const input = {
      params: parse(schema.params ?? ignoredInput, request.params, errors),
      query: parse(schema.query ?? ignoredInput, request.query, errors),
      body: parse(schema.body ?? emptyObject, request.body, errors),
    } as Input<Schema>;
    const work = () =>
      asPasswordCaller({ keys: [addressOf(request)] }, () => handle({ ...input, caller }, request, response));
    const send = async (answer: RouteAnswer<Answer>): Promise<void> => {
      // Reads too: they may show what another call of this process has just changed.
      const published = request.published();
      if (published) await published;
      if (answer instanceof SerialisedAnswer) await sendSerialised(request, response, answer);
      else await sendObject(request, response, answer);
    };
    if (declaration.who === 'public' || containsPassword(input)) await send(await work());
    else {
      await runInTurn(callerOf(request), async () => {
        // Nobody waits for this answer any more.
        if (request.method === 'GET' && request.socket.destroyed) return;
        await send(await work());
        await untilSent(response);
      });
    }
  };
  return declared(declaration, handler);
}
