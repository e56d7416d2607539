/** Lists of errors that several calls declare. */
import type { ErrorKey } from '../model/errors';

/** For calls that open a session for a person. */
export const signInErrors = [
  'BACKEND.ERROR.AUTHENTICATION.ACTIVATION_NEEDED',
  'BACKEND.ERROR.AUTHENTICATION.LDAP_NO_VALID_MAIL',
  'BACKEND.ERROR.AUTHENTICATION.DIRECTORY_UNAVAILABLE',
  'BACKEND.ERROR.TYPE.USER_INVALID',
  'BACKEND.ERROR.USER.ALREADY_EXISTS',
  'BACKEND.ERROR.USER.EMAIL_ALREADY_EXISTS',
  'BACKEND.ERROR.PERMISSION.TOO_MANY',
] as const satisfies readonly ErrorKey[];

/** For calls that check the password of an account. */
export const passwordErrors = [
  'BACKEND.ERROR.AUTHENTICATION.PASSWORD_INCORRECT',
  'BACKEND.ERROR.AUTHENTICATION.PLEASE_CHANGE_YOUR_PASSWORD',
  'BACKEND.ERROR.AUTHENTICATION.DIRECTORY_UNAVAILABLE',
  'BACKEND.ERROR.PERMISSION.TOO_MANY',
] as const satisfies readonly ErrorKey[];

/** For calls after which a job sends a mail. */
export const laterMailErrors = [
  'BACKEND.ERROR.CONFIGURATION.ROOTURL_NOT_CONFIGURED',
  'BACKEND.ERROR.CONFIGURATION.MAIL_NOT_CONFIGURED',
] as const satisfies readonly ErrorKey[];

/** For calls that answer when the mail server has accepted a mail. */
export const mailErrors = [
  ...laterMailErrors,
  'BACKEND.ERROR.SERVER.MAIL_UNAVAILABLE',
  'BACKEND.ERROR.TYPE.TO_MAIL',
] as const satisfies readonly ErrorKey[];

/** For calls that set the people of a group. */
export const memberErrors = [
  'BACKEND.ERROR.GROUP.ITEMS_NOT_FOUND',
  'BACKEND.ERROR.GROUP.RESIGN_UNIQUE_ADMIN',
  'BACKEND.ERROR.PERMISSION.TOO_MANY',
] as const satisfies readonly ErrorKey[];

/** For calls that may bring the password of a group or pad. */
export const unlockErrors = [
  'BACKEND.ERROR.PERMISSION.UNAUTHORIZED',
  'BACKEND.ERROR.PERMISSION.TOO_MANY',
] as const satisfies readonly ErrorKey[];
