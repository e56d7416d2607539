/** What mailed links are for: a new password, and an address that is confirmed. */
import { type Request, Router } from 'express';
import { successAnswer } from '../answers';
import { addressOf } from '../middleware/rateLimit';
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
      await limits.spend('recovery', `${address} ${email.toLowerCase()}`);
      await limits.spend('recoveryAccount', email.toLowerCase());
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

function useLink<Used>({ limits }: Services, request: Request, use: () => Promise<Used>): Promise<Used> {
  return limits.attempt([['mailedLink', addressOf(request)]], use);
}
