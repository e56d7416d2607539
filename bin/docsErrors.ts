/** What each error means to a program, for docs/api.md. An error that is missing does not compile. */
import type { ErrorKey } from '../model/errors';

export const errorMeanings: Readonly<Record<ErrorKey, string>> = {
  'BACKEND.ERROR.AUTHENTICATION.ACTIVATION_NEEDED':
    'Login and password are right; the account is not confirmed yet or was closed by an administrator.',
  'BACKEND.ERROR.AUTHENTICATION.ADMIN':
    'A server administrator’s token is needed; or, at `auth/admin/login`, the account administers nothing; or, at `auth/admin/login/host`, no administrator is signed in at Etherpad.',
  'BACKEND.ERROR.AUTHENTICATION.CAS_NO_TICKET':
    '`ticket` is missing; or a password was sent where people sign in through CAS.',
  'BACKEND.ERROR.AUTHENTICATION.DENIED':
    'Not yours: somebody else’s account, or a group where you may not make pads.',
  'BACKEND.ERROR.AUTHENTICATION.DENIED_RECORD': 'You may not see this group or pad.',
  'BACKEND.ERROR.AUTHENTICATION.DENIED_RECORD_EDIT': 'You may not change this group or pad.',
  'BACKEND.ERROR.AUTHENTICATION.LDAP_NO_VALID_MAIL':
    'The directory or sign-on server has no valid e-mail address of this person.',
  'BACKEND.ERROR.AUTHENTICATION.MUST_BE': 'Whoever signs in may get in here; a guest does not.',
  'BACKEND.ERROR.AUTHENTICATION.NOT_AUTH':
    'The call needs a person’s token: there was none, or it is worth nothing any more.',
  'BACKEND.ERROR.AUTHENTICATION.NO_RECOVER': 'Passwords are not kept here (`authMethod` is not `internal`).',
  'BACKEND.ERROR.AUTHENTICATION.NO_REGISTRATION': 'Registration is closed.',
  'BACKEND.ERROR.AUTHENTICATION.PASSWORD_INCORRECT':
    'Wrong password or unknown login; wrong or missing `currentPassword`; or a private group or pad without a password.',
  'BACKEND.ERROR.AUTHENTICATION.PLEASE_CHANGE_YOUR_PASSWORD':
    'The account comes from LDAP or CAS and has no password of its own: it needs a recovery mail, or an administrator.',
  'BACKEND.ERROR.AUTHENTICATION.TOKEN_INCORRECT':
    'Not sent: a token that is worth nothing makes a guest, and `AUTHENTICATION.NOT_AUTH` says so where that is not enough.',
  'BACKEND.ERROR.CONFIGURATION.CANTGET': 'Not sent: the page says it when the settings do not come at all.',
  'BACKEND.ERROR.CONFIGURATION.KEY_NOT_FOUND':
    'There is no such setting, group or pad. `key` is what was asked for.',
  'BACKEND.ERROR.CONFIGURATION.LANG_PROBLEM': '`l10n/…`: the page has no such language.',
  'BACKEND.ERROR.CONFIGURATION.MAIL_NOT_CONFIGURED': 'No usable `SMTPHost`, `SMTPPort` or `SMTPEmailFrom`.',
  'BACKEND.ERROR.CONFIGURATION.ROOTURL_NOT_CONFIGURED': 'A link has to be made, and `rootUrl` is not set.',
  'BACKEND.ERROR.CONFIGURATION.UNABLE_TO_BIND_TO_LDAP':
    'The new `authLdapSettings` do not work and were not stored; `reason` says why.',
  'BACKEND.ERROR.GROUP.CASCADE_REMOVAL_PROBLEM':
    'Not sent: pads of a removed group that cannot be removed at once are closed, and removed later.',
  'BACKEND.ERROR.GROUP.INEXISTENT':
    'Not sent: no body chooses a group; `CONFIGURATION.KEY_NOT_FOUND` is said of a path, and of `gid`.',
  'BACKEND.ERROR.GROUP.ITEMS_NOT_FOUND': '`admins`, `users` or `admin` holds an id that names nobody.',
  'BACKEND.ERROR.GROUP.NOT_USER': 'You are not in the group that you want to leave.',
  'BACKEND.ERROR.GROUP.RESIGN_UNIQUE_ADMIN': 'The group would have no administrator any more.',
  'BACKEND.ERROR.PAD.INEXISTENT':
    'Not sent: no body chooses a pad; `CONFIGURATION.KEY_NOT_FOUND` is said of a path.',
  'BACKEND.ERROR.PAD.ITEMS_NOT_FOUND': '`group` names no group.',
  'BACKEND.ERROR.PERMISSION.UNAUTHORIZED': 'Wrong password of a group or pad, or one that is not Base64.',
  'BACKEND.ERROR.PERMISSION.UNEXPECTED': 'At `/p/…`: a pad that does not exist, or that is being removed.',
  'BACKEND.ERROR.TOKEN.EXPIRED': 'A mailed link that is too old.',
  'BACKEND.ERROR.TOKEN.INCORRECT':
    'A mailed link that is unknown, was used already, or was ended by a new password or another address.',
  'BACKEND.ERROR.TYPE.CALLBACK_FN': 'Not sent: it is about code of 1.x.',
  'BACKEND.ERROR.TYPE.GID_STR': '`gid` is no id.',
  'BACKEND.ERROR.TYPE.ID_STR':
    'An id is missing or wrong; `_id` in a body is not that of the path, or stands in a `POST`.',
  'BACKEND.ERROR.TYPE.INVITE_BOOL': '`invite` is not `true` or `false`.',
  'BACKEND.ERROR.TYPE.KEY_STR': '`key` is missing.',
  'BACKEND.ERROR.TYPE.LOGINS_ARR': '`loginsOrEmails` is not a list of texts.',
  'BACKEND.ERROR.TYPE.LOGIN_REQUIRED': 'Not sent: `TYPE.LOGIN_STR` says it.',
  'BACKEND.ERROR.TYPE.LOGIN_STR': '`login` is missing, or cannot be used.',
  'BACKEND.ERROR.TYPE.MAIL': '`email` is no e-mail address.',
  'BACKEND.ERROR.TYPE.MSG_STR': 'Not sent: nobody but us writes mails.',
  'BACKEND.ERROR.TYPE.PARAMS_REQUIRED': '`gid` is missing.',
  'BACKEND.ERROR.TYPE.PARAM_STR':
    'A field that must be there is missing, empty or too long; `field` names it.',
  'BACKEND.ERROR.TYPE.PASSWORD_MISSING': 'This pad opens with a password: send it.',
  'BACKEND.ERROR.TYPE.PASSWORD_SIZE':
    'A new password is shorter than `passwordMin` or longer than `passwordMax`; or those two would cross.',
  'BACKEND.ERROR.TYPE.PASSWORD_STR': '`password` is missing or no text.',
  'BACKEND.ERROR.TYPE.SMTP_CONFIG':
    'A value that makes no sense for one of the settings `SMTP…`; `key` names it.',
  'BACKEND.ERROR.TYPE.STR_100': 'A text of more than 100 characters; `field` names it.',
  'BACKEND.ERROR.TYPE.SUBJECT_STR': 'Not sent: nobody but us writes mails.',
  'BACKEND.ERROR.TYPE.TO_MAIL': 'The mail server knows nobody of that address.',
  'BACKEND.ERROR.TYPE.TYPE_PADSORGROUPS': '`type` is neither `pads` nor `groups`.',
  'BACKEND.ERROR.TYPE.UNABLE_TO_USE_EP_SETTINGS':
    'Not sent: without Etherpad’s settings the plugin does not start, and everything is closed.',
  'BACKEND.ERROR.TYPE.USERLIST_CRUD': 'Too many user lists, or people on them.',
  'BACKEND.ERROR.TYPE.USERLIST_ID': '`ulistid` is no id.',
  'BACKEND.ERROR.TYPE.USERLIST_NAME': 'The name of a user list is missing, empty or too long.',
  'BACKEND.ERROR.TYPE.USERLIST_SET_PARAMS': 'Neither `name` nor `loginsOrEmails` was sent.',
  'BACKEND.ERROR.TYPE.USER_INVALID': 'The directory or sign-on server does not say a usable login.',
  'BACKEND.ERROR.TYPE.VALUE_REQUIRED': '`value` is missing.',
  'BACKEND.ERROR.TYPE.WITHEXTRA_BOOL': 'Not sent: no call has `withExtra`.',
  'BACKEND.ERROR.USER.ALREADY_EXISTS': 'The login is taken.',
  'BACKEND.ERROR.USER.BOOKMARK_NOT_FOUND': 'There is nothing of that id that you may see.',
  'BACKEND.ERROR.USER.EMAIL_ALREADY_EXISTS':
    'The e-mail address is taken. With `checkMails` only administrators are told, and who proved that it is theirs.',
  'BACKEND.ERROR.USER.NOT_FOUND': 'There is no such account. Told to its administrators only.',
  'BACKEND.ERROR.USER.USERLIST_NOT_FOUND': 'You have no such user list.',
  'USER.ERR.PASSWORD_MISMATCH': '`passwordConfirm` differs from `password`.',
  'BACKEND.ERROR.CONFIGURATION.LOCKED': 'Etherpad’s settings file presets this setting.',
  'BACKEND.ERROR.TYPE.JSON': 'The body is not a JSON object, or not sent as `application/json`.',
  'BACKEND.ERROR.TYPE.TOO_LARGE': 'The body is larger than 100 kB.',
  'BACKEND.ERROR.TYPE.PARAM_UNKNOWN': 'A field that the call does not know; `field` names it.',
  'BACKEND.ERROR.TYPE.PARAM_INVALID':
    'A field of the wrong type or shape; `field` names it. Inside a setting as `value.serverUrl`, with `key` and perhaps a `reason`.',
  'BACKEND.ERROR.TYPE.ROUTE': 'There is no such call.',
  'BACKEND.ERROR.AUTHENTICATION.CAS_FAILED':
    'The CAS server does not confirm the ticket; or `authMethod` is not `cas`.',
  'BACKEND.ERROR.AUTHENTICATION.HOST_UNAVAILABLE':
    'An authentication plugin of Etherpad fails or does not answer within five seconds; the log says why.',
  'BACKEND.ERROR.AUTHENTICATION.DIRECTORY_UNAVAILABLE':
    'The directory or sign-on server is down, slow, or set up wrongly; the log says which.',
  'BACKEND.ERROR.PERMISSION.TOO_MANY':
    'Too many tries. `retryAfter` and the header `Retry-After`: seconds until the next.',
  'BACKEND.ERROR.SERVER.BUSY': 'Busy, or still starting. The same call works in a moment: see `Retry-After`.',
  'BACKEND.ERROR.SERVER.DATABASE_UNAVAILABLE':
    'Etherpad’s database is down, slow (ten seconds), or answers nonsense; the log says which. What could not be written is taken back.',
  'BACKEND.ERROR.SERVER.MAIL_UNAVAILABLE':
    'The mail server is down, slow, or refuses. The same call may work later.',
  'BACKEND.ERROR.SERVER.UNEXPECTED': 'A fault of ours. The log has the details.',
};
