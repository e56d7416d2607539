/** `GET admin/numbers`: numbers of accounts, folders and pads over time. */
import type { Router } from 'express';
import { route } from '../middleware/route';
import type { Services } from '../services';
import { type AdminNumbersAnswer, adminNumbersAnswer } from './schema';

export function addNumbers(router: Router, { model }: Services): void {
  router.get(
    '/numbers',
    route(
      {
        who: 'administrator',
        summary:
          'Returns the numbers of accounts, groups and pads on each of the last 400 days on which the server ran.',
        answer: adminNumbersAnswer,
      },
      async (): Promise<AdminNumbersAnswer> => ({ days: await model.dailyNumbers.list() }),
    ),
  );
}
