/**
 * Errors of each call that do not follow from its declaration (failures.ts), without the prefix `BACKEND.ERROR.`. The
 * API tests check every error that they get against this list.
 */
import type { ErrorKey } from '../../model/errors';

type Short = ErrorKey extends infer Key ? (Key extends `BACKEND.ERROR.${infer Rest}` ? Rest : never) : never;

const signIn = [
  'AUTHENTICATION.ACTIVATION_NEEDED',
  'AUTHENTICATION.LDAP_NO_VALID_MAIL',
  'AUTHENTICATION.DIRECTORY_UNAVAILABLE',
  'TYPE.USER_INVALID',
  'USER.EMAIL_ALREADY_EXISTS',
  'PERMISSION.TOO_MANY',
] as const satisfies readonly Short[];

const byPassword = [
  'AUTHENTICATION.PASSWORD_INCORRECT',
  'AUTHENTICATION.PLEASE_CHANGE_YOUR_PASSWORD',
  'AUTHENTICATION.DIRECTORY_UNAVAILABLE',
  'PERMISSION.TOO_MANY',
] as const satisfies readonly Short[];

const mails = [
  'CONFIGURATION.ROOTURL_NOT_CONFIGURED',
  'CONFIGURATION.MAIL_NOT_CONFIGURED',
  'SERVER.MAIL_UNAVAILABLE',
  'TYPE.TO_MAIL',
] as const satisfies readonly Short[];

const notFound = 'CONFIGURATION.KEY_NOT_FOUND';
const groupRights = [notFound, 'AUTHENTICATION.DENIED_RECORD_EDIT'] as const satisfies readonly Short[];
const people = ['GROUP.ITEMS_NOT_FOUND', 'GROUP.RESIGN_UNIQUE_ADMIN', 'PERMISSION.TOO_MANY'] as const;
const reading = [
  notFound,
  'AUTHENTICATION.MUST_BE',
  'AUTHENTICATION.DENIED_RECORD',
  'PERMISSION.UNAUTHORIZED',
  'PERMISSION.TOO_MANY',
] as const satisfies readonly Short[];
const entering = [
  notFound,
  'AUTHENTICATION.MUST_BE',
  'AUTHENTICATION.DENIED_RECORD',
  'TYPE.PASSWORD_MISSING',
] as const;
const settings = [
  notFound,
  'CONFIGURATION.LOCKED',
  'CONFIGURATION.UNABLE_TO_BIND_TO_LDAP',
  'AUTHENTICATION.DIRECTORY_UNAVAILABLE',
  'TYPE.PARAM_INVALID',
  'TYPE.SMTP_CONFIG',
  'TYPE.PASSWORD_SIZE',
] as const satisfies readonly Short[];

