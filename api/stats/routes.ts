import { Router } from 'express';
import { requireAdmin } from '../middleware/session';
import { route } from '../middleware/validate';
import type { Services } from '../services';
import { statisticsAnswer } from './schema';

/** `GET stats/stats.json`: how many there are, for server administrators (programs send their token). */
export function statsRoutes({ model }: Services): Router {
  const router = Router();
  router.get(
    '/stats.json',
    route({}, statisticsAnswer, (_input, request) => {
      requireAdmin(request);
      return model.statistics.current();
    }),
  );
  return router;
}
