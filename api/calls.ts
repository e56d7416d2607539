/**
 * All calls of the API, a line each: who may call, the record that the call names and the right that it needs, what a
 * token of a program must allow, what the call does, and its details. docs/api.md, the API description and the types of
 * the page's client are made from this list. The server does not start if a call names a record and has no rule for it.
 */
import * as z from 'zod';
import * as access from './access/schema';
import * as admin from './admin/schema';
import * as auth from './auth/schema';
import * as bookmarks from './bookmark/schema';
import * as cache from './cache/schema';
import * as configuration from './configuration/schema';
import { type Call, call, details, type SentInput } from './declaration';
import * as directory from './directory/schema';
import * as exports from './export/schema';
import * as factors from './factor/schema';
import * as groups from './group/schema';
import * as fileImport from './import/schema';
import * as invitations from './invitation/schema';
import * as l10n from './l10n/schema';
import * as links from './link/schema';
import type { Handler } from './middleware/answerCall';
import type { Who } from './middleware/authorise';
import * as on from './on';
import * as pads from './pad/schema';
import * as imports from './padImport/schema';
import * as recovery from './recovery/schema';
import * as requests from './request/schema';
import * as rules from './rules/schema';
import * as searching from './search/schema';
import * as stats from './stats/schema';
import * as tokens from './token/schema';
import * as trash from './trash/schema';
import * as users from './user/schema';
import * as lists from './userlist/schema';

/** What each part of the API is about, by the first part of the path. */
export const resources = {
  auth: 'Signing in and out, of people and of server administrators.',
  configuration: 'Settings. Everyone sees some of them, server administrators all.',
  user: 'Accounts: registration, the caller’s profile, and the accounts of others for server administrators.',
  'all-users': 'All accounts, in the form of ep_mypads 1.x.',
  'search-users': 'A search for accounts, in the form of ep_mypads 1.x.',
  overview: 'Summaries of a person’s folders and pads, for lists and searches.',
  admin: 'Lists of all settings, accounts, folders and pads, for server administrators.',
  group: 'Folders of pads (“groups”) and their members.',
  pad: 'Pads of folders, and the tickets that open them in the editor.',
  invitations: 'Invitations to folders by email, for people without an account.',
  links: 'Links that open a folder or a pad to everyone who has them.',
  shared: 'Folders and pads that others have shared with the caller.',
  trash: 'Deleted pads and groups that can be restored.',
  requests: 'Requests of people for access to a folder or a pad.',
  exports: 'Exports of pads, groups, and all data of a person, as ZIP files.',
  search: 'A search in the texts of pads.',
  imports: 'Folders and pads from the files of a ZIP.',
  userlist: 'People lists: lists of people that a person keeps, to invite all of them at once.',
  usermark: 'Bookmarks on folders and pads.',
  passrecover: 'Choosing a new password with a link in an email.',
  accountconfirm: 'Confirming an email address with a link in an email.',
  cache: 'Whether the server is ready.',
  stats: 'Numbers of accounts, folders and pads.',
  l10n: 'The texts of the page.',
  'openapi.json': 'This description.',
} as const;

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';
type CallName = `${Method} /${keyof typeof resources}${'' | `/${string}`}`;

