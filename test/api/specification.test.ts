import { expect } from 'chai';
import { startApp, type TestApp, useTestApp } from '../support/app';
import { type Call, callerOf, type Method } from '../support/caller';
import { checkEach } from '../support/cases';
import { readDocument } from '../support/document';
import { buildGroup, buildPad, buildUser, signInAsAdmin, type TestUser } from '../support/factories';

interface Fixture {
  user: TestUser;
  friend: TestUser;
  group: string;
  pad: string;
}
type Who = 'guest' | 'user' | 'admin';

/** Section 7 of the specification: each call, who makes it, what is sent, and what the answer contains. */
const calls: [
  Method,
  (fixture: Fixture) => string,
  Who,
  ((fixture: Fixture) => object) | undefined,
  string[],
][] = [
  ['get', () => 'configuration', 'guest', undefined, ['value', 'auth']],
  ['get', () => 'configuration', 'user', undefined, ['value', 'auth', 'user']],
  ['put', () => 'configuration/title', 'admin', () => ({ value: 'T' }), ['success', 'key', 'value']],
  ['get', () => 'configuration/title', 'admin', undefined, ['key', 'value']],
  ['post', () => 'configuration', 'admin', () => ({ key: 'title', value: 'T' }), ['success', 'key', 'value']],
  ['delete', () => 'configuration/title', 'admin', undefined, ['success', 'key']],
  ['get', () => 'configuration/public/usefirstlastname', 'guest', undefined, ['success', 'usefirstlastname']],
  [
    'get',
    () => 'configuration/public/allpadspublicsauthentifiedonly',
    'guest',
    undefined,
    ['success', 'allpadspublicsauthentifiedonly'],
  ],
  [
    'post',
    () => 'auth/login',
    'guest',
    ({ user }) => ({ login: user.login, password: user.password }),
    ['success', 'token', 'user'],
  ],
  [
    'post',
    () => 'auth/check',
    'user',
    ({ user }) => ({ login: user.login, password: user.password }),
    ['success'],
  ],
  ['get', () => 'auth/logout', 'user', undefined, ['success']],
  [
    'post',
    () => 'auth/admin/login',
    'guest',
    () => ({ login: 'root', password: 'rootroot' }),
    ['success', 'token'],
  ],
  ['get', () => 'auth/admin/logout', 'admin', undefined, ['success']],
  [
    'post',
    () => 'user',
    'guest',
    () => ({ login: 'new', password: 'long enough', email: 'new@example.org' }),
    ['success', 'key', 'value'],
  ],
  ['get', ({ user }) => `user/${user.login}`, 'user', undefined, ['key', 'value']],
  ['put', ({ user }) => `user/${user.login}`, 'user', () => ({ lang: 'fr' }), ['success', 'key', 'value']],
  ['delete', ({ user }) => `user/${user.login}`, 'admin', undefined, ['success', 'key', 'removed']],
  ['delete', ({ user }) => `user/${user.login}/sessions`, 'admin', undefined, ['success', 'key']],
  ['get', () => 'all-users', 'admin', undefined, ['users', 'usersCount']],
  ['get', () => 'search-users/per', 'admin', undefined, ['users', 'usersCount']],
  ['post', () => 'usermark', 'user', ({ pad }) => ({ type: 'pads', key: pad }), ['success']],
  ['get', () => 'group', 'user', undefined, ['value']],
  ['get', ({ group }) => `group/${group}`, 'user', undefined, ['key', 'value', 'pads', 'users']],
  ['post', () => 'group', 'user', () => ({ name: 'G' }), ['success', 'key', 'value']],
  ['put', ({ group }) => `group/${group}`, 'user', () => ({ name: 'G2' }), ['success', 'key', 'value']],
  ['delete', ({ group }) => `group/${group}`, 'user', undefined, ['success', 'key']],
  [
    'post',
    () => 'group/invite',
    'user',
    ({ group, friend }) => ({ gid: group, invite: true, loginsOrEmails: [friend.login, 'x'] }),
    ['success', 'value', 'users', 'present', 'absent'],
  ],
  ['get', ({ pad }) => `pad/${pad}`, 'user', undefined, ['key', 'value', 'present']],
  ['post', () => 'pad', 'user', ({ group }) => ({ name: 'P', group }), ['success', 'key', 'value']],
  ['put', ({ pad }) => `pad/${pad}`, 'user', () => ({ name: 'P2' }), ['success', 'key', 'value']],
  ['delete', ({ pad }) => `pad/${pad}`, 'user', undefined, ['success', 'key']],
  ['delete', ({ pad }) => `pad/chathistory/${pad}`, 'user', undefined, ['success', 'key']],
  ['get', ({ pad }) => `pad/ispublic/${pad}`, 'guest', undefined, ['success', 'key', 'ispublic']],
  ['get', () => 'userlist', 'user', undefined, ['value', 'present', 'absent']],
  [
    'post',
    () => 'userlist',
    'user',
    ({ friend }) => ({ name: 'L', loginsOrEmails: [friend.email] }),
    ['success', 'key', 'value', 'present', 'absent'],
  ],
  ['get', () => 'cache/check', 'guest', undefined, ['userCacheReady']],
];

