import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Test } from 'supertest';
import { keys } from '../../model/store/store';
import { startApp, type TestApp, temporaryFolder } from '../support/app';
import { createAuthenticator } from '../support/authenticator';
import { type Call, callerOf } from '../support/caller';
import { checkEach } from '../support/cases';
import { logoutRequest, startCasServer } from '../support/casServer';
import { type Document, readDocument } from '../support/document';
import {
  buildApiToken,
  buildGroup,
  buildPad,
  buildUser,
  signInAsAdmin,
  type TestUser,
} from '../support/factories';
import type { Answer } from '../support/leaks';
import { startMailFor } from '../support/mailFixture';
import { openOidcBrowser } from '../support/oidcBrowser';
import { startOidcServer } from '../support/oidcServer';
import { addApp, addPasskey, codeOf, site } from '../support/secondFactors';
import { chooseEmptyDirectory } from '../support/signInServices';
import { sendZip, zipOf } from '../support/zips';

interface Fixture {
  app: TestApp;
  guest: Call;
  user: TestUser;
  call: Call;
  admin: Call;
  groupId: string;
  padId: string;
  listId: string;
  set(key: string, value: unknown): Promise<void>;
}

const password = 'secret of the group';
/** A mail that has failed too often. It fails again, because mail is not set up. */
const failedJobs = {
  'mailRecovery:one': {
    type: 'mailRecovery',
    facts: { email: 'ada@example.org' },
    begun: 1,
    next: 2,
    attempts: 8,
    error: 'Error: no mail server',
    failed: true,
    progress: { done: 0, total: 1 },
  },
};
const rootUrl = 'https://pads.example.org';
const groupRule = (folder: string) => ({ source: 'ldap', value: 'cn=staff', role: 'reader', folder });

/** Imports one person as a sync of a file does, who manages a folder by it. */
async function importOne(admin: Call) {
  const imported = { login: 'imported', email: 'imported@example.org', password: 'secret of imported' };
  await admin('post', 'user', { ...imported, sync: true });
  return admin('post', 'admin/import/roles', { name: 'Imported', managers: [imported.login] });
}

/** Makes the server send a mail. Returns the token in its link. */
async function mailedToken({ app }: Fixture, send: () => PromiseLike<unknown>): Promise<string> {
  const mail = await startMailFor(app);
  await send();
  const { text } = await mail.next();
  await mail.close();
  return /[0-9a-f]{64}/.exec(text)?.[0] ?? '';
}

/** Invites the address. Returns the id of the invitation, and the tokens in the links of its mail. */
async function invite({ app, call, groupId }: Fixture, address: string) {
  const mail = await startMailFor(app);
  await call('post', `group/${groupId}/invitations`, { loginsOrEmails: [address] });
  const { text } = await mail.next();
  await app.idle();
  await mail.close();
  const { body } = await call('get', `group/${groupId}/invitations`);
  const { _id: id } = body.value.find((one: { address: string }) => one.address === address);
  const tokenOf = (path: string): string => new RegExp(`\\?/${path}/(\\S+)`).exec(text)?.[1] ?? '';
  return { id, token: tokenOf('invitation'), refusal: tokenOf('noinvitations') };
}

async function signInByCas({ set, guest }: Fixture): Promise<Answered> {
  const cas = await startCasServer();
  await set('rootUrl', rootUrl);
  await set('authCasSettings', cas.settings());
  await set('authMethod', 'cas');
  const attributes = { email: 'ada@example.org', firstname: 'Ada', lastname: 'Lovelace' };
  const ticket = cas.ticket({ user: 'ada', attributes }, `${rootUrl}/mypads/?/login`);
  const answer = await guest('post', 'auth/login/cas', { ticket });
  await cas.stop();
  return answer;
}

/** Every call of a sign-in with OpenID Connect, and of the sign-out at the provider. */
async function signInByOidc({ app, set }: Fixture) {
  const server = await startOidcServer({ root: rootUrl });
  await set('rootUrl', rootUrl);
  await set('authOidcSettings', { providers: { school: server.provider() } });
  await set('authMethods', ['oidc']);
  server.present({ sub: 'a', preferred_username: 'ada', email: 'ada@example.org', email_verified: true });
  const browser = openOidcBrowser(app, rootUrl);
  const answer = await browser.visitUntilAnswer('/api/auth/oidc/school/start');
  const callback = await browser.open(answer.pathname.replace('/mypads', '') + answer.search);
  const login = await browser.redeem(new URL(callback.location));
  const start = await browser.open('/api/auth/oidc/school/start');
  const { begun: trial } = await browser.tryAs(await signInAsAdmin(app));
  const events = { 'http://schemas.openid.net/event/backchannel-logout': {} };
  const claims = { iss: server.url, aud: 'pads', sub: 'a', iat: Math.floor(Date.now() / 1000), events };
  const logout = await app.agent
    .post('/api/auth/oidc/school/logout')
    .type('form')
    .send({ logout_token: await server.sign(claims) });
  const frame = await app.agent.get('/api/auth/oidc/school/logout').query({ iss: server.url, sid: 'x' });
  await server.stop();
  const answers = { login: login.response, start: start.response, callback: callback.response };
  return { ...answers, logout, frame, trial };
}

