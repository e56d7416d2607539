/** Signing in and out, of people and of server administrators. */
import { type Request, type Response, Router } from 'express';
import { type Administrator, isHostAdministrator } from '../../model/administrator';
import type { UserRecord } from '../../model/entities';
import { MyPadsError } from '../../model/errors';
import { successAnswer } from '../answers';
import { addressOf } from '../middleware/rateLimit';
import {
  callerFacts,
  clearEntryCookie,
  requireAdmin,
  requireUser,
  setEntryCookie,
} from '../middleware/session';
import { route } from '../middleware/validate';
import type { Services } from '../services';
import { ownUser } from '../user/presenter';
import type { AdminLoginAnswer, LoginAnswer, SuccessAnswer } from '../wire';
import { adminLoginAnswer, credentials, loginAnswer, nothing, ticket } from './schema';

/** Opens a session for a person who has just proved who that is. */
async function open({ model }: Services, user: UserRecord, request: Request, response: Response) {
  const browser = request.headers['user-agent'];
  const signedIn = await model.sessions.create({ kind: 'user', owner: user._id, browser });
  // Whoever changed the password or closed the account meanwhile could not end this session yet.
  const now = await model.users.get(user._id);
  if (!now?.active || JSON.stringify(now.password) !== JSON.stringify(user.password)) {
    await model.sessions.end(signedIn.session._id);
    throw new MyPadsError('BACKEND.ERROR.AUTHENTICATION.PASSWORD_INCORRECT');
  }
  model.log.info('signed in', { user: user._id, address: addressOf(request) });
  setEntryCookie(request, response, signedIn);
  return { success: true as const, token: signedIn.token, user: ownUser(user) };
}

/** Opens a session for a server administrator who has just been recognised. */
async function administrate({ model }: Services, { name, by, voucher }: Administrator, request: Request) {
  const browser = request.headers['user-agent'];
  const { token } = await model.sessions.create({ kind: 'admin', owner: name, browser, voucher });
  model.log.info('administrator signed in', { login: name, by, address: addressOf(request) });
  return { success: true as const, token };
}

/**
 * The host's cookie comes along with whatever makes the browser call us. A page of another site can make it post a form, but not JSON,
 * without asking us first, and newer browsers say themselves where a call comes from. Throws TYPE.JSON and AUTHENTICATION.ADMIN.
 */
function demandOwnPage(request: Request): void {
  if (!request.is('application/json')) throw new MyPadsError('BACKEND.ERROR.TYPE.JSON');
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin') {
    throw new MyPadsError('BACKEND.ERROR.AUTHENTICATION.ADMIN');
  }
}

/** Notes a sign-in that was refused. What was typed is not told: it may be a password in the wrong field. */
async function noted<T>(
  { model }: Services,
  request: Request,
  work: () => Promise<T>,
  who: () => Promise<object> | object,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof MyPadsError)) throw error;
    request.mypads.noted = true;
    model.log.warn('sign-in refused', {
      ...(await who()),
      address: addressOf(request),
      reason: error.key,
    });
    throw error;
  }
}

export function authRoutes(services: Services): Router {
  const { model, limits } = services;
  const router = Router();

  router.post(
    '/login',
    route(credentials, loginAnswer, async ({ body }, request, response): Promise<LoginAnswer> => {
      const { login, password } = body;
      const attempt = () =>
        limits.attemptSignIn('signIn', addressOf(request), login, () =>
          model.signIn.byPassword(login, password),
        );
      const user = await noted(services, request, attempt, async () => ({
        user: (await model.users.find(login))?._id ?? 'unknown',
      }));
      return open(services, user, request, response);
    }),
  );

  router.post(
    '/login/cas',
    route(ticket, loginAnswer, async ({ body }, request, response): Promise<LoginAnswer> => {
      const attempt = () =>
        limits.attempt([['signInAddress', addressOf(request)]], () => model.signIn.byTicket(body.ticket));
      const user = await noted(services, request, attempt, () => ({ by: 'cas' }));
      return open(services, user, request, response);
    }),
  );

  const logout = route({}, successAnswer, async (_input, request, response): Promise<SuccessAnswer> => {
    const { session } = request.mypads;
    if (!session || session.kind === 'admin') throw new MyPadsError('BACKEND.ERROR.AUTHENTICATION.NOT_AUTH');
    await model.sessions.end(session._id);
    model.log.info('signed out', callerFacts(request));
    clearEntryCookie(request, response);
    return { success: true };
  });
  router.get('/logout', logout);
  router.post('/logout', logout);

  router.post(
    '/check',
    route(credentials, successAnswer, async ({ body }, request): Promise<SuccessAnswer> => {
      const { user } = requireUser(request);
      const own = [user.login, user.email].includes(body.login);
      if (!own && (await model.users.find(body.login))?._id !== user._id) {
        throw new MyPadsError('BACKEND.ERROR.AUTHENTICATION.DENIED');
      }
      await limits.attempt([['ownPassword', user._id]], async () => {
        if (await model.signIn.checkPassword(user, body.password)) return;
        model.log.warn('own password refused', callerFacts(request));
        throw new MyPadsError('BACKEND.ERROR.AUTHENTICATION.PASSWORD_INCORRECT');
      });
      return { success: true };
    }),
  );

  router.post(
    '/admin/login',
    route(
      credentials,
      adminLoginAnswer,
      async ({ body: { login, password } }, request): Promise<AdminLoginAnswer> => {
        const address = addressOf(request);
        const attempt = () =>
          limits.attemptSignIn('adminSignIn', address, login, () =>
            model.administrators.authenticate(login, password, address),
          );
        const administrator = await noted(services, request, attempt, () => ({
          administrator: isHostAdministrator(model.settings, login) ? login : 'unknown',
        }));
        return administrate(services, administrator, request);
      },
    ),
  );

  router.post(
    '/admin/login/host',
    route(nothing, adminLoginAnswer, async (_input, request): Promise<AdminLoginAnswer> => {
      demandOwnPage(request);
      const { host } = request.mypads;
      if (!host) throw new MyPadsError('BACKEND.ERROR.AUTHENTICATION.ADMIN');
      return administrate(services, host, request);
    }),
  );

  const adminLogout = route({}, successAnswer, async (_input, request): Promise<SuccessAnswer> => {
    await model.sessions.end(requireAdmin(request)._id);
    model.log.info('administrator signed out', callerFacts(request));
    return { success: true };
  });
  router.get('/admin/logout', adminLogout);
  router.post('/admin/logout', adminLogout);

  return router;
}