describe('every call of the specification', () => {
  let app: TestApp;
  let fixture: Fixture;
  let as: Record<Who, Call>;
  before(async () => {
    app = await startApp();
  });
  beforeEach(populate);
  after(() => app.close());

  async function populate(): Promise<void> {
    const [user, friend] = [await buildUser(app), await buildUser(app)];
    const group = await buildGroup(app, user);
    const pad = await buildPad(app, user, group);
    fixture = { user, friend, group: group._id, pad: pad._id };
    as = {
      guest: callerOf(app),
      user: callerOf(app, user.token),
      admin: callerOf(app, await signInAsAdmin(app)),
    };
  }

  it('answers as it did in 1.x', () => {
    const named = calls.map((call) => {
      const [method, path, who] = call;
      const shown = path({ user: { login: ':login' }, group: ':id', pad: ':id' } as Fixture);
      return [`${method.toUpperCase()} ${shown} for ${who}`, call] as const;
    });
    return checkEach(named, async ([method, path, who, body, expected]) => {
      await populate();
      const answer = await as[who](method, path(fixture), body?.(fixture));
      expect(answer.status, answer.text).to.equal(200);
      expect(Object.keys(answer.body)).to.have.members(expected);
      if (expected.includes('success')) expect(answer.body.success).to.equal(true);
    });
  });

  it('POST group/resign removes the caller from the group', async () => {
    await as.user('put', `group/${fixture.group}`, { users: [fixture.friend.id] });
    const answer = await callerOf(app, fixture.friend.token)('post', 'group/resign', { gid: fixture.group });
    expect(answer.status).to.equal(200);
    expect(answer.body.value.users).to.deep.equal([]);
  });

  it('a body that is not JSON is refused by every call, also by calls that need no body', async () => {
    for (const [method, path, who] of calls) {
      const text = 'login=x';
      const request = as[who](method, path(fixture)).set('Content-Type', 'text/plain').send(text);
      const answer = await request;
      expect(answer.status, `${method} ${path(fixture)}`).to.equal(400);
    }
  });
});

/** Calls that are never refused. */
const neverRefused = ['GET /openapi.json', 'POST /auth/oidc/{provider}/callback'];

describe('every call of the description', () => {
  const app = useTestApp();

  it('is refused with an answer as it is described', async () => {
    const { calls: names, faultOf } = await readDocument(app.agent);
    const refused = names.filter((name) => !neverRefused.includes(name));
    await checkEach(
      refused.map((name): [string, string[]] => [name, name.split(' ')]),
      async ([method = '', path = '']) => {
        const place = path.replace(/\{\w+\}/g, 'unknown');
        const way = method.toLowerCase() as Method;
        const { status, text } = await callerOf(app)(way, place.slice(1), { unknown: true });
        expect(status).to.be.within(400, 499);
        expect(faultOf({ method, path: place, status, text })).to.equal(undefined);
      },
    );
  });
});