/** Lets somebody ask for access to the pad. Returns the id of the request. */
async function requestOf({ app, call, padId }: Fixture): Promise<string> {
  await callerOf(app, (await buildUser(app)).token)('post', `pad/${padId}/requests`, { text: 'Please' });
  await app.idle();
  return (await call('get', 'requests')).body.value[0]._id;
}

async function untilCounted({ admin }: Fixture): Promise<Answered> {
  let answer = await admin('get', 'stats/stats.json');
  while (answer.status === 503) answer = await admin('get', 'stats/stats.json');
  return answer;
}

async function ownPasskey({ app, set, user }: Fixture) {
  await set('rootUrl', site);
  return addPasskey(app, user);
}

const importPads = async (app: TestApp, token: string) =>
  sendZip(app, token, await zipOf({ 'Notes/One.txt': 'One' }));

type Answered = Awaited<Test>;

/** Every call of the description, with input with which it succeeds. */
const successes: Record<string, (fixture: Fixture) => PromiseLike<Answered>> = {
  'POST /auth/login': ({ guest, user: { login, password: secret } }) =>
    guest('post', 'auth/login', { login, password: secret }),
  'POST /auth/login/factor': async ({ app, guest, user }) => {
    const { recoveryCodes } = await addApp(app, user);
    const { body } = await guest('post', 'auth/login', { login: user.login, password: user.password });
    return guest('post', 'auth/login/factor', { pending: body.pending, recoveryCode: recoveryCodes[0] });
  },
  'POST /auth/login/passkey': async (fixture) => {
    const device = await ownPasskey(fixture);
    const { body } = await fixture.guest('post', 'auth/passkey/options', {});
    return fixture.guest('post', 'auth/login/passkey', { passkey: device.signIn(body.value) });
  },
  'POST /auth/passkey/options': async ({ guest, set }) => {
    await set('rootUrl', site);
    return guest('post', 'auth/passkey/options', {});
  },
  'POST /auth/login/cas': signInByCas,
  'POST /auth/login/oidc': async (fixture) => (await signInByOidc(fixture)).login,
  'POST /auth/login/header': async ({ app, set }) => {
    await set('authHeaderSettings', { name: 'Authelia', proxies: ['127.0.0.1'] });
    await set('authMethods', ['header']);
    const headers = { 'Remote-User': 'ada', 'Remote-Email': 'ada@example.org' };
    return app.agent.post('/api/auth/login/header').set(headers).send({});
  },
  'POST /admin/trySignIn/{provider}': async (fixture) => (await signInByOidc(fixture)).trial,
  'POST /auth/cas/logout': ({ app }) =>
    app.agent
      .post('/api/auth/cas/logout')
      .type('form')
      .send({ logoutRequest: logoutRequest('ST-1') }),
  'GET /auth/oidc/{provider}/start': async (fixture) => (await signInByOidc(fixture)).start,
  'GET /auth/oidc/{provider}/callback': async (fixture) => (await signInByOidc(fixture)).callback,
  'POST /auth/oidc/{provider}/callback': ({ app, set }) =>
    set('rootUrl', rootUrl).then(() =>
      app.agent.post('/api/auth/oidc/school/callback').type('form').send({ state: 'x' }).redirects(0),
    ),
  'GET /auth/oidc/{provider}/logout': async (fixture) => (await signInByOidc(fixture)).frame,
  'POST /auth/oidc/{provider}/logout': async (fixture) => (await signInByOidc(fixture)).logout,
  'GET /auth/methods': ({ guest }) => guest('get', 'auth/methods'),
  'GET /auth/logout': ({ call }) => call('get', 'auth/logout'),
  'POST /auth/logout': ({ call }) => call('post', 'auth/logout'),
  'POST /auth/check': ({ call, user: { login, password: secret } }) =>
    call('post', 'auth/check', { login, password: secret }),
  'POST /auth/admin/login': ({ guest }) =>
    guest('post', 'auth/admin/login', { login: 'root', password: 'rootroot' }),
  'POST /auth/admin/login/host': async ({ app, guest }) =>
    guest('post', 'auth/admin/login/host', {}).set('Cookie', await app.signInAtHost('root')),
  'GET /auth/admin/logout': ({ admin }) => admin('get', 'auth/admin/logout'),
  'POST /auth/admin/logout': ({ admin }) => admin('post', 'auth/admin/logout'),
  'GET /configuration': ({ admin }) => admin('get', 'configuration'),
  'GET /configuration/public/usefirstlastname': ({ guest }) =>
    guest('get', 'configuration/public/usefirstlastname'),
  'GET /configuration/public/allpadspublicsauthentifiedonly': async ({ call, set, padId }) => {
    await set('allPadsPublicsAuthentifiedOnly', true);
    return call('get', `configuration/public/allpadspublicsauthentifiedonly?pid=${padId}`);
  },
  'GET /configuration/{key}': ({ admin }) => admin('get', 'configuration/SMTPPass'),
  'POST /configuration': ({ admin }) => admin('post', 'configuration', { key: 'title', value: 'Pads' }),
  'PUT /configuration/{key}': ({ admin }) => admin('put', 'configuration/SMTPPass', { value: 'secret' }),
  'DELETE /configuration/{key}': ({ admin }) => admin('delete', 'configuration/title'),
  'POST /user': ({ guest }) =>
    guest('post', 'user', { login: 'eve', password: 'secret of eve', email: 'eve@example.org' }),
  'GET /user/{login}': ({ call, user }) => call('get', `user/${user.login}`),
  'PUT /user/{login}': ({ call, user }) => call('put', `user/${user.login}`, { firstname: 'Eve' }),
  'GET /user/{login}/sessions': ({ call, user }) => call('get', `user/${user.login}/sessions`),
  'DELETE /user/{login}/sessions/{session}': async ({ call, user }) => {
    const { body } = await call('get', `user/${user.login}/sessions`);
    return call('delete', `user/${user.login}/sessions/${body.value[0]._id}`);
  },
  'DELETE /user/{login}/sessions': ({ call, user }) => call('delete', `user/${user.login}/sessions`),
  'GET /user/{login}/factors': async ({ app, call, user }) => {
    await addApp(app, user);
    return call('get', `user/${user.login}/factors`);
  },
  'POST /user/{login}/factors/totp/options': ({ call, user }) =>
    call('post', `user/${user.login}/factors/totp/options`, { currentPassword: user.password }),
  'POST /user/{login}/factors/totp': async ({ app, call, user }) => {
    const path = `user/${user.login}/factors/totp`;
    const { body } = await call('post', `${path}/options`, { currentPassword: user.password });
    return call('post', path, { pending: body.pending, code: codeOf(app, body.secret) });
  },
  'POST /user/{login}/factors/passkey/options': async ({ call, set, user }) => {
    await set('rootUrl', site);
    return call('post', `user/${user.login}/factors/passkey/options`, { currentPassword: user.password });
  },
  'POST /user/{login}/factors/passkey': async ({ call, set, user }) => {
    await set('rootUrl', site);
    const path = `user/${user.login}/factors/passkey`;
    const { body } = await call('post', `${path}/options`, { currentPassword: user.password });
    return call('post', path, { name: 'Phone', passkey: createAuthenticator(site).make(body.value) });
  },
  'POST /user/{login}/factors/recovery': async ({ app, call, user }) => {
    await addApp(app, user);
    return call('post', `user/${user.login}/factors/recovery`, { currentPassword: user.password });
  },
  'DELETE /user/{login}/factors/{id}': async ({ app, call, user }) => {
    const { id } = await addApp(app, user);
    return call('delete', `user/${user.login}/factors/${id}`, { currentPassword: user.password });
  },
  'DELETE /admin/users/{login}/factors': async ({ app, admin, user }) => {
    await addApp(app, user);
    return admin('delete', `admin/users/${user.login}/factors`);
  },
  'GET /user/{login}/tokens': async ({ app, call, user }) => {
    await buildApiToken(app, user);
    return call('get', `user/${user.login}/tokens`);
  },
  'POST /user/{login}/tokens': ({ call, user }) =>
    call('post', `user/${user.login}/tokens`, { name: 'Backup', scopes: ['read'] }),
  'DELETE /user/{login}/tokens/{id}': async ({ call, user }) => {
    const path = `user/${user.login}/tokens`;
    const { body } = await call('post', path, { name: 'Backup', scopes: ['read'] });
    return call('delete', `${path}/${body.key}`);
  },
  'GET /admin/tokens': async ({ app, admin, user }) => {
    await buildApiToken(app, user);
    return admin('get', 'admin/tokens');
  },
  'POST /admin/tokens': ({ admin }) => admin('post', 'admin/tokens', { name: 'Import', scopes: ['read'] }),
  'DELETE /admin/tokens/{id}': async ({ admin }) => {
    const { body } = await admin('post', 'admin/tokens', { name: 'Import', scopes: ['read'] });
    return admin('delete', `admin/tokens/${body.key}`);
  },
  'DELETE /user/{login}': ({ call, user }) =>
    call('delete', `user/${user.login}`, { currentPassword: user.password }),
  'GET /all-users': ({ admin }) => admin('get', 'all-users'),
  'GET /search-users/{text}': ({ admin }) => admin('get', 'search-users/person?limit=1'),
  'GET /admin/settings': ({ admin }) => admin('get', 'admin/settings'),
  'GET /admin/checkup': ({ admin }) => admin('get', 'admin/checkup'),
  'GET /admin/checkup/cookie': ({ admin }) => admin('get', 'admin/checkup/cookie?value=x'),
  'POST /admin/index/rebuild': ({ admin }) => admin('post', 'admin/index/rebuild'),
  'GET /admin/locks': ({ admin }) => admin('get', 'admin/locks'),
  'DELETE /admin/locks/{id}': async ({ admin, guest }) => {
    const guess = () => guest('post', 'auth/admin/login', { login: 'root', password: 'a guess' });
    while ((await guess()).status !== 429);
    const { body } = await admin('get', 'admin/locks');
    return admin('delete', `admin/locks/${body.locks[0].id}`);
  },
  'GET /admin/jobs': async ({ app, admin }) => {
    await app.ports.database.set(keys.jobs, failedJobs);
    return admin('get', 'admin/jobs');
  },
  'POST /admin/jobs/{id}/run': async ({ app, admin }) => {
    await app.ports.database.set(keys.jobs, failedJobs);
    const { body } = await admin('get', 'admin/jobs');
    return admin('post', `admin/jobs/${body.jobs[0].id}/run`);
  },
  'DELETE /admin/jobs/{id}': async ({ app, admin }) => {
    await app.ports.database.set(keys.jobs, failedJobs);
    const { body } = await admin('get', 'admin/jobs');
    return admin('delete', `admin/jobs/${body.jobs[0].id}`);
  },
  'GET /admin/log': ({ admin }) => admin('get', 'admin/log?limit=1'),
  'GET /admin/group-rules': async ({ admin, groupId }) => {
    await admin('put', 'admin/group-rules', { rules: [groupRule(groupId)] });
    return admin('get', 'admin/group-rules');
  },
  'PUT /admin/group-rules': ({ admin, groupId }) =>
    admin('put', 'admin/group-rules', { rules: [groupRule(groupId)] }),
  'POST /admin/group-rules/preview': ({ admin, groupId }) =>
    admin('post', 'admin/group-rules/preview', { rules: [groupRule(groupId)] }),
  'GET /admin/directory/sync': ({ admin }) => admin('get', 'admin/directory/sync'),
  'POST /admin/directory/sync': async ({ admin, set }) => {
    const stop = await chooseEmptyDirectory(set);
    const answer = await admin('post', 'admin/directory/sync', {});
    await stop();
    return answer;
  },
  'GET /admin/import': async ({ admin }) => {
    await importOne(admin);
    return admin('get', 'admin/import');
  },
  'POST /admin/import/roles': ({ admin }) => importOne(admin),
  'POST /admin/import/accounts': async ({ admin }) => {
    await importOne(admin);
    return admin('post', 'admin/import/accounts', { deactivate: ['imported'] });
  },
  'GET /admin/numbers': async (fixture) => {
    await untilCounted(fixture);
    return fixture.admin('get', 'admin/numbers');
  },
  'POST /admin/testSetting': async ({ admin, set }) => {
    await set('rootUrl', rootUrl);
    const cas = await startCasServer();
    const answer = await admin('post', 'admin/testSetting', {
      key: 'authCasSettings',
      value: cas.settings(),
    });
    await cas.stop();
    return answer;
  },
  'POST /admin/testMail': async (fixture) => {
    let answer: Answered | undefined;
    await mailedToken(fixture, async () => {
      answer = await fixture.admin('post', 'admin/testMail', { to: 'ada@example.org' });
    });
    if (!answer) throw new Error('There was no answer.');
    return answer;
  },
  'GET /admin/users/{login}/access': ({ admin, user }) => admin('get', `admin/users/${user.login}/access`),
  'POST /admin/users/{login}/handover': async ({ app, admin, user }) =>
    admin('post', `admin/users/${user.login}/handover`, { to: (await buildUser(app)).login }),
  'GET /admin/users': ({ admin }) => admin('get', 'admin/users?limit=1'),
  'GET /admin/groups': ({ admin }) => admin('get', 'admin/groups?limit=1'),
  'GET /admin/pads': ({ admin }) => admin('get', 'admin/pads?limit=1'),
  'GET /group': async ({ call, groupId, padId }) => {
    await call('post', 'usermark', { type: 'groups', key: groupId });
    await call('post', 'usermark', { type: 'pads', key: padId });
    return call('get', 'group');
  },
  'GET /overview': async ({ call, groupId, padId }) => {
    await call('post', 'usermark', { type: 'groups', key: groupId });
    await call('post', 'usermark', { type: 'pads', key: padId });
    return call('get', 'overview');
  },
  'GET /search': ({ call }) => call('get', 'search?text=Welcome'),
  'GET /overview/pads': ({ call }) => call('get', 'overview/pads'),
  'GET /overview/recent': async ({ call, padId }) => {
    await call('post', `pad/${padId}/ticket`);
    return call('get', 'overview/recent');
  },
  'GET /overview/present': ({ call }) => call('get', 'overview/present'),
  'GET /group/{id}/present': ({ guest, groupId }) => guest('get', `group/${groupId}/present`),
  'GET /group/{id}': ({ guest, groupId }) => guest('get', `group/${groupId}`),
  'POST /group': ({ call }) => call('post', 'group', { name: 'One more' }),
  'PUT /group/{id}': ({ call, groupId }) => call('put', `group/${groupId}`, { tags: ['a'] }),
  'DELETE /group/{id}': ({ call, groupId }) => call('delete', `group/${groupId}`),
  'POST /group/invite': ({ call, groupId }) =>
    call('post', 'group/invite', { gid: groupId, invite: true, loginsOrEmails: ['nobody'] }),
  'POST /group/{id}/members': ({ call, groupId }) =>
    call('post', `group/${groupId}/members`, { loginsOrEmails: ['nobody'] }),
  'PUT /group/{id}/members': ({ call, groupId }) =>
    call('put', `group/${groupId}/members`, { users: ['nobody'] }),
  'DELETE /group/{id}/members/{login}': async ({ app, call, groupId }) => {
    const { id, login } = await buildUser(app);
    await call('put', `group/${groupId}`, { users: [id] });
    return call('delete', `group/${groupId}/members/${login}`);
  },
  'POST /group/tags': ({ call, groupId }) =>
    call('post', 'group/tags', {
      changes: [
        { group: groupId, add: ['a'] },
        { group: 'x', add: ['a'] },
      ],
    }),
  'POST /group/resign': async ({ app, user, call, groupId }) => {
    const other = await buildUser(app);
    await call('put', `group/${groupId}`, { admins: [user.id, other.id] });
    return call('post', 'group/resign', { gid: groupId });
  },
  'POST /group/{id}/handover': async ({ app, call, groupId }) =>
    call('post', `group/${groupId}/handover`, { to: (await buildUser(app)).login }),
  'POST /group/{id}/unlock': ({ guest, groupId }) => guest('post', `group/${groupId}/unlock`, { password }),
  'GET /group/{id}/links': async ({ call, groupId }) => {
    await call('post', `group/${groupId}/links`, { label: 'A link', password: 'sesame' });
    return call('get', `group/${groupId}/links`);
  },
  'POST /group/{id}/links': ({ call, groupId }) =>
    call('post', `group/${groupId}/links`, { role: 'writer', ends: Date.now() + 3_600_000 }),
  'GET /group/{id}/access': ({ call, groupId }) => call('get', `group/${groupId}/access`),
  'GET /pad/{id}/access': ({ call, padId }) => call('get', `pad/${padId}/access`),
  'POST /pad/{id}/people': ({ call, padId, user: { login } }) =>
    call('post', `pad/${padId}/people`, { loginsOrEmails: [login], role: 'reader' }),
  'DELETE /pad/{id}/people/{login}': async ({ call, padId, user: { login } }) => {
    await call('post', `pad/${padId}/people`, { loginsOrEmails: [login], role: 'reader' });
    return call('delete', `pad/${padId}/people/${login}`);
  },
  'GET /pad/{id}/links': ({ call, padId }) => call('get', `pad/${padId}/links`),
  'POST /pad/{id}/links': ({ call, padId }) => call('post', `pad/${padId}/links`, {}),
  'PUT /links/{id}': async ({ call, groupId }) => {
    const { value } = (await call('post', `group/${groupId}/links`, {})).body;
    return call('put', `links/${value._id}`, { label: 'Another' });
  },
  'DELETE /links/{id}': async ({ call, groupId }) => {
    const { value } = (await call('post', `group/${groupId}/links`, {})).body;
    return call('delete', `links/${value._id}`);
  },
  'POST /links/open': async ({ call, guest, groupId }) => {
    const { value } = (await call('post', `group/${groupId}/links`, {})).body;
    return guest('post', 'links/open', { secret: value.secret });
  },
  'POST /group/{id}/requests': async ({ app, groupId }) =>
    callerOf(app, (await buildUser(app)).token)('post', `group/${groupId}/requests`, { text: 'Please' }),
  'POST /pad/{id}/requests': async ({ app, padId }) =>
    callerOf(app, (await buildUser(app)).token)('post', `pad/${padId}/requests`, {}),
  'DELETE /shared/{id}': ({ call, padId }) => call('delete', `shared/${padId}`),
  'POST /imports': ({ app, user }) => importPads(app, user.token),
  'GET /imports/{id}': async ({ app, call, user }) =>
    call('get', `imports/${(await importPads(app, user.token)).body.key}`),
  'DELETE /imports/{id}': async ({ app, call, user }) =>
    call('delete', `imports/${(await importPads(app, user.token)).body.key}`),
  'GET /trash': async ({ call, padId }) => {
    await call('delete', `pad/${padId}`);
    return call('get', 'trash');
  },
  'POST /trash/{id}/restore': async ({ call, padId }) => {
    await call('delete', `pad/${padId}`);
    return call('post', `trash/${padId}/restore`, {});
  },
  'DELETE /trash/{id}': async ({ call, padId }) => {
    await call('delete', `pad/${padId}`);
    return call('delete', `trash/${padId}`);
  },
  'DELETE /trash': ({ call }) => call('delete', 'trash'),
  'POST /exports': ({ call, groupId }) => call('post', 'exports', { group: groupId, formats: ['text'] }),
  'GET /exports': async ({ app, call }) => {
    await call('post', 'exports', { me: true });
    await app.idle();
    return call('get', 'exports');
  },
  'GET /exports/{id}': async ({ app, call }) => {
    const { key } = (await call('post', 'exports', { me: true })).body;
    await app.idle();
    return call('get', `exports/${key}`);
  },
  'GET /exports/{id}/file': async ({ app, call }) => {
    const { key } = (await call('post', 'exports', { me: true })).body;
    await app.idle();
    return call('get', `exports/${key}/file`);
  },
  'DELETE /exports/{id}': async ({ call }) => {
    const { key } = (await call('post', 'exports', { me: true })).body;
    return call('delete', `exports/${key}`);
  },
  'GET /requests': async (fixture) => {
    await requestOf(fixture);
    return fixture.call('get', 'requests');
  },
  'PUT /requests/{id}': async (fixture) =>
    fixture.call('put', `requests/${await requestOf(fixture)}`, { role: 'reader' }),
  'GET /group/{id}/invitations': async (fixture) => {
    await invite(fixture, 'erin1@example.org');
    return fixture.call('get', `group/${fixture.groupId}/invitations`);
  },
  'POST /group/{id}/invitations': async ({ app, call, groupId }) => {
    const mail = await startMailFor(app);
    const loginsOrEmails = ['erin2@example.org', 'nobody'];
    const answer = await call('post', `group/${groupId}/invitations`, { loginsOrEmails, role: 'reader' });
    await app.idle();
    await mail.close();
    return answer;
  },
  'PUT /invitations/{id}': async (fixture) => {
    const { id } = await invite(fixture, 'erin3@example.org');
    return fixture.call('put', `invitations/${id}`, { role: 'manager' });
  },
  'DELETE /invitations/{id}': async (fixture) => {
    const { id } = await invite(fixture, 'erin4@example.org');
    return fixture.call('delete', `invitations/${id}`);
  },
  'POST /invitations/{id}/resend': async (fixture) => {
    const { id } = await invite(fixture, 'erin5@example.org');
    fixture.app.ports.advance(3600_000);
    return fixture.call('post', `invitations/${id}/resend`);
  },
  'POST /invitations/show': async (fixture) => {
    const { token } = await invite(fixture, 'erin6@example.org');
    return fixture.guest('post', 'invitations/show', { token });
  },
  'POST /invitations/accept': async (fixture) => {
    const { token } = await invite(fixture, 'erin7@example.org');
    const erin = await buildUser(fixture.app, { login: 'erin7', email: 'erin7@example.org' });
    return callerOf(fixture.app, erin.token)('post', 'invitations/accept', { token });
  },
  'POST /invitations/refuse': async (fixture) => {
    const { refusal } = await invite(fixture, 'erin8@example.org');
    return fixture.guest('post', 'invitations/refuse', { token: refusal });
  },
  'GET /pad/ispublic/{id}': ({ guest, padId }) => guest('get', `pad/ispublic/${padId}`),
  'DELETE /pad/chathistory/{id}': ({ call, padId }) => call('delete', `pad/chathistory/${padId}`),
  'POST /pad': ({ call, groupId }) => call('post', 'pad', { name: 'One more', group: groupId }),
  'GET /pad/{id}': ({ call, padId }) => call('get', `pad/${padId}`),
  'PUT /pad/{id}': ({ call, padId }) => call('put', `pad/${padId}`, { readonly: true }),
  'DELETE /pad/{id}': ({ call, padId }) => call('delete', `pad/${padId}`),
  'POST /pad/{id}/unlock': ({ guest, padId }) => guest('post', `pad/${padId}/unlock`, { password }),
  'POST /pad/{id}/ticket': ({ call, padId }) => call('post', `pad/${padId}/ticket`),
  'POST /pad/{id}/duplicate': ({ call, padId }) => call('post', `pad/${padId}/duplicate`, { name: 'Again' }),
  'GET /userlist': ({ call }) => call('get', 'userlist'),
  'POST /userlist': ({ call, user }) =>
    call('post', 'userlist', { name: 'One more', loginsOrEmails: [user.login, 'nobody'] }),
  'PUT /userlist/{key}': ({ call, listId }) => call('put', `userlist/${listId}`, { name: 'Other' }),
  'DELETE /userlist/{key}': ({ call, listId }) => call('delete', `userlist/${listId}`),
  'POST /usermark': ({ call, padId }) => call('post', 'usermark', { type: 'pads', key: padId }),
  'PUT /usermark': ({ call, padId }) =>
    call('put', 'usermark', { type: 'pads', keys: [padId, 'x'], marked: true }),
  'POST /passrecover': async (fixture) => {
    let answer: Answered | undefined;
    await mailedToken(fixture, async () => {
      answer = await fixture.guest('post', 'passrecover', { email: fixture.user.email });
    });
    if (!answer) throw new Error('There was no answer.');
    return answer;
  },
  'GET /passrecover/{token}': async (fixture) => {
    const { guest, user } = fixture;
    const token = await mailedToken(fixture, () => guest('post', 'passrecover', { email: user.email }));
    return guest('get', `passrecover/${token}`);
  },
  'PUT /passrecover/{token}': async (fixture) => {
    const { guest, user } = fixture;
    const token = await mailedToken(fixture, () => guest('post', 'passrecover', { email: user.email }));
    return guest('put', `passrecover/${token}`, { password: 'a new one', passwordConfirm: 'a new one' });
  },
  'POST /accountconfirm': async (fixture) => {
    await fixture.set('checkMails', true);
    const body = { login: 'eve', password: 'secret of eve', email: 'eve@example.org' };
    const token = await mailedToken(fixture, () => fixture.guest('post', 'user', body));
    return fixture.guest('post', 'accountconfirm', { token });
  },
  'GET /cache/check': ({ guest }) => guest('get', 'cache/check'),
  'GET /stats/stats.json': untilCounted,
  'GET /l10n/{file}': ({ guest }) => guest('get', 'l10n/fr.json'),
  'GET /openapi.json': ({ guest }) => guest('get', 'openapi.json'),
};

