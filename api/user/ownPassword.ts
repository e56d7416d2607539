/** Checks the password that people send to prove that an account is theirs, and the password fields of profiles. */
import type { Request } from 'express';
import { MyPadsError } from '../../model/errors';
import { hasOwnPassword } from '../../model/passwords/password';
import { signInMethods } from '../../model/signin/methods';
import type { UserRecord } from '../../model/store/entities';
import { runInPasswordQueue } from '../../web/passwordQueue';
import { addressOf } from '../../web/rateLimit';
import { callerFacts } from '../middleware/caller';
import type { Services } from '../services';

/**
 * Throws AUTHENTICATION.PASSWORD_INCORRECT, PERMISSION.TOO_MANY, and PLEASE_CHANGE_YOUR_PASSWORD if the account has no
 * password here. `details`: facts for the answer to a wrong password.
 */
export async function requireOwnPassword(
  { model, limits }: Services,
  request: Request,
  user: UserRecord,
  password: string | undefined,
  details: Record<string, string> = {},
): Promise<void> {
  const check = async (): Promise<void> => {
    if (password && (await model.signIn.checkPassword(user, password))) return;
    model.log.warn('current password refused', callerFacts(request));
    const asked = model.methods.passwordMethodOf(user);
    const needsOne = asked && signInMethods[asked].passwords === 'here' && !hasOwnPassword(user.password);
    if (needsOne) throw new MyPadsError('BACKEND.ERROR.AUTHENTICATION.PLEASE_CHANGE_YOUR_PASSWORD');
    throw new MyPadsError('BACKEND.ERROR.AUTHENTICATION.PASSWORD_INCORRECT', details);
  };
  const caller = { keys: [user._id, addressOf(request)] };
  await runInPasswordQueue('ownPassword', caller, () => limits.attempt([['ownPassword', user._id]], check));
}

/** For changes of one's own account. Throws as `requireOwnPassword`. */
export async function requireCurrentPassword(
  services: Services,
  request: Request,
  user: UserRecord,
  password: string | undefined,
): Promise<void> {
  // With single sign-on, there is no password that could be checked.
  if (services.model.methods.passwordMethodOf(user) === undefined) return;
  await requireOwnPassword(services, request, user, password, { field: 'currentPassword' });
}

/** Throws USER.ERR.PASSWORD_MISMATCH unless the confirmation, if there is one, is the same. */
export function requireSamePassword(password: string | undefined, confirmation: string | undefined): void {
  if (confirmation !== undefined && confirmation !== (password ?? '')) {
    throw new MyPadsError('USER.ERR.PASSWORD_MISMATCH', { field: 'passwordConfirm' });
  }
}

/** Whether `password` only repeats the current password: programs of 1.x send it there with every profile. */
export const isCurrentPassword = (
  password: string | undefined,
  currentPassword: string | undefined,
): boolean => password !== undefined && (currentPassword === undefined || currentPassword === password);

export const passwordMissing = () => new MyPadsError('BACKEND.ERROR.TYPE.PARAM_STR', { field: 'password' });
