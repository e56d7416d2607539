import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { errorMeanings } from '../../bin/docsErrors';
import { type ErrorKey, errorStatus } from '../../model/errors';
import { keys } from '../../model/store/store';
import { startApp, type TestApp } from '../support/app';
import { createAuthenticator } from '../support/authenticator';
import { type Call, callerOf } from '../support/caller';
import { checkEach } from '../support/cases';
import {
  buildApiToken,
  buildGroup,
  buildPad,
  buildUser,
  signInAsAdmin,
  type TestUser,
} from '../support/factories';
import { addApp, site } from '../support/secondFactors';
import { chooseCas } from '../support/signInServices';

/** What the scenarios need to cause each error. */
interface Fixture {
  app: TestApp;
  guest: Call;
  user: TestUser;
  call: Call;
  /** Another person, with a restricted group and a pad in it. */
  other: TestUser;
  admin: Call;
  groupId: string;
  padId: string;
  set(key: string, value: unknown): Promise<void>;
}
type Scenario = (fixture: Fixture) => PromiseLike<{ status: number; body: Record<string, unknown> }>;

/** The errors of section 8 of the specification and those that we have added, each with a call that causes it. */
const scenarios: Partial<Record<ErrorKey, Scenario>> = {
  'BACKEND.ERROR.AUTHENTICATION.ACTIVATION_NEEDED': async ({ admin, guest, user }) => {
    await admin('put', `user/${user.login}`, { active: false });
    return guest('post', 'auth/login', { login: user.login, password: user.password });
  },
  'BACKEND.ERROR.AUTHENTICATION.ADMIN': ({ call }) => call('get', 'all-users'),
  'BACKEND.ERROR.AUTHENTICATION.CAS_NO_TICKET': ({ guest }) => guest('post', 'auth/login/cas', {}),
  'BACKEND.ERROR.AUTHENTICATION.CAS_FAILED': ({ guest }) =>
    guest('post', 'auth/login/cas', { ticket: 'ST-1' }),
  'BACKEND.ERROR.AUTHENTICATION.OIDC_FAILED': ({ guest }) => guest('post', 'auth/login/oidc', { code: 'x' }),
  'BACKEND.ERROR.AUTHENTICATION.HEADER_FAILED': ({ guest }) => guest('post', 'auth/login/header', {}),
  'BACKEND.ERROR.AUTHENTICATION.DENIED': ({ call, other }) => call('get', `user/${other.login}`),
  'BACKEND.ERROR.AUTHENTICATION.DENIED_RECORD': ({ call, groupId }) => call('get', `group/${groupId}`),
  'BACKEND.ERROR.AUTHENTICATION.DENIED_RECORD_EDIT': ({ call, groupId }) =>
    call('delete', `group/${groupId}`),
  'BACKEND.ERROR.AUTHENTICATION.MUST_BE': ({ guest, padId }) => guest('get', `pad/${padId}`),
  'BACKEND.ERROR.AUTHENTICATION.NOT_AUTH': ({ guest }) => guest('get', 'group'),
  'BACKEND.ERROR.AUTHENTICATION.NO_RECOVER': async ({ set, guest }) => {
    await chooseCas(set);
    return guest('post', 'passrecover', { email: 'a@example.org' });
  },
  'BACKEND.ERROR.AUTHENTICATION.NO_REGISTRATION': async ({ set, guest }) => {
    await set('openRegistration', false);
    return guest('post', 'user', { login: 'x', password: 'long enough', email: 'x@example.org' });
  },
  'BACKEND.ERROR.AUTHENTICATION.PASSWORD_INCORRECT': ({ guest, user }) =>
    guest('post', 'auth/login', { login: user.login, password: 'wrong' }),
  'BACKEND.ERROR.CONFIGURATION.KEY_NOT_FOUND': ({ call }) => call('get', 'group/unknown'),
  'BACKEND.ERROR.CONFIGURATION.MAIL_NOT_CONFIGURED': async ({ set, guest }) => {
    await set('rootUrl', 'https://pads.example.org');
    return guest('post', 'passrecover', { email: 'a@example.org' });
  },
  'BACKEND.ERROR.CONFIGURATION.ROOTURL_NOT_CONFIGURED': ({ guest }) =>
    guest('post', 'passrecover', { email: 'a@example.org' }),
  'BACKEND.ERROR.CONFIGURATION.SIGN_IN_NOT_CONFIGURED': ({ admin }) =>
    admin('put', 'configuration/authMethod', { value: 'ldap' }),
  'BACKEND.ERROR.CONFIGURATION.UNABLE_TO_BIND_TO_LDAP': ({ admin }) =>
    admin('put', 'configuration/authLdapSettings', {
      value: { url: 'ldap://127.0.0.1:1', searchBase: 'dc=org', searchFilter: '(uid={{username}})' },
    }),
  'BACKEND.ERROR.GROUP.ITEMS_NOT_FOUND': ({ call }) =>
    call('post', 'group', { name: 'G', users: ['nobody'] }),
  'BACKEND.ERROR.CONFIGURATION.GROUP_RULE': ({ admin }) =>
    admin('put', 'admin/group-rules', {
      rules: [{ source: 'ldap', value: 'cn=staff', role: 'reader', folder: 'nowhere' }],
    }),
  'BACKEND.ERROR.CONFIGURATION.CHANGED': ({ admin }) =>
    admin('put', 'admin/group-rules', { rules: [], version: 1_000 }),
  'BACKEND.ERROR.GROUP.BY_RULE': async ({ app, call, user, groupId }) => {
    const given = { readers: [user.id], byRule: [{ rules: { one: 'readers' }, people: [user.id] }] };
    await app.model.store.update<object>(keys.group(groupId), (group) => group && { ...group, ...given });
    return call('post', 'group/resign', { gid: groupId });
  },
  'BACKEND.ERROR.GROUP.NOT_USER': ({ call, groupId }) => call('post', 'group/resign', { gid: groupId }),
  'BACKEND.ERROR.GROUP.RESIGN_UNIQUE_ADMIN': ({ app, other, groupId }) =>
    callerOf(app, other.token)('post', 'group/resign', { gid: groupId }),
  'BACKEND.ERROR.PAD.ITEMS_NOT_FOUND': ({ call }) => call('post', 'pad', { name: 'P', group: 'unknown' }),
  'BACKEND.ERROR.PERMISSION.UNAUTHORIZED': async ({ app, guest, other }) => {
    const group = await buildGroup(app, other, { visibility: 'private', password: 'right' });
    return guest('get', `group/${group._id}?password=${Buffer.from('wrong').toString('base64')}`);
  },
  'BACKEND.ERROR.PERMISSION.TOO_MANY': async ({ guest }) => {
    const wrong = () => guest('post', 'auth/admin/login', { login: 'root', password: 'wrong' });
    let answer = await wrong();
    while (answer.status === 400) answer = await wrong();
    return answer;
  },
  'BACKEND.ERROR.TOKEN.INCORRECT': ({ guest }) => guest('post', 'accountconfirm', { token: 'made up' }),
  'BACKEND.ERROR.TYPE.GID_STR': ({ call }) =>
    call('post', 'group/invite', { gid: 5, invite: true, loginsOrEmails: [] }),
  'BACKEND.ERROR.TYPE.ID_STR': ({ call }) => call('post', 'group', { _id: 'chosen', name: 'G' }),
  'BACKEND.ERROR.TYPE.INVITE_BOOL': ({ call, groupId }) =>
    call('post', 'group/invite', { gid: groupId, invite: 'yes', loginsOrEmails: [] }),
  'BACKEND.ERROR.TYPE.KEY_STR': ({ admin }) => admin('post', 'configuration', { key: 5, value: 1 }),
  'BACKEND.ERROR.TYPE.LOGINS_ARR': ({ call }) =>
    call('post', 'userlist', { name: 'L', loginsOrEmails: 'frank' }),
  'BACKEND.ERROR.TYPE.LOGIN_STR': ({ guest }) => guest('post', 'auth/login', { password: 'x' }),
  'BACKEND.ERROR.TYPE.MAIL': ({ guest }) => guest('post', 'passrecover', { email: 'no address' }),
  'BACKEND.ERROR.TYPE.PARAMS_REQUIRED': ({ call }) =>
    call('post', 'group/invite', { invite: true, loginsOrEmails: [] }),
  'BACKEND.ERROR.TYPE.PARAM_STR': ({ call }) => call('post', 'group', {}),
  'BACKEND.ERROR.TYPE.PASSWORD_MISSING': async ({ app, guest, other }) => {
    const group = await buildGroup(app, other, { visibility: 'private', password: 'right' });
    const pad = await buildPad(app, other, group);
    return guest('get', `pad/${pad._id}`);
  },
  'BACKEND.ERROR.TYPE.PASSWORD_SIZE': ({ guest }) =>
    guest('post', 'user', { login: 'x', password: 'short', email: 'x@example.org' }),
  'BACKEND.ERROR.TYPE.PASSWORD_STR': ({ guest }) => guest('post', 'auth/login', { login: 'x' }),
  'BACKEND.ERROR.TYPE.SMTP_CONFIG': ({ admin }) => admin('put', 'configuration/SMTPPort', { value: 'odd' }),
  'BACKEND.ERROR.TYPE.STR_100': ({ call, user }) =>
    call('put', `user/${user.login}`, { organization: 'x'.repeat(101) }),
  'BACKEND.ERROR.TYPE.TYPE_PADSORGROUPS': ({ call }) => call('post', 'usermark', { type: 'users', key: 'x' }),
  'BACKEND.ERROR.TYPE.USERLIST_ID': ({ call }) => call('put', 'userlist/a', { name: 'L', ulistid: 'b' }),
  'BACKEND.ERROR.TYPE.USERLIST_NAME': ({ call }) => call('post', 'userlist', {}),
  'BACKEND.ERROR.TYPE.USERLIST_SET_PARAMS': async ({ call }) => {
    const { body } = await call('post', 'userlist', { name: 'L' });
    return call('put', `userlist/${body.key}`, {});
  },
  'BACKEND.ERROR.TYPE.VALUE_REQUIRED': ({ admin }) => admin('put', 'configuration/title', {}),
  'BACKEND.ERROR.USER.ALREADY_EXISTS': ({ guest, user }) =>
    guest('post', 'user', { login: user.login, password: 'long enough', email: 'x@example.org' }),
  'BACKEND.ERROR.USER.BOOKMARK_NOT_FOUND': ({ call }) =>
    call('post', 'usermark', { type: 'pads', key: 'unknown' }),
  'BACKEND.ERROR.USER.EMAIL_ALREADY_EXISTS': ({ guest, user }) =>
    guest('post', 'user', { login: 'x', password: 'long enough', email: user.email }),
  'BACKEND.ERROR.USER.NOT_FOUND': ({ admin }) => admin('get', 'user/nobody'),
  'BACKEND.ERROR.USER.USERLIST_NOT_FOUND': ({ call }) => call('delete', 'userlist/unknown'),
  'USER.ERR.PASSWORD_MISMATCH': ({ call, user }) =>
    call('put', `user/${user.login}`, { password: 'long enough', passwordConfirm: 'other' }),
  'BACKEND.ERROR.REQUEST.OFF': async ({ call, groupId, set }) => {
    await set('allowRequests', false);
    return call('post', `group/${groupId}/requests`, {});
  },
  'BACKEND.ERROR.REQUEST.NOT_NEEDED': async ({ app, call, user }) =>
    call('post', `group/${(await buildGroup(app, user))._id}/requests`, {}),
  'BACKEND.ERROR.API_TOKEN.SCOPE': async ({ app, user }) =>
    callerOf(app, await buildApiToken(app, user, { scopes: ['read'] }))('post', 'group', { name: 'G' }),
  'BACKEND.ERROR.API_TOKEN.ADDRESS': async ({ app, user }) =>
    callerOf(app, await buildApiToken(app, user, { addresses: ['192.0.2.1'] }))('get', 'group'),
  'BACKEND.ERROR.API_TOKEN.PLACE': async ({ app, guest, user }) =>
    guest('get', `group?auth_token=${await buildApiToken(app, user)}`),
  'BACKEND.ERROR.API_TOKEN.OFF': async ({ call, user, set }) => {
    await set('apiTokens', false);
    return call('post', `user/${user.login}/tokens`, { name: 'T', scopes: ['read'] });
  },
  'BACKEND.ERROR.FACTOR.EXPIRED': ({ guest }) =>
    guest('post', 'auth/login/factor', { pending: 'unknown', code: '000000' }),
  'BACKEND.ERROR.FACTOR.CODE': async ({ call, user }) => {
    const path = `user/${user.login}/factors/totp`;
    const { body } = await call('post', `${path}/options`, { currentPassword: user.password });
    return call('post', path, { pending: body.pending, code: 'wrong' });
  },
  'BACKEND.ERROR.FACTOR.PASSKEY': async ({ guest, set }) => {
    await set('rootUrl', site);
    const { body } = await guest('post', 'auth/passkey/options', {});
    return guest('post', 'auth/login/passkey', { passkey: createAuthenticator(site).signIn(body.value) });
  },
  'BACKEND.ERROR.FACTOR.UNAVAILABLE': ({ guest }) => guest('post', 'auth/passkey/options', {}),
  'BACKEND.ERROR.FACTOR.REQUIRED': async ({ app, call, user, set }) => {
    const { id } = await addApp(app, user);
    await set('secondFactor', 'everybody');
    return call('delete', `user/${user.login}/factors/${id}`, { currentPassword: user.password });
  },
  'BACKEND.ERROR.TYPE.JSON': ({ app }) =>
    app.agent.post('/api/auth/login').set('Content-Type', 'application/json').send('{'),
  'BACKEND.ERROR.TYPE.TOO_LARGE': ({ guest }) => guest('post', 'auth/login', { login: 'x'.repeat(200_000) }),
  'BACKEND.ERROR.TYPE.PARAM_UNKNOWN': ({ guest }) =>
    guest('post', 'auth/login', { login: 'x', password: 'x', more: 1 }),
  'BACKEND.ERROR.TYPE.PARAM_INVALID': ({ call, user }) => call('put', `user/${user.login}`, { color: 'red' }),
  'BACKEND.ERROR.TYPE.ROUTE': ({ guest }) => guest('get', 'unknown'),
  'BACKEND.ERROR.SERVER.UNEXPECTED': async ({ app, guest }) => {
    await app.inject({ fault: 'failHashing' });
    return guest('post', 'auth/login', { login: 'x', password: 'x' });
  },
};

