import * as z from 'zod';
import { limits } from '../../model/limits';
import { byIds } from '../answers';
import { details, type InputSchema } from '../declaration';
import { wholeNumber } from '../middleware/query';

/** The page: `limit` rows, starting with row `offset`. All rows without `limit`. */
const query = z.object({
  offset: wholeNumber(0, 999_999_999),
  limit: wholeNumber(1, 9_999),
});

/** `GET search-users/:text` */
const search = {
  query,
  params: z.strictObject({ text: z.string().max(limits.email) }),
} satisfies InputSchema;

/**
 * `GET all-users`, `GET search-users/:text`: one page of accounts by login. If several accounts of an old database
 * share a login, the oldest is under this login, and the password decides which of them a sign-in opens.
 */
export const usersAnswer = z.strictObject({
  users: byIds(
    z.strictObject({
      _id: z.string(),
      email: z.string(),
      firstname: z.string(),
      lastname: z.string(),
      active: z.boolean(),
    }),
  ).describe(
    'By username. If several accounts of an old database share a username, the oldest is under it and the others are under their ids; all of them can sign in',
  ),
  usersCount: z.int().describe('The number of all matches'),
});
export type UsersAnswer = z.infer<typeof usersAnswer>;

export const all = details({ input: { query }, answer: usersAnswer });
export const byText = details({ input: search, answer: usersAnswer });
