import * as z from 'zod';

/** `GET stats/stats.json` */
export const statisticsAnswer = z.strictObject({
  timestamp: z.int().meta({ format: 'int64' }).describe('Seconds since 1970'),
  users: z.int(),
  pad: z.int(),
  groups: z.int(),
});
export type StatisticsAnswer = z.infer<typeof statisticsAnswer>;
