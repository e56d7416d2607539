/** Signs people and server administrators in and out. */
import { type Request, type Response, Router } from 'express';
import { type Administrator, isHostAdministrator } from '../../model/access/administrator';
import { type ErrorKey, MyPadsError } from '../../model/errors';
import type { UserRecord } from '../../model/store/entities';
import { clearEntryCookie, setEntryCookie } from '../../web/entryCookie';
import { addressOf } from '../../web/rateLimit';
import { type SuccessAnswer, successAnswer } from '../answers';
import { recordByAdmin } from '../middleware/adminLog';
import { callerFacts } from '../middleware/session';
import { route } from '../middleware/validate';
import type { Services } from '../services';
import { ownUser } from '../user/presenter';
import {
  type AdminLoginAnswer,
  adminLoginAnswer,
  credentials,
  type LoginAnswer,
  loginAnswer,
  nothing,
  signIn,
  ticket,
} from './schema';

/** Opens a session for a person who has just been authenticated. */
async function openSession({ model }: Services, user: UserRecord, request: Request, response: Response) {
  const browser = request.headers['user-agent'];
  const signedIn = await model.sessions.create({ kind: 'user', owner: user._id, browser });
  // The account is read again: a password change or a closed account in the meantime could not end this new session.
  const now = await model.users.get(user._id);
  if (!now?.active || JSON.stringify(now.password) !== JSON.stringify(user.password)) {
    await model.sessions.end(signedIn.session._id);
    throw new MyPadsError('BACKEND.ERROR.AUTHENTICATION.PASSWORD_INCORRECT');
  }
  model.log.info('signed in', { user: user._id, address: addressOf(request) });
  setEntryCookie(request, response, signedIn);
  return {
    success: true as const,
    token: signedIn.token,
    user: ownUser(model.referenceCleanup.withoutRemoved(user)),
  };
}

/** Opens a session for a server administrator who has just been authenticated. */
async function openAdminSession({ model }: Services, { name, by, voucher }: Administrator, request: Request) {
  const browser = request.headers['user-agent'];
  const { token } = await model.sessions.create({ kind: 'admin', owner: name, browser, voucher });
  model.log.info('administrator signed in', { login: name, by, address: addressOf(request) });
  model.adminLog.add({ action: 'signedIn', by: name });
  return { success: true as const, token };
}

/**
 * Protects against CSRF, because browsers send Etherpad's cookie with every request. Another site can make a browser
 * post a form, but not JSON; newer browsers also send the origin. Throws TYPE.JSON, AUTHENTICATION.ADMIN.
 */
function requireOwnPage(request: Request): void {
  if (!request.is('application/json')) throw new MyPadsError('BACKEND.ERROR.TYPE.JSON');
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin') {
    throw new MyPadsError('BACKEND.ERROR.AUTHENTICATION.ADMIN');
  }
}

/** Logs a refused sign-in. What was typed is not logged: it may be a password in the wrong field. */
async function logRefusedSignIn<T>(
  { model }: Services,
  request: Request,
  work: () => Promise<T>,
  who: (reason: ErrorKey) => Promise<object> | object,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof MyPadsError)) throw error;
    request.mypads.refusalLogged = true;
    model.log.warn('sign-in refused', {
      ...(await who(error.key)),
      address: addressOf(request),
      reason: error.key,
    });
    throw error;
  }
}

/** Adds `POST /login` and `POST /login/cas`. */
function addSignIn(router: Router, services: Services): void {
  const { model, limits } = services;

  router.post(
    '/login',
    route(
      { who: 'public', input: signIn, answer: loginAnswer },
      async ({ body }, request, response): Promise<LoginAnswer> => {
        const { login, password } = body;
        const attempt = () =>
          limits.attemptSignIn('signIn', addressOf(request), login, () =>
            model.signIn.byPassword(login, password),
          );
        const user = await logRefusedSignIn(services, request, attempt, async () => ({
          user: (await model.users.find(login))?._id ?? 'unknown',
        }));
        return openSession(services, user, request, response);
      },
    ),
  );

  router.post(
    '/login/cas',
    route(
      { who: 'public', input: ticket, answer: loginAnswer },
      async ({ body }, request, response): Promise<LoginAnswer> => {
        const attempt = () =>
          limits.attempt([['signInAddress', addressOf(request)]], () => model.signIn.byTicket(body.ticket));
        const user = await logRefusedSignIn(services, request, attempt, () => ({ by: 'cas' }));
        return openSession(services, user, request, response);
      },
    ),
  );
}

