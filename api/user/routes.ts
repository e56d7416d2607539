/** Accounts: reading and removing them. registration.ts, profile.ts and sessions.ts have the other routes. */
import { Router } from 'express';
import { mayAdministrate } from '../../model/access/permissions';
import { passwordErrors } from '../commonErrors';
import { recordByAdmin } from '../middleware/adminLog';
import { callerFacts } from '../middleware/caller';
import { route } from '../middleware/route';
import type { Services } from '../services';
import { createAccountLookup } from './lookup';
import { presentRemoved } from './presenter';
import { addProfileChange } from './profile';
import { addRegistration } from './registration';
import { byLogin, type RemovalAnswer, removal, removalAnswer, type UserAnswer, userAnswer } from './schema';
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
          'Removes the account and the groups that nobody else administers, and answers which. `preview` only answers. To remove their own account, people must send `currentPassword`.',
        input: removal,
        answer: removalAnswer,
        errors: [...passwordErrors, 'BACKEND.ERROR.USER.NOT_FOUND'],
        example: {
          body: { currentPassword: 'alices-password' },
          answer: {
            success: true,
            key: 'alice',
            preview: false,
            removed: {
              groups: [{ _id: 'class-5a-x', name: 'Class 5a', pads: 12, people: 24 }],
              people: 24,
              left: 1,
            },
          },
        },
      },
      async ({ params, query, body }, request): Promise<RemovalAnswer> => {
        const user = await lookup.requireAccount(request, params.login);
        const { login: key } = params;
        if (query.preview) {
          const gone = await model.accountRemoval.preview(user);
          return { success: true, key, preview: true, removed: presentRemoved(gone, user._id) };
        }
        const byAdmin = mayAdministrate(request.mypads.actor);
        if (!byAdmin) await lookup.requireCurrentPassword(request, user, body.currentPassword);
        const gone = await model.accountRemoval.remove(user._id);
        const facts = { user: user._id, groups: gone.removed.map(({ _id }) => _id) };
        model.log.info('account removed', { ...facts, ...callerFacts(request) });
        for (const { _id: id, name } of gone.removed) {
          recordByAdmin(model, request, 'groupRemoved', { object: { kind: 'group', id, name } });
        }
        recordByAdmin(model, request, 'accountRemoved', { object: { kind: 'user' } });
        return { success: true, key, preview: false, removed: presentRemoved(gone, user._id) };
      },
    ),
  );

  return router;
}
