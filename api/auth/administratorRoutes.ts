/** Signs server administrators in and out. */
import type { Request, Response } from 'express';
import { type Administrator, isHostAdministrator } from '../../model/access/administrator';
import type { Proved } from '../../model/access/devices';
import type { ErrorKey } from '../../model/errors';
import { deviceOf, rememberDevice } from '../../web/deviceCookie';
import { addressOf } from '../../web/rateLimit';
import type { SuccessAnswer } from '../answers';
import type { Handlers } from '../calls';
import type { Callers } from '../middleware/authorise';
import { callerFacts } from '../middleware/caller';
import type { Services } from '../services';
import { logRefusedSignIn, requireSameOrigin } from './signInCalls';

function provedBy({ model }: Services, login: string): Proved {
  return { what: 'admin', id: login, password: model.administrators.passwordOf(login) };
}

/** Creates the session of a server administrator who has just been authenticated. */
async function createAdminSession(
  services: Services,
  { name, by, voucher }: Administrator,
  request: Request,
  response: Response,
) {
  const { model } = services;
  const browser = request.headers['user-agent'];
  const { token } = await model.sessions.create({ kind: 'admin', owner: name, browser, voucher });
  model.log.info('administrator signed in', { login: name, by, address: addressOf(request) });
  model.events.emit({ about: 'signIn', what: 'signedIn', by: { kind: 'administrator', name } });
  rememberDevice(model.devices, request, response, request.connected, provedBy(services, name));
  return { success: true as const, token };
}

/** Refused sign-ins with these reasons go into the administration log: somebody may be guessing a password. */
const guessReasons: readonly ErrorKey[] = [
  'BACKEND.ERROR.AUTHENTICATION.PASSWORD_INCORRECT',
  'BACKEND.ERROR.AUTHENTICATION.ADMIN',
];

export const administratorHandlers = (services: Services) => {
  const { model, limits } = services;
  const logout = async (
    { caller }: { caller: Callers['administrator'] },
    request: Request,
  ): Promise<SuccessAnswer> => {
    if (caller.session) await model.sessions.end(caller.session._id);
    model.log.info('administrator signed out', callerFacts(request));
    model.events.emit({ about: 'signIn', what: 'signedOut' });
    return { success: true };
  };

  return {
    async 'POST /auth/admin/login'({ body: { login, password } }, request, response) {
      const address = addressOf(request);
      const device = await deviceOf(model.devices, request, () => provedBy(services, login));
      const attempt = () =>
        limits.attemptSignIn('adminSignIn', { address, typed: login, device }, () =>
          model.administrators.authenticate(login, password, address),
        );
      const known = isHostAdministrator(model.settings, login);
      const administrator = await logRefusedSignIn(services, request, attempt, (reason) => {
        if (guessReasons.includes(reason)) {
          const whose = known && { administrator: login };
          model.events.emit({ about: 'signIn', what: 'signInRefused', ...whose });
        }
        return { administrator: known ? login : 'unknown' };
      });
      return createAdminSession(services, administrator, request, response);
    },

    async 'POST /auth/admin/login/host'({ caller }, request, response) {
      requireSameOrigin(request, 'BACKEND.ERROR.AUTHENTICATION.ADMIN');
      return createAdminSession(services, caller.host, request, response);
    },

    'GET /auth/admin/logout': logout,
    'POST /auth/admin/logout': logout,
  } satisfies Partial<Handlers>;
};
