/**
 * The one place where an error becomes an answer: `{error: KEY}` with the status of model/errors.ts. What is not one of our errors is
 * logged and answered without any detail.
 */
import type { NextFunction, Request, Response } from 'express';
import { type ErrorKey, MyPadsError } from '../../model/errors';
import type { Log } from '../../model/ports';
import type { ErrorAnswer } from '../wire';
import { callerFacts } from './session';

/** What the JSON parser and the router of express throw, by their status. */
function keyOfHttpError(status: number): ErrorKey {
  if (status === 413) return 'BACKEND.ERROR.TYPE.TOO_LARGE';
  if (status === 404) return 'BACKEND.ERROR.TYPE.ROUTE';
  return 'BACKEND.ERROR.TYPE.JSON';
}

/** Our own error for anything that was thrown, `undefined` when it is nothing that a caller can have caused. */
function asOwnError(error: unknown): MyPadsError | undefined {
  if (error instanceof MyPadsError) return error;
  if (error instanceof URIError) return new MyPadsError('BACKEND.ERROR.TYPE.ROUTE');
  const status = typeof error === 'object' && error !== null && 'status' in error ? error.status : undefined;
  return typeof status === 'number' && status >= 400 && status < 500
    ? new MyPadsError(keyOfHttpError(status))
    : undefined;
}

/** Which call it was, as `PUT passrecover/:token`: never the address itself, which may carry a secret. */
function callOf(request: Request): string {
  const resource = /\/api\/([\w.-]{1,40})/.exec(request.originalUrl)?.[1] ?? '';
  const path: unknown = request.route?.path;
  return `${request.method} ${resource}${typeof path === 'string' ? path : ''}`;
}

/** Who was refused what. That a password is asked for is no refusal yet. */
function noteRefusal(log: Log, request: Request, { key, status }: MyPadsError): void {
  const refused = [401, 403, 429].includes(status) && key !== 'BACKEND.ERROR.TYPE.PASSWORD_MISSING';
  if (!refused || request.mypads?.noted) return;
  log.info('refused', { call: callOf(request), reason: key, ...callerFacts(request) });
}

/** The last middleware of the application. */
export function answerErrors(log: Log) {
  return (error: unknown, request: Request, response: Response, next: NextFunction): void => {
    if (response.headersSent) {
      next(error);
      return;
    }
    const own = asOwnError(error);
    if (!own) {
      log.error('a call failed', {
        call: callOf(request),
        error: error instanceof Error ? (error.stack ?? error.message) : String(error),
      });
    }
    if (own) noteRefusal(log, request, own);
    const { key, details, status } = own ?? new MyPadsError('BACKEND.ERROR.SERVER.UNEXPECTED');
    const answer: ErrorAnswer = { ...details, error: key };
    response.statusCode = status;
    if (key === 'BACKEND.ERROR.SERVER.BUSY') response.setHeader('Retry-After', '1');
    if (answer.retryAfter !== undefined) response.setHeader('Retry-After', String(answer.retryAfter));
    response.setHeader('Content-Type', 'application/json; charset=utf-8');
    response.setHeader('Cache-Control', 'no-store');
    response.end(JSON.stringify(answer));
  };
}
