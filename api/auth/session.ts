/** Begins the session of a person. */
import type { Request, Response } from 'express';
import type { Proved } from '../../model/access/devices';
import { MyPadsError } from '../../model/errors';
import type { MethodOfSession, UserRecord } from '../../model/store/entities';
import { rememberDevice } from '../../web/deviceCookie';
import { setEntryCookie } from '../../web/entryCookie';
import { addressOf } from '../../web/rateLimit';
import type { Services } from '../services';
import { ownUser } from '../user/presenter';

/**
 * Creates the session of a person who has just been authenticated. Throws AUTHENTICATION.PASSWORD_INCORRECT if the
 * account was closed, or its password or the `version` of its factors changed, meanwhile. `proved`: what the browser is
 * remembered for.
 */
export async function createSession(
  { model }: Services,
  user: UserRecord,
  {
    proved = [],
    signedInBy,
    version,
  }: { proved?: readonly Proved[]; signedInBy?: MethodOfSession; version?: string },
  request: Request,
  response: Response,
) {
  const browser = request.headers['user-agent'];
  const { session: before } = request.mypads;
  // What a guest has opened stays open when they sign in, also a kept link whose password has changed since.
  const opened = before?.kind === 'guest' ? before.unlocked : {};
  const unlocked = { ...model.keptLinks.proofsOf(user), ...opened };
  const signedIn = await model.sessions.create({
    kind: 'user',
    owner: user._id,
    browser,
    unlocked,
    ...(signedInBy && { signedInBy }),
  });
  // Such a change ends all sessions of the account. This one may not have existed then, so the account is read again.
  const now = await model.users.get(user._id);
  const isCurrent = version === undefined || (await model.secondStep.isCurrent(user, version));
  if (!now?.active || JSON.stringify(now.password) !== JSON.stringify(user.password) || !isCurrent) {
    await model.sessions.end(signedIn.session._id);
    throw new MyPadsError('BACKEND.ERROR.AUTHENTICATION.PASSWORD_INCORRECT');
  }
  model.log.info('signed in', { user: user._id, address: addressOf(request) });
  model.events.emit({ about: 'signIn', what: 'signedIn', by: { kind: 'account', id: user._id } });
  setEntryCookie(request, response, signedIn);
  if (proved.length > 0) rememberDevice(model.devices, request, response, request.connected, ...proved);
  return {
    success: true as const,
    token: signedIn.token,
    user: ownUser(model, user),
  };
}