describe('the limits of the forms', () => {
  let app: TestApp;
  let user: TestUser;
  let call: Call;
  let admin: Call;
  before(async () => {
    app = await startApp();
    user = await buildUser(app);
    call = callerOf(app, user.token);
    admin = callerOf(app, await signInAsAdmin(app));
  });
  after(() => app.close());

  it('names have forty characters at most, wherever they are given', async () => {
    const [longest, tooLong] = ['x'.repeat(40), 'x'.repeat(41)];
    const group = await buildGroup(app, user);
    const person = { password: 'long enough', email: 'forty@example.org' };
    for (const [path, body] of [
      ['group', { name: longest }],
      ['pad', { name: longest, group: group._id }],
      ['userlist', { name: longest }],
      ['user', { ...person, login: longest }],
    ] as const) {
      expect((await call('post', path, body)).status, path).to.equal(200);
      const name = path === 'user' ? 'login' : 'name';
      const refused = await call('post', path, { ...body, [name]: tooLong });
      expect(refused.status, path).to.equal(400);
      expect(refused.body.field, path).to.equal(name);
    }
  });

  it('other texts have a hundred characters at most', async () => {
    for (const field of ['firstname', 'lastname', 'organization', 'padNickname']) {
      expect((await call('put', `user/${user.login}`, { [field]: 'x'.repeat(100) })).status).to.equal(200);
      const refused = await call('put', `user/${user.login}`, { [field]: 'x'.repeat(101) });
      expect(refused.body).to.deep.equal({ error: 'BACKEND.ERROR.TYPE.STR_100', field });
      const person = { login: `of-${field}`, password: 'long enough', email: `${field}@example.org` };
      for (const by of [callerOf(app), admin]) {
        const unmade = await by('post', 'user', { ...person, [field]: 'x'.repeat(101) });
        expect(unmade.body).to.deep.equal({ error: 'BACKEND.ERROR.TYPE.STR_100', field });
      }
      expect((await admin('post', 'user', { ...person, [field]: 'x'.repeat(100) })).status).to.equal(200);
    }
  });

  it('a colour is # and six hexadecimal digits, or none', async () => {
    for (const color of ['#0aF9c3', '']) {
      expect((await call('put', `user/${user.login}`, { color })).body.value.color).to.equal(color);
    }
    for (const color of ['#0aF9c', '#0aF9c3f', '0aF9c3', '#0aF9cg', 'red', '#12345\n', 5, null]) {
      const refused = await call('put', `user/${user.login}`, { color });
      expect(refused.status, String(color)).to.equal(400);
      expect(refused.body.field).to.equal('color');
    }
  });

  it('a password is as long as the settings want, also the one that an administrator gives', async () => {
    await app.model.configuration.set('passwordMin', 10);
    await app.model.configuration.set('passwordMax', 12);
    const register = (by: Call, password: string) =>
      by('post', 'user', {
        login: `p${password.length}`,
        password,
        email: `p${password.length}@example.org`,
      });
    for (const length of [9, 13]) {
      for (const by of [callerOf(app), admin]) {
        expect((await register(by, 'x'.repeat(length))).body.error).to.equal(
          'BACKEND.ERROR.TYPE.PASSWORD_SIZE',
        );
      }
    }
    expect((await register(callerOf(app), 'x'.repeat(10))).status).to.equal(200);
    expect((await register(admin, 'x'.repeat(12))).status).to.equal(200);
    await app.model.configuration.remove('passwordMin');
    await app.model.configuration.remove('passwordMax');
  });

  it('a password is compared exactly as it was typed', async () => {
    const password = '  Blank & ünïcode 🔑  ';
    await buildUser(app, { login: 'exact', email: 'exact@example.org', password });
    for (const other of [password.trim(), password.toLowerCase(), password.normalize('NFD')]) {
      const refused = await callerOf(app)('post', 'auth/login', { login: 'exact', password: other });
      expect(refused.status).to.equal(400);
    }
  });

  it('empty passwords in a profile keep the current one', async () => {
    const saved = await call('put', `user/${user.login}`, {
      password: '',
      passwordConfirm: '',
      currentPassword: '',
    });
    expect(saved.status).to.equal(200);
    const signedIn = await callerOf(app)('post', 'auth/login', {
      login: user.login,
      password: user.password,
    });
    expect(signedIn.status).to.equal(200);
  });

  it('only accounts that exist are invited or listed', async () => {
    const group = await buildGroup(app, user);
    for (const invite of [true, false]) {
      const loginsOrEmails = invite ? ['nobody'] : [user.login, 'nobody'];
      const answer = await call('post', 'group/invite', { gid: group._id, invite, loginsOrEmails });
      expect(answer.body.absent).to.deep.equal(['nobody']);
    }
  });
});
