/**
 * Makes the request handler of a call: checks caller, input and record as calls.ts declares, runs the handler, and
 * sends its answer as JSON.
 */
import { Readable } from 'node:stream';
import type { Request, RequestHandler, Response } from 'express';
import * as z from 'zod';
import { actingAs } from '../../model/actor';
import { MyPadsError } from '../../model/errors';
import { asPasswordCaller } from '../../model/fairQueue';
import { limits } from '../../model/limits';
import { runInTurn } from '../../web/callQueue';
import { addressOf } from '../../web/rateLimit';
import type { Call, Input, InputSchema, Nothing } from '../declaration';
import { SerialisedAnswer } from '../serialisedAnswer';
import type { Services } from '../services';
import { type Callers, requireCaller, requireScope } from './authorise';
import { eventActorOf, ownerOf } from './caller';
import { withDownload } from './download';
import { sendObject, sendSerialised, untilSent } from './sendAnswer';
import { withUpload } from './upload';

const emptyObject = z.strictObject({});
const ignoredInput = z.unknown().transform(() => ({}));

function inputError(error: z.ZodError, errors: InputSchema['errors']): MyPadsError {
  const issue = error.issues.find((one) => one.code !== 'unrecognized_keys') ?? error.issues[0];
  // `errors` is about the fields of the call. Under their names, an unknown one would say that a record is missing.
  if (issue?.code === 'unrecognized_keys')
    return new MyPadsError('BACKEND.ERROR.TYPE.PARAM_UNKNOWN', {
      field: String(issue.keys[0]).slice(0, 100),
    });
  const field = String(issue?.path[0] ?? '').slice(0, 100);
  if (errors && Object.hasOwn(errors, field)) {
    return new MyPadsError(errors[field] ?? 'BACKEND.ERROR.TYPE.PARAM_INVALID', { field });
  }
  const isTooLong = issue?.code === 'too_big' && issue.origin === 'string' && issue.maximum === limits.text;
  const key = isTooLong ? 'BACKEND.ERROR.TYPE.STR_100' : 'BACKEND.ERROR.TYPE.PARAM_INVALID';
  return new MyPadsError(key, { field });
}

type Fields = Readonly<Record<string, unknown>>;

function parse(schema: z.ZodType, value: unknown, errors: InputSchema['errors']): Fields {
  const result = schema.safeParse(value);
  if (!result.success) throw inputError(result.error, errors);
  return result.data as Fields;
}

/** Whether the input contains a password, which may have to be checked or hashed. */
function containsPassword(...parts: readonly Fields[]): boolean {
  return parts.some((part) => Object.keys(part).some((name) => /password/i.test(name)));
}

/** The handler has answered the request itself. */
export const answered = Symbol('answered');

/** What a handler answers: an object, JSON that is already serialised, or a file whose headers are set. */
export type CallAnswer<Answer extends object> =
  | Answer
  | SerialisedAnswer<Answer>
  | Readable
  | typeof answered;

/** The handler of a call. It gets the input, the caller, and what the rule for the record has found. */
export type Handler<One> =
  One extends Call<infer Name, infer Found, infer Answer, infer Schema>
    ? (
        input: Input<Schema> & { caller: Callers[Name] } & Found,
        request: Request,
        response: Response,
      ) => CallAnswer<Answer> | Promise<CallAnswer<Answer>>
    : never;

/** The handler of some call. `Handlers` of calls.ts checks that it fits the call. */
type AnyHandler = (
  input: never,
  request: Request,
  response: Response,
) => CallAnswer<object> | Promise<CallAnswer<object>>;

/** Resolves to a file, which is to be sent after the turn of the call. */
async function send(
  request: Request,
  response: Response,
  answer: CallAnswer<object>,
): Promise<Readable | undefined> {
  if (answer === answered) return undefined;
  if (answer instanceof Readable) return answer;
  // Reads too: they may show what another call of this process has just changed.
  const published = request.published();
  if (published) await published;
  if (answer instanceof SerialisedAnswer) await sendSerialised(request, response, answer);
  else await sendObject(request, response, answer);
  return undefined;
}

const isReading = ({ method }: Request): boolean => method === 'GET' || method === 'HEAD';

function callerOf(request: Request): { address: string; person: string | undefined } {
  const who = ownerOf(request.mypads);
  const isGuest = who === undefined || who.kind === 'guest';
  return { address: addressOf(request), person: isGuest ? undefined : `${who.kind} ${who.owner}` };
}

/**
 * The caller is checked before the input: a guest who sends invalid input gets 401 and learns nothing about the call.
 * Calls wait in the queues of their caller, except those for the public, which are cheap, and guests' passwords. Those
 * wait in web/passwordQueue.ts, where guesses hold up no known browser, or here if they are part of a reading call.
 */
export function answerCall(
  { who, on, scope, upload, file, input: schema = {} }: Call,
  handle: AnyHandler,
  services: Services,
): RequestHandler {
  return async (request, response) => {
    requireScope(scope, request);
    const caller = requireCaller(who, request);
    if (request.bodyError) throw request.bodyError;
    const { errors } = schema;
    const params = parse(schema.params ?? ignoredInput, request.params, errors);
    const query = parse(schema.query ?? ignoredInput, request.query, errors);
    const body = parse(schema.body ?? emptyObject, request.body, errors);
    const act = async () => {
      const fields = { ...(upload && query), ...body, ...params };
      const found: Nothing = on ? await on.find({ services, request, actor: caller.actor, fields }) : {};
      return handle({ params, query, body, caller, ...found } as never, request, response);
    };
    // The caller of a public call is not checked: a token that is sent there makes nobody an administrator.
    const handled = () => actingAs(who === 'public' ? { kind: 'guest' } : eventActorOf(request), act);
    const work = async () =>
      send(request, response, await asPasswordCaller({ keys: [addressOf(request)] }, handled));
    const hasPassword = containsPassword(query, body);
    const { address, person } = callerOf(request);
    if (who === 'public' || (hasPassword && person === undefined && !isReading(request))) {
      await work();
      return;
    }
    const what = hasPassword ? 'calls with passwords' : 'calls';
    const inTurn = () =>
      runInTurn({ address, person, what }, async () => {
        // Nobody waits for this answer any more.
        if (isReading(request) && request.socket.destroyed) return undefined;
        const opened = await work();
        if (opened === undefined) await untilSent(response);
        return opened;
      });
    const { actor } = caller;
    if (upload) await withUpload(services, request, actor.kind === 'user' ? actor.id : '', inTurn);
    else if (file !== undefined) await withDownload(person ?? address, response, inTurn);
    else await inTurn();
  };
}
