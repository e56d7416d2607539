/** `GET admin/checkup`: the checks of the server, and the facts that the page needs for the checks in the browser. */
import { randomBytes } from 'node:crypto';
import type { Request, Router } from 'express';
import { type Check, checked } from '../../model/checkup/findings';
import { answersToOtherName } from '../../model/checkup/otherHostName';
import { entryCookieOptions } from '../../web/connection';
import { readCookie } from '../../web/cookie';
import { addressOf } from '../../web/rateLimit';
import { route } from '../middleware/route';
import type { Services } from '../services';
import {
  type CheckupAnswer,
  type CheckupCookieAnswer,
  checkupAnswer,
  checkupCookie,
  checkupCookieAnswer,
} from './schema';

/** Set with the options of the entry cookie, to test whether the browser sends it back. Valid for a minute. */
const checkCookie = 'mypads_checkup';
const cookieLifetime = 60_000;

/** Headers that proxies add. */
const proxyHeaders = ['x-forwarded-for', 'x-forwarded-proto', 'x-forwarded-host', 'x-real-ip', 'forwarded'];

/**
 * The finding about the headers that proxies add, and about what the proxy passes on. `trusted`: whether the settings
 * say that there is a proxy. `rootUrl`: may be empty.
 */
async function checkProxy(request: Request, trusted: boolean, rootUrl: string): Promise<Check> {
  const facts = {
    protocol: request.connected.secure ? 'https' : 'http',
    host: request.connected.host ?? '',
    address: addressOf(request),
  };
  const forwarded = proxyHeaders.some((name) => request.headers[name] !== undefined);
  if (!trusted) return checked('proxy', forwarded ? 'notTrusted' : 'none', facts);
  if (request.headers['x-forwarded-for'] === undefined) return checked('proxy', 'silent', facts);
  const anyName = rootUrl !== '' && (await answersToOtherName(rootUrl));
  return checked('proxy', anyName ? 'names' : 'trusted', facts);
}

export function addCheckup(router: Router, { model, trustsProxy }: Services): void {
  router.get(
    '/checkup',
    route(
      {
        who: 'administrator',
        summary:
          'Checks the server: settings, mail, directory or sign-on server, proxy, Etherpad, database, records. Takes up to half a minute.',
        answer: checkupAnswer,
      },
      async (_input, request, response): Promise<CheckupAnswer> => {
        const [proxy, checks] = await Promise.all([
          checkProxy(request, trustsProxy(), model.configuration.get('rootUrl')),
          model.checkup.run(),
        ]);
        const cookie = randomBytes(9).toString('base64url');
        response.cookie(checkCookie, cookie, {
          ...entryCookieOptions(request.connected),
          maxAge: cookieLifetime,
        });
        return {
          time: model.now(),
          checks: [...checks, proxy],
          cookie,
          etherpad: model.checkup.hostVersion() ?? null,
        };
      },
    ),
  );
  router.get(
    '/checkup/cookie',
    route(
      {
        who: 'administrator',
        summary: 'Says whether the browser has sent back the cookie that came with the checkup.',
        input: checkupCookie,
        answer: checkupCookieAnswer,
      },
      ({ query }, request): CheckupCookieAnswer => ({
        received: readCookie(request.headers.cookie, checkCookie) === query.value,
      }),
    ),
  );
}
