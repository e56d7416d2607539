/** Calls for links in mails: choosing a new password, and confirming an address. */
import { type Request, Router } from 'express';
import { mayAdministrate } from '../../model/access/permissions';
import { MyPadsError } from '../../model/errors';
import { addressOf, normaliseName } from '../../web/rateLimit';
import { type SuccessAnswer, successAnswer } from '../answers';
import { originOf } from '../middleware/rootUrl';
import { route } from '../middleware/validate';
import type { Services } from '../services';
import { completion, confirmation, type LinkUsedAnswer, linkUsedAnswer, request as recovery } from './schema';

/** `passrecover` */
export function recoveryRoutes({ model, limits }: Services): Router {
  const router = Router();

  router.post(
    '/',
    route(
      { who: 'public', input: recovery, answer: successAnswer },
      async ({ body: { email } }, request): Promise<SuccessAnswer> => {
        const address = addressOf(request);
        if (!mayAdministrate(request.mypads.actor)) {
          await limits.consume('recoveryAddress', address);
          await limits.consume('recovery', `${address} ${normaliseName(email)}`);
          await limits.consume('recoveryAccount', normaliseName(email));
        }
        await model.accountMail.requestRecovery(email, originOf(request, model.configuration));
        return { success: true };
      },
    ),
  );

  router.put(
    '/:token',
    route(
      { who: 'public', input: completion, answer: linkUsedAnswer },
      async ({ params, body }, request): Promise<LinkUsedAnswer> => {
        const { password, passwordConfirm } = body;
        const origin = originOf(request, model.configuration);
        const used = await useLink({ model, limits }, request, () =>
          model.accountMail.completeRecovery(params.token, password, passwordConfirm, origin),
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
      { who: 'public', input: confirmation, answer: linkUsedAnswer },
      async ({ body }, request): Promise<LinkUsedAnswer> => {
        const used = await useLink({ model, limits }, request, () => model.accountMail.confirm(body.token));
        return { success: true, login: used.login };
      },
    ),
  );
  return router;
}

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
