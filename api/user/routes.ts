/** Accounts: reading and removing them, and their sessions. registration.ts and profile.ts have the other calls. */
import { mayAdministrate } from '../../model/access/permissions';
import { MyPadsError } from '../../model/errors';
import type { Model } from '../../model/model';
import { handleOf } from '../../model/sha256';
import type { UserRecord } from '../../model/store/entities';
import type { Handlers } from '../calls';
import { handOverAll } from '../group/handover';
import { callerFacts } from '../middleware/caller';
import type { Services } from '../services';
import { requireCurrentPassword } from './ownPassword';
import { presentRemoved, shownAccount } from './presenter';

/**
 * Throws CONFIGURATION.CHANGED if other groups would be deleted with an account than the caller expects: their other
 * managers may have left after the preview. `handsOver`: only those in the trash are deleted.
 */
async function requireExpected(
  { accountRemoval }: Model,
  user: UserRecord,
  expected: readonly string[],
  handsOver: boolean,
): Promise<void> {
  const { removed, trashed } = await accountRemoval.preview(user);
  const gone = handsOver ? trashed : [...removed, ...trashed];
  if (!gone.every(({ _id }) => expected.includes(_id)))
    throw new MyPadsError('BACKEND.ERROR.CONFIGURATION.CHANGED');
}

export const userHandlers = (services: Services) => {
  const { model } = services;
  const { sessions, events, log } = model;
  return {
    'GET /user/{login}': ({ params: { login }, account, caller }) => ({
      key: login,
      value: shownAccount(model, caller.actor, account),
    }),

    async 'DELETE /user/{login}'({ params: { login: key }, query, body, account, caller }, request) {
      if (query.preview) {
        const gone = await model.accountRemoval.preview(account);
        return {
          success: true,
          key,
          preview: true,
          removed: presentRemoved(gone, account._id, gone.trashed),
        };
      }
      if (!mayAdministrate(caller.actor))
        await requireCurrentPassword(services, request, account, body.currentPassword);
      const { actor } = caller;
      const to = body.folders?.to;
      if (body.groups) await requireExpected(model, account, body.groups, to !== undefined);
      if (to !== undefined) await handOverAll(services, { actor, user: account, to }, request);
      const gone = await model.accountRemoval.remove(account._id);
      const facts = { user: account._id, groups: gone.removed.map(({ _id }) => _id) };
      log.info('account removed', { ...facts, ...callerFacts(request) });
      return { success: true, key, removed: presentRemoved(gone, account._id) };
    },

    async 'GET /user/{login}/sessions'({ params: { login }, account, caller }) {
      const open = await sessions.list(account._id);
      const value = open.map((session) => ({
        _id: handleOf(session),
        created: session.created,
        lastSeen: session.lastSeen,
        browser: session.browser,
        current: session._id === caller.session?._id,
      }));
      return { key: login, value };
    },

    async 'DELETE /user/{login}/sessions/{session}'({ params, account, session }, request) {
      await sessions.end(session._id);
      log.info('session ended', { user: account._id, ...callerFacts(request) });
      events.emit({ about: 'user', what: 'sessionsEnded', id: account._id, access: false });
      return { success: true, key: params.session };
    },

    async 'DELETE /user/{login}/sessions'({ params: { login }, account, caller }, request) {
      await sessions.endAll(account._id, caller.session?._id);
      log.info('sessions ended', { user: account._id, ...callerFacts(request) });
      events.emit({ about: 'user', what: 'sessionsEnded', id: account._id, access: false });
      return { success: true, key: login };
    },
  } satisfies Partial<Handlers>;
};
