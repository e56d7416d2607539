/**
 * The table of all errors: key in the answer, and HTTP status. Code throws the key, api/middleware/errors.ts answers
 * `{error: KEY}`, the page translates it. Keys and statuses are those of ep_mypads 1.x; the last block is new.
 */
export const errorStatus = {
  'BACKEND.ERROR.AUTHENTICATION.ACTIVATION_NEEDED': 401,
  'BACKEND.ERROR.AUTHENTICATION.ADMIN': 401,
  'BACKEND.ERROR.AUTHENTICATION.CAS_NO_TICKET': 400,
  'BACKEND.ERROR.AUTHENTICATION.DENIED': 401,
  'BACKEND.ERROR.AUTHENTICATION.DENIED_RECORD': 401,
  'BACKEND.ERROR.AUTHENTICATION.DENIED_RECORD_EDIT': 401,
  'BACKEND.ERROR.AUTHENTICATION.LDAP_NO_VALID_MAIL': 400,
  'BACKEND.ERROR.AUTHENTICATION.MUST_BE': 401,
  'BACKEND.ERROR.AUTHENTICATION.NOT_AUTH': 401,
  'BACKEND.ERROR.AUTHENTICATION.NO_RECOVER': 400,
  'BACKEND.ERROR.AUTHENTICATION.NO_REGISTRATION': 400,
  'BACKEND.ERROR.AUTHENTICATION.PASSWORD_INCORRECT': 400,
  'BACKEND.ERROR.AUTHENTICATION.PLEASE_CHANGE_YOUR_PASSWORD': 400,
  'BACKEND.ERROR.AUTHENTICATION.TOKEN_INCORRECT': 401,
  'BACKEND.ERROR.CONFIGURATION.CANTGET': 503,
  'BACKEND.ERROR.CONFIGURATION.KEY_NOT_FOUND': 404,
  'BACKEND.ERROR.CONFIGURATION.LANG_PROBLEM': 404,
  'BACKEND.ERROR.CONFIGURATION.MAIL_NOT_CONFIGURED': 501,
  'BACKEND.ERROR.CONFIGURATION.ROOTURL_NOT_CONFIGURED': 501,
  'BACKEND.ERROR.CONFIGURATION.UNABLE_TO_BIND_TO_LDAP': 400,
  'BACKEND.ERROR.GROUP.CASCADE_REMOVAL_PROBLEM': 500,
  'BACKEND.ERROR.GROUP.INEXISTENT': 400,
  'BACKEND.ERROR.GROUP.ITEMS_NOT_FOUND': 400,
  'BACKEND.ERROR.GROUP.NOT_USER': 400,
  'BACKEND.ERROR.GROUP.RESIGN_UNIQUE_ADMIN': 400,
  'BACKEND.ERROR.PAD.INEXISTENT': 400,
  'BACKEND.ERROR.PAD.ITEMS_NOT_FOUND': 400,
  'BACKEND.ERROR.PERMISSION.UNAUTHORIZED': 401,
  'BACKEND.ERROR.PERMISSION.UNEXPECTED': 401,
  'BACKEND.ERROR.TOKEN.EXPIRED': 400,
  'BACKEND.ERROR.TOKEN.INCORRECT': 400,
  'BACKEND.ERROR.TYPE.CALLBACK_FN': 400,
  'BACKEND.ERROR.TYPE.GID_STR': 400,
  'BACKEND.ERROR.TYPE.ID_STR': 400,
  'BACKEND.ERROR.TYPE.GUEST_NAME_MISSING': 400,
  'BACKEND.ERROR.TYPE.INVITE_BOOL': 400,
  'BACKEND.ERROR.TYPE.KEY_STR': 400,
  'BACKEND.ERROR.TYPE.LOGINS_ARR': 400,
  'BACKEND.ERROR.TYPE.LOGIN_REQUIRED': 400,
  'BACKEND.ERROR.TYPE.LOGIN_STR': 400,
  'BACKEND.ERROR.TYPE.MAIL': 400,
  'BACKEND.ERROR.TYPE.MSG_STR': 400,
  'BACKEND.ERROR.TYPE.PARAMS_REQUIRED': 400,
  'BACKEND.ERROR.TYPE.PARAM_STR': 400,
  'BACKEND.ERROR.TYPE.PASSWORD_MISSING': 401,
  'BACKEND.ERROR.TYPE.PASSWORD_SIZE': 400,
  'BACKEND.ERROR.TYPE.PASSWORD_STR': 400,
  'BACKEND.ERROR.TYPE.SMTP_CONFIG': 400,
  'BACKEND.ERROR.TYPE.STR_100': 400,
  'BACKEND.ERROR.TYPE.SUBJECT_STR': 400,
  'BACKEND.ERROR.TYPE.TO_MAIL': 400,
  'BACKEND.ERROR.TYPE.TYPE_PADSORGROUPS': 400,
  'BACKEND.ERROR.TYPE.UNABLE_TO_USE_EP_SETTINGS': 500,
  'BACKEND.ERROR.TYPE.USERLIST_CRUD': 400,
  'BACKEND.ERROR.TYPE.USERLIST_ID': 400,
  'BACKEND.ERROR.TYPE.USERLIST_NAME': 400,
  'BACKEND.ERROR.TYPE.USERLIST_SET_PARAMS': 400,
  'BACKEND.ERROR.TYPE.USER_INVALID': 400,
  'BACKEND.ERROR.TYPE.VALUE_REQUIRED': 400,
  'BACKEND.ERROR.TYPE.WITHEXTRA_BOOL': 400,
  'BACKEND.ERROR.USER.ALREADY_EXISTS': 400,
  'BACKEND.ERROR.USER.BOOKMARK_NOT_FOUND': 404,
  'BACKEND.ERROR.USER.EMAIL_ALREADY_EXISTS': 400,
  'BACKEND.ERROR.USER.NOT_FOUND': 404,
  'BACKEND.ERROR.USER.USERLIST_NOT_FOUND': 400,
  'USER.ERR.PASSWORD_MISMATCH': 400,

  /** The setting is preset in Etherpad's settings file and can only be changed there. */
  'BACKEND.ERROR.CONFIGURATION.LOCKED': 403,
  /** The settings that this `authMethod` needs are missing or invalid. `reason` names a wrong one. */
  'BACKEND.ERROR.CONFIGURATION.SIGN_IN_NOT_CONFIGURED': 400,
  /** Somebody else has changed it since the caller has read it, so nothing was stored. */
  'BACKEND.ERROR.CONFIGURATION.CHANGED': 409,
  /** A rule for groups of a directory is invalid: `reason` says which one, and why. */
  'BACKEND.ERROR.CONFIGURATION.GROUP_RULE': 400,
  /** A rule of the server has put the person into the group. */
  'BACKEND.ERROR.GROUP.BY_RULE': 400,
  /** Nobody can ask for access: `allowRequests` is off, or everyone who is signed in can open all pads. */
  'BACKEND.ERROR.REQUEST.OFF': 403,
  /** The caller has this access already. */
  'BACKEND.ERROR.REQUEST.NOT_NEEDED': 400,
  /** The body is not a JSON object. */
  'BACKEND.ERROR.TYPE.JSON': 400,
  /** The address cannot be decoded, for example `/p/%zz`. */
  'BACKEND.ERROR.TYPE.ADDRESS': 400,
  /** The body is larger than `limits.body`. */
  'BACKEND.ERROR.TYPE.TOO_LARGE': 413,
  /** The call does not have this field; `field` names it. */
  'BACKEND.ERROR.TYPE.PARAM_UNKNOWN': 400,
  /** A field has the wrong type or shape, and no older key fits; `field` names it. */
  'BACKEND.ERROR.TYPE.PARAM_INVALID': 400,
  /** The call does not exist. */
  'BACKEND.ERROR.TYPE.ROUTE': 404,
  /** The CAS server did not confirm the ticket. */
  'BACKEND.ERROR.AUTHENTICATION.OIDC_DENIED': 403,
  'BACKEND.ERROR.AUTHENTICATION.OIDC_FAILED': 400,
  /** The proxy in front of the server does not say who the person is; the log says why. */
  'BACKEND.ERROR.AUTHENTICATION.HEADER_FAILED': 400,
  'BACKEND.ERROR.AUTHENTICATION.CAS_FAILED': 400,
  /** The LDAP directory or CAS server is down, slow or gives an invalid answer. */
  'BACKEND.ERROR.AUTHENTICATION.DIRECTORY_UNAVAILABLE': 503,
  /** An authentication plugin of Etherpad failed, timed out or gave an invalid answer. */
  'BACKEND.ERROR.AUTHENTICATION.HOST_UNAVAILABLE': 503,
  /** The invitation, or the registration with it, is for another email address. */
  'BACKEND.ERROR.INVITATION.OTHER_ADDRESS': 403,
  /** The API token does not allow this call; `scope` is missing in it. Without `scope`, no API token does. */
  'BACKEND.ERROR.API_TOKEN.SCOPE': 403,
  /** The API token may not be used from the address of the caller. */
  'BACKEND.ERROR.API_TOKEN.ADDRESS': 403,
  /** An API token was sent in the URL or in the body. */
  'BACKEND.ERROR.API_TOKEN.PLACE': 400,
  /** The setting `apiTokens` is off. */
  'BACKEND.ERROR.API_TOKEN.OFF': 403,
  /** The person has too many API tokens; `most` is the limit. */
  'BACKEND.ERROR.API_TOKEN.TOO_MANY': 400,
  /** Only administrators in Etherpad's settings file can have API tokens. */
  'BACKEND.ERROR.API_TOKEN.ADMINISTRATOR': 403,
  /** Another export of the caller is being made. */
  'BACKEND.ERROR.EXPORT.RUNNING': 409,
  /** The export is too large; `most` is the limit in bytes. */
  'BACKEND.ERROR.EXPORT.TOO_LARGE': 413,
  /** No file can be written on the server, or its disk is full. */
  'BACKEND.ERROR.EXPORT.NOT_STORED': 503,
  /** Making the file has failed; the log says why. */
  'BACKEND.ERROR.EXPORT.FAILED': 500,
  /** The second step of a sign-in, or the set-up of a factor, took too long or was done already. */
  'BACKEND.ERROR.FACTOR.EXPIRED': 400,
  /** The code is wrong, or was used before. */
  'BACKEND.ERROR.FACTOR.CODE': 400,
  /** The passkey is unknown, its account is closed, or its answer is wrong. */
  'BACKEND.ERROR.FACTOR.PASSKEY': 400,
  /** The account has no password here, or passkeys do not work on this server. */
  'BACKEND.ERROR.FACTOR.UNAVAILABLE': 403,
  /** The setting `secondFactor` asks the person to have one, and it is the last. */
  'BACKEND.ERROR.FACTOR.REQUIRED': 403,
  /** The person has too many passkeys; `most` is the limit. */
  'BACKEND.ERROR.FACTOR.TOO_MANY': 400,
  /** The group and its pads have too many links; `most` is the limit. */
  'BACKEND.ERROR.LINK.TOO_MANY': 400,
  /** Too many people or invitations for the group or the pad; `most` is the limit. */
  'BACKEND.ERROR.MEMBER.TOO_MANY': 400,
  /** What was uploaded is not a ZIP, or is damaged. */
  'BACKEND.ERROR.IMPORT.NOT_ZIP': 400,
  /** The ZIP, or a file in it, has a password. */
  'BACKEND.ERROR.IMPORT.ENCRYPTED': 400,
  /** The ZIP has a name that is not UTF-8, occurs twice or leads out of the ZIP, or a link; `name` is the first. */
  'BACKEND.ERROR.IMPORT.UNSAFE': 400,
  /** The ZIP is larger than `zipLimits` allow; `limit` says which of them. */
  'BACKEND.ERROR.IMPORT.TOO_LARGE': 413,
  /** The ZIP is an export of a later version, or its `index.json` is damaged. */
  'BACKEND.ERROR.IMPORT.INDEX': 400,
  /** No file of the ZIP can become a pad. */
  'BACKEND.ERROR.IMPORT.NOTHING': 400,
  /** An earlier import of the same person is not finished. */
  'BACKEND.ERROR.IMPORT.RUNNING': 409,
  /** Too many attempts; `Retry-After` gives the seconds to wait. */
  'BACKEND.ERROR.PERMISSION.TOO_MANY': 429,
  /** Busy or starting: retry the same call in a moment. */
  'BACKEND.ERROR.SERVER.BUSY': 503,
  /** Etherpad's database is down, slow or gives an invalid answer: retry later. */
  'BACKEND.ERROR.SERVER.DATABASE_UNAVAILABLE': 503,
  /** The mail server is down, slow or refuses: retry later. */
  'BACKEND.ERROR.SERVER.MAIL_UNAVAILABLE': 503,
  /** An unexpected error. Details are in the log only. */
  'BACKEND.ERROR.SERVER.UNEXPECTED': 500,
} as const;

export type ErrorKey = keyof typeof errorStatus;

/** The error that code throws. `details` go into the answer beside the key; they must not be confidential. */
export class MyPadsError extends Error {
  readonly key: ErrorKey;
  readonly details: Readonly<Record<string, string | number | boolean>>;

  constructor(key: ErrorKey, details: Record<string, string | number | boolean> = {}) {
    super(key);
    this.name = 'MyPadsError';
    this.key = key;
    this.details = details;
  }

  get status(): number {
    return errorStatus[this.key];
  }
}

export const isError = (error: unknown, ...keys: ErrorKey[]): error is MyPadsError =>
  error instanceof MyPadsError && keys.includes(error.key);

/** False for failures that may pass, of the database for example: another try may succeed. */
export const isRefused = (error: unknown): error is MyPadsError =>
  error instanceof MyPadsError && error.status < 500;

/** CONFIGURATION.KEY_NOT_FOUND, for the record with this id. */
export const recordNotFound = (id: string): MyPadsError =>
  new MyPadsError('BACKEND.ERROR.CONFIGURATION.KEY_NOT_FOUND', { key: id });
