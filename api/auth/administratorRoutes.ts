/** Signs server administrators in and out. */
import type { Request, Router } from 'express';
import { type Administrator, isHostAdministrator } from '../../model/access/administrator';
import { type ErrorKey, MyPadsError } from '../../model/errors';
import { addressOf } from '../../web/rateLimit';
import { type SuccessAnswer, successAnswer } from '../answers';
import { recordByAdmin } from '../middleware/adminLog';
import type { Callers } from '../middleware/authorise';
import { callerFacts } from '../middleware/session';
import { route } from '../middleware/validate';
import type { Services } from '../services';
import { type AdminLoginAnswer, adminLoginAnswer, credentials, nothing } from './schema';
import { forOlderPrograms, logRefusedSignIn } from './signInCalls';

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

/**
 * Errors that count as failed sign-ins. Other errors are faults of the server, or come after too many failed sign-ins.
 */
const guesses: readonly ErrorKey[] = [
  'BACKEND.ERROR.AUTHENTICATION.PASSWORD_INCORRECT',
  'BACKEND.ERROR.AUTHENTICATION.ADMIN',
];

/** Adds the same calls as those of people, below `/admin`. */
export function addAdministratorRoutes(router: Router, services: Services): void {
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
