/**
 * `GET /mypads/metrics` for Prometheus, for API tokens of server administrators, and for whom `ep_mypads.metrics` of
 * Etherpad's settings file names: programs with a token of that file, or programs on the same machine.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { Request, RequestHandler } from 'express';
import * as z from 'zod';
import { looksLikeApiToken } from '../model/access/apiTokens';
import { mayAdministrate } from '../model/access/permissions';
import { MyPadsError } from '../model/errors';
import type { Metrics } from '../web/metrics';
import { allows, callerOfApiToken } from './middleware/caller';
import type { Services } from './services';

/** Short tokens could be guessed. Those that begin as API tokens do are taken for such. */
const ownToken = z
  .string()
  .min(16)
  .refine((token) => !looksLikeApiToken(token));
const access = z.union([z.literal('loopback'), z.strictObject({ token: ownToken })]);

const isLoopback = (address = ''): boolean => /^(::1|(::ffff:)?127(\.\d+){3})$/i.test(address);

/** Headers that proxies add. Behind a proxy on this machine, every request comes from this machine. */
const headersOfProxies = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip'];

const isFromThisMachine = ({ headers, socket }: Request): boolean =>
  isLoopback(socket.remoteAddress) && !headersOfProxies.some((name) => name in headers);

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

const tokenOf = ({ headers }: Request): string =>
  /^Bearer (.+)$/i.exec(headers.authorization ?? '')?.[1] ?? '';

const incorrect = (): MyPadsError => new MyPadsError('BACKEND.ERROR.AUTHENTICATION.TOKEN_INCORRECT');

/** Throws TYPE.ROUTE if the metrics are off, AUTHENTICATION.TOKEN_INCORRECT for a wrong token. */
function check(request: Request, setting: unknown): void {
  const { data: who } = access.safeParse(setting);
  if (who === undefined) throw new MyPadsError('BACKEND.ERROR.TYPE.ROUTE');
  if (who === 'loopback') {
    if (!isFromThisMachine(request)) throw new MyPadsError('BACKEND.ERROR.TYPE.ROUTE');
    return;
  }
  if (!timingSafeEqual(digest(tokenOf(request)), digest(who.token))) throw incorrect();
}

type Checks = Pick<Services, 'model' | 'limits'>;

/** Throws AUTHENTICATION.TOKEN_INCORRECT unless the token is an administrator's with `read`; and as for other calls. */
async function checkApiToken({ model, limits }: Checks, request: Request): Promise<void> {
  const caller = await callerOfApiToken(model, limits, tokenOf(request), request);
  if (!mayAdministrate(caller.actor)) throw incorrect();
  if (!allows(caller, 'read')) throw new MyPadsError('BACKEND.ERROR.API_TOKEN.SCOPE', { scope: 'read' });
}

export function metricsRoute(services: Checks, metrics: Metrics, setting: () => unknown): RequestHandler {
  return async (request, response) => {
    if (looksLikeApiToken(tokenOf(request))) await checkApiToken(services, request);
    else check(request, setting());
    response
      .set('Cache-Control', 'no-store')
      .type('text/plain; version=0.0.4; charset=utf-8')
      .send(await metrics.text());
  };
}

/** The reason why a value of `ep_mypads.metrics` cannot be used; `undefined` if it can, or if there is none. */
export function metricsFault(setting: unknown): string | undefined {
  if (setting === undefined || access.safeParse(setting).success) return undefined;
  return 'neither "loopback" nor {"token": a text of at least 16 characters that does not begin with mp_}';
}
