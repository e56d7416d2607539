/** Registration: by people themselves, and by server administrators for others. */
import type { Request } from 'express';
import type * as z from 'zod';
import { mayAdministrate } from '../../model/access/permissions';
import { MyPadsError } from '../../model/errors';
import type { Invited } from '../../model/people/invitations';
import type { Registered, Registration } from '../../model/people/registration';
import { addressOf, mailboxOf } from '../../web/rateLimit';
import type { Handlers } from '../calls';
import { callerFacts } from '../middleware/caller';
import { withLink } from '../recovery/routes';
import type { Services } from '../services';
import { passwordMissing, requireSamePassword } from './ownPassword';
import { shownAccount } from './presenter';
import type { RegisterAnswer, registration } from './schema';

/** Throws TYPE.PARAM_UNKNOWN for fields that the caller may not send. */
function refuseFields(fields: Readonly<Record<string, unknown>>): void {
  const [field] = Object.entries(fields).find(([, value]) => value !== undefined) ?? [];
  if (field !== undefined) throw new MyPadsError('BACKEND.ERROR.TYPE.PARAM_UNKNOWN', { field });
}

async function registerOneself(
  { model, limits }: Services,
  fields: Parameters<Registration['register']>[0],
  isConfirmed: boolean,
  request: Request,
): Promise<Registered> {
  const call = ['registration', addressOf(request)] as const;
  const mail = ['registrationMail', mailboxOf(fields.email)] as const;
  const mails = model.configuration.get('checkMails') && !isConfirmed;
  await limits.spend(mails ? [call, mail] : [call]);
  return model.registration.register(fields, isConfirmed);
}

/**
 * The invitation with whose address somebody registers; `undefined` without a token. Throws TOKEN.INCORRECT,
 * TOKEN.EXPIRED, INVITATION.OTHER_ADDRESS.
 */
async function invitationOf(
  services: Services,
  { token, email }: { token: string | undefined; email: string },
  request: Request,
): Promise<Invited | undefined> {
  if (token === undefined) return undefined;
  const { invitations } = services.model;
  const invited = await withLink(services, request, () => invitations.ofToken(token));
  if (!invitations.isFor(invited.invitation, email))
    throw new MyPadsError('BACKEND.ERROR.INVITATION.OTHER_ADDRESS', { field: 'email' });
  return invited;
}

/** Creates an account on behalf of a server administrator. */
async function createAccountFor(
  { model }: Services,
  body: z.output<typeof registration.body>,
  request: Request,
): Promise<RegisterAnswer> {
  const { passwordConfirm, invite = false, ifExists, password, invitation, sync, ...fields } = body;
  refuseFields({ invitation });
  if (invite && password !== undefined) {
    throw new MyPadsError('BACKEND.ERROR.TYPE.PARAM_INVALID', { field: 'invite' });
  }
  if (!invite && password === undefined) throw passwordMissing();
  requireSamePassword(password, passwordConfirm);
  const { user, made } = await model.registration.createByAdministrator(
    { ...fields, password, ...(sync && { bySync: {} }) },
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
      const { passwordConfirm, invite, ifExists, password, invitation: token, sync, ...fields } = body;
      const invited = await invitationOf(services, { token, email: fields.email }, request);
      model.registration.requireOpen(invited !== undefined && !invited.invitation.registered);
      refuseFields({ invite, ifExists, sync });
      if (password === undefined) throw passwordMissing();
      requireSamePassword(password, passwordConfirm);
      const isConfirmed = invited !== undefined;
      const { user, made } = await registerOneself(services, { ...fields, password }, isConfirmed, request);
      if (invited) await model.invitations.noteRegistration(invited);
      const facts = { user: user._id, ...callerFacts(request) };
      if (made) model.log.info('account created', facts);
      else model.log.info('confirmation mail sent again', facts);
      return { success: true, key: user.login, value: shownAccount(model, actor, user) };
    },
  } satisfies Partial<Handlers>;
};
