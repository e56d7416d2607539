/** Accounts: reading and removing them. registration.ts, profile.ts and sessions.ts have the other routes. */
import { Router } from 'express';
import { mayAdministrate } from '../../model/access/permissions';
import { type KeyAnswer, keyAnswer } from '../answers';
import { passwordErrors } from '../commonErrors';
import { recordByAdmin } from '../middleware/adminLog';
import { callerFacts } from '../middleware/caller';
import { route } from '../middleware/route';
import type { Services } from '../services';
import { createAccountLookup } from './lookup';
import { addProfileChange } from './profile';
import { addRegistration } from './registration';
import { byLogin, removal, type UserAnswer, userAnswer } from './schema';
import { addSessionRoutes } from './sessions';

export function userRoutes(services: Services): Router {
  const { model } = services;
  const router = Router();
  const lookup = createAccountLookup(services);
  addRegistration(router, services, lookup);

  router.get(
    '/:login',
    route(
      {
        who: 'oneself',
        summary: 'Returns an account.',
        input: byLogin,
        answer: userAnswer,
        errors: ['BACKEND.ERROR.USER.NOT_FOUND'],
      },
      async ({ params }, request): Promise<UserAnswer> => {
        const user = await lookup.requireAccount(request, params.login);
        return { key: params.login, value: lookup.present(request, user) };
      },
    ),
  );

  addProfileChange(router, services, lookup);
  addSessionRoutes(router, services, lookup.requireAccount);

  router.delete(
    '/:login',
    route(
      {
        who: 'oneself',
        summary:
          'Removes the account and the groups that nobody else administers. To remove their own account, people must send `currentPassword`.',
        input: removal,
        answer: keyAnswer,
        errors: [...passwordErrors, 'BACKEND.ERROR.USER.NOT_FOUND'],
        example: {
          body: { currentPassword: 'alices-password' },
          answer: { success: true, key: 'alice' },
        },
      },
      async ({ params, body }, request): Promise<KeyAnswer> => {
        const user = await lookup.requireAccount(request, params.login);
        const byAdmin = mayAdministrate(request.mypads.actor);
        if (!byAdmin) await lookup.requireCurrentPassword(request, user, body.currentPassword);
        await model.accountRemoval.remove(user._id);
        model.log.info('account removed', { user: user._id, ...callerFacts(request) });
        recordByAdmin(model, request, 'accountRemoved', { object: { kind: 'user' } });
        return { success: true, key: params.login };
      },
    ),
  );

  return router;
}
