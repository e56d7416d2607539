/**
 * Turns every error into an answer: `{error: KEY}` with the status from model/errors.ts. An unexpected error is logged,
 * and its answer contains no details.
 */
import type { NextFunction, Request, Response } from 'express';
import { isRefusal } from '../../model/access/permissions';
import { type ErrorKey, MyPadsError } from '../../model/errors';
import type { Log } from '../../model/ports';
import { answerJsonError } from '../../web/errorAnswer';
import { callerFacts } from './caller';

/** The key for an error of express or its JSON parser, by HTTP status. */
function keyOfHttpError(status: number): ErrorKey {
  if (status === 413) return 'BACKEND.ERROR.TYPE.TOO_LARGE';
  if (status === 404) return 'BACKEND.ERROR.TYPE.ROUTE';
  return 'BACKEND.ERROR.TYPE.JSON';
}

/** The matching MyPadsError, or `undefined` when the error is not the caller's fault. */
function asOwnError(error: unknown): MyPadsError | undefined {
  if (error instanceof MyPadsError) return error;
  if (error instanceof URIError) return new MyPadsError('BACKEND.ERROR.TYPE.ROUTE');
  const status = typeof error === 'object' && error !== null && 'status' in error ? error.status : undefined;
  return typeof status === 'number' && status >= 400 && status < 500
    ? new MyPadsError(keyOfHttpError(status))
    : undefined;
}

/** The call for the log, such as `PUT passrecover/:token`. The URL is not logged: it may contain a secret. */
function callOf(request: Request): string {
  const path: unknown = request.route?.path;
  if (typeof path === 'string') return `${request.method} ${path.slice(1)}`;
  return `${request.method} ${/\/api\/([\w.-]{1,40})/.exec(request.originalUrl)?.[1] ?? ''}`;
}

function logRefusedCall(log: Log, request: Request, { key, status }: MyPadsError): void {
  const refused = [401, 403, 429].includes(status) && isRefusal(key);
  if (!refused || request.mypads?.refusalLogged) return;
  log.info('call refused', { call: callOf(request), reason: key, ...callerFacts(request) });
}

export function answerErrors(log: Log) {
  return (error: unknown, request: Request, response: Response, next: NextFunction): void => {
    if (response.headersSent) {
      next(error);
      return;
    }
    const own = asOwnError(error);
    if (!own) {
      log.error('call failed', {
        call: callOf(request),
        error: error instanceof Error ? (error.stack ?? error.message) : String(error),
      });
    }
    if (own) logRefusedCall(log, request, own);
    answerJsonError(response, own ?? new MyPadsError('BACKEND.ERROR.SERVER.UNEXPECTED'));
  };
}
