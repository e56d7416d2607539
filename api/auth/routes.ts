/** Signing in and out, of people and of server administrators. */
import { type Request, Router } from 'express';
import { MyPadsError } from '../../model/errors';
import { addressOf } from '../middleware/rateLimit';
import { clearEntryCookie, requireAdmin, requireUser, setEntryCookie } from '../middleware/session';
import { route } from '../middleware/validate';
import type { Services } from '../services';
import { ownUser } from '../user/presenter';
import type { AdminLoginAnswer, LoginAnswer, SuccessAnswer } from '../wire';
import { credentials } from './schema';

/** Sign-in services other than our own are not asked through this call; without this check they would be no check at all. */
function requireInternal({ model }: Services): void {
  const method = model.configuration.get('authMethod');
  if (method === 'cas') throw new MyPadsError('BACKEND.ERROR.AUTHENTICATION.CAS_NO_TICKET');
  if (method === 'ldap') throw new MyPadsError('BACKEND.ERROR.CONFIGURATION.UNABLE_TO_BIND_TO_LDAP');
}

async function signIn(services: Services, login: string, password: string, request: Request) {
  const { model, limits } = services;
  const address = addressOf(request);
  const account = login.toLowerCase();
  const user = await limits.attempt(
    [
      ['signInAddress', address],
      ['signInAccount', account],
      ['signIn', `${address} ${account}`],
    ],
    () => model.users.authenticate(login, password),
  );
  const browser = request.headers['user-agent'];
  const signedIn = await model.sessions.create({ kind: 'user', owner: user._id, browser });
  // Whoever changed the password or closed the account meanwhile could not end this session yet.
  const now = await model.users.get(user._id);
  if (!now?.active || JSON.stringify(now.password) !== JSON.stringify(user.password)) {
    await model.sessions.end(signedIn.session._id);
    throw new MyPadsError('BACKEND.ERROR.AUTHENTICATION.PASSWORD_INCORRECT');
  }
  model.log.info('signed in', { user: user._id, address });
  return { user, signedIn };
}

export function authRoutes(services: Services): Router {
  const { model, limits } = services;
  const router = Router();

  router.post(
    '/login',
    route(credentials, async ({ body }, request, response): Promise<LoginAnswer> => {
      requireInternal(services);
      const { user, signedIn } = await signIn(services, body.login, body.password, request);
      setEntryCookie(request, response, signedIn);
      return { success: true, token: signedIn.token, user: ownUser(user) };
    }),
  );

  const logout = route({}, async (_input, request, response): Promise<SuccessAnswer> => {
    const { session } = request.mypads;
    if (!session || session.kind === 'admin') throw new MyPadsError('BACKEND.ERROR.AUTHENTICATION.NOT_AUTH');
    await model.sessions.end(session._id);
    clearEntryCookie(request, response);
    return { success: true };
  });
  router.get('/logout', logout);
  router.post('/logout', logout);

  router.post(
    '/check',
    route(credentials, async ({ body }, request): Promise<SuccessAnswer> => {
      const { user } = requireUser(request);
      if (body.login !== user.login && body.login !== user.email) {
        throw new MyPadsError('BACKEND.ERROR.AUTHENTICATION.DENIED');
      }
      await limits.attempt([['ownPassword', user._id]], async () => {
        if (await model.users.checkPassword(user._id, body.password)) return;
        throw new MyPadsError('BACKEND.ERROR.AUTHENTICATION.PASSWORD_INCORRECT');
      });
      return { success: true };
    }),
  );

  router.post(
    '/admin/login',
    route(credentials, async ({ body: { login, password } }, request): Promise<AdminLoginAnswer> => {
      const address = addressOf(request);
      await limits.attempt(
        [
          ['adminSignInAddress', address],
          ['adminSignIn', `${address} ${login}`],
        ],
        () => model.administrators.authenticate(login, password),
      );
      const browser = request.headers['user-agent'];
      const { token } = await model.sessions.create({ kind: 'admin', owner: login, browser });
      model.log.info('administrator signed in', { login, address });
      return { success: true, token };
    }),
  );

  const adminLogout = route({}, async (_input, request): Promise<SuccessAnswer> => {
    await model.sessions.end(requireAdmin(request)._id);
    return { success: true };
  });
  router.get('/admin/logout', adminLogout);
  router.post('/admin/logout', adminLogout);

  return router;
}