export const callErrors: Readonly<Record<string, readonly Short[]>> = {
  'POST /auth/login': [...signIn, ...byPassword, 'AUTHENTICATION.CAS_NO_TICKET'],
  'POST /auth/login/cas': [
    ...signIn,
    'CONFIGURATION.ROOTURL_NOT_CONFIGURED',
    'AUTHENTICATION.CAS_FAILED',
    'AUTHENTICATION.PASSWORD_INCORRECT',
  ],
  'POST /auth/check': [...byPassword, 'AUTHENTICATION.DENIED'],
  'POST /auth/admin/login': [
    'AUTHENTICATION.PASSWORD_INCORRECT',
    'AUTHENTICATION.ADMIN',
    'AUTHENTICATION.HOST_UNAVAILABLE',
    'PERMISSION.TOO_MANY',
  ],

  'POST /configuration': settings,
  'GET /configuration/{key}': [notFound],
  'PUT /configuration/{key}': settings,
  'DELETE /configuration/{key}': [notFound, 'CONFIGURATION.LOCKED', 'TYPE.PASSWORD_SIZE'],

  'POST /user': [
    ...mails,
    'AUTHENTICATION.NO_REGISTRATION',
    'AUTHENTICATION.NO_RECOVER',
    'TYPE.LOGIN_STR',
    'TYPE.PARAM_STR',
    'TYPE.PASSWORD_SIZE',
    'USER.ALREADY_EXISTS',
    'USER.EMAIL_ALREADY_EXISTS',
    'PERMISSION.TOO_MANY',
  ],
  'GET /user/{login}': ['USER.NOT_FOUND'],
  'PUT /user/{login}': [
    ...mails,
    ...byPassword,
    'TYPE.PASSWORD_SIZE',
    'USER.EMAIL_ALREADY_EXISTS',
    'USER.NOT_FOUND',
  ],
  'DELETE /user/{login}': [...byPassword, 'USER.NOT_FOUND'],
  'GET /user/{login}/sessions': ['USER.NOT_FOUND'],
  'DELETE /user/{login}/sessions': ['USER.NOT_FOUND'],
  'DELETE /user/{login}/sessions/{session}': ['USER.NOT_FOUND', notFound],

  'POST /admin/testSetting': [
    'CONFIGURATION.UNABLE_TO_BIND_TO_LDAP',
    'CONFIGURATION.ROOTURL_NOT_CONFIGURED',
    'AUTHENTICATION.CAS_FAILED',
    'AUTHENTICATION.DIRECTORY_UNAVAILABLE',
    'TYPE.PARAM_INVALID',
  ],
  'POST /admin/testMail': [...mails, 'PERMISSION.TOO_MANY'],
  'GET /admin/groups': ['USER.NOT_FOUND'],
  'GET /admin/pads': ['USER.NOT_FOUND'],

  'POST /group': ['AUTHENTICATION.PASSWORD_INCORRECT', ...people],
  'GET /group/{id}': reading,
  'POST /group/{id}/unlock': reading,
  'PUT /group/{id}': [...groupRights, 'AUTHENTICATION.PASSWORD_INCORRECT', ...people],
  'DELETE /group/{id}': groupRights,
  'POST /group/invite': [...groupRights, 'TYPE.PARAMS_REQUIRED', ...people],
  'POST /group/{id}/members': [...groupRights, 'PERMISSION.TOO_MANY'],
  'PUT /group/{id}/members': [...groupRights, 'GROUP.RESIGN_UNIQUE_ADMIN', 'PERMISSION.TOO_MANY'],
  'DELETE /group/{id}/members/{login}': [...groupRights, 'GROUP.NOT_USER', 'GROUP.RESIGN_UNIQUE_ADMIN'],
  'POST /group/resign': [notFound, 'GROUP.NOT_USER', 'GROUP.RESIGN_UNIQUE_ADMIN'],

  'POST /pad': [
    'AUTHENTICATION.DENIED',
    'AUTHENTICATION.PASSWORD_INCORRECT',
    'PAD.ITEMS_NOT_FOUND',
    'PERMISSION.TOO_MANY',
  ],
  'GET /pad/{id}': [...reading, 'TYPE.PASSWORD_MISSING'],
  'POST /pad/{id}/unlock': [...reading, 'TYPE.PASSWORD_MISSING'],
  'POST /pad/{id}/ticket': entering,
  'POST /pad/{id}/duplicate': [
    ...entering,
    'AUTHENTICATION.DENIED',
    'PAD.ITEMS_NOT_FOUND',
    'PERMISSION.TOO_MANY',
  ],
  'PUT /pad/{id}': [...groupRights, 'AUTHENTICATION.PASSWORD_INCORRECT', 'PAD.ITEMS_NOT_FOUND'],
  'DELETE /pad/{id}': groupRights,
  'DELETE /pad/chathistory/{id}': groupRights,

  'POST /userlist': ['TYPE.USERLIST_CRUD', 'PERMISSION.TOO_MANY'],
  'PUT /userlist/{key}': ['TYPE.USERLIST_SET_PARAMS', 'TYPE.USERLIST_CRUD', 'PERMISSION.TOO_MANY'],
  'POST /usermark': ['USER.BOOKMARK_NOT_FOUND'],

  'POST /passrecover': [...mails, 'AUTHENTICATION.NO_RECOVER', 'PERMISSION.TOO_MANY'],
  'PUT /passrecover/{token}': [
    'AUTHENTICATION.NO_RECOVER',
    'TOKEN.EXPIRED',
    'TYPE.PASSWORD_SIZE',
    'PERMISSION.TOO_MANY',
  ],
  'POST /accountconfirm': [
    'AUTHENTICATION.NO_RECOVER',
    'TOKEN.EXPIRED',
    'USER.EMAIL_ALREADY_EXISTS',
    'PERMISSION.TOO_MANY',
  ],
  'GET /l10n/{file}': ['CONFIGURATION.LANG_PROBLEM'],
};
