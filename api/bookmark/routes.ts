import { Router } from 'express';
import { type SuccessAnswer, successAnswer } from '../answers';
import { route } from '../middleware/route';
import type { Services } from '../services';
import { type BookmarksAnswer, bookmarksAnswer, mark, marks } from './schema';

/** Adds `POST usermark` for one bookmark and `PUT usermark` for many. */
export function bookmarkRoutes({ model }: Services): Router {
  const router = Router();
  router.post(
    '/',
    route(
      {
        who: 'person',
        summary: 'Sets the bookmark of a group or pad, or removes it if it is set.',
        input: mark,
        answer: successAnswer,
        errors: ['BACKEND.ERROR.USER.BOOKMARK_NOT_FOUND'],
        example: { body: { type: 'pads', key: 'first-meeting-h5t8s1' }, answer: { success: true } },
      },
      async ({ caller, body }): Promise<SuccessAnswer> => {
        await model.bookmarks.toggle(caller.actor, body.type, body.key);
        return { success: true };
      },
    ),
  );
  router.put(
    '/',
    route(
      {
        who: 'person',
        summary: 'Sets or removes the bookmarks of many groups or pads.',
        input: marks,
        answer: bookmarksAnswer,
        example: {
          body: { type: 'pads', keys: ['first-meeting-h5t8s1'], marked: true },
          answer: { success: true, changed: ['first-meeting-h5t8s1'], refused: [] },
        },
      },
      async ({ caller, body: { type, keys, marked } }): Promise<BookmarksAnswer> => {
        return { success: true, ...(await model.bookmarks.setMany(caller.actor, type, keys, marked)) };
      },
    ),
  );
  return router;
}
