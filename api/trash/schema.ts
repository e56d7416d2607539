/** Calls about the trash. */
import * as z from 'zod';
import { limits } from '../../model/limits';
import { keyAnswer, person, success, time } from '../answers';
import { details } from '../declaration';
import { byId, id } from '../group/schema';
import { wholeNumber } from '../middleware/query';

export const trashed = z
  .strictObject({
    _id: z.string(),
    kind: z.enum(['pad', 'group']),
    name: z.string(),
    group: z
      .strictObject({ _id: z.string(), name: z.string() })
      .nullable()
      .describe('Of a pad: its group. `null` for a group'),
    padCount: z.int().describe('Of a group: how many pads it has'),
    deleted: time,
    by: person.nullable().describe('`null`: a server administrator, or an account that was deleted'),
    until: time.describe('When it is deleted for good'),
  })
  .meta({ id: 'Trashed' });
export type TrashedAnswer = z.infer<typeof trashed>;

const trashAnswer = z.strictObject({
  entries: z.array(trashed),
  count: z.int().describe('How many there are on all pages'),
});
export type TrashAnswer = z.infer<typeof trashAnswer>;

export const list = details({
  input: {
    query: z.strictObject({
      offset: wholeNumber(0, 1_000_000_000),
      limit: wholeNumber(1, limits.adminPage).describe(`Default: ${limits.page}`),
    }),
  },
  answer: trashAnswer,
  errors: ['BACKEND.ERROR.SERVER.BUSY'],
});
export const restore = details({
  input: {
    ...byId,
    body: z.strictObject({
      group: id
        .optional()
        .describe('For a pad: another group, which the caller manages. Default: the one that it was in'),
    }),
    errors: { ...byId.errors, group: 'BACKEND.ERROR.TYPE.PARAM_STR' },
  },
  answer: keyAnswer,
  errors: ['BACKEND.ERROR.TYPE.PARAM_INVALID'],
  example: { body: { group: 'minutes-of-the-board-x2k3v9' } },
});
export const remove = details({ input: byId, answer: keyAnswer });
export const empty = details({
  answer: z.strictObject({
    success,
    removed: z.int().describe('How many pads and groups were deleted'),
  }),
  errors: ['BACKEND.ERROR.SERVER.BUSY'],
});
