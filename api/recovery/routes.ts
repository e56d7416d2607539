/** Calls for links in mails: choosing a new password, and confirming an address. */
import { type Request, Router } from 'express';
import { mayAdministrate } from '../../model/access/permissions';
import { MyPadsError } from '../../model/errors';
import { addressOf, mailboxOf } from '../../web/rateLimit';
import { type SuccessAnswer, successAnswer } from '../answers';
import { mailErrors } from '../commonErrors';
import { placeOf } from '../middleware/mailPlace';
import { route } from '../middleware/route';
import type { Services } from '../services';
import { completion, confirmation, type LinkUsedAnswer, linkUsedAnswer, request as recovery } from './schema';

/** `passrecover` */
export function recoveryRoutes({ model, limits }: Services): Router {
  const router = Router();

  router.post(
    '/',
    route(
      {
        who: 'public',
        summary: 'Sends a mail with a link for choosing a new password.',
        input: recovery,
        answer: successAnswer,
        errors: [
          ...mailErrors,
          'BACKEND.ERROR.AUTHENTICATION.NO_RECOVER',
          'BACKEND.ERROR.PERMISSION.TOO_MANY',
        ],
        example: { body: { email: 'alice@example.org' }, answer: { success: true } },
      },
      async ({ body: { email } }, request): Promise<SuccessAnswer> => {
        const address = addressOf(request);
        if (!mayAdministrate(request.mypads.actor)) {
          await limits.consume('recoveryAddress', address);
          await limits.consume('recovery', `${address} ${mailboxOf(email)}`);
          await limits.consume('recoveryAccount', mailboxOf(email));
        }
        await model.accountMail.requestRecovery(email, placeOf(request));
        return { success: true };
      },
    ),
  );

  router.put(
    '/:token',
    route(
      {
        who: 'public',
        openTo: 'who has the link',
        summary: 'Sets a new password.',
        input: completion,
        answer: linkUsedAnswer,
        errors: [
          'BACKEND.ERROR.AUTHENTICATION.NO_RECOVER',
          'BACKEND.ERROR.TOKEN.EXPIRED',
          'BACKEND.ERROR.TYPE.PASSWORD_SIZE',
          'BACKEND.ERROR.PERMISSION.TOO_MANY',
        ],
        example: {
          body: { password: 'a-new-password', passwordConfirm: 'a-new-password' },
          answer: { success: true, login: 'alice' },
        },
      },
      async ({ params, body }, request): Promise<LinkUsedAnswer> => {
        const { password, passwordConfirm } = body;
        const used = await useLink({ model, limits }, request, () =>
          model.accountMail.completeRecovery(params.token, password, passwordConfirm, placeOf(request)),
        );
        return { success: true, login: used.login };
      },
    ),
  );

  return router;
}

/** `accountconfirm` */
export function confirmationRoutes({ model, limits }: Services): Router {
  const router = Router();
  router.post(
    '/',
    route(
      {
        who: 'public',
        openTo: 'who has the link',
        summary: 'Confirms an e-mail address.',
        input: confirmation,
        answer: linkUsedAnswer,
        errors: [
          'BACKEND.ERROR.AUTHENTICATION.NO_RECOVER',
          'BACKEND.ERROR.TOKEN.EXPIRED',
          'BACKEND.ERROR.USER.EMAIL_ALREADY_EXISTS',
          'BACKEND.ERROR.PERMISSION.TOO_MANY',
        ],
        example: { body: { token: '<the token of the link>' }, answer: { success: true, login: 'alice' } },
      },
      async ({ body }, request): Promise<LinkUsedAnswer> => {
        const used = await useLink({ model, limits }, request, () => model.accountMail.confirm(body.token));
        return { success: true, login: used.login };
      },
    ),
  );
  return router;
}

/** Runs `use`, with a rate limit for invalid links, and logs why a link is refused. */
async function useLink<Used>(
  { model, limits }: Pick<Services, 'model' | 'limits'>,
  request: Request,
  use: () => Promise<Used>,
): Promise<Used> {
  const address = addressOf(request);
  return limits.attempt([['mailedLink', address]], async () => {
    try {
      return await use();
    } catch (error) {
      if (error instanceof MyPadsError && error.key.startsWith('BACKEND.ERROR.TOKEN.')) {
        model.log.warn('mailed link refused', { address, reason: error.key });
      }
      throw error;
    }
  });
}
