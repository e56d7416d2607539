/** Meaning of each error for programs, for docs/api.md. The type requires an entry for every error. */
import type { ErrorKey } from '../model/errors';

export const errorMeanings: Readonly<Record<ErrorKey, string>> = {
  'BACKEND.ERROR.AUTHENTICATION.ACTIVATION_NEEDED':
    'Username and password are right; the account is not confirmed yet or was closed by an administrator.',
  'BACKEND.ERROR.AUTHENTICATION.ADMIN':
    'The call needs a server administrator’s token. At `auth/admin/login`: the account is not an administrator. At `auth/admin/login/host`: no administrator is signed in at Etherpad.',
  'BACKEND.ERROR.AUTHENTICATION.CAS_NO_TICKET':
    '`ticket` is missing; or a password was sent, although people sign in through CAS.',
  'BACKEND.ERROR.AUTHENTICATION.DENIED':
    'You may not do this: it is another person’s account, or a group in which you may not create pads.',
  'BACKEND.ERROR.AUTHENTICATION.DENIED_RECORD': 'You may not see this group or pad.',
  'BACKEND.ERROR.AUTHENTICATION.DENIED_RECORD_EDIT': 'You may not change this group or pad.',
  'BACKEND.ERROR.AUTHENTICATION.LDAP_NO_VALID_MAIL':
    'The directory or single sign-on has no valid email address of this person.',
  'BACKEND.ERROR.AUTHENTICATION.MUST_BE': 'You must sign in first; guests cannot open this.',
  'BACKEND.ERROR.AUTHENTICATION.NOT_AUTH':
    'The call needs a person’s token. None was sent, or it is not valid any more.',
  'BACKEND.ERROR.AUTHENTICATION.NO_RECOVER':
    'The account has no password here: people sign in otherwise, or this person does.',
  'BACKEND.ERROR.AUTHENTICATION.NO_REGISTRATION': 'Registration is closed.',
  'BACKEND.ERROR.AUTHENTICATION.PASSWORD_INCORRECT':
    'Wrong password or unknown username; wrong or missing `currentPassword`; or a password-protected group or pad without a password.',
  'BACKEND.ERROR.AUTHENTICATION.PLEASE_CHANGE_YOUR_PASSWORD':
    'The account was created by LDAP or CAS and has no password here. The person needs a recovery email, or an administrator sets a password. At sign-in only with a username and while `openRegistration` is on; otherwise strangers would learn which logins exist, so the error is `PASSWORD_INCORRECT`.',
  'BACKEND.ERROR.AUTHENTICATION.TOKEN_INCORRECT':
    'At `/mypads/metrics`: the token is wrong. Calls of the API with an invalid token are answered with `AUTHENTICATION.NOT_AUTH` or `AUTHENTICATION.ADMIN`.',
  'BACKEND.ERROR.CONFIGURATION.CANTGET': 'Not sent: the page shows it if the settings cannot be loaded.',
  'BACKEND.ERROR.CONFIGURATION.CHANGED':
    'Someone else has changed it since it was read. Nothing was stored. Read it again.',
  'BACKEND.ERROR.CONFIGURATION.GROUP_RULE':
    'The rules were not stored. `reason` says which one is wrong, and why.',
  'BACKEND.ERROR.CONFIGURATION.KEY_NOT_FOUND':
    'There is no such setting, group or pad, or nothing else with this id, such as a link or a session. `key`, if it is sent, is the requested one.',
  'BACKEND.ERROR.CONFIGURATION.LANG_PROBLEM': '`l10n/…`: the page has no texts in this language.',
  'BACKEND.ERROR.CONFIGURATION.MAIL_NOT_CONFIGURED': 'No usable `SMTPHost`, `SMTPPort` or `SMTPEmailFrom`.',
  'BACKEND.ERROR.CONFIGURATION.ROOTURL_NOT_CONFIGURED':
    'An email, CAS or OpenID Connect needs an address of this server, but `rootUrl` is not set.',
  'BACKEND.ERROR.CONFIGURATION.SIGN_IN_NOT_CONFIGURED':
    '`authMethod` or `authMethods` was not changed, because nobody could sign in that way: its settings (`authLdapSettings`; `authCasSettings` and `rootUrl`) are not stored yet, or `reason` says what is wrong with them. Or settings by which people sign in would have been removed.',
  'BACKEND.ERROR.CONFIGURATION.UNABLE_TO_BIND_TO_LDAP':
    'The new `authLdapSettings` do not work and were not stored; `reason` says why.',
  'BACKEND.ERROR.GROUP.BY_RULE':
    'A rule of the server has put this person into the group, see [groups.md](groups.md). Nobody leaves or is removed while it applies.',
  'BACKEND.ERROR.GROUP.CASCADE_REMOVAL_PROBLEM':
    'Not sent: if pads of a deleted group cannot be deleted at once, they are closed and deleted later.',
  'BACKEND.ERROR.GROUP.INEXISTENT':
    'Not sent: for an unknown group in a path or in `gid`, the error is `CONFIGURATION.KEY_NOT_FOUND`.',
  'BACKEND.ERROR.GROUP.ITEMS_NOT_FOUND':
    '`admins`, `users`, `readers` or `admin` contains an unknown account; `key` names it.',
  'BACKEND.ERROR.GROUP.NOT_USER': 'The person who should leave or be removed is not in the group.',
  'BACKEND.ERROR.GROUP.RESIGN_UNIQUE_ADMIN': 'The group would have no manager any more.',
  'BACKEND.ERROR.INVITATION.OTHER_ADDRESS':
    'The invitation is for another email address than that of the account, or than `email` of the registration.',
  'BACKEND.ERROR.PAD.INEXISTENT':
    'Not sent: for an unknown pad in a path, the error is `CONFIGURATION.KEY_NOT_FOUND`.',
  'BACKEND.ERROR.PAD.ITEMS_NOT_FOUND':
    '`group` is not an existing group, or `template` not a template that the caller may use.',
  'BACKEND.ERROR.PERMISSION.UNAUTHORIZED': 'Wrong password of a group or pad, or one that is not Base64.',
  'BACKEND.ERROR.PERMISSION.UNEXPECTED': 'At `/p/…`: a pad that does not exist, or that is being deleted.',
  'BACKEND.ERROR.TOKEN.EXPIRED': 'A mailed link that is too old.',
  'BACKEND.ERROR.TOKEN.INCORRECT':
    'A mailed link that is unknown, was used already, or was ended by a new password or another address.',
  'BACKEND.ERROR.TYPE.CALLBACK_FN': 'Not sent: only code of ep_mypads 1.x could cause it.',
  'BACKEND.ERROR.TYPE.GID_STR': '`gid` is not an id.',
  'BACKEND.ERROR.TYPE.ID_STR':
    'An id is missing or wrong; `_id` in a body differs from the path, or was sent with `POST`.',
  'BACKEND.ERROR.TYPE.INVITE_BOOL': '`invite` is not `true` or `false`.',
  'BACKEND.ERROR.TYPE.GUEST_NAME_MISSING': 'This link asks guests for a name, and none was sent.',
  'BACKEND.ERROR.TYPE.KEY_STR': '`key` is missing.',
  'BACKEND.ERROR.TYPE.LOGINS_ARR': '`loginsOrEmails` is not a list of texts.',
  'BACKEND.ERROR.TYPE.LOGIN_REQUIRED': 'Not sent: the error is `TYPE.LOGIN_STR`.',
  'BACKEND.ERROR.TYPE.LOGIN_STR': '`login` is missing, or cannot be used.',
  'BACKEND.ERROR.TYPE.MAIL': '`email` is not an email address.',
  'BACKEND.ERROR.TYPE.MSG_STR': 'Not sent: the API does not send emails with given texts.',
  'BACKEND.ERROR.TYPE.PARAMS_REQUIRED': '`gid` is missing.',
  'BACKEND.ERROR.TYPE.PARAM_STR':
    'A field that must be there is missing, empty or too long; `field` names it.',
  'BACKEND.ERROR.TYPE.PASSWORD_MISSING': 'This pad needs a password, and none was sent.',
  'BACKEND.ERROR.TYPE.PASSWORD_SIZE':
    'A new password is shorter than `passwordMin` or longer than `passwordMax`; or `passwordMin` would be larger than `passwordMax`.',
  'BACKEND.ERROR.TYPE.PASSWORD_STR': '`password` is missing or not a text.',
  'BACKEND.ERROR.TYPE.SMTP_CONFIG': 'An invalid value of a setting `SMTP…`; `key` names the setting.',
  'BACKEND.ERROR.TYPE.STR_100': 'A text of more than 100 characters; `field` names it.',
  'BACKEND.ERROR.TYPE.SUBJECT_STR': 'Not sent: the API does not send emails with given texts.',
  'BACKEND.ERROR.TYPE.TO_MAIL': 'The mail server does not accept this address.',
  'BACKEND.ERROR.TYPE.TYPE_PADSORGROUPS': '`type` is neither `pads` nor `groups`.',
  'BACKEND.ERROR.TYPE.UNABLE_TO_USE_EP_SETTINGS':
    'Not sent: without Etherpad’s settings the plugin does not start, and no pad can be opened.',
  'BACKEND.ERROR.TYPE.USERLIST_CRUD':
    'Too many people lists, or too many people on them. `most` is the limit.',
  'BACKEND.ERROR.TYPE.USERLIST_ID': '`ulistid` is not an id.',
  'BACKEND.ERROR.TYPE.USERLIST_NAME': 'The name of a people list is missing, empty or too long.',
  'BACKEND.ERROR.TYPE.USERLIST_SET_PARAMS': 'Neither `name` nor `loginsOrEmails` was sent.',
  'BACKEND.ERROR.TYPE.USER_INVALID': 'The directory or single sign-on sent no usable username.',
  'BACKEND.ERROR.TYPE.VALUE_REQUIRED': '`value` is missing.',
  'BACKEND.ERROR.TYPE.WITHEXTRA_BOOL': 'Not sent: no call has a field `withExtra`.',
  'BACKEND.ERROR.USER.ALREADY_EXISTS': 'The username is taken.',
  'BACKEND.ERROR.USER.BOOKMARK_NOT_FOUND': 'There is no group or pad with this id that you may see.',
  'BACKEND.ERROR.USER.EMAIL_ALREADY_EXISTS':
    'Another account has the email address. With `checkMails`, only administrators, people who have confirmed the address, and people whom a directory or single sign-on has confirmed get this error.',
  'BACKEND.ERROR.USER.NOT_FOUND':
    'There is no such account. Only server administrators get this error, and people who hand over groups; `field` is `to` then, also if nobody can sign in with the account.',
  'BACKEND.ERROR.USER.USERLIST_NOT_FOUND': 'You have no such people list.',
  'USER.ERR.PASSWORD_MISMATCH': '`passwordConfirm` differs from `password`.',
  'BACKEND.ERROR.CONFIGURATION.LOCKED': 'Etherpad’s settings file fixes the value of this setting.',
  'BACKEND.ERROR.IMPORT.ENCRYPTED': 'The ZIP, or a file in it, has a password.',
  'BACKEND.ERROR.IMPORT.INDEX':
    'The ZIP is an export of a later version, or someone has changed its `index.json`.',
  'BACKEND.ERROR.IMPORT.NOTHING': 'No file of the ZIP can become a pad. `preview` says why.',
  'BACKEND.ERROR.IMPORT.NOT_ZIP': 'The body is not a ZIP (`application/zip`), or is damaged.',
  'BACKEND.ERROR.IMPORT.RUNNING': 'Your last import is not finished: wait for it, or end it.',
  'BACKEND.ERROR.IMPORT.TOO_LARGE':
    'The ZIP is too large. `limit` says what of it ([limits.md](limits.md#imports)): `upload`, `entries`, `unpacked`, `entry`, `ratio`, `pads` or `folders`.',
  'BACKEND.ERROR.IMPORT.UNSAFE':
    'The ZIP has a name that is not UTF-8, occurs twice or leads out of the ZIP, or a link. `name` is the first.',
  'BACKEND.ERROR.REQUEST.OFF':
    'Nobody can ask for access: `allowRequests` is off, or `allPadsPublicsAuthentifiedOnly` is on.',
  'BACKEND.ERROR.REQUEST.NOT_NEEDED': 'The caller has the access already that they ask for.',
  'BACKEND.ERROR.TYPE.JSON': 'The body is not a JSON object, or was not sent as `application/json`.',
  'BACKEND.ERROR.TYPE.ADDRESS': 'The URL of a pad cannot be decoded, for example `/p/%zz`.',
  'BACKEND.ERROR.TYPE.TOO_LARGE': 'The body is larger than 100 kB.',
  'BACKEND.ERROR.TYPE.PARAM_UNKNOWN': 'The call does not have this field; `field` names it.',
  'BACKEND.ERROR.TYPE.PARAM_INVALID':
    'A field has the wrong type or form; `field` names it. Inside a setting it is a path such as `value.serverUrl`, with `key` and sometimes `reason`.',
  'BACKEND.ERROR.TYPE.ROUTE': 'There is no such call.',
  'BACKEND.ERROR.AUTHENTICATION.HEADER_FAILED':
    'Sign-in by headers: no proxy of `authHeaderSettings` says who the person is, or a header came twice. The log line `header of the proxy refused, sign-in refused` has the reason.',
  'BACKEND.ERROR.AUTHENTICATION.OIDC_DENIED':
    'OpenID Connect: the provider knows the person, and its settings here do not let them in (`allow`).',
  'BACKEND.ERROR.AUTHENTICATION.OIDC_FAILED':
    'OpenID Connect: the provider’s answer is not accepted, or came too late, a second time or in another browser. The log line `OpenID Connect refused, sign-in refused` has the reason.',
  'BACKEND.ERROR.AUTHENTICATION.CAS_FAILED':
    'The CAS server does not confirm the ticket; or CAS is not offered.',
  'BACKEND.ERROR.AUTHENTICATION.HOST_UNAVAILABLE':
    'An authentication plugin of Etherpad failed or did not answer within five seconds; the log says why.',
  'BACKEND.ERROR.AUTHENTICATION.DIRECTORY_UNAVAILABLE':
    'The directory or single sign-on is down, too slow, or configured wrongly; the log says which.',
  'BACKEND.ERROR.API_TOKEN.SCOPE':
    'The API token does not allow this call: it lacks `scope`. Without `scope` in the answer, no API token allows it. Or a new token would have a scope that is only for server administrators.',
  'BACKEND.ERROR.API_TOKEN.ADDRESS': 'The API token may not be used from the address of the caller.',
  'BACKEND.ERROR.API_TOKEN.PLACE':
    'An API token was sent in the URL or in the body. Send tokens only in the `Authorization` header, and replace this one: the URL may be in logs.',
  'BACKEND.ERROR.API_TOKEN.OFF': 'No API tokens can be made, because the setting `apiTokens` is off.',
  'BACKEND.ERROR.EXPORT.RUNNING': 'Another export of yours is being made. Wait for it, or remove it.',
  'BACKEND.ERROR.EXPORT.TOO_LARGE':
    'The file would be too large; `most` is the limit in bytes. Export less at a time.',
  'BACKEND.ERROR.EXPORT.NOT_STORED':
    'The server cannot write the file: its folder `var/ep_mypads` is not writable, or the disk is full.',
  'BACKEND.ERROR.EXPORT.FAILED': 'The file could not be made; the log says why.',
  'BACKEND.ERROR.API_TOKEN.TOO_MANY':
    'You have too many API tokens. `most` is the limit; end one that is not needed.',
  'BACKEND.ERROR.API_TOKEN.ADMINISTRATOR':
    'Only administrators whom Etherpad’s settings file lists with `is_admin` can make API tokens.',
  'BACKEND.ERROR.LINK.TOO_MANY':
    'The group and its pads have too many links. `most` is the limit; end one that is not needed.',
  'BACKEND.ERROR.MEMBER.TOO_MANY':
    'Too many people or invitations for the group or the pad. `most` is the limit; remove some.',
  'BACKEND.ERROR.FACTOR.EXPIRED':
    'The second step of the sign-in, or the set-up of a factor, took longer than ten minutes, or it was done already. Begin again with the password.',
  'BACKEND.ERROR.FACTOR.CODE':
    'The code is wrong or was used before. `pending` still works: send the current code.',
  'BACKEND.ERROR.FACTOR.PASSKEY':
    'The passkey is not one of this site, its account is closed, or its answer is wrong, used before or for another address. The log says which.',
  'BACKEND.ERROR.FACTOR.UNAVAILABLE':
    'The password of the account is not stored here, or passkeys do not work: `rootUrl` is not an https address with a name.',
  'BACKEND.ERROR.FACTOR.REQUIRED':
    'The setting `secondFactor` asks this person for a factor, and this is the last one. Add another one first.',
  'BACKEND.ERROR.FACTOR.TOO_MANY': 'You have too many passkeys. `most` is the limit; remove one.',
  'BACKEND.ERROR.PERMISSION.TOO_MANY':
    'Too many attempts. `retryAfter` and the header `Retry-After` are the seconds until the next may succeed.',
  'BACKEND.ERROR.SERVER.BUSY':
    'The server is busy or still starting. Repeat the call after the time in `Retry-After`.',
  'BACKEND.ERROR.SERVER.DATABASE_UNAVAILABLE':
    'Etherpad’s database is down, did not answer within ten seconds, or returned invalid data; the log says which. Unfinished changes are undone.',
  'BACKEND.ERROR.SERVER.MAIL_UNAVAILABLE':
    'The mail server is down, too slow, or refused the email. The same call may succeed later.',
  'BACKEND.ERROR.SERVER.UNEXPECTED': 'An error of the plugin. The log contains the details.',
};
