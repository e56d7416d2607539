import { Router } from 'express';
import { route } from '../middleware/route';
import type { Services } from '../services';
import { statisticsAnswer } from './schema';

/** `GET stats/stats.json`: numbers of accounts, groups and pads, for server administrators. */
export function statsRoutes({ model }: Services): Router {
  const router = Router();
  router.get(
    '/stats.json',
    route(
      {
        who: 'administrator',
        summary: 'Returns the current numbers of accounts, groups and pads.',
        answer: statisticsAnswer,
        example: { answer: { timestamp: 1_795_226_493, users: 120, pad: 800, groups: 95 } },
      },
      () => model.statistics.current(),
    ),
  );
  return router;
}
