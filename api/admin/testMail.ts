/** `POST admin/testMail`: tests the stored mail settings by sending a mail. */
import type { Router } from 'express';
import { mailErrors } from '../commonErrors';
import { recordByAdmin } from '../middleware/adminLog';
import { callerFacts } from '../middleware/caller';
import { route } from '../middleware/route';
import type { Services } from '../services';
import { type TestMailAnswer, testMail, testMailAnswer } from './schema';

export function addTestMail(router: Router, { model, limits }: Services): void {
  router.post(
    '/testMail',
    route(
      {
        who: 'administrator',
        summary:
          'Sends a test mail to the address `to` with the stored settings, and answers what the mail server said.',
        input: testMail,
        answer: testMailAnswer,
        errors: [...mailErrors, 'BACKEND.ERROR.PERMISSION.TOO_MANY'],
      },
      async ({ body: { to, lang }, caller }, request): Promise<TestMailAnswer> => {
        await limits.consume('testMail', caller.session.owner);
        const receipt = await model.accountMail.sendTest(to, lang);
        model.log.info('test mail sent', callerFacts(request));
        recordByAdmin(model, request, 'testMailSent');
        return { success: true, ...receipt };
      },
    ),
  );
}
