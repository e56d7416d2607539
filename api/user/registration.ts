/** Registration: by people themselves, and by server administrators for others. */
import type { Request } from 'express';
import type * as z from 'zod';
import { mayAdministrate } from '../../model/access/permissions';
import { MyPadsError } from '../../model/errors';
import type { Registered, Registration } from '../../model/people/registration';
import { addressOf, mailboxOf } from '../../web/rateLimit';
import type { Handlers } from '../calls';
import { callerFacts } from '../middleware/caller';
import type { Services } from '../services';
import { passwordMissing, requireSamePassword } from './passwordFields';
import { shownAccount } from './presenter';
import type { RegisterAnswer, registration } from './schema';

type OwnRegistration = Parameters<Registration['register']>[0];

/** Throws TYPE.PARAM_UNKNOWN for fields that only server administrators may send. */
function refuseAdminFields(fields: { invite?: boolean; ifExists?: string }): void {
  const [field] = Object.entries(fields).find(([, value]) => value !== undefined) ?? [];
  if (field !== undefined) throw new MyPadsError('BACKEND.ERROR.TYPE.PARAM_UNKNOWN', { field });
}

async function registerOneself(
  { model, limits }: Services,
  fields: OwnRegistration,
  request: Request,
): Promise<Registered> {
  const { configuration } = model;
  await limits.consume('registration', addressOf(request));
  if (configuration.get('checkMails')) await limits.consume('registrationMail', mailboxOf(fields.email));
  return model.registration.register(fields);
}

/** Creates an account on behalf of a server administrator. */
async function createAccountFor(
  { model }: Services,
  body: z.output<typeof registration.body>,
  request: Request,
): Promise<RegisterAnswer> {
  const { passwordConfirm, invite = false, ifExists, password, ...fields } = body;
  if (invite && password !== undefined) {
    throw new MyPadsError('BACKEND.ERROR.TYPE.PARAM_INVALID', { field: 'invite' });
  }
  if (!invite && password === undefined) throw passwordMissing();
  requireSamePassword(password, passwordConfirm);
  const { user, made } = await model.registration.createByAdministrator(
    { ...fields, password },
    ifExists ?? 'refuse',
  );
  if (made) model.log.info('account created', { user: user._id, ...callerFacts(request) });
  return {
    success: true,
    key: user._id,
    value: shownAccount(model, request.mypads.actor, user),
    ...(ifExists ? { made } : {}),
  };
}

export const registrationHandlers = (services: Services) => {
  const { model } = services;
  return {
    async 'POST /user'({ body, caller: { actor } }, request) {
      if (mayAdministrate(actor)) return createAccountFor(services, body, request);
      model.registration.requireOpen();
      const { passwordConfirm, invite, ifExists, password, ...fields } = body;
      refuseAdminFields({ invite, ifExists });
      if (password === undefined) throw passwordMissing();
      requireSamePassword(password, passwordConfirm);
      const { user, made } = await registerOneself(services, { ...fields, password }, request);
      const facts = { user: user._id, ...callerFacts(request) };
      if (made) model.log.info('account created', facts);
      else model.log.info('confirmation mail sent again', facts);
      return { success: true, key: user.login, value: shownAccount(model, actor, user) };
    },
  } satisfies Partial<Handlers>;
};
