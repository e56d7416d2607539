import * as z from 'zod';
import { limits } from '../../model/limits';
import { success, successAnswer } from '../answers';
import { details, type InputSchema, type Sent } from '../declaration';
import { id } from '../group/schema';

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
const bookmarksAnswer = z.strictObject({
  success,
  changed: z.array(z.string()).describe('The bookmarks that this call has set or removed'),
  refused: z.array(z.string()).describe('What does not exist, or may not be bookmarked'),
});

export const toggle = details({
  input: mark,
  answer: successAnswer,
  example: { body: { type: 'pads', key: 'first-meeting-h5t8s1' }, answer: { success: true } },
});

export const setMany = details({
  input: {
    body: z.strictObject({
      type: z.enum(['groups', 'pads']),
      keys: z.array(id).min(1).max(limits.bulk),
      marked: z.boolean().describe('Whether the bookmarks are set or removed'),
    }),
    errors: { type: 'BACKEND.ERROR.TYPE.TYPE_PADSORGROUPS' },
  },
  answer: bookmarksAnswer,
  example: {
    body: { type: 'pads', keys: ['first-meeting-h5t8s1'], marked: true },
    answer: { success: true, changed: ['first-meeting-h5t8s1'], refused: [] },
  },
});
