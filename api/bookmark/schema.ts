import * as z from 'zod';
import { id } from '../group/schema';
import type { InputSchema } from '../middleware/validate';

/** `POST usermark` */
export const mark = {
  body: z.strictObject({ type: z.enum(['groups', 'pads']), key: id }),
  errors: {
    type: 'BACKEND.ERROR.TYPE.TYPE_PADSORGROUPS',
    key: 'BACKEND.ERROR.USER.BOOKMARK_NOT_FOUND',
  },
} satisfies InputSchema;
