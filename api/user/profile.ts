/** Changes an account: one's own, or any as a server administrator. */
import { isDeepStrictEqual } from 'node:util';
import type { Request } from 'express';
import { mayAdministrate, mayChangePassword } from '../../model/access/permissions';
import { isError, MyPadsError } from '../../model/errors';
import type { OwnAccount } from '../../model/people/ownAccount';
import type { UserRecord } from '../../model/store/entities';
import { mailboxOf } from '../../web/rateLimit';
import type { Handlers } from '../calls';
import { callerFacts, placeOf } from '../middleware/caller';
import type { Services } from '../services';
import { isCurrentPassword, requireCurrentPassword, requireSamePassword } from './ownPassword';
import { shownAccount } from './presenter';

type OwnChange = Parameters<OwnAccount['change']>[1];

async function changeOneself(
  services: Services,
  request: Request,
  { user, sent, currentPassword }: { user: UserRecord; sent: OwnChange; currentPassword: string | undefined },
): Promise<UserRecord> {
  const { model, limits } = services;
  const { email, password } = sent;
  const unchanged = isCurrentPassword(password ?? undefined, currentPassword);
  const changes = unchanged ? { ...sent, password: undefined } : sent;
  if (password !== undefined || (email !== undefined && email !== user.email)) {
    await requireCurrentPassword(services, request, user, currentPassword ?? password ?? undefined);
  }
  // A new password invalidates mailed recovery links. Without this limit, somebody who has stolen the password could
  // change it again and again, and the owner could never recover the account.
  if (typeof changes.password === 'string') await limits.consume('passwordChange', user._id);
  if (email !== undefined && model.ownAccount.needsConfirmation(user, email)) {
    await limits.consume('emailChange', user._id);
    await limits.consume('registrationMail', mailboxOf(email));
  }
  const keepSession = request.mypads.session?._id;
  return model.ownAccount.change(user, changes, { keepSession, place: placeOf(request) });
}

/**
 * Throws AUTHENTICATION.NO_RECOVER for a password that cannot be stored here, because a directory or sign-on server
 * checks it. Programs of 1.x send the current one with every profile.
 */
async function requireCurrentOne(
  services: Services,
  { request, user, password }: { request: Request; user: UserRecord; password: string | undefined },
): Promise<void> {
  const notHere = new MyPadsError('BACKEND.ERROR.AUTHENTICATION.NO_RECOVER', { field: 'password' });
  if (password === undefined || services.model.methods.passwordMethodOf(user) === undefined) throw notHere;
  try {
    await requireCurrentPassword(services, request, user, password);
  } catch (error) {
    throw isError(error, 'BACKEND.ERROR.AUTHENTICATION.PASSWORD_INCORRECT') ? notHere : error;
  }
}

export const profileHandlers = (services: Services) => {
  const { model } = services;
  const { users, methods } = model;

  return {
    async 'PUT /user/{login}'({ params, body, account: user, caller }, request) {
      const { _id, login, groups, bookmarks, userlists, ctime, pendingEmail, ...more } = body;
      const { closed, unconfirmed, addressTaken, passwordAt, key, ...sent } = more;
      const { passwordConfirm, passwordCurrent, active, password, ...others } = sent;
      const { currentPassword = passwordCurrent, ...fields } = others;
      if (login !== undefined && login !== user.login) {
        throw new MyPadsError('BACKEND.ERROR.TYPE.PARAM_INVALID', { field: 'login' });
      }
      const byAdmin = mayAdministrate(caller.actor);
      const isProof = !byAdmin && isCurrentPassword(password, currentPassword);
      if (!isProof || passwordConfirm !== '') requireSamePassword(password, passwordConfirm);
      const isStoredHere = mayChangePassword(caller.actor, {
        storePasswords: methods.storePasswords(),
        isElsewhere: methods.isElsewhere(user),
      });
      if (password && !isStoredHere) {
        const current = isProof ? password : undefined;
        await requireCurrentOne(services, { request, user, password: current });
      }
      // Clients that send the whole account back send the old address too. That must not cancel a change of the
      // address that waits for confirmation.
      const isUnchanged = fields.email === user.email && pendingEmail === user.pendingEmail?.address;
      const email = isUnchanged ? undefined : fields.email;
      const newPassword = password === '' || !isStoredHere ? undefined : password;
      const changes = { ...fields, email, password: newPassword };
      const saved = byAdmin
        ? await users.updateProfile(user._id, { ...changes, active })
        : await changeOneself(services, request, { user, sent: changes, currentPassword });
      const changed = Object.entries({ ...changes, active: byAdmin ? active : undefined })
        .filter(([field, value]) =>
          field === 'password' ? !isDeepStrictEqual(saved.password, user.password) : value !== undefined,
        )
        .map(([field]) => (field === 'email' && saved.email !== changes.email ? 'pendingEmail' : field));
      model.log.info('account changed', { user: user._id, changed, ...callerFacts(request) });
      return { success: true, key: params.login, value: shownAccount(model, caller.actor, saved) };
    },
  } satisfies Partial<Handlers>;
};
