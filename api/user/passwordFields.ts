/** Checks the password fields of a registration or a changed profile. */
import { MyPadsError } from '../../model/errors';

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
