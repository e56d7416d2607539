/** The sessions of an account: listing them, ending one, ending all others. */
import { handleOf } from '../../model/sha256';
import type { Handlers } from '../calls';
import { callerFacts } from '../middleware/caller';
import type { Services } from '../services';

export const sessionHandlers = ({ model }: Services) => {
  const { sessions, events, log } = model;

  return {
    async 'GET /user/{login}/sessions'({ params: { login }, account, caller }) {
      const open = await sessions.list('user', account._id);
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
      await sessions.endAll('user', account._id, caller.session?._id);
      log.info('sessions ended', { user: account._id, ...callerFacts(request) });
      events.emit({ about: 'user', what: 'sessionsEnded', id: account._id, access: false });
      return { success: true, key: login };
    },
  } satisfies Partial<Handlers>;
};
