/** Checks passwords of groups and pads that are sent to the API, with rate limits. */
import type { Request, Response, Router } from 'express';
import type * as z from 'zod';
import { actorOf } from '../../model/access/padDecisions';
import type { Actor, Guarded } from '../../model/access/permissions';
import { decodePassword } from '../../model/access/unlock';
import { MyPadsError } from '../../model/errors';
import { deviceOf, rememberDevice } from '../../web/deviceCookie';
import { setEntryCookie } from '../../web/entryCookie';
import { attemptPassword } from '../../web/passwordAttempt';
import { addressOf } from '../../web/rateLimit';
import { type Declaration, type RouteAnswer, route } from '../middleware/route';
import type { Services } from '../services';
import { passwordInBody, passwordInQuery } from './schema';

export interface Unlocked {
  /** The caller, now with the proved password. */
  actor: Actor;
  /** The token of a guest's new session. */
  token?: string;
}

/**
 * Checks a password and stores in the session that it was proved; a guest gets a new session for this. Throws
 * PERMISSION.UNAUTHORIZED for a wrong password, PERMISSION.TOO_MANY. `shownAs`: the id in the path.
 */
export async function unlock(
  { model, limits }: Services,
  request: Request,
  response: Response,
  { shownAs, ...guarded }: Guarded & { shownAs: string },
  password: string,
): Promise<Unlocked> {
  const address = addressOf(request);
  const { session: current } = request.mypads;
  const attempt = async () => {
    const browser = request.headers['user-agent'];
    const unlocked = await model.unlocks.unlock(guarded, password, { session: current, browser });
    if (unlocked) return unlocked;
    throw new MyPadsError('BACKEND.ERROR.PERMISSION.UNAUTHORIZED', { key: shownAs });
  };
  const provedOf = () => model.unlocks.provedOf(guarded);
  const device = await deviceOf(model.devices, request, provedOf);
  const caller = { address, guarded, device, guest: !current };
  const { session, started } = await attemptPassword(limits, caller, attempt);
  if (started) setEntryCookie(request, response, started);
  rememberDevice(model.devices, request, response, request.connected, await provedOf());
  return { actor: actorOf(session, model.sessions), token: started?.token };
}

type Declared<Answer> = Pick<Declaration, 'openTo' | 'summary' | 'errors'> & { answer: z.ZodType<Answer> };

/**
 * Adds `GET /:id`, declared as `declared`, and `POST /:id/unlock`. Both call `read` with the password as plain text;
 * `read` checks it if the record needs one. A password in the query that is not Base64 is refused as a wrong password.
 */
export function addReadRoutes<Answer extends object>(
  router: Router,
  declared: Declared<Answer>,
  read: (
    request: Request,
    response: Response,
    id: string,
    password: string | undefined,
  ) => Promise<RouteAnswer<Answer>>,
): void {
  router.get(
    '/:id',
    route(
      { who: 'everybody', ...declared, input: passwordInQuery },
      ({ params, query }, request, response) => {
        const password = query.password === undefined ? undefined : decodePassword(query.password);
        if (query.password && !password) {
          throw new MyPadsError('BACKEND.ERROR.PERMISSION.UNAUTHORIZED', { key: params.id });
        }
        return read(request, response, params.id, password);
      },
    ),
  );

  router.post(
    '/:id/unlock',
    route(
      {
        who: 'everybody',
        summary: 'Does the same as the GET without `unlock`. The password is sent as plain text.',
        input: passwordInBody,
        answer: declared.answer,
        errors: declared.errors,
        example: { body: { password: 'hémi' } },
      },
      ({ params, body }, request, response) => read(request, response, params.id, body.password),
    ),
  );
}
