/** Spreads calls that arrive at once over several turns of the event loop. */
import type { RequestHandler } from 'express';
import { nextSlice, sliceUsed } from '../../model/store/timeSlice';

/**
 * Defers a call to a later turn of the event loop if this turn has taken some milliseconds already. When a class signs
 * in, dozens of calls arrive in one turn. Handled at once, they would delay every edit by 20 ms.
 */
export const deferCall: RequestHandler = (_request, _response, next) => {
  if (sliceUsed()) void nextSlice().then(() => next());
  else next();
};
