/** Signs people in and out; administratorRoutes.ts does the same for server administrators. */
import type { Request, Response } from 'express';
import { MyPadsError } from '../../model/errors';
import { casIssuer, sessionOfTicket, ticketOfLogout } from '../../model/signin/casLogout';
import { signInMethods } from '../../model/signin/methods';
import { deviceOf } from '../../web/deviceCookie';
import { clearEntryCookie } from '../../web/entryCookie';
import { addressOf } from '../../web/rateLimit';
import type { Handlers } from '../calls';
import type { Callers } from '../middleware/authorise';
import { callerFacts } from '../middleware/caller';
import type { Services } from '../services';
import { requireOwnPassword } from '../user/ownPassword';
import { shownMethods, signOutUrl } from './methods';
import { oidcHandlers } from './oidcRoutes';
import type { LogoutAnswer } from './schema';
import { beginSecondStep, provedBy, secondStepHandlers } from './secondStepRoutes';
import { createSession } from './session';
import { costsOf, logRefusedSignIn, provedByService, requireSameOrigin } from './signInCalls';

const signInHandlers = (services: Services) => {
  const { model, limits } = services;
  return {
    async 'POST /auth/login'({ body: { login, password } }, request, response) {
      const attempt = async () => {
        const device = await deviceOf(model.devices, request, async () => {
          const account = await model.users.find(login);
          return account && provedBy(account);
        });
        const caller = { address: addressOf(request), typed: login, device };
        return limits.attemptSignIn('signIn', caller, () => model.signIn.byPassword(login, password));
      };
      const { user, method } = await logRefusedSignIn(services, request, attempt, async () => ({
        user: (await model.users.find(login))?._id ?? 'unknown',
      }));
      const proved = [provedBy(user)];
      // A directory has second factors of its own.
      if (signInMethods[method].passwords === 'elsewhere')
        return createSession(services, user, { proved }, request, response);
      const step = await beginSecondStep(services, user, request);
      if ('question' in step) return step.question;
      return createSession(services, user, { proved, ...step }, request, response);
    },

    async 'POST /auth/login/cas'({ body: { ticket } }, request, response) {
      const proved = provedByService('cas');
      const costs = await costsOf(services, request, () => proved);
      const attempt = () => limits.attempt(costs, () => model.signIn.byTicket(ticket));
      const user = await logRefusedSignIn(services, request, attempt, () => ({ by: 'cas' }));
      return createSession(
        services,
        user,
        {
          proved: [proved],
          signedInBy: { method: 'cas', issuer: casIssuer, sid: sessionOfTicket(ticket) },
        },
        request,
        response,
      );
    },

    async 'POST /auth/cas/logout'({ body }, request) {
      const ended = await limits.attempt([['providerLogout', addressOf(request)]], async () => {
        const ticket = ticketOfLogout(body.logoutRequest);
        if (ticket === undefined) throw new MyPadsError('BACKEND.ERROR.AUTHENTICATION.CAS_FAILED');
        return model.signIn.endProviderSessions({ issuer: casIssuer, sid: sessionOfTicket(ticket) });
      });
      if (ended > 0) model.log.info('signed out by the CAS server', { sessions: ended });
      return { success: true };
    },

    async 'POST /auth/login/header'(_input, request, response) {
      requireSameOrigin(request, 'BACKEND.ERROR.AUTHENTICATION.HEADER_FAILED');
      const proved = provedByService('header');
      const costs = await costsOf(services, request, () => proved);
      const attempt = () => limits.attempt(costs, () => model.signIn.byHeader(request));
      const { user, identity } = await logRefusedSignIn(services, request, attempt, () => ({ by: 'header' }));
      return createSession(services, user, { proved: [proved], signedInBy: identity }, request, response);
    },
  } satisfies Partial<Handlers>;
};

export const authHandlers = (services: Services) => {
  const { model } = services;
  const logout = async (
    { caller }: { caller: Callers['visitor'] },
    request: Request,
    response: Response,
  ): Promise<LogoutAnswer> => {
    await model.sessions.end(caller.session._id);
    model.log.info('signed out', callerFacts(request));
    if (caller.user) model.events.emit({ about: 'signIn', what: 'signedOut' });
    clearEntryCookie(request, response);
    const url = caller.user && (await signOutUrl(model, caller.session.signedInBy));
    return { success: true, ...(url && { url }) };
  };

  return {
    ...signInHandlers(services),
    ...oidcHandlers(services),
    ...secondStepHandlers(services),
    'GET /auth/methods': () => ({ value: shownMethods(model) }),
    'GET /auth/logout': logout,
    'POST /auth/logout': logout,

    async 'POST /auth/check'({ caller: { user }, body }, request) {
      const own = [user.login, user.email].includes(body.login);
      if (!own && (await model.users.find(body.login))?._id !== user._id) {
        throw new MyPadsError('BACKEND.ERROR.AUTHENTICATION.DENIED');
      }
      await requireOwnPassword(services, request, user, body.password);
      return { success: true };
    },
  } satisfies Partial<Handlers>;
};
