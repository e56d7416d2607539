/** Keeps many calls that arrive at once from blocking the event loop. */
import type { RequestHandler } from 'express';
import { nextSlice, sliceUsed } from '../../model/store/timeSlice';

/**
 * Lets a call begin in a later turn of the event loop when the work of this turn has taken its time. A class that signs
 * in at the same moment sends dozens of calls in one turn; together they would delay every edit by 20 ms.
 */
export const beginInTurn: RequestHandler = (_request, _response, next) => {
  if (sliceUsed()) void nextSlice().then(() => next());
  else next();
};
