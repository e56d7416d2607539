import { Router } from 'express';
import { route } from '../middleware/validate';
import type { Services } from '../services';
import { cacheAnswer } from './schema';

/** `GET cache/check`: whether the index of accounts is complete. The login screen repeats the call until it is. */
export function cacheRoutes({ model }: Services): Router {
  const router = Router();
  router.get(
    '/check',
    route(
      {
        who: 'public',
        summary: 'Whether the server is ready, so that everybody can sign in.',
        answer: cacheAnswer,
        example: { answer: { userCacheReady: true } },
      },
      () => ({ userCacheReady: model.users.isReady() }),
    ),
  );
  return router;
}