/** A small built page with one language. */
function buildSmallPage(root: string): void {
  mkdirSync(join(root, 'l10n'));
  writeFileSync(join(root, 'l10n', 'fr-1.json'), JSON.stringify({ GREETING: 'Bonjour' }));
  const manifest = {
    scripts: [],
    styles: [],
    laterStyles: {},
    languages: { fr: { first: 'l10n/fr-1.json' } },
  };
  writeFileSync(join(root, 'manifest.json'), JSON.stringify(manifest));
}

async function buildFixture(staticRoot: string): Promise<Fixture> {
  const app = await startApp({ staticRoot, limitFactor: 1 });
  const user = await buildUser(app);
  const call = callerOf(app, user.token);
  const group = await buildGroup(app, user, { visibility: 'private', password });
  const list = await call('post', 'userlist', { name: 'A list' });
  return {
    app,
    guest: callerOf(app),
    user,
    call,
    admin: callerOf(app, await signInAsAdmin(app)),
    groupId: group._id,
    padId: (await buildPad(app, user, group))._id,
    listId: list.body.key,
    set: (key, value) => app.model.configuration.set(key, value),
  };
}

/** The call and its answer. superagent's types leave out the field `req`, which has the request. */
function answerOf({ req, status, text }: Answered & { req?: { method: string; path: string } }): Answer {
  const [path = ''] = (req?.path ?? '').split('?');
  return { method: req?.method ?? '', path: path.slice('/api'.length), status, text };
}

