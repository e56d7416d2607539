import * as z from 'zod';
import { details } from '../declaration';

export const stats = details({
  answer: z.strictObject({
    timestamp: z.int().meta({ format: 'int64' }).describe('Seconds since 1970'),
    users: z.int(),
    pad: z.int(),
    groups: z.int(),
  }),
  example: { answer: { timestamp: 1_795_226_493, users: 120, pad: 800, groups: 95 } },
});
