/** Checks passwords of groups and pads that are sent to the API, with rate limits. */
import type { Request, Response } from 'express';
import { actorOf } from '../model/access/padDecisions';
import type { Actor, Guarded } from '../model/access/permissions';
import { decodePassword } from '../model/access/unlock';
import { MyPadsError } from '../model/errors';
import { deviceOf, rememberDevice } from '../web/deviceCookie';
import { setEntryCookie } from '../web/entryCookie';
import { isPartOfForeignPage } from '../web/foreignPage';
import { attemptPassword } from '../web/passwordAttempt';
import { addressOf } from '../web/rateLimit';
import { requireScope } from './middleware/authorise';
import type { Services } from './services';

const wrongPassword = (id: string): MyPadsError =>
  new MyPadsError('BACKEND.ERROR.PERMISSION.UNAUTHORIZED', { key: id });

export interface Unlocked {
  /** The caller, now with the proved password. */
  actor: Actor;
  /** The token of a guest's new session. */
  token?: string;
}

/**
 * Checks a password and stores in the session that it was proved; a guest gets a new session for this. Throws
 * PERMISSION.UNAUTHORIZED for a wrong password, PERMISSION.TOO_MANY; API_TOKEN.SCOPE for an API token, which has no
 * session. `shownAs`: the id in the path.
 */
export async function unlock(
  { model, limits }: Services,
  request: Request,
  response: Response,
  { shownAs, ...guarded }: Guarded & { shownAs: string },
  password: string,
): Promise<Unlocked> {
  requireScope(null, request);
  const address = addressOf(request);
  const { session: current } = request.mypads;
  const attempt = async () => {
    const browser = request.headers['user-agent'];
    const unlocked = await model.unlocks.unlock(guarded, password, { session: current, browser });
    if (unlocked) return unlocked;
    throw wrongPassword(shownAs);
  };
  const provedOf = () => model.unlocks.provedOf(guarded);
  const device = await deviceOf(model.devices, request, provedOf);
  const caller = { address, guarded, device, guest: !current };
  const { session, started } = await attemptPassword(limits, caller, attempt);
  if (started) setEntryCookie(request, response, started);
  rememberDevice(model.devices, request, response, request.connected, await provedOf());
  return { actor: actorOf(session, model.sessions), token: started?.token };
}

/**
 * The plain text of a Base64 password in a query. One that is not Base64 is refused as a wrong password of `id`. A page
 * of another site sends none.
 */
export function passwordOfLink(
  request: Request,
  id: string,
  encoded: string | undefined,
): string | undefined {
  if (isPartOfForeignPage(request)) return undefined;
  const password = encoded === undefined ? undefined : decodePassword(encoded);
  if (encoded && !password) throw wrongPassword(id);
  return password;
}