/** Errors that need another server or several steps, with the test file that causes them. */
const elsewhere: Partial<Record<ErrorKey, string>> = {
  'BACKEND.ERROR.API_TOKEN.ADMINISTRATOR': 'api/apiTokens',
  'BACKEND.ERROR.API_TOKEN.TOO_MANY': 'api/apiTokens',
  'BACKEND.ERROR.EXPORT.FAILED': 'api/exportFailures',
  'BACKEND.ERROR.EXPORT.NOT_STORED': 'api/exportFailures',
  'BACKEND.ERROR.EXPORT.RUNNING': 'api/exports',
  'BACKEND.ERROR.EXPORT.TOO_LARGE': 'api/exportFailures',
  'BACKEND.ERROR.IMPORT.ENCRYPTED': 'api/padImports',
  'BACKEND.ERROR.IMPORT.INDEX': 'api/padImports',
  'BACKEND.ERROR.IMPORT.NOTHING': 'api/padImports',
  'BACKEND.ERROR.IMPORT.NOT_ZIP': 'api/padImports',
  'BACKEND.ERROR.IMPORT.RUNNING': 'api/padImports',
  'BACKEND.ERROR.IMPORT.TOO_LARGE': 'api/padImports',
  'BACKEND.ERROR.IMPORT.UNSAFE': 'api/padImports',
  'BACKEND.ERROR.FACTOR.TOO_MANY': 'api/secondFactor',
  'BACKEND.ERROR.TYPE.GUEST_NAME_MISSING': 'api/links',
  'BACKEND.ERROR.INVITATION.OTHER_ADDRESS': 'api/invitations',
  'BACKEND.ERROR.AUTHENTICATION.DIRECTORY_UNAVAILABLE': 'network/cas',
  'BACKEND.ERROR.AUTHENTICATION.HOST_UNAVAILABLE': 'host/administrators',
  'BACKEND.ERROR.AUTHENTICATION.OIDC_DENIED': 'network/oidc',
  'BACKEND.ERROR.AUTHENTICATION.LDAP_NO_VALID_MAIL': 'network/cas',
  'BACKEND.ERROR.AUTHENTICATION.PLEASE_CHANGE_YOUR_PASSWORD': 'network/oldAccounts',
  'BACKEND.ERROR.CONFIGURATION.LANG_PROBLEM': 'network/page',
  'BACKEND.ERROR.CONFIGURATION.LOCKED': 'network/configuration',
  'BACKEND.ERROR.PERMISSION.UNEXPECTED': 'host/visits',
  'BACKEND.ERROR.SERVER.BUSY': 'network/signIn',
  'BACKEND.ERROR.SERVER.DATABASE_UNAVAILABLE': 'database/outage',
  'BACKEND.ERROR.SERVER.MAIL_UNAVAILABLE': 'api/mailFailures',
  'BACKEND.ERROR.TOKEN.EXPIRED': 'network/mail',
  'BACKEND.ERROR.TYPE.ADDRESS': 'host/refusals',
  'BACKEND.ERROR.TYPE.TO_MAIL': 'api/mailRegistration',
  'BACKEND.ERROR.TYPE.USERLIST_CRUD': 'api/userlist',
  'BACKEND.ERROR.TYPE.USER_INVALID': 'ldap/passwords',
};

