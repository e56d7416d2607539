/** Signs people and server administrators in and out. */
import { type Request, type Response, Router } from 'express';
import { type Administrator, isHostAdministrator } from '../../model/access/administrator';
import { type ErrorKey, MyPadsError } from '../../model/errors';
import type { UserRecord } from '../../model/store/entities';
import { clearEntryCookie, setEntryCookie } from '../../web/entryCookie';
import { addressOf } from '../../web/rateLimit';
import { type SuccessAnswer, successAnswer } from '../answers';
import { byPassword, signIn as signInErrors } from '../commonErrors';
import { recordByAdmin } from '../middleware/adminLog';
import type { Callers } from '../middleware/authorise';
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

/**
 * For GET calls that end a session. They are deprecated, because browsers and proxies may repeat a GET by themselves.
 */
const forOlderPrograms = { summary: 'Ends the session. For older programs.', deprecated: true } as const;

/** Opens a session for a person who has just been authenticated. */
async function openSession({ model }: Services, user: UserRecord, request: Request, response: Response) {
  const browser = request.headers['user-agent'];
  const signedIn = await model.sessions.create({ kind: 'user', owner: user._id, browser });
  // Reads the account again: it may have been closed, or its password changed, before this session existed to be ended.
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
      {
        who: 'public',
        summary: 'Signs in with login (or e-mail address) and password.',
        input: signIn,
        answer: loginAnswer,
        errors: [...signInErrors, ...byPassword, 'BACKEND.ERROR.AUTHENTICATION.CAS_NO_TICKET'],
        example: { body: { login: 'alice', password: 'alices-password' } },
      },
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
      {
        who: 'public',
        summary: 'Signs in with a ticket of the CAS server.',
        input: ticket,
        answer: loginAnswer,
        errors: [
          ...signInErrors,
          'BACKEND.ERROR.CONFIGURATION.ROOTURL_NOT_CONFIGURED',
          'BACKEND.ERROR.AUTHENTICATION.CAS_FAILED',
          'BACKEND.ERROR.AUTHENTICATION.PASSWORD_INCORRECT',
        ],
        example: { body: { ticket: 'ST-1856339-aA5Yuvrxzpv8Tau1cYQ7' } },
      },
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
  const logout = async (
    { caller }: { caller: Callers['visitor'] },
    request: Request,
    response: Response,
  ): Promise<SuccessAnswer> => {
    await model.sessions.end(caller.session._id);
    model.log.info('signed out', callerFacts(request));
    clearEntryCookie(request, response);
    return { success: true };
  };
  const ending = { who: 'visitor', summary: 'Ends the session.', answer: successAnswer } as const;
  router.get('/logout', route({ ...ending, ...forOlderPrograms }, logout));
  router.post('/logout', route(ending, logout));

  router.post(
    '/check',
    route(
      {
        who: 'person',
        summary: 'Checks whether login (or e-mail address) and password are the caller’s own.',
        input: credentials,
        answer: successAnswer,
        errors: [...byPassword, 'BACKEND.ERROR.AUTHENTICATION.DENIED'],
        example: { body: { login: 'alice', password: 'alices-password' }, answer: { success: true } },
      },
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

/**
 * Errors that count as failed sign-ins. Other errors are faults of the server, or come after too many failed sign-ins.
 */
const guesses: readonly ErrorKey[] = [
  'BACKEND.ERROR.AUTHENTICATION.PASSWORD_INCORRECT',
  'BACKEND.ERROR.AUTHENTICATION.ADMIN',
];

/** Adds the same calls for server administrators, below `/admin`. */
function addAdministratorRoutes(router: Router, services: Services): void {
  const { model, limits } = services;

  router.post(
    '/admin/login',
    route(
      {
        who: 'public',
        summary: 'Signs in as a server administrator: an account of Etherpad with `is_admin`.',
        input: credentials,
        answer: adminLoginAnswer,
        errors: [
          'BACKEND.ERROR.AUTHENTICATION.PASSWORD_INCORRECT',
          'BACKEND.ERROR.AUTHENTICATION.ADMIN',
          'BACKEND.ERROR.AUTHENTICATION.HOST_UNAVAILABLE',
          'BACKEND.ERROR.PERMISSION.TOO_MANY',
        ],
        example: {
          body: { login: 'admin', password: 'the one of settings.json' },
          answer: { success: true, token: '<token>' },
        },
      },
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
      {
        who: 'hostAdministrator',
        summary: 'Signs in as that server administrator. Send `{}` as JSON.',
        input: nothing,
        answer: adminLoginAnswer,
        example: { body: {}, answer: { success: true, token: '<token>' } },
      },
      async ({ caller }, request): Promise<AdminLoginAnswer> => {
        requireOwnPage(request);
        return openAdminSession(services, caller.host, request);
      },
    ),
  );

  const adminLogout = async (
    { caller }: { caller: Callers['administrator'] },
    request: Request,
  ): Promise<SuccessAnswer> => {
    await model.sessions.end(caller.session._id);
    model.log.info('administrator signed out', callerFacts(request));
    recordByAdmin(model, request, 'signedOut');
    return { success: true };
  };
  const ending = { who: 'administrator', summary: 'Ends the session.', answer: successAnswer } as const;
  router.get('/admin/logout', route({ ...ending, ...forOlderPrograms }, adminLogout));
  router.post('/admin/logout', route(ending, adminLogout));
}

export function authRoutes(services: Services): Router {
  const router = Router();
  addSignIn(router, services);
  addOwnSession(router, services);
  addAdministratorRoutes(router, services);
  return router;
}
