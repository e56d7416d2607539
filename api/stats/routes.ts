import { Router } from 'express';
import { route } from '../middleware/validate';
import type { Services } from '../services';
import { statisticsAnswer } from './schema';

/** `GET stats/stats.json`: numbers of accounts, groups and pads, for server administrators. */
export function statsRoutes({ model }: Services): Router {
  const router = Router();
  router.get(
    '/stats.json',
    route({ who: 'administrator', answer: statisticsAnswer }, () => model.statistics.current()),
  );
  return router;
}