/** Errors that are never sent. docs/api.md says why. */
const never = Object.entries(errorMeanings).flatMap(([key, meaning]) =>
  meaning.startsWith('Not sent: ') ? [key] : [],
);

describe('the errors of the catalogue', () => {
  async function buildFixture(): Promise<Fixture> {
    const app = await startApp({ limitFactor: 10 });
    const [user, other] = [await buildUser(app), await buildUser(app)];
    const group = await buildGroup(app, other);
    return {
      app,
      guest: callerOf(app),
      user,
      call: callerOf(app, user.token),
      other,
      admin: callerOf(app, await signInAsAdmin(app)),
      groupId: group._id,
      padId: (await buildPad(app, other, group))._id,
      set: (key, value) => app.model.configuration.set(key, value),
    };
  }

  const kindOf = (key: string): string => key.split('.').slice(0, -1).join('.');
  const kinds = [...new Set(Object.keys(scenarios).map(kindOf))];
  for (const kind of kinds) {
    it(`${kind}.… have their status and contain no secret`, () =>
      checkEach(
        Object.entries(scenarios).filter(([key]) => kindOf(key) === kind),
        async (scenario, key) => {
          const fixture = await buildFixture();
          const { status, body } = await scenario(fixture);
          await fixture.app.close();
          expect(body.error).to.equal(key);
          expect(status).to.equal(errorStatus[key as ErrorKey]);
          const others = Object.keys(body).filter((name) => name !== 'error');
          expect(['field', 'key', 'retryAfter', 'reason', 'scope']).to.include.members(others);
        },
      ));
  }

  it('are all tested here or in other files, or are no longer used', () => {
    const told = [...Object.keys(scenarios), ...Object.keys(elsewhere), ...never];
    expect(told.sort()).to.deep.equal(Object.keys(errorStatus).sort());
  });

  it('are named in the test files that this file says', () =>
    checkEach(Object.entries(elsewhere), (place, key) => {
      const text = readFileSync(path.join(__dirname, '..', `${place}.test.ts`), 'utf8');
      expect(text.includes(key.split('.').at(-1) ?? key), `not in test/${place}.test.ts`).to.equal(true);
    }));
});
