/** Registration: by people themselves, and by server administrators for others. */
import type { Request, Router } from 'express';
import type * as z from 'zod';
import { mayAdministrate } from '../../model/access/permissions';
import { MyPadsError } from '../../model/errors';
import type { Registered, Registration } from '../../model/people/registration';
import { addressOf, normaliseName } from '../../web/rateLimit';
import { recordByAdmin } from '../middleware/adminLog';
import { originOf } from '../middleware/rootUrl';
import { callerFacts } from '../middleware/session';
import { route } from '../middleware/validate';
import type { Services } from '../services';
import type { AccountLookup } from './lookup';
import { passwordMissing, requireSamePassword } from './passwordFields';
import { type RegisterAnswer, registerAnswer, registration } from './schema';

type OwnRegistration = Parameters<Registration['register']>[0];

/** For other callers, fields for server administrators are unknown fields. */
function refuseAdminFields(fields: { invite?: boolean; ifExists?: string }): void {
  const [field] = Object.entries(fields).find(([, value]) => value !== undefined) ?? [];
  if (field !== undefined) throw new MyPadsError('BACKEND.ERROR.TYPE.PARAM_UNKNOWN', { field });
}

/** Adds `POST /`. */
export function addRegistration(router: Router, services: Services, lookup: AccountLookup): void {
  const { model, limits } = services;
  const { configuration } = model;

  async function registerOneself(fields: OwnRegistration, request: Request): Promise<Registered> {
    await limits.consume('registration', addressOf(request));
    if (configuration.get('checkMails'))
      await limits.consume('registrationMail', normaliseName(fields.email));
    return model.registration.register(fields, originOf(request, configuration));
  }

  /** Creates an account on behalf of a server administrator. */
  async function createAccountFor(
    body: z.output<typeof registration.body>,
    request: Request,
  ): Promise<RegisterAnswer> {
    const { passwordConfirm, invite = false, ifExists, password, ...fields } = body;
    if (invite && password !== undefined) {
      throw new MyPadsError('BACKEND.ERROR.TYPE.PARAM_INVALID', { field: 'invite' });
    }
    if (!invite && password === undefined) throw passwordMissing();
    requireSamePassword(password, passwordConfirm);
    const origin = originOf(request, configuration);
    const { user, made } = await model.registration.createByAdministrator(
      { ...fields, password },
      ifExists ?? 'refuse',
      origin,
    );
    if (made) {
      model.log.info('account created', { user: user._id, ...callerFacts(request) });
      recordByAdmin(model, request, 'accountCreated', { object: { kind: 'user', id: user._id } });
    }
    return {
      success: true,
      key: user._id,
      value: lookup.present(request, user),
      ...(ifExists ? { made } : {}),
    };
  }

  router.post(
    '/',
    route(
      { who: 'everybody', input: registration, answer: registerAnswer },
      async ({ body }, request): Promise<RegisterAnswer> => {
        if (mayAdministrate(request.mypads.actor)) return createAccountFor(body, request);
        model.registration.requireOpen();
        const { passwordConfirm, invite, ifExists, password, ...fields } = body;
        refuseAdminFields({ invite, ifExists });
        if (password === undefined) throw passwordMissing();
        requireSamePassword(password, passwordConfirm);
        const { user, made } = await registerOneself({ ...fields, password }, request);
        const what = made ? 'account created' : 'confirmation mail sent again';
        model.log.info(what, { user: user._id, ...callerFacts(request) });
        return { success: true, key: user.login, value: lookup.present(request, user) };
      },
    ),
  );
}
