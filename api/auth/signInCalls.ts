/** What the calls for signing in have in common: those of people, and those of server administrators. */
import type { Request } from 'express';
import type { Proved } from '../../model/access/devices';
import { type ErrorKey, MyPadsError } from '../../model/errors';
import { deviceOf } from '../../web/deviceCookie';
import { addressOf, type LimitName } from '../../web/rateLimit';
import type { Services } from '../services';

/** What a browser has proved that has signed in by a service. */
export const provedByService = (what: 'cas' | 'oidc' | 'header'): Proved => ({
  what,
  id: '',
  password: undefined,
});

/** What an attempt costs. Others at its address cannot lock out a browser that has proved this before. */
export async function costsOf(
  { model }: Services,
  request: Request,
  find: () => Promise<Proved | undefined> | Proved | undefined,
): Promise<[LimitName, string][]> {
  const device = await deviceOf(model.devices, request, find);
  return [device === undefined ? ['signInAddress', addressOf(request)] : ['signInBrowser', device]];
}

/**
 * Runs `work`. If it is refused, logs that with the facts that `who` returns. The name that was typed is not logged: it
 * may be a password in the wrong field.
 */
export async function logRefusedSignIn<T>(
  { model }: Services,
  request: Request,
  work: () => Promise<T>,
  who: (reason: ErrorKey) => Promise<object> | object,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof MyPadsError)) throw error;
    request.mypads.refusalLogged = true;
    model.log.warn('sign-in refused', {
      ...(await who(error.key)),
      address: addressOf(request),
      reason: error.key,
    });
    throw error;
  }
}

/**
 * Protects against CSRF where the browser itself says who somebody is, with a cookie of Etherpad or of a proxy. Another
 * site can make a browser post a form, but not JSON; newer browsers also send the origin. Throws TYPE.JSON, `refusal`.
 */
export function requireSameOrigin(request: Request, refusal: ErrorKey): void {
  if (!request.is('application/json')) throw new MyPadsError('BACKEND.ERROR.TYPE.JSON');
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin') throw new MyPadsError(refusal);
}
