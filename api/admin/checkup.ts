/** The checks of the server, the facts that the page needs for the checks in the browser, and a new index. */
import { randomBytes } from 'node:crypto';
import type { Request } from 'express';
import { type Check, checked } from '../../model/checkup/findings';
import { answersToOtherName } from '../../model/checkup/otherHostName';
import { entryCookieOptions } from '../../web/connection';
import { readCookie } from '../../web/cookie';
import { addressOf } from '../../web/rateLimit';
import type { Handlers } from '../calls';
import { callerFacts } from '../middleware/caller';
import type { Services } from '../services';

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

export const checkupHandlers = ({ model, trustsProxy }: Services) =>
  ({
    async 'GET /admin/checkup'(_input, request, response) {
      const [proxy, checks] = await Promise.all([
        checkProxy(request, trustsProxy(), model.configuration.get('rootUrl')),
        model.checkup.run(),
      ]);
      const cookie = randomBytes(9).toString('base64url');
      response.cookie(checkCookie, cookie, {
        ...entryCookieOptions(request.connected),
        maxAge: cookieLifetime,
      });
      const etherpad = model.checkup.hostVersion() ?? null;
      return { time: model.now(), checks: [...checks, proxy], cookie, etherpad };
    },

    'GET /admin/checkup/cookie': ({ query }, request) => ({
      received: readCookie(request.headers.cookie, checkCookie) === query.value,
    }),

    async 'POST /admin/index/rebuild'(_input, request) {
      model.log.info('index rebuilt on request', callerFacts(request));
      model.events.emit({ about: 'index', what: 'rebuilt' });
      return { success: true };
    },
  }) satisfies Partial<Handlers>;
