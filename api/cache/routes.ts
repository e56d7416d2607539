import { Router } from 'express';
import { route } from '../middleware/route';
import type { Services } from '../services';
import { cacheAnswer } from './schema';

/** `GET cache/check`. The login screen repeats the call until the index of accounts is complete. */
export function cacheRoutes({ model }: Services): Router {
  const router = Router();
  router.get(
    '/check',
    route(
      {
        who: 'public',
        summary: 'Says whether the server is ready, so that everybody can sign in.',
        answer: cacheAnswer,
        example: { answer: { userCacheReady: true } },
      },
      () => ({ userCacheReady: model.users.isReady() }),
    ),
  );
  return router;
}
