/**
 * Every call of the API in words: who may make it, and what it does. For the API's own description and for docs/api.md; a call that is
 * missing here, or is here and nowhere else, fails the description (api/openapi.ts).
 */

export interface CallInWords {
  who: string;
  does: string;
}

const admin = 'server administrator';
const everybody = 'everybody';
const person = 'person';
const owner = `oneself, ${admin}`;
const groupAdmin = `the group’s administrators, ${admin}`;

/** By method and path, as OpenAPI writes it. The order is that of docs/api.md. */
export const calls: Readonly<Record<string, CallInWords>> = {
  'POST /auth/login': { who: everybody, does: 'Signs in with login (or e-mail address) and password.' },
  'POST /auth/login/cas': { who: everybody, does: 'Signs in with a ticket of the CAS server.' },
  'GET /auth/logout': { who: 'person, guest with a token', does: 'Ends the session. For older programs.' },
  'POST /auth/logout': { who: 'person, guest with a token', does: 'Ends the session.' },
  'POST /auth/check': { who: person, does: 'Is this the own login (or e-mail address) and password?' },
  'POST /auth/admin/login': {
    who: everybody,
    does: 'Signs in as a server administrator, an account of Etherpad with `is_admin`.',
  },
  'POST /auth/admin/login/host': {
    who: 'whoever is signed in at Etherpad’s `/admin` in the same browser',
    does: 'Signs in as that server administrator. Send `{}` as JSON.',
  },
  'GET /auth/admin/logout': { who: admin, does: 'Ends the session. For older programs.' },
  'POST /auth/admin/logout': { who: admin, does: 'Ends the session.' },

  'GET /configuration': {
    who: everybody,
    does: 'The settings that everybody may know, and who is calling; all settings for server administrators.',
  },
  'POST /configuration': { who: admin, does: 'Changes the setting `key`.' },
  'GET /configuration/{key}': { who: admin, does: 'One setting.' },
  'PUT /configuration/{key}': { who: admin, does: 'Changes a setting.' },
  'DELETE /configuration/{key}': { who: admin, does: 'Takes a setting back to its default.' },
  'GET /configuration/public/usefirstlastname': {
    who: everybody,
    does: 'Are people shown in pads with first and last name?',
  },
  'GET /configuration/public/allpadspublicsauthentifiedonly': {
    who: everybody,
    does: 'Are all pads open to whoever is signed in? Then also the group of the pad `pid`, for who may know it.',
  },

  'POST /user': {
    who: `everybody, ${admin}`,
    does: 'Registers, or makes an account for somebody. The same again sends the mail of `checkMails` again.',
  },
  'GET /user/{login}': { who: owner, does: 'An account.' },
  'PUT /user/{login}': {
    who: owner,
    does: 'Changes what is sent. A new `password` or `email` of oneself needs `currentPassword`.',
  },
  'DELETE /user/{login}': {
    who: owner,
    does: 'Removes the account with what it alone administers. Oneself: needs `currentPassword`.',
  },
  'DELETE /user/{login}/sessions': { who: owner, does: 'Signs out everywhere else.' },
  'GET /all-users': { who: admin, does: 'All accounts, or with `limit` and `offset` a part of them.' },
  'GET /search-users/{text}': {
    who: admin,
    does: 'Accounts with the text in login, address or name; letter case and accents do not count.',
  },

  'GET /group': { who: person, does: 'One’s groups with their pads and people, and the bookmarks.' },
  'POST /group': {
    who: `person, ${admin}`,
    does: 'Makes a group; a server administrator names its administrator in `admin`, a user id.',
  },
  'GET /group/{id}': {
    who: 'who may see it',
    does: 'A group and its pads; `password` in Base64 opens a private one.',
  },
  'POST /group/{id}/unlock': { who: everybody, does: 'The same, with the password as it was typed.' },
  'PUT /group/{id}': { who: groupAdmin, does: 'Changes what is sent.' },
  'DELETE /group/{id}': { who: groupAdmin, does: 'Removes the group with its pads.' },
  'POST /group/invite': {
    who: groupAdmin,
    does: 'Sets the complete list of users, or of administrators with `invite` false.',
  },
  'POST /group/resign': { who: person, does: 'Leaves a group.' },

  'POST /pad': {
    who: `the group’s administrators, its users where \`allowUsersToCreatePads\`, ${admin}`,
    does: 'Makes a pad in a group.',
  },
  'GET /pad/{id}': {
    who: `who may enter it, ${admin}`,
    does: 'A pad; `password` in Base64 opens a private one.',
  },
  'POST /pad/{id}/unlock': { who: everybody, does: 'The same, with the password as it was typed.' },
  'POST /pad/{id}/ticket': { who: 'who may enter it', does: 'A ticket that opens the editor once.' },
  'GET /pad/ispublic/{id}': { who: everybody, does: 'Is the pad public?' },
  'PUT /pad/{id}': { who: groupAdmin, does: 'Changes what is sent; another `group` moves the pad.' },
  'DELETE /pad/{id}': { who: groupAdmin, does: 'Removes a pad with its text and history.' },
  'DELETE /pad/chathistory/{id}': { who: groupAdmin, does: 'Removes the chat of a pad.' },

  'GET /userlist': { who: person, does: 'One’s lists of people.' },
  'POST /userlist': { who: person, does: 'Makes a list.' },
  'PUT /userlist/{key}': {
    who: person,
    does: 'Changes name, members or both; members are always the complete list.',
  },
  'DELETE /userlist/{key}': { who: person, does: 'Removes a list.' },
  'POST /usermark': { who: person, does: 'Bookmarks a group or pad, or takes the bookmark away.' },

  'POST /passrecover': { who: everybody, does: 'Asks for a mail with a link to a new password.' },
  'PUT /passrecover/{token}': { who: 'who has the link', does: 'Sets a new password.' },
  'POST /accountconfirm': { who: 'who has the link', does: 'Confirms an e-mail address.' },

  'GET /cache/check': { who: everybody, does: 'Can everybody sign in yet?' },
  'GET /stats/stats.json': {
    who: admin,
    does: 'Numbers of accounts, groups and pads as they were at `timestamp`; older than ten minutes, they are counted anew for the next call.',
  },
  'GET /l10n/{file}': { who: everybody, does: 'The page’s texts, as `en.json`.' },
  'GET /openapi.json': { who: everybody, does: 'This description, for programs (OpenAPI 3.1).' },
};