/** By what they are about. docs/api.md has them by their paths. */
export const calls = {
  'POST /auth/login': call('public', null, null, 'Signs in with username (or email address) and password. Answers what is missing, and no token, if the account has a second factor or must set one up.', auth.login),
  'POST /auth/login/factor': call('public', null, null, 'The second step of a sign-in: send `pending` and one of `code`, `recoveryCode` and `passkey`.', auth.loginByFactor),
  'POST /auth/login/passkey': call('public', null, null, 'Signs in with a passkey alone.', auth.loginByPasskey),
  'POST /auth/passkey/options': call('public', null, null, 'Returns what a browser needs to ask for a passkey of this site.', auth.passkeyOptions),
  'POST /auth/login/cas': call('public', null, null, 'Signs in with a ticket of single sign-on (CAS).', auth.loginByTicket),
  'POST /auth/login/oidc': call('public', null, null, 'Signs in with the code with which a provider’s callback has led the browser to the page.', auth.loginByCode),
  'POST /auth/login/header': call('public', null, null, 'Signs in whom the proxy in front of the server names in its headers. The body is an empty object.', auth.loginByHeader),
  'POST /auth/cas/logout': call('public', null, null, 'Where the CAS server tells that it has signed someone out (single logout): ends the session that began with the ticket. The answer is the same if there is none.', auth.casLogout),
  'GET /auth/oidc/{provider}/start': call('public', null, null, 'Leads a browser to a provider of OpenID Connect. `next`: the path in the app to open afterwards.', auth.oidcStart),
  'GET /auth/oidc/{provider}/callback': call('public', null, null, 'Where the provider sends the browser back. Leads to the sign-in page.', auth.oidcCallback),
  'POST /auth/oidc/{provider}/callback': call('public', null, null, 'The same for `response_mode=form_post`.', auth.oidcCallbackForm),
  'GET /auth/oidc/{provider}/logout': call('public', null, null, 'A provider opens it in a frame of its own page when it signs someone out (front-channel logout): ends the sessions that began with the session `sid` there. The answer is the same if there are none.', auth.oidcFrontLogout),
  'POST /auth/oidc/{provider}/logout': call('public', null, null, 'Where the provider tells that it has signed someone out (back-channel logout): ends the sessions that began there.', auth.oidcLogout),
  'GET /auth/methods': call('public', null, 'read', 'Returns the ways to sign in that are offered, in their order.', auth.methods),
  'GET /auth/logout': call('visitor', null, null, 'Ends the session. For older programs.', auth.logoutByGet),
  'POST /auth/logout': call('visitor', null, null, 'Ends the session.', auth.logout),
  'POST /auth/check': call('person', null, null, 'Checks whether username (or email address) and password are the caller’s own.', auth.check),
  'POST /auth/admin/login': call('public', null, null, 'Signs in as a server administrator: an account of Etherpad with `is_admin`.', auth.adminLogin),
  'POST /auth/admin/login/host': call('hostAdministrator', null, null, 'Signs in as that server administrator. Send `{}` as JSON.', auth.hostLogin),
  'GET /auth/admin/logout': call('administrator', null, null, 'Ends the session. For older programs.', auth.adminLogoutByGet),
  'POST /auth/admin/logout': call('administrator', null, null, 'Ends the session.', auth.adminLogout),

  'GET /configuration': call('public', null, 'read', 'Returns the public settings and the caller’s account. Server administrators get all settings.', configuration.read),
  'GET /configuration/public/usefirstlastname': call('public', null, 'read', 'Says whether people appear in pads with first and last name. For older programs.', configuration.useFirstLastName),
  'GET /configuration/public/allpadspublicsauthentifiedonly': call('public', null, 'read', 'Says whether all pads are open to everyone who is signed in, and to nobody else. If so, people who are signed in also get the group of the pad `pid`. For older programs.', configuration.authentifiedOnly),
  'GET /configuration/{key}': call('administrator', on.setting, 'administration', 'Returns a setting.', configuration.readOne),
  'DELETE /configuration/{key}': call('administrator', on.setting, 'administration', 'Resets a setting to its default.', configuration.reset),
  'POST /configuration': call('administrator', on.setting, 'administration', 'Changes the setting `key`. For older programs.', configuration.saveByBody),
  'PUT /configuration/{key}': call('administrator', on.setting, 'administration', 'Changes a setting.', configuration.save),

  'POST /user': call('everybody', null, 'administration', 'Registers, or creates an account for another person. With `checkMails`, the same call again sends the email again.', users.register),
  'GET /user/{login}': call('oneself', on.account, 'read', 'Returns an account.', users.read),
  'PUT /user/{login}': call('oneself', on.account, 'administration', 'Changes the fields that are sent. To change their own `password` or `email`, people must send `currentPassword`.', users.save),
  'GET /user/{login}/sessions': call('oneself', on.account, null, 'Lists the sessions of the account: where it is signed in, and since when.', users.sessions),
  'DELETE /user/{login}/sessions/{session}': call('oneself', on.sessionOfAccount, null, 'Ends one session of the account.', users.endSession),
  'DELETE /user/{login}/sessions': call('oneself', on.account, null, 'Ends all other sessions of the account.', users.endSessions),
  'GET /user/{login}/tokens': call('oneself', on.account, null, 'Lists the API tokens of the account, the newest first.', tokens.list),
  'POST /user/{login}/tokens': call('oneself', on.ownAccount, null, 'Makes an API token, with which a program acts as the caller within its scopes. Only this answer has the token itself.', tokens.create),
  'DELETE /user/{login}/tokens/{id}': call('oneself', on.tokenOfAccount, null, 'Ends an API token of the account.', tokens.end),
  'GET /user/{login}/factors': call('oneself', on.account, null, 'Lists the second factors of the account, and says what is possible and required.', factors.list),
  'POST /user/{login}/factors/totp/options': call('oneself', on.ownAccount, null, 'Begins to add an authenticator app: returns what it needs.', factors.beginTotp),
  'POST /user/{login}/factors/totp': call('oneself', on.ownAccount, null, 'Adds the app, or replaces the one before, with the first `code` that it shows. Ends all other sessions of the account.', factors.addTotp),
  'POST /user/{login}/factors/passkey/options': call('oneself', on.ownAccount, null, 'Begins to add a passkey: returns what the browser needs.', factors.beginPasskey),
  'POST /user/{login}/factors/passkey': call('oneself', on.ownAccount, null, 'Adds the passkey that the browser has made. Ends all other sessions of the account.', factors.addPasskey),
  'POST /user/{login}/factors/recovery': call('oneself', on.ownAccount, null, 'Makes ten new recovery codes. Those before do not work any more.', factors.newRecoveryCodes),
  'DELETE /user/{login}/factors/{id}': call('oneself', on.factorOfAccount, null, 'Removes a factor. With the last one, the recovery codes end too.', factors.remove),
  'DELETE /user/{login}': call(
    'oneself',
    on.account,
    null,
    'Deletes the account and the groups that nobody else manages, and answers which. With `folders`, these are handed over first, and stay. `groups`: refused if there are others. `preview` only answers. For their own account, people send `currentPassword`.',
    users.remove,
  ),
  'GET /all-users': call('administrator', null, 'administration', 'Returns all accounts, or one page of them with `limit` and `offset`.', directory.all),
  'GET /search-users/{text}': call('administrator', null, 'administration', 'Returns the accounts that have each word of the text in username, email address or name. Letter case and accents do not count.', directory.byText),

  'GET /overview': call('person', null, 'read', 'Returns a summary of the caller’s groups for lists, with the number of their pads, and the bookmarks.', groups.overview),
  'GET /overview/pads': call('person', null, 'read', 'Returns ids and names of the pads in the caller’s groups, in bookmarked ones and in those of links that they keep, for a search.', groups.padNames),
  'GET /overview/recent': call('person', null, 'read', 'Returns the pads that the caller opened last in the app and may still open, the latest first.', groups.recent),
  'GET /overview/present': call('person', null, 'read', 'Returns who has pads of the caller’s groups and of bookmarked ones open now.', groups.presentInOwn),

  'GET /admin/settings': call('administrator', null, 'administration', 'Returns the settings that can be changed, with value, default, valid values, and whether `settings.json` locks them.', admin.settings),
  'GET /admin/users': call('administrator', null, 'administration', 'Returns a page of all accounts, with filters.', admin.users),
  'GET /admin/users/{login}/access': call('administrator', on.account, 'administration', 'Lists the groups of an account with its role in them, and the pads that are shared alone with it.', access.ofAccount),
  'DELETE /admin/users/{login}/factors': call('administrator', on.account, null, 'Removes all second factors of an account, for a person who has lost them. They get an email.', factors.reset),
  'POST /admin/users/{login}/handover': call('administrator', on.account, 'administration', 'Makes the account `to` a manager of all groups that this account manages and no other open one, and answers which.', groups.handOverAll),
  'GET /admin/groups': call('administrator', null, 'administration', 'Returns a page of all groups, with filters.', admin.groups),
  'GET /admin/pads': call('administrator', null, 'administration', 'Returns a page of all pads, with filters.', admin.pads),
  'POST /admin/testMail': call('administrator', null, 'administration', 'Sends a test email to the address `to` with the stored settings, and answers what the mail server said.', admin.sendTestMail),
  'POST /admin/trySignIn/{provider}': call('administrator', null, 'administration', 'Begins a sign-in with OpenID Connect that only shows what the provider says of the person, and what signing in would do. No session begins, and no account changes. Works only in the browser that gets the answer.', auth.tryOidc),
  'POST /admin/testSetting': call('administrator', on.setting, 'administration', 'Tests the settings of a way to sign in without storing them: searches the directory, asks the CAS server to validate a made-up ticket, reads configuration and keys of each provider, or returns what the proxy says.', admin.trySetting),
  'GET /admin/checkup': call('administrator', null, 'administration', 'Checks the server: settings, email, directory or single sign-on, proxy, Etherpad, database, records. Takes up to half a minute.', admin.checkup),
  'GET /admin/checkup/cookie': call('administrator', null, null, 'Says whether the browser has sent back the cookie that came with the health check.', admin.cookie),
  'POST /admin/index/rebuild': call('administrator', null, 'administration', 'Begins to build the index of accounts, groups and pads again, in all processes. Calls that need it answer `SERVER.BUSY` until that is done.', admin.rebuildIndex),
  'GET /admin/locks': call('administrator', null, 'administration', 'Returns who is locked out now because a limit was reached, at most 200, the longest first.', admin.locks),
  'DELETE /admin/locks/{id}': call('administrator', on.limitLock, 'administration', 'Lifts a limit: forgets the attempts that were counted.', admin.lift),
  'GET /admin/jobs': call('administrator', null, 'administration', 'Returns the work in the background that has not ended, at most 200 jobs, the oldest first.', admin.jobs),
  'POST /admin/jobs/{id}/run': call('administrator', on.openJob, 'administration', 'Runs a job now, also one that is not tried again by itself. Answers when it has run, or after five seconds; it then continues.', admin.runJob),
  'DELETE /admin/jobs/{id}': call('administrator', on.cancellableJob, 'administration', 'Gives up a job with `canCancel`: an email that waits is not sent, an export is not made. An email that is being sent may still arrive.', admin.cancelJob),
  'GET /admin/log': call('administrator', null, 'administration', 'Returns a page of the activity of server administrators, newest first. At most 1,000 entries are kept.', admin.log),
  'GET /admin/tokens': call('administrator', null, null, 'Returns a page of the API tokens of all people and server administrators, the newest first.', tokens.all),
  'POST /admin/tokens': call('administrator', null, null, 'Makes an API token, with which a program acts as the calling server administrator within its scopes. Only for administrators in Etherpad’s settings file.', tokens.createOwn),
  'DELETE /admin/tokens/{id}': call('administrator', on.anyApiToken, null, 'Ends an API token of anyone.', tokens.endAny),
  'GET /admin/group-rules': call('administrator', null, 'administration', 'Returns the rules that make groups of a directory (LDAP, CAS, OpenID Connect) members of groups.', rules.list),
  'PUT /admin/group-rules': call('administrator', null, 'administration', 'Replaces all rules, and begins to apply them to everyone. What a rule has given that is gone or changed is taken away.', rules.save),
  'POST /admin/group-rules/preview': call('administrator', null, 'administration', 'Says who would get and lose which role by these rules, and changes nothing. It knows what services sent at the last sign-in of each person.', rules.preview),
  'GET /admin/directory/sync': call('administrator', null, 'administration', 'Says how the last run over everyone in the LDAP directory ended, and whether one is running or waits for confirmation.', rules.syncState),
  'POST /admin/directory/sync': call('administrator', null, 'administration', 'Begins a run, which updates accounts and roles as at a sign-in of everyone in the LDAP directory, and deactivates accounts of people who are gone. Or says what a run would do, and changes nothing.', rules.sync),
  'GET /admin/import': call('administrator', null, 'administration', 'Returns what syncs of a file have given: the accounts that they made, and who has a role in a group by the file.', fileImport.state),
  'POST /admin/import/roles': call('administrator', null, 'administration', 'Gives people roles in a group by the file, and takes such roles from others. What people have given stays. With `name`, it first makes the group.', fileImport.roles),
  'POST /admin/import/accounts': call('administrator', null, 'administration', 'Deactivates accounts that a sync of a file has made, and activates those that a sync has deactivated. Others stay as they are.', fileImport.accounts),
  'GET /admin/numbers': call('administrator', null, 'administration', 'Returns statistics: the numbers of accounts, groups and pads on each of the last 400 days on which the server ran.', admin.numbers),

  'GET /group': call('person', null, 'read', 'Returns the caller’s groups with their pads and people, and the bookmarks.', groups.own),
  'POST /group': call('signedIn', on.newGroup, 'write', 'Creates a group. A server administrator names its manager in `admin` by username, email address or id.', groups.create),
  'GET /group/{id}': call('everybody', on.visibleGroup, 'read', 'Returns a group with its pads and people. For a password-protected group (`private`) send its `password` in Base64.', groups.read),
  'POST /group/{id}/unlock': call('everybody', on.visibleGroup, null, 'Does the same as the GET without `unlock`. The password is sent as plain text.', groups.unlock),
  'GET /group/{id}/present': call('everybody', on.visibleGroup, 'read', 'Returns who has pads of the group open now.', groups.presentIn),
  'PUT /group/{id}': call('signedIn', on.group('edit'), 'write', 'Changes the fields that are sent.', groups.save),
  'DELETE /group/{id}': call('signedIn', on.group('remove'), 'write', 'Deletes a group with its pads. While the setting `trashDays` is not 0, they can be restored from the trash.', groups.remove),
  'POST /group/tags': call('signedIn', on.eachGroup('edit'), 'write', 'Adds tags to groups and removes tags from them, each group on its own. Tags that are not named stay.', groups.tag),
  'POST /group/invite': call('signedIn', on.group('share', 'gid'), 'people', 'Replaces the list of members (`users`) or, with `invite` false, the list of managers (`admins`).', groups.invite),
  'POST /group/{id}/members': call('signedIn', on.group('share'), 'people', 'Adds people by username or email address, in a `role`. Nobody gets a role with fewer rights than before.', groups.addMembers),
  'PUT /group/{id}/members': call('signedIn', on.group('share'), 'people', 'Changes the roles of people, named by username or email address: manager (`admins`), member (`users`), reader (`readers`), or removed. Everyone else keeps their role.', groups.changeRoles),
  'DELETE /group/{id}/members/{login}': call('signedIn', on.groupPerson('invite'), 'people', 'Removes a person from the group.', groups.removeMember),
  'GET /group/{id}/links': call('signedIn', on.groupLinks, 'people', 'Lists the links of a group and of its pads.', links.list),
  'POST /group/{id}/links': call('signedIn', on.group('link'), 'people', 'Makes a link to a group. It opens the group and the pads that have its visibility.', links.create),
  'GET /group/{id}/access': call('signedIn', on.group('share'), 'people', 'Lists who can open a group or single pads of it, and why.', access.ofGroup),
  'POST /group/{id}/handover': call('signedIn', on.group('share'), 'people', 'Makes the account `to` the only manager of a group. The others become members.', groups.handOver),
  'POST /group/{id}/requests': call('person', on.anyGroup, 'people', 'Asks the managers of a group for access. The answer is the same if there is no such group, and if the caller has asked before.', requests.ask),
  'GET /group/{id}/invitations': call('signedIn', on.group('share'), 'people', 'Lists the invitations of a group that nobody has accepted yet.', invitations.list),
  'POST /group/{id}/invitations': call('signedIn', on.group('share'), 'people', 'Invites email addresses without an account to a group or to one pad of it, and adds people with an account at once. Who is invited already gets the new role.', invitations.create),
  'POST /group/resign': call('person', on.ownMembership, 'people', 'Leaves a group.', groups.leave),

  'POST /pad': call('signedIn', on.newPad, 'write', 'Creates a pad in a group, empty or with the text of a template.', pads.create),
  'POST /pad/{id}/duplicate': call('person', on.copiedPad, 'write', 'Creates a pad with the same text and settings, without history and chat.', pads.duplicate),
  'GET /pad/{id}': call('everybody', on.shownPad, 'read', 'Returns a pad, also by its read-only id. For a password-protected pad (`private`) send its `password` in Base64.', pads.read),
  'POST /pad/{id}/unlock': call('everybody', on.shownPad, null, 'Does the same as the GET without `unlock`. The password is sent as plain text.', pads.unlock),
  'GET /pad/ispublic/{id}': call('public', on.anyPad, 'read', 'Says whether the pad is public.', pads.isPublic),
  'POST /pad/{id}/ticket': call('everybody', on.openPad, null, 'Returns a ticket that opens the editor once. With the read-only id, nobody can write in it.', pads.ticket),
  'GET /pad/{id}/links': call('signedIn', on.padLinks, 'people', 'Lists the links of a pad.', links.list),
  'POST /pad/{id}/links': call('signedIn', on.linkedPad, 'people', 'Makes a link to a pad. It opens this pad and shows nothing else of its group.', links.create),
  'GET /pad/{id}/access': call('signedIn', on.sharedPad, 'people', 'Lists who can open a pad, and why.', access.ofPad),
  'POST /pad/{id}/people': call('signedIn', on.sharedPad, 'people', 'Shares a pad alone with people, named by username or email address. They see nothing else of its group. Another `role` replaces the earlier one.', access.share),
  'DELETE /pad/{id}/people/{login}': call('signedIn', on.sharedPadPerson, 'people', 'Ends the share of a pad with a person.', access.unshare),
  'POST /pad/{id}/requests': call('person', on.anyNamedPad, 'people', 'Asks the managers of the pad’s group for access to the pad, or for the right to write. The answer is the same if there is no such pad, and if the caller has asked before.', requests.ask),
  'PUT /pad/{id}': call('signedIn', on.changedPad, 'write', 'Changes the fields that are sent. Another `group` moves the pad.', pads.save),
  'DELETE /pad/chathistory/{id}': call('signedIn', on.pad('removeChatHistory'), 'write', 'Deletes the chat messages of a pad.', pads.removeChat),
  'DELETE /pad/{id}': call('signedIn', on.pad('remove'), 'write', 'Deletes a pad with its text and history. While the setting `trashDays` is not 0, it can be restored from the trash.', pads.remove),

  'POST /links/open': call('everybody', null, null, 'Opens a link: from now on, this session has its role. Guests get a session. Nothing is used up.', links.open),
  'PUT /links/{id}': call('signedIn', on.ownLink(true), 'people', 'Changes the fields of a link that are sent. Another password ends it for everyone who has opened it; without one, it is open to them again.', links.save),
  'DELETE /links/{id}': call('signedIn', on.ownLink(false), 'people', 'Ends a link. Editors that were opened by it are closed.', links.end),

  'DELETE /shared/{id}': call('person', on.ownShared, 'write', 'Takes a group or pad out of the caller’s list of shared things: forgets kept links to it, and ends the share of the pad with the caller.', access.leave),

  'GET /search': call('person', null, 'read', 'Searches in the texts of the pads in the caller’s lists that they may open: their groups, bookmarks, and what is shared with them. Texts are found a minute after the last change. The answer is `TYPE.ROUTE` while `searchTexts` is off.', searching.search),
  'POST /imports': call('person', on.importTarget, 'write', 'Makes groups and pads of a ZIP: an export of ep_mypads, or text, Markdown, HTML and .etherpad files in folders. `preview` only answers what would be made. The work continues after the answer.', imports.create),
  'GET /imports/{id}': call('person', on.ownImport, 'read', 'Says how far the caller’s last import is, and what it has made.', imports.read),
  'DELETE /imports/{id}': call('person', on.ownImport, 'write', 'Ends an import. What it has made stays.', imports.cancel),
  'GET /trash': call('signedIn', null, 'read', 'Returns a page of the deleted pads and groups that the caller can restore, the latest first.', trash.list),
  'POST /trash/{id}/restore': call('signedIn', on.restored, 'write', 'Restores a pad or a group with everything that belonged to it: people, links, password, bookmarks.', trash.restore),
  'DELETE /trash/{id}': call('signedIn', on.inTrash, 'write', 'Deletes a pad or a group that is in the trash for good.', trash.remove),
  'DELETE /trash': call('signedIn', null, 'write', 'Deletes everything in the trash for good that the caller sees there.', trash.empty),

  'POST /exports': call('signedIn', on.exported, null, 'Begins an export as a ZIP file: of pads, of a group, of all data of the caller (`me`), or by a server administrator of a person (`user`). A caller can have one at a time.', exports.create),
  'GET /exports': call('signedIn', null, null, 'Lists the exports of the caller of the last 24 hours, the latest first.', exports.list),
  'GET /exports/{id}': call('signedIn', on.ownExport, null, 'Returns an export: how far it is, and whether its file is ready.', exports.read),
  'GET /exports/{id}/file': call('signedIn', on.ownExport, null, 'Returns the ZIP file. `SERVER.BUSY` with `retryAfter`: this process makes the file, also again if another one has it.', exports.file),
  'DELETE /exports/{id}': call('signedIn', on.ownExport, null, 'Removes an export and its file, also one that is being made.', exports.remove),

  'GET /requests': call('person', null, 'read', 'Lists the open requests for access to the groups that the caller manages, and to their pads, the oldest first.', requests.list),
  'PUT /requests/{id}': call('signedIn', on.openRequest, 'people', 'Answers a request: gives the person a `role` in the group, or declines. The person is told when they get access, and nothing otherwise.', requests.answer),

  'PUT /invitations/{id}': call('signedIn', on.ownInvitation, 'people', 'Changes role or sentence of an invitation. No email is sent.', invitations.save),
  'DELETE /invitations/{id}': call('signedIn', on.ownInvitation, 'people', 'Withdraws an invitation: its link opens nothing from now on.', invitations.withdraw),
  'POST /invitations/{id}/resend': call('signedIn', on.ownInvitation, 'people', 'Sends the email of an invitation again, at most once an hour.', invitations.resend),
  'POST /invitations/show': call('public', on.mailedLink, null, 'Says who invites to which group, for the page of the link in the email. Uses nothing up.', invitations.show),
  'POST /invitations/accept': call('person', on.mailedLink, null, 'Accepts an invitation. Only for the account with the invited address.', invitations.accept),
  'POST /invitations/refuse': call('public', on.mailedLink, null, 'Stops all further invitations to an address, from everyone.', invitations.refuse),

  'GET /userlist': call('person', null, 'read', 'Returns the caller’s people lists: lists of people that they keep for themselves.', lists.own),
  'DELETE /userlist/{key}': call('person', on.ownUserList, 'write', 'Deletes a people list.', lists.remove),
  'POST /userlist': call('person', null, 'write', 'Creates a people list.', lists.create),
  'PUT /userlist/{key}': call('person', on.ownUserList, 'write', 'Changes the name or the people of a people list. `loginsOrEmails` replaces all people.', lists.save),

  'POST /usermark': call('person', on.bookmarked('key'), 'write', 'Sets the bookmark of a group or pad, or removes it if it is set.', bookmarks.toggle),
  'PUT /usermark': call('person', on.bookmarked('keys'), 'write', 'Sets or removes the bookmarks of many groups or pads.', bookmarks.setMany),

  'POST /passrecover': call('public', null, null, 'Sends an email with a link for choosing a new password.', recovery.recover),
  'GET /passrecover/{token}': call('public', on.mailedLink, null, 'Says whether the link of an email still works. The call does not use it up.', recovery.checkLink),
  'PUT /passrecover/{token}': call('public', on.mailedLink, null, 'Sets a new password.', recovery.choosePassword),
  'POST /accountconfirm': call('public', on.mailedLink, null, 'Confirms an email address.', recovery.confirm),

  'GET /cache/check': call('public', null, 'read', 'Says whether the server is ready, so that everyone can sign in.', cache.check),
  'GET /stats/stats.json': call('administrator', null, 'administration', 'Returns the current numbers of accounts, groups and pads.', stats.stats),
  'GET /l10n/{file}': call('public', null, 'read', 'Returns the texts of the page in a language, for example `en.json`.', l10n.texts),
  'GET /openapi.json': call('public', null, 'read', 'Returns the description of the API for programs (OpenAPI 3.1).', details({ answer: z.looseObject({}) })),
} satisfies Partial<Record<CallName, Call>>;

export type Calls = typeof calls;

/** What a client sends with a call, and what it gets. */
export type InputOf<Name extends keyof Calls> = Calls[Name] extends Call<Who, object, object, infer Schema> ? SentInput<Schema> : never;
export type AnswerOf<Name extends keyof Calls> = z.output<Calls[Name]['answer']>;

/** The handlers of all calls. Each resource has those of its calls. */
export type Handlers = { [Name in keyof Calls]: Handler<Calls[Name]> };
