import { Router } from 'express';
import { successAnswer } from '../answers';
import { route } from '../middleware/validate';
import type { Services } from '../services';
import type { SuccessAnswer } from '../wire';
import { mark } from './schema';

/** `POST usermark`: sets or removes a bookmark. */
export function bookmarkRoutes({ model }: Services): Router {
  const router = Router();
  router.post(
    '/',
    route(
      { who: 'person', input: mark, answer: successAnswer },
      async ({ caller, body }): Promise<SuccessAnswer> => {
        await model.bookmarks.toggle(caller.actor, body.type, body.key);
        return { success: true };
      },
    ),
  );
  return router;
}
