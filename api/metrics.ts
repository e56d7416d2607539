/**
 * `GET /mypads/metrics` for Prometheus. Off, unless `ep_mypads.metrics` of Etherpad's settings file says who may call
 * it: programs with a token, or programs on the same machine.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { Request, RequestHandler } from 'express';
import * as z from 'zod';
import { MyPadsError } from '../model/errors';
import type { Metrics } from '../web/metrics';

/** Short tokens could be guessed. */
const access = z.union([z.literal('loopback'), z.strictObject({ token: z.string().min(16) })]);

const isLoopback = (address = ''): boolean => /^(::1|(::ffff:)?127(\.\d+){3})$/i.test(address);

/** Headers that proxies add. Behind a proxy on this machine, every request comes from this machine. */
const headersOfProxies = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip'];

const isFromThisMachine = ({ headers, socket }: Request): boolean =>
  isLoopback(socket.remoteAddress) && !headersOfProxies.some((name) => name in headers);

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

function hasToken({ headers }: Request, token: string): boolean {
  const [, given = ''] = /^Bearer (.+)$/i.exec(headers.authorization ?? '') ?? [];
  return timingSafeEqual(digest(given), digest(token));
}

/** Throws TYPE.ROUTE if the metrics are off, AUTHENTICATION.TOKEN_INCORRECT for a wrong token. */
function check(request: Request, setting: unknown): void {
  const { data: who } = access.safeParse(setting);
  if (who === undefined) throw new MyPadsError('BACKEND.ERROR.TYPE.ROUTE');
  if (who === 'loopback') {
    if (!isFromThisMachine(request)) throw new MyPadsError('BACKEND.ERROR.TYPE.ROUTE');
    return;
  }
  if (!hasToken(request, who.token)) throw new MyPadsError('BACKEND.ERROR.AUTHENTICATION.TOKEN_INCORRECT');
}

export function metricsRoute(metrics: Metrics, setting: () => unknown): RequestHandler {
  return async (request, response) => {
    check(request, setting());
    response
      .set('Cache-Control', 'no-store')
      .type('text/plain; version=0.0.4; charset=utf-8')
      .send(await metrics.text());
  };
}

/** The reason why a value of `ep_mypads.metrics` cannot be used; `undefined` if it can, or if there is none. */
export function metricsFault(setting: unknown): string | undefined {
  if (setting === undefined || access.safeParse(setting).success) return undefined;
  return 'neither "loopback" nor {"token": a text of at least 16 characters}';
}
