import * as z from 'zod';
import { limits } from '../../model/limits';
import { byIds } from '../answers';
import { answerOf } from '../middleware/answer';
import type { InputSchema } from '../middleware/validate';
import type { UsersAnswer } from '../wire';

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

/** `GET all-users`, `GET search-users/:text` */
export const usersAnswer = answerOf<UsersAnswer>()(
  z.strictObject({
    users: byIds(
      z.strictObject({
        _id: z.string(),
        email: z.string(),
        firstname: z.string(),
        lastname: z.string(),
        active: z.boolean(),
      }),
    ).describe('By login'),
    usersCount: z.number(),
  }),
);
