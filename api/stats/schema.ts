import * as z from 'zod';
import { answerOf } from '../middleware/answer';
import type { StatisticsAnswer } from '../wire';

/** `GET stats/stats.json` */
export const statisticsAnswer = answerOf<StatisticsAnswer>()(
  z.strictObject({ timestamp: z.number(), users: z.number(), pad: z.number(), groups: z.number() }),
);