/** The calls by the first part of their path. */
function callsOfResources(): Record<string, typeof successes> {
  const resources: Record<string, typeof successes> = {};
  for (const [name, succeed] of Object.entries(successes)) {
    const [resource = ''] = /\/[\w.-]+/.exec(name) ?? [];
    resources[resource] = { ...resources[resource], [name]: succeed };
  }
  return resources;
}

const isReading = (name: string): boolean => name.startsWith('GET ');
const readingFirst = (calls: typeof successes): [string, (typeof successes)[string]][] =>
  Object.entries(calls).sort(([one], [other]) => Number(isReading(other)) - Number(isReading(one)));
/**
 * After these the next call gets a new product, which takes a while to open: they end a session, remove or hand over
 * what other calls are about, choose another way to sign in, add a second factor, or leave work that goes on.
 */
const ending = new Set(
  `POST /auth/login/factor, POST /auth/login/passkey, POST /auth/login/cas, POST /auth/login/oidc,
  POST /auth/login/header, GET /auth/oidc/{provider}/start, GET /auth/oidc/{provider}/callback,
  GET /auth/oidc/{provider}/logout, POST /auth/oidc/{provider}/logout, POST /admin/trySignIn/{provider},
  GET /auth/logout, POST /auth/logout, GET /auth/admin/logout, POST /auth/admin/logout,
  DELETE /user/{login}/sessions/{session}, DELETE /user/{login}/sessions, GET /user/{login}/factors,
  POST /user/{login}/factors/totp, POST /user/{login}/factors/passkey, POST /user/{login}/factors/recovery,
  DELETE /user/{login}/factors/{id}, DELETE /admin/users/{login}/factors, DELETE /user/{login},
  POST /admin/index/rebuild, DELETE /admin/locks/{id}, POST /admin/jobs/{id}/run,
  POST /admin/directory/sync, GET /admin/import, POST /admin/import/roles, POST /admin/import/accounts,
  POST /admin/users/{login}/handover, DELETE /group/{id}, POST /group/resign, POST /group/{id}/handover,
  DELETE /pad/{id}, GET /trash, DELETE /trash/{id}, POST /exports, POST /invitations/{id}/resend,
  DELETE /userlist/{key}, PUT /passrecover/{token}`.split(/,\s+/),
);

