/** The search in the texts of pads. */
import * as z from 'zod';
import { limits } from '../../model/limits';
import { padSummary } from '../answers';
import { details, type InputSchema } from '../declaration';
import { wholeNumber } from '../middleware/query';

const query = {
  query: z.strictObject({
    text: z
      .string()
      .min(1)
      .max(limits.email)
      .describe('Words, their beginnings, and "phrases". All must be in the text. Accents do not count'),
    group: z.string().min(1).max(limits.id).optional().describe('Only in pads of this group'),
    tag: z
      .string()
      .min(1)
      .max(limits.tag)
      .optional()
      .describe('Only pads of groups with this tag that the caller can open as a whole'),
    by: z.string().min(1).max(limits.id).optional().describe('Only pads that this account changed last'),
    since: wholeNumber(0, Number.MAX_SAFE_INTEGER).describe('Only pads that changed since then'),
    offset: wholeNumber(0, 1_000_000_000),
    limit: wholeNumber(1, limits.page).describe(`Default: ${limits.page}`),
  }),
} satisfies InputSchema;

const excerpt = z
  .array(
    z.strictObject({
      text: z.string(),
      found: z.literal(true).optional().describe('This is what was searched for'),
    }),
  )
  .describe('A part of the text, in pieces');

/** What was found, the pads that changed last first. */
const searchAnswer = z.strictObject({
  value: z.array(z.strictObject({ pad: padSummary, excerpt })),
  count: z.int().describe('The number of all matches'),
  complete: z.boolean().describe('False while texts are still being read after a start'),
});
export type SearchAnswer = z.infer<typeof searchAnswer>;

export const search = details({
  input: query,
  answer: searchAnswer,
  errors: ['BACKEND.ERROR.TYPE.ROUTE'],
});
