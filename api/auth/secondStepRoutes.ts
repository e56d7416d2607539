/** The second step of a sign-in with a password, and signing in with a passkey alone. */
import type { Request } from 'express';
import type { Proved } from '../../model/access/devices';
import type { UserRecord } from '../../model/store/entities';
import { deviceOf } from '../../web/deviceCookie';
import { addressOf, type LimitName } from '../../web/rateLimit';
import type { Handlers } from '../calls';
import type { Services } from '../services';
import { createSession } from './session';
import { costsOf, logRefusedSignIn } from './signInCalls';

export const provedBy = ({ _id, password }: UserRecord): Proved => ({ what: 'user', id: _id, password });

/** What is missing after the right password. */
export function beginSecondStep({ model }: Services, user: UserRecord, request: Request) {
  return model.secondStep.begin(user, {
    isConfirmed: async (proved) => (await deviceOf(model.devices, request, () => proved)) !== undefined,
    requester: addressOf(request),
  });
}

export const secondStepHandlers = (services: Services) => {
  const { model, limits } = services;
  const { secondStep, passkeys } = model;

  return {
    async 'POST /auth/login/factor'({ body: { pending, remember = false, ...answer } }, request, response) {
      let who = 'unknown';
      const counted = async <T>(user: UserRecord, check: () => Promise<T>): Promise<T> => {
        who = user._id;
        const device = await deviceOf(model.devices, request, () => provedBy(user));
        const ofAddress: [LimitName, string][] =
          device === undefined ? [['signInAddress', addressOf(request)]] : [];
        const ofAccount: [LimitName, string] =
          device === undefined ? ['factor', user._id] : ['factorBrowser', device];
        // Nobody can guess a passkey, so its owner gets in while others try codes.
        return limits.attempt(answer.passkey === undefined ? [...ofAddress, ofAccount] : ofAddress, check);
      };
      // Nobody can guess `pending` either.
      const attempt = () => secondStep.finish(pending, answer, counted);
      const { user, version, recoveryCodes } = await logRefusedSignIn(services, request, attempt, () => ({
        user: who,
      }));
      const proved = [provedBy(user), ...(remember ? [secondStep.proved(user, version)] : [])];
      const signedIn = await createSession(services, user, { proved, version }, request, response);
      return { ...signedIn, ...(recoveryCodes && { recoveryCodes }) };
    },

    'POST /auth/passkey/options': async (_input, request) => ({
      value: await passkeys.options(addressOf(request)),
    }),

    async 'POST /auth/login/passkey'({ body: { passkey } }, request, response) {
      const costs = await costsOf(services, request, async () => {
        const owner = await secondStep.ownerOf(passkey);
        return owner && provedBy(owner);
      });
      const attempt = () => limits.attempt(costs, () => secondStep.byPasskey(passkey));
      const { user, version } = await logRefusedSignIn(services, request, attempt, () => ({ by: 'passkey' }));
      return createSession(services, user, { proved: [provedBy(user)], version }, request, response);
    },
  } satisfies Partial<Handlers>;
};
