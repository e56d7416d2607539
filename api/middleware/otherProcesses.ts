/**
 * Each process answers from lists in its own memory. A call waits here until they have what other processes have
 * confirmed.
 */
import type { RequestHandler } from 'express';
import type { Model } from '../../model/model';

declare module 'express-serve-static-core' {
  interface Request {
    /** Call it before the answer is sent. See `Exchange`. */
    published: Model['published'];
  }
}

/** Before a call: waits until this process has handled what other processes have changed. */
export function waitForOthers(model: Pick<Model, 'published' | 'upToDate'>): RequestHandler {
  return (request, _response, next) => {
    request.published = model.published;
    const handled = model.upToDate();
    if (handled) void handled.then(() => next());
    else next();
  };
}
