/** Passwords of groups and pads as they arrive over HTTP: few tries, and a guest who has proved one gets a session. */
import type { Request, Response } from 'express';
import { actorOf } from '../../model/door';
import { MyPadsError } from '../../model/errors';
import type { Actor } from '../../model/permissions';
import type { Guarded } from '../../model/unlock';
import { addressOf, costsOfProof } from '../middleware/rateLimit';
import { setEntryCookie } from '../middleware/session';
import type { Services } from '../services';

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
  const { session, started } = await limits.attempt(costsOfProof(addressOf(request), guarded), async () => {
    const browser = request.headers['user-agent'];
    const proof = await model.unlocks.unlock(guarded, password, {
      session: request.mypads.session,
      browser,
    });
    if (proof) return proof;
    throw new MyPadsError('BACKEND.ERROR.PERMISSION.UNAUTHORIZED', { key: guarded.id });
  });
  if (started) setEntryCookie(request, response, started);
  return { actor: actorOf(session, model.sessions), token: started?.token };
}