/** Adds `/logout` and `POST /check`. */
function addOwnSession(router: Router, { model, limits }: Services): void {
  const logout = route(
    { who: 'visitor', answer: successAnswer },
    async ({ caller }, request, response): Promise<SuccessAnswer> => {
      await model.sessions.end(caller.session._id);
      model.log.info('signed out', callerFacts(request));
      clearEntryCookie(request, response);
      return { success: true };
    },
  );
  router.get('/logout', logout);
  router.post('/logout', logout);

  router.post(
    '/check',
    route(
      { who: 'person', input: credentials, answer: successAnswer },
      async ({ caller: { user }, body }, request): Promise<SuccessAnswer> => {
        const own = [user.login, user.email].includes(body.login);
        if (!own && (await model.users.find(body.login))?._id !== user._id) {
          throw new MyPadsError('BACKEND.ERROR.AUTHENTICATION.DENIED');
        }
        await limits.attempt([['ownPassword', user._id]], async () => {
          if (await model.signIn.checkPassword(user, body.password)) return;
          model.log.warn('current password refused', callerFacts(request));
          throw new MyPadsError('BACKEND.ERROR.AUTHENTICATION.PASSWORD_INCORRECT');
        });
        return { success: true };
      },
    ),
  );
}

/** Refusals that count as failed sign-ins of administrators. Others are faults, or come after too many of these. */
const guesses: readonly ErrorKey[] = [
  'BACKEND.ERROR.AUTHENTICATION.PASSWORD_INCORRECT',
  'BACKEND.ERROR.AUTHENTICATION.ADMIN',
];

/** Adds the same for server administrators, below `/admin`. */
function addAdministratorRoutes(router: Router, services: Services): void {
  const { model, limits } = services;

  router.post(
    '/admin/login',
    route(
      { who: 'public', input: credentials, answer: adminLoginAnswer },
      async ({ body: { login, password } }, request): Promise<AdminLoginAnswer> => {
        const address = addressOf(request);
        const attempt = () =>
          limits.attemptSignIn('adminSignIn', address, login, () =>
            model.administrators.authenticate(login, password, address),
          );
        const known = isHostAdministrator(model.settings, login);
        const administrator = await logRefusedSignIn(services, request, attempt, (reason) => {
          if (guesses.includes(reason))
            model.adminLog.add({ action: 'signInRefused', ...(known && { by: login }) });
          return { administrator: known ? login : 'unknown' };
        });
        return openAdminSession(services, administrator, request);
      },
    ),
  );

  router.post(
    '/admin/login/host',
    route(
      { who: 'hostAdministrator', input: nothing, answer: adminLoginAnswer },
      async ({ caller }, request): Promise<AdminLoginAnswer> => {
        requireOwnPage(request);
        return openAdminSession(services, caller.host, request);
      },
    ),
  );

  const adminLogout = route(
    { who: 'administrator', answer: successAnswer },
    async ({ caller }, request): Promise<SuccessAnswer> => {
      await model.sessions.end(caller.session._id);
      model.log.info('administrator signed out', callerFacts(request));
      recordByAdmin(model, request, 'signedOut');
      return { success: true };
    },
  );
  router.get('/admin/logout', adminLogout);
  router.post('/admin/logout', adminLogout);
}

export function authRoutes(services: Services): Router {
  const router = Router();
  addSignIn(router, services);
  addOwnSession(router, services);
  addAdministratorRoutes(router, services);
  return router;
}
