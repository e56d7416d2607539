import * as z from 'zod';
import { limits } from '../../model/limits';
import type { InputSchema } from '../middleware/validate';

const count = (longest: RegExp) => z.string().regex(longest).transform(Number).optional();

/** Which part of what was found: `limit` rows from row `offset` on; all of them where it is left out. */
const query = z.object({ offset: count(/^\d{1,9}$/), limit: count(/^[1-9]\d{0,3}$/) });

/** `GET all-users` */
export const everybody = { query } satisfies InputSchema;

/** `GET search-users/:text` */
export const search = {
  query,
  params: z.strictObject({ text: z.string().max(limits.email) }),
} satisfies InputSchema;
