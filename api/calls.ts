/**
 * Every call of the API: who may make it and what it does. Used for the API description and docs/api.md. The
 * description fails if this list and the routes differ (api/openapi/document.ts).
 */

export interface CallSummary {
  who: string;
  does: string;
  /** Another call should be used instead. */
  deprecated?: true;
}

const admin = 'server administrator';
const everybody = 'everybody';
const person = 'person';
const owner = `the account’s owner, ${admin}`;
const groupAdmin = `the group’s administrators, ${admin}`;

/** By method and path, in the order of docs/api.md. */
export const calls: Readonly<Record<string, CallSummary>> = {
  'POST /auth/login': { who: everybody, does: 'Signs in with login (or e-mail address) and password.' },
  'POST /auth/login/cas': { who: everybody, does: 'Signs in with a ticket of the CAS server.' },
  'GET /auth/logout': {
    who: 'person, guest with a token',
    does: 'Ends the session. For older programs.',
    deprecated: true,
  },
  'POST /auth/logout': { who: 'person, guest with a token', does: 'Ends the session.' },
  'POST /auth/check': {
    who: person,
    does: 'Checks whether login (or e-mail address) and password are the caller’s own.',
  },
  'POST /auth/admin/login': {
    who: everybody,
    does: 'Signs in as a server administrator: an account of Etherpad with `is_admin`.',
  },
  'POST /auth/admin/login/host': {
    who: 'an administrator who is signed in at Etherpad’s `/admin` in the same browser',
    does: 'Signs in as that server administrator. Send `{}` as JSON.',
  },
  'GET /auth/admin/logout': { who: admin, does: 'Ends the session. For older programs.', deprecated: true },
  'POST /auth/admin/logout': { who: admin, does: 'Ends the session.' },

  'GET /configuration': {
    who: everybody,
    does: 'The public settings and the caller’s account; for server administrators all settings.',
  },
  'POST /configuration': {
    who: admin,
    does: 'Changes the setting `key`. For older programs.',
    deprecated: true,
  },
  'GET /configuration/{key}': { who: admin, does: 'A setting.' },
  'PUT /configuration/{key}': { who: admin, does: 'Changes a setting.' },
  'DELETE /configuration/{key}': { who: admin, does: 'Resets a setting to its default.' },
  'GET /configuration/public/usefirstlastname': {
    who: everybody,
    does: 'Whether people appear in pads with first and last name. For older programs.',
    deprecated: true,
  },
  'GET /configuration/public/allpadspublicsauthentifiedonly': {
    who: everybody,
    does: 'Whether all pads are open to everybody who is signed in, and to nobody else. If so, people who are signed in also get the group of the pad `pid`. For older programs.',
    deprecated: true,
  },

  'POST /user': {
    who: `everybody, ${admin}`,
    does: 'Registers, or creates an account for another person. With `checkMails`, the same call again sends the mail again.',
  },
  'GET /user/{login}': { who: owner, does: 'An account.' },
  'PUT /user/{login}': {
    who: owner,
    does: 'Changes the fields that are sent. To change their own `password` or `email`, people must send `currentPassword`.',
  },
  'DELETE /user/{login}': {
    who: owner,
    does: 'Removes the account and the groups that nobody else administers. To remove their own account, people must send `currentPassword`.',
  },
  'GET /user/{login}/sessions': {
    who: owner,
    does: 'The sessions of the account: where it is signed in, and since when.',
  },
  'DELETE /user/{login}/sessions/{session}': { who: owner, does: 'Ends one session of the account.' },
  'DELETE /user/{login}/sessions': { who: owner, does: 'Ends all other sessions of the account.' },
  'GET /all-users': { who: admin, does: 'All accounts, or one page of them with `limit` and `offset`.' },
  'GET /search-users/{text}': {
    who: admin,
    does: 'Accounts with the text in login, e-mail address or name. Letter case and accents do not count.',
  },

  'GET /overview': {
    who: person,
    does: 'A summary of the caller’s groups for lists, with the number of their pads, and the bookmarks.',
  },
  'GET /overview/pads': {
    who: person,
    does: 'Ids and names of the pads in the caller’s groups and in bookmarked ones, for a search.',
  },
  'GET /overview/recent': {
    who: person,
    does: 'The pads that the caller opened last in the app and may still open, the latest first.',
  },
  'GET /admin/settings': {
    who: admin,
    does: 'The settings that can be changed, with value, default, valid values, and whether `settings.json` locks them.',
  },
  'GET /admin/checkup': {
    who: admin,
    does: 'Checks the server: settings, mail, directory or sign-on server, proxy, Etherpad, database, records. Takes up to half a minute.',
  },
  'GET /admin/checkup/cookie': {
    who: admin,
    does: 'Whether the browser has sent back the cookie that came with the checkup.',
  },
  'GET /admin/log': {
    who: admin,
    does: 'A page of what server administrators did last, the latest first. At most 1,000 entries are kept.',
  },
  'GET /admin/numbers': {
    who: admin,
    does: 'Numbers of accounts, groups and pads on each of the last 400 days on which the server ran.',
  },
  'POST /admin/testMail': {
    who: admin,
    does: 'Sends a test mail to the address `to` with the stored settings, and answers what the mail server said.',
  },
  'POST /admin/testSetting': {
    who: admin,
    does: 'Tries settings for LDAP or CAS without storing them: connects and searches, or lets the server validate a ticket that nobody has.',
  },
  'GET /admin/users': { who: admin, does: 'A page of all accounts, by login, with filters.' },
  'GET /admin/groups': { who: admin, does: 'A page of all groups, with filters.' },
  'GET /admin/pads': { who: admin, does: 'A page of all pads, with filters.' },

  'GET /group': { who: person, does: 'The caller’s groups with their pads and people, and the bookmarks.' },
  'POST /group': {
    who: `person, ${admin}`,
    does: 'Creates a group. A server administrator names its administrator in `admin` by login, e-mail address or id.',
  },
  'GET /group/{id}': {
    who: 'who may see the group',
    does: 'A group and its pads. For a private group send its `password` in Base64.',
  },
  'POST /group/{id}/unlock': { who: everybody, does: 'The same, with the password as plain text.' },
  'PUT /group/{id}': { who: groupAdmin, does: 'Changes the fields that are sent.' },
  'DELETE /group/{id}': { who: groupAdmin, does: 'Removes a group with its pads.' },
  'POST /group/invite': {
    who: groupAdmin,
    does: 'Replaces the list of users or, with `invite` false, the list of administrators.',
  },
  'POST /group/{id}/members': {
    who: groupAdmin,
    does: 'Adds people by login or e-mail address as users or, with `admin` true, as administrators. Administrators keep their role.',
  },
  'PUT /group/{id}/members': {
    who: groupAdmin,
    does: 'Changes the roles of people, named by login or e-mail: administrator, user, or removed. Everybody else keeps their role.',
  },
  'DELETE /group/{id}/members/{login}': { who: groupAdmin, does: 'Removes a person from the group.' },
  'POST /group/tags': {
    who: groupAdmin,
    does: 'Adds tags to groups and removes tags from them, each group on its own. Tags that are not named stay.',
  },
  'POST /group/resign': { who: person, does: 'Leaves a group.' },

  'POST /pad': {
    who: `the group’s administrators, its users with \`allowUsersToCreatePads\`, ${admin}`,
    does: 'Creates a pad in a group.',
  },
  'GET /pad/{id}': {
    who: `who may open the pad, ${admin}`,
    does: 'A pad. For a private pad send its `password` in Base64.',
  },
  'POST /pad/{id}/unlock': { who: everybody, does: 'The same, with the password as plain text.' },
  'POST /pad/{id}/ticket': { who: 'who may open the pad', does: 'A ticket that opens the editor once.' },
  'POST /pad/{id}/duplicate': {
    who: 'who may open the pad and create pads in its group',
    does: 'Creates a pad with the same text and settings, without history and chat.',
  },
  'GET /pad/ispublic/{id}': { who: everybody, does: 'Whether the pad is public.' },
  'PUT /pad/{id}': {
    who: groupAdmin,
    does: 'Changes the fields that are sent. Another `group` moves the pad.',
  },
  'DELETE /pad/{id}': { who: groupAdmin, does: 'Removes a pad with its text and history.' },
  'DELETE /pad/chathistory/{id}': { who: groupAdmin, does: 'Removes the chat messages of a pad.' },

  'GET /userlist': {
    who: person,
    does: 'The caller’s user lists: lists of people that they keep for themselves.',
  },
  'POST /userlist': { who: person, does: 'Creates a user list.' },
  'PUT /userlist/{key}': {
    who: person,
    does: 'Changes the name or the people of a user list. `loginsOrEmails` replaces all people.',
  },
  'DELETE /userlist/{key}': { who: person, does: 'Removes a user list.' },
  'POST /usermark': { who: person, does: 'Sets the bookmark of a group or pad, or removes it if it is set.' },
  'PUT /usermark': { who: person, does: 'Sets or removes the bookmarks of many groups or pads.' },

  'POST /passrecover': { who: everybody, does: 'Sends a mail with a link for choosing a new password.' },
  'PUT /passrecover/{token}': { who: 'who has the link', does: 'Sets a new password.' },
  'POST /accountconfirm': { who: 'who has the link', does: 'Confirms an e-mail address.' },

  'GET /cache/check': { who: everybody, does: 'Whether the server is ready, so that everybody can sign in.' },
  'GET /stats/stats.json': {
    who: admin,
    does: 'The current numbers of accounts, groups and pads.',
  },
  'GET /l10n/{file}': { who: everybody, does: 'The texts of the page in a language, as `en.json`.' },
  'GET /openapi.json': { who: everybody, does: 'The description of the API for programs (OpenAPI 3.1).' },
};
