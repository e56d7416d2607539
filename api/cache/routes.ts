import { Router } from 'express';
import { route } from '../middleware/validate';
import type { Services } from '../services';
import { cacheAnswer } from './schema';

/** `GET cache/check`: can everybody be found yet? The login screen asks until it is so. */
export function cacheRoutes({ model }: Services): Router {
  const router = Router();
  router.get(
    '/check',
    route({}, cacheAnswer, () => ({ userCacheReady: model.users.isReady() })),
  );
  return router;
}
