import { Router } from 'express';
import { successAnswer } from '../answers';
import { requirePerson } from '../middleware/authorise';
import { route } from '../middleware/validate';
import type { Services } from '../services';
import type { SuccessAnswer } from '../wire';
import { mark } from './schema';

/** `POST usermark`: sets a bookmark, or takes it away. */
export function bookmarkRoutes({ model }: Services): Router {
  const router = Router();
  router.post(
    '/',
    route(mark, successAnswer, async ({ body }, request): Promise<SuccessAnswer> => {
      await model.bookmarks.toggle(requirePerson(request), body.type, body.key);
      return { success: true };
    }),
  );
  return router;
}
