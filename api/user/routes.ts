/** Accounts: reading and removing them. registration.ts, profile.ts and sessions.ts have the other calls. */
import { mayAdministrate } from '../../model/access/permissions';
import type { Handlers } from '../calls';
import { handOverAll } from '../group/handover';
import { callerFacts } from '../middleware/caller';
import type { Services } from '../services';
import { requireCurrentPassword } from './ownPassword';
import { presentRemoved, shownAccount } from './presenter';

export const userHandlers = (services: Services) => {
  const { model } = services;
  return {
    'GET /user/{login}': ({ params: { login }, account, caller }) => ({
      key: login,
      value: shownAccount(model, caller.actor, account),
    }),

    async 'DELETE /user/{login}'({ params: { login: key }, query, body, account, caller }, request) {
      if (query.preview) {
        const gone = await model.accountRemoval.preview(account);
        return { success: true, key, preview: true, removed: presentRemoved(gone, account._id) };
      }
      if (!mayAdministrate(caller.actor))
        await requireCurrentPassword(services, request, account, body.currentPassword);
      const { actor } = caller;
      const to = body.folders?.to;
      if (to !== undefined) await handOverAll(services, { actor, user: account, to }, request);
      const gone = await model.accountRemoval.remove(account._id);
      const facts = { user: account._id, groups: gone.removed.map(({ _id }) => _id) };
      model.log.info('account removed', { ...facts, ...callerFacts(request) });
      return { success: true, key, removed: presentRemoved(gone, account._id) };
    },
  } satisfies Partial<Handlers>;
};
