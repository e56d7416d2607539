import * as z from 'zod';
import { limits } from '../../model/limits';
import { success } from '../answers';
import { id } from '../group/schema';
import type { InputSchema, Sent } from '../middleware/route';

/** `POST usermark` */
export const mark = {
  body: z.strictObject({ type: z.enum(['groups', 'pads']), key: id }),
  errors: {
    type: 'BACKEND.ERROR.TYPE.TYPE_PADSORGROUPS',
    key: 'BACKEND.ERROR.USER.BOOKMARK_NOT_FOUND',
  },
} satisfies InputSchema;
export type Mark = Sent<typeof mark>;

/** `PUT usermark` */
export const marks = {
  body: z.strictObject({
    type: z.enum(['groups', 'pads']),
    keys: z.array(id).min(1).max(limits.bulk),
    marked: z.boolean().describe('Whether the bookmarks are set or removed'),
  }),
  errors: { type: 'BACKEND.ERROR.TYPE.TYPE_PADSORGROUPS' },
} satisfies InputSchema;

/** `PUT usermark` */
export const bookmarksAnswer = z.strictObject({
  success,
  changed: z.array(z.string()).describe('The bookmarks that this call has set or removed'),
  refused: z.array(z.string()).describe('What does not exist, or may not be bookmarked'),
});
export type BookmarksAnswer = z.infer<typeof bookmarksAnswer>;
