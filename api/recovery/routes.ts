/** What mailed links are for: a new password, and an address that is confirmed. */
import { type Request, Router } from 'express';
import { MyPadsError } from '../../model/errors';
import { successAnswer } from '../answers';
import { addressOf, asOneName } from '../middleware/rateLimit';
import { rootUrlOf } from '../middleware/rootUrl';
import { route } from '../middleware/validate';
import type { Services } from '../services';
import type { LinkUsedAnswer, SuccessAnswer } from '../wire';
import { completion, confirmation, linkUsedAnswer, request as recovery } from './schema';

/** `passrecover` */
export function recoveryRoutes({ model, limits }: Services): Router {
  const router = Router();

  router.post(
    '/',
    route(recovery, successAnswer, async ({ body: { email } }, request): Promise<SuccessAnswer> => {
      const address = addressOf(request);
      await limits.spend('recoveryAddress', address);
      await limits.spend('recovery', `${address} ${asOneName(email)}`);
      await limits.spend('recoveryAccount', asOneName(email));
      await model.accountMail.requestRecovery(email, rootUrlOf(request, model.configuration));
      return { success: true };
    }),
  );

  router.put(
    '/:token',
    route(completion, linkUsedAnswer, async ({ params, body }, request): Promise<LinkUsedAnswer> => {
      const { password, passwordConfirm } = body;
      const rootUrl = rootUrlOf(request, model.configuration);
      const used = await useLink({ model, limits }, request, () =>
        model.accountMail.completeRecovery(params.token, password, passwordConfirm, rootUrl),
      );
      return { success: true, login: used.login };
    }),
  );

  return router;
}

/** `accountconfirm` */
export function confirmationRoutes({ model, limits }: Services): Router {
  const router = Router();
  router.post(
    '/',
    route(confirmation, linkUsedAnswer, async ({ body }, request): Promise<LinkUsedAnswer> => {
      const used = await useLink({ model, limits }, request, () => model.accountMail.confirm(body.token));
      return { success: true, login: used.login };
    }),
  );
  return router;
}

async function useLink<Used>(
  { model, limits }: Services,
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