describe('the description of the API and the answers', () => {
  const folder = temporaryFolder();
  let document: Document;

  // Closed before the others open, which would set its records aside and open it again after each of them.
  before(async () => {
    buildSmallPage(folder.path);
    const { app } = await buildFixture(folder.path);
    document = await readDocument(app.agent);
    await app.close();
  });
  after(() => folder.remove());

  for (const [resource, calls] of Object.entries(callsOfResources())) {
    it(`agree when a call of ${resource} succeeds`, async () => {
      let fixture: Fixture | undefined;
      await checkEach(readingFirst(calls), async (succeed, name) => {
        fixture ??= await buildFixture(folder.path);
        try {
          const response = await succeed(fixture);
          const answer = answerOf(response);
          expect(response.status, response.text).to.be.oneOf([200, 303]);
          expect(document.callOf(answer.method, answer.path)).to.equal(name);
          expect(document.faultOf(answer)).to.equal(undefined);
        } finally {
          if (ending.has(name)) {
            await fixture.app.close();
            fixture = undefined;
          }
        }
      });
      await fixture?.app.close();
    });
  }

  it('are compared for every call', () => {
    expect(Object.keys(successes).sort()).to.deep.equal([...document.calls].sort());
    expect(document.calls).to.include.members([...ending]);
  });

  it('disagree when an answer has a field too many or too few, a wrong status, or an unknown path', () => {
    const answer = { method: 'GET', path: '/cache/check', status: 200, text: '{"userCacheReady":true}' };
    expect(document.faultOf(answer)).to.equal(undefined);
    expect(document.faultOf({ ...answer, text: '{"userCacheReady":true,"more":1}' })).to.match(/described/);
    expect(document.faultOf({ ...answer, text: '{}' })).to.match(/described/);
    expect(document.faultOf({ ...answer, path: '/cache' })).to.match(/not in the description/);
    const error = { ...answer, status: 400, text: '{"error":"BACKEND.ERROR.TYPE.ROUTE"}' };
    expect(document.faultOf(error)).to.match(/not as described/);
  });
});
