import { Router } from 'express';
import { type SuccessAnswer, successAnswer } from '../answers';
import { route } from '../middleware/validate';
import type { Services } from '../services';
import { type BookmarksAnswer, bookmarksAnswer, mark, marks } from './schema';

/** `POST usermark` sets or removes a bookmark, `PUT usermark` many. */
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
  router.put(
    '/',
    route(
      { who: 'person', input: marks, answer: bookmarksAnswer },
      async ({ caller, body: { type, keys, marked } }): Promise<BookmarksAnswer> => {
        return { success: true, ...(await model.bookmarks.setMany(caller.actor, type, keys, marked)) };
      },
    ),
  );
  return router;
}
