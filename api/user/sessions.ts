/** The sessions of an account: listing them, ending one, ending all others. */
import type { Request, Router } from 'express';
import { handleOf } from '../../model/access/session';
import { MyPadsError } from '../../model/errors';
import type { UserRecord } from '../../model/store/entities';
import { type KeyAnswer, keyAnswer } from '../answers';
import { recordByAdmin } from '../middleware/adminLog';
import { callerFacts } from '../middleware/caller';
import { route } from '../middleware/route';
import type { Services } from '../services';
import { byLogin, bySession, type OwnSessionsAnswer, ownSessionsAnswer } from './schema';

/** Finds the account in the path. Throws USER.NOT_FOUND. */
type RequireAccount = (request: Request, login: string) => Promise<UserRecord>;

export function addSessionRoutes(router: Router, services: Services, requireAccount: RequireAccount): void {
  addSessionList(router, services, requireAccount);
  addSessionEnds(router, services, requireAccount);
}

function addSessionList(router: Router, { model }: Services, requireAccount: RequireAccount): void {
  router.get(
    '/:login/sessions',
    route(
      {
        who: 'oneself',
        summary: 'Lists the sessions of the account: where it is signed in, and since when.',
        input: byLogin,
        answer: ownSessionsAnswer,
        errors: ['BACKEND.ERROR.USER.NOT_FOUND'],
      },
      async ({ params: { login }, caller }, request): Promise<OwnSessionsAnswer> => {
        const user = await requireAccount(request, login);
        const open = await model.sessions.list('user', user._id);
        const value = open.map((session) => ({
          _id: handleOf(session),
          created: session.created,
          lastSeen: session.lastSeen,
          browser: session.browser,
          current: session._id === caller.session._id,
        }));
        return { key: login, value };
      },
    ),
  );
}

function addSessionEnds(router: Router, { model }: Services, requireAccount: RequireAccount): void {
  const { sessions, log } = model;

  router.delete(
    '/:login/sessions/:session',
    route(
      {
        who: 'oneself',
        summary: 'Ends one session of the account.',
        input: bySession,
        answer: keyAnswer,
        errors: ['BACKEND.ERROR.USER.NOT_FOUND', 'BACKEND.ERROR.CONFIGURATION.KEY_NOT_FOUND'],
      },
      async ({ params: { login, session: key } }, request): Promise<KeyAnswer> => {
        const user = await requireAccount(request, login);
        const open = await sessions.list('user', user._id);
        const found = open.find((session) => handleOf(session) === key);
        if (!found) throw new MyPadsError('BACKEND.ERROR.CONFIGURATION.KEY_NOT_FOUND');
        await sessions.end(found._id);
        log.info('session ended', { user: user._id, ...callerFacts(request) });
        recordByAdmin(model, request, 'sessionsEnded', { object: { kind: 'user', id: user._id } });
        return { success: true, key };
      },
    ),
  );

  router.delete(
    '/:login/sessions',
    route(
      {
        who: 'oneself',
        summary: 'Ends all other sessions of the account.',
        input: byLogin,
        answer: keyAnswer,
        errors: ['BACKEND.ERROR.USER.NOT_FOUND'],
      },
      async ({ params: { login }, caller }, request): Promise<KeyAnswer> => {
        const user = await requireAccount(request, login);
        await sessions.endAll('user', user._id, caller.session._id);
        log.info('sessions ended', { user: user._id, ...callerFacts(request) });
        recordByAdmin(model, request, 'sessionsEnded', { object: { kind: 'user', id: user._id } });
        return { success: true, key: login };
      },
    ),
  );
}
