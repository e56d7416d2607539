import * as z from 'zod';
import { details } from '../declaration';

/** Whether the index of accounts is complete, so that everybody can sign in. */
export const check = details({
  answer: z.strictObject({ userCacheReady: z.boolean() }),
  example: { answer: { userCacheReady: true } },
});
