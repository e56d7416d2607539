/** Passwords of groups and pads as they arrive over HTTP: few tries, and a guest who has proved one gets a session. */
import type { Request, Response, Router } from 'express';
import type * as z from 'zod';
import { actorOf } from '../../model/door';
import { MyPadsError } from '../../model/errors';
import type { Actor } from '../../model/permissions';
import { decodePassword, type Guarded } from '../../model/unlock';
import { addressOf, costsOfProof } from '../middleware/rateLimit';
import { setEntryCookie } from '../middleware/session';
import { route } from '../middleware/validate';
import type { Services } from '../services';
import { reading, unlocking } from './schema';

export interface Unlocked {
  /** The caller with the proof. */
  actor: Actor;
  /** Of a guest's new session. */
  token?: string;
}

/** Throws PERMISSION.UNAUTHORIZED for a wrong password, PERMISSION.TOO_MANY. */
export async function unlock(
  { model, limits }: Services,
  request: Request,
  response: Response,
  guarded: Guarded,
  password: string,
): Promise<Unlocked> {
  const address = addressOf(request);
  const { session: caller } = request.mypads;
  const attempt = async () => {
    const browser = request.headers['user-agent'];
    const proof = await model.unlocks.unlock(guarded, password, { session: caller, browser });
    if (proof) return proof;
    throw new MyPadsError('BACKEND.ERROR.PERMISSION.UNAUTHORIZED', { key: guarded.id });
  };
  const refund = caller ? undefined : await limits.spend('guest', address);
  const { session, started } = await limits
    .attempt(costsOfProof(address, guarded), attempt)
    .catch(async (error: unknown) => {
      await refund?.();
      throw error;
    });
  if (started) setEntryCookie(request, response, started);
  return { actor: actorOf(session, model.sessions), token: started?.token };
}

/**
 * Adds `GET /:id` and `POST /:id/unlock` of what may ask for a password. `read` gets it as it was typed, and tries it where one is asked for;
 * a password that is no Base64 is a wrong one.
 */
export function addReading<Answer extends object>(
  router: Router,
  answer: z.ZodType<Answer>,
  read: (request: Request, response: Response, id: string, password: string | undefined) => Promise<Answer>,
): void {
  router.get(
    '/:id',
    route(reading, answer, ({ params, query }, request, response) => {
      const password = query.password === undefined ? undefined : decodePassword(query.password);
      if (query.password && !password) {
        throw new MyPadsError('BACKEND.ERROR.PERMISSION.UNAUTHORIZED', { key: params.id });
      }
      return read(request, response, params.id, password);
    }),
  );

  router.post(
    '/:id/unlock',
    route(unlocking, answer, ({ params, body }, request, response) => {
      return read(request, response, params.id, body.password);
    }),
  );
}
