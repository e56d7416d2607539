import type { Handlers } from '../calls';
import type { Services } from '../services';

/** `POST usermark` is for one bookmark, `PUT usermark` for many. */
export const bookmarkHandlers = ({ model: { bookmarks } }: Services) =>
  ({
    async 'POST /usermark'({ caller, body: { type, key } }) {
      await bookmarks.toggle(caller.actor, type, key);
      return { success: true };
    },

    async 'PUT /usermark'({ caller, body: { type, keys, marked } }) {
      return { success: true, ...(await bookmarks.setMany(caller.actor, type, keys, marked)) };
    },
  }) satisfies Partial<Handlers>;
