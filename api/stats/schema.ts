import * as z from 'zod';
import { answerOf } from '../middleware/answer';
import type { StatisticsAnswer } from '../wire';

/** `GET stats/stats.json` */
export const statisticsAnswer = answerOf<StatisticsAnswer>()(
  z.strictObject({
    timestamp: z.int().meta({ format: 'int64' }).describe('Seconds since 1970'),
    users: z.int(),
    pad: z.int(),
    groups: z.int(),
  }),
);
