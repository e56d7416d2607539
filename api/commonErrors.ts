/** Lists of errors that several calls declare. */
import type { ErrorKey } from '../model/errors';

const notFound = 'BACKEND.ERROR.CONFIGURATION.KEY_NOT_FOUND';

/** For calls that open a session for a person. */
export const signInErrors = [
  'BACKEND.ERROR.AUTHENTICATION.ACTIVATION_NEEDED',
  'BACKEND.ERROR.AUTHENTICATION.LDAP_NO_VALID_MAIL',
  'BACKEND.ERROR.AUTHENTICATION.DIRECTORY_UNAVAILABLE',
  'BACKEND.ERROR.TYPE.USER_INVALID',
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

/** For calls that send a mail. */
export const mailErrors = [
  'BACKEND.ERROR.CONFIGURATION.ROOTURL_NOT_CONFIGURED',
  'BACKEND.ERROR.CONFIGURATION.MAIL_NOT_CONFIGURED',
  'BACKEND.ERROR.SERVER.MAIL_UNAVAILABLE',
  'BACKEND.ERROR.TYPE.TO_MAIL',
] as const satisfies readonly ErrorKey[];

/** For calls that need a right in a group. */
export const groupRightErrors = [
  notFound,
  'BACKEND.ERROR.AUTHENTICATION.DENIED_RECORD_EDIT',
] as const satisfies readonly ErrorKey[];

/** For calls that set the people of a group. */
export const memberErrors = [
  'BACKEND.ERROR.GROUP.ITEMS_NOT_FOUND',
  'BACKEND.ERROR.GROUP.RESIGN_UNIQUE_ADMIN',
  'BACKEND.ERROR.PERMISSION.TOO_MANY',
] as const satisfies readonly ErrorKey[];

/** For calls that read a group or pad, with or without its password. */
export const readingErrors = [
  notFound,
  'BACKEND.ERROR.AUTHENTICATION.MUST_BE',
  'BACKEND.ERROR.AUTHENTICATION.DENIED_RECORD',
  'BACKEND.ERROR.PERMISSION.UNAUTHORIZED',
  'BACKEND.ERROR.PERMISSION.TOO_MANY',
] as const satisfies readonly ErrorKey[];

/** For calls that open a pad. */
export const padEntryErrors = [
  notFound,
  'BACKEND.ERROR.AUTHENTICATION.MUST_BE',
  'BACKEND.ERROR.AUTHENTICATION.DENIED_RECORD',
  'BACKEND.ERROR.TYPE.PASSWORD_MISSING',
] as const satisfies readonly ErrorKey[];
