/** Signs people in and out; administratorRoutes.ts does the same for server administrators. */
import { type Request, type Response, Router } from 'express';
import type { Proved } from '../../model/access/devices';
import { MyPadsError } from '../../model/errors';
import type { UserRecord } from '../../model/store/entities';
import { deviceOf, rememberDevice } from '../../web/deviceCookie';
import { clearEntryCookie, setEntryCookie } from '../../web/entryCookie';
import { addressOf } from '../../web/rateLimit';
import { type SuccessAnswer, successAnswer } from '../answers';
import { passwordErrors, signInErrors } from '../commonErrors';
import type { Callers } from '../middleware/authorise';
import { callerFacts } from '../middleware/caller';
import { route } from '../middleware/route';
import type { Services } from '../services';
import { requireOwnPassword } from '../user/ownPassword';
import { ownUser } from '../user/presenter';
import { addAdministratorRoutes } from './administratorRoutes';
import { credentials, type LoginAnswer, loginAnswer, signIn, ticket } from './schema';
import { deprecatedLogout, logRefusedSignIn } from './signInCalls';

const provedBy = ({ _id, password }: UserRecord): Proved => ({ what: 'user', id: _id, password });
const provedByCas: Proved = { what: 'cas', id: '', password: undefined };

/**
 * Creates the session of a person who has just been authenticated. Throws AUTHENTICATION.PASSWORD_INCORRECT if the
 * account was closed, or its password changed, meanwhile.
 */
async function createSession(
  { model }: Services,
  user: UserRecord,
  proved: Proved,
  request: Request,
  response: Response,
) {
  const browser = request.headers['user-agent'];
  const signedIn = await model.sessions.create({ kind: 'user', owner: user._id, browser });
  // Such a change ends all sessions of the account. This one may not have existed then, so the account is read again.
  const now = await model.users.get(user._id);
  if (!now?.active || JSON.stringify(now.password) !== JSON.stringify(user.password)) {
    await model.sessions.end(signedIn.session._id);
    throw new MyPadsError('BACKEND.ERROR.AUTHENTICATION.PASSWORD_INCORRECT');
  }
  model.log.info('signed in', { user: user._id, address: addressOf(request) });
  setEntryCookie(request, response, signedIn);
  rememberDevice(model.devices, request, response, request.connected, proved);
  return {
    success: true as const,
    token: signedIn.token,
    user: ownUser(model.referenceCleanup.withoutRemoved(user)),
  };
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
        errors: [...signInErrors, ...passwordErrors, 'BACKEND.ERROR.AUTHENTICATION.CAS_NO_TICKET'],
        example: { body: { login: 'alice', password: 'alices-password' } },
      },
      async ({ body }, request, response): Promise<LoginAnswer> => {
        const { login, password } = body;
        const attempt = async () => {
          const device = await deviceOf(model.devices, request, async () => {
            const account = await model.users.find(login);
            return account && provedBy(account);
          });
          const caller = { address: addressOf(request), typed: login, device };
          return limits.attemptSignIn('signIn', caller, () => model.signIn.byPassword(login, password));
        };
        const user = await logRefusedSignIn(services, request, attempt, async () => ({
          user: (await model.users.find(login))?._id ?? 'unknown',
        }));
        return createSession(services, user, provedBy(user), request, response);
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
        const device = await deviceOf(model.devices, request, () => provedByCas);
        const attempt = () =>
          limits.attempt(
            [device === undefined ? ['signInAddress', addressOf(request)] : ['signInBrowser', device]],
            () => model.signIn.byTicket(body.ticket),
          );
        const user = await logRefusedSignIn(services, request, attempt, () => ({ by: 'cas' }));
        return createSession(services, user, provedByCas, request, response);
      },
    ),
  );
}

/** Adds `/logout` and `POST /check`. */
function addOwnSession(router: Router, services: Services): void {
  const { model } = services;
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
  const declaration = { who: 'visitor', summary: 'Ends the session.', answer: successAnswer } as const;
  router.get('/logout', route({ ...declaration, ...deprecatedLogout }, logout));
  router.post('/logout', route(declaration, logout));

  router.post(
    '/check',
    route(
      {
        who: 'person',
        summary: 'Checks whether login (or e-mail address) and password are the caller’s own.',
        input: credentials,
        answer: successAnswer,
        errors: [...passwordErrors, 'BACKEND.ERROR.AUTHENTICATION.DENIED'],
        example: { body: { login: 'alice', password: 'alices-password' }, answer: { success: true } },
      },
      async ({ caller: { user }, body }, request): Promise<SuccessAnswer> => {
        const own = [user.login, user.email].includes(body.login);
        if (!own && (await model.users.find(body.login))?._id !== user._id) {
          throw new MyPadsError('BACKEND.ERROR.AUTHENTICATION.DENIED');
        }
        await requireOwnPassword(services, request, user, body.password);
        return { success: true };
      },
    ),
  );
}

export function authRoutes(services: Services): Router {
  const router = Router();
  addSignIn(router, services);
  addOwnSession(router, services);
  addAdministratorRoutes(router, services);
  return router;
}
