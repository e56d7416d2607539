import { createHash, createHmac } from 'node:crypto';
import { expect } from 'chai';
import type { UserRecord } from '../../model/store/entities';
import { keys } from '../../model/store/store';
import { startApp, type TestApp } from '../support/app';
import { buildUser, entryTokenOf, signIn, signInAsAdmin } from '../support/factories';

const base64url = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

function claimsOf(token: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
}

describe('signing in and out', () => {
  let app: TestApp;
  before(async () => {
    app = await startApp();
  });
  after(() => app.close());

  const login = (body: object) => app.agent.post('/api/auth/login').send(body);
  const me = (token: string) => app.agent.get('/api/configuration').set('Authorization', `Bearer ${token}`);
  const checkWith = (token: string) =>
    app.agent
      .post('/api/auth/check')
      .set('Authorization', `Bearer ${token}`)
      .send({ login: 'x', password: 'x' });

  it('lets a person in by login and by e-mail address', async () => {
    const user = await buildUser(app);
    for (const name of [user.login, user.email]) {
      const answer = await login({ login: name, password: user.password });
      expect(answer.status).to.equal(200);
      expect(answer.body.success).to.equal(true);
      expect(answer.body.user.login).to.equal(user.login);
      expect(answer.body.token).to.be.a('string');
    }
  });

  it('tells nobody a password, salt, hash or author token', async () => {
    const user = await buildUser(app);
    const answer = await login({ login: user.login, password: user.password });
    const shown = await app.agent.get(`/api/user/${user.login}`).query({ auth_token: answer.body.token });
    const configuration = await me(answer.body.token);
    for (const text of [answer.text, shown.text, configuration.text]) {
      expect(text).not.to.match(/"password"|"salt"|"hash"|eplAuthorToken/);
    }
  });

  it('gives the browser a cookie that opens pads and that the API never takes', async () => {
    const user = await buildUser(app);
    const answer = await login({ login: user.login, password: user.password });
    const cookie = String(answer.headers['set-cookie']);
    expect(cookie).to.match(/^mypads_entry=[^;]+; /);
    expect(cookie)
      .to.match(/HttpOnly/)
      .and.match(/SameSite=Lax/)
      .and.match(/Path=\//);
    expect(cookie).not.to.match(/Secure/);
    const entry = entryTokenOf(answer);
    expect((await me(entry)).body.auth).to.equal(false);
    const byCookie = await app.agent
      .get('/api/configuration')
      .set('Cookie', `mypads_entry=${entry}; token=${entry}`);
    expect(byCookie.body.auth).to.equal(false);
  });

  it('takes the token as Bearer, as JWT, in the query and in the body', async () => {
    const { login: name, password, token } = await buildUser(app);
    const check = (): ReturnType<typeof app.agent.post> => app.agent.post('/api/auth/check');
    const body = { login: name, password };
    const answers = [
      await check().set('Authorization', `Bearer ${token}`).send(body),
      await check().set('Authorization', `jwt ${token}`).send(body),
      await check().query({ auth_token: token }).send(body),
      await check().send({ ...body, auth_token: token }),
      await check().set('Authorization', 'Basic cm9vdDpyb290').query({ auth_token: token }).send(body),
    ];
    expect(answers.map((answer) => answer.status)).to.deep.equal([200, 200, 200, 200, 200]);
  });

  it('checks a password by whatever name the person signs in with', async () => {
    const user = await buildUser(app, { email: 'Ada.Check@example.org' });
    await app.model.configuration.set('insensitiveMailMatch', true);
    const check = (name: string) =>
      app.agent
        .post('/api/auth/check')
        .set('Authorization', `Bearer ${user.token}`)
        .send({ login: name, password: user.password });
    for (const name of [user.login, user.email, user.email.toLowerCase()]) {
      expect((await check(name)).status, name).to.equal(200);
    }
    expect((await check((await buildUser(app)).login)).body.error).to.equal(
      'BACKEND.ERROR.AUTHENTICATION.DENIED',
    );
  });

  it('answers an unknown login and a wrong password alike', async () => {
    const user = await buildUser(app);
    const wrong = await login({ login: user.login, password: 'not this one' });
    const unknown = await login({ login: 'nobody-at-all', password: 'not this one' });
    expect(wrong.status).to.equal(400);
    expect(wrong.body).to.deep.equal({ error: 'BACKEND.ERROR.AUTHENTICATION.PASSWORD_INCORRECT' });
    expect(unknown.status).to.equal(400);
    expect(unknown.body).to.deep.equal(wrong.body);
  });

  it('compares a hash also when there is nobody with that login', async () => {
    await login({ login: 'nobody-at-all', password: 'the first one makes the hash' });
    await app.operations();
    await login({ login: 'nobody-at-all', password: 'not this one' });
    const work = (await app.operations()).filter(({ what }) => what === 'compare' || what === 'hash');
    expect(work).to.deep.equal([{ what: 'compare', cost: 4 }]);
  });

  it('finds nobody behind the names of JavaScript itself (C11)', async () => {
    for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
      expect((await login({ login: name, password: 'x' })).status).to.equal(400);
      const admin = await app.agent.post('/api/auth/admin/login').send({ login: name, password: 'x' });
      expect(admin.status).to.equal(400);
      expect(admin.body.error).to.equal('BACKEND.ERROR.AUTHENTICATION.PASSWORD_INCORRECT');
    }
    expect(({} as Record<string, unknown>).login).to.equal(undefined);
  });

  it('keeps several sessions of a person, and signing out ends that one only', async () => {
    const user = await buildUser(app);
    const second = await signIn(app, user.login, user.password);
    expect((await me(user.token)).body.auth).to.equal(true);
    for (const [method, token] of [['get', user.token]] as const) {
      const answer = await app.agent[method]('/api/auth/logout').query({ auth_token: token });
      expect(answer.body).to.deep.equal({ success: true });
      expect(String(answer.headers['set-cookie'])).to.match(/^mypads_entry=; .*Expires=Thu, 01 Jan 1970/);
    }
    expect((await me(user.token)).body.auth).to.equal(false);
    expect((await me(second.token)).body.auth).to.equal(true);
    expect((await app.agent.post('/api/auth/logout').send({ auth_token: second.token })).status).to.equal(
      200,
    );
    expect((await me(second.token)).body.auth).to.equal(false);
    const again = await app.agent.get('/api/auth/logout').query({ auth_token: second.token });
    expect(again.status).to.equal(401);
    expect(again.body.error).to.equal('BACKEND.ERROR.AUTHENTICATION.NOT_AUTH');
  });

  it('ends the cookie with the session', async () => {
    const user = await buildUser(app);
    expect(await app.model.sessions.read(user.entryToken, ['entry'])).not.to.equal(undefined);
    await app.agent.post('/api/auth/logout').query({ auth_token: user.token });
    expect(await app.model.sessions.read(user.entryToken, ['entry'])).to.equal(undefined);
  });

  it('ends the other sessions when the password changes, and keeps this one', async () => {
    const user = await buildUser(app);
    const second = await signIn(app, user.login, user.password);
    const answer = await app.agent
      .put(`/api/user/${user.login}`)
      .set('Authorization', `Bearer ${second.token}`)
      .send({
        password: 'another secret',
        passwordConfirm: 'another secret',
        currentPassword: user.password,
      });
    expect(answer.status).to.equal(200);
    expect((await me(user.token)).body.auth).to.equal(false);
    expect((await me(second.token)).body.auth).to.equal(true);
    expect((await login({ login: user.login, password: user.password })).status).to.equal(400);
    expect((await login({ login: user.login, password: 'another secret' })).status).to.equal(200);
  });

  it('keeps people signed in over a restart', async () => {
    const user = await buildUser(app);
    await app.restart();
    expect((await me(user.token)).body.user.login).to.equal(user.login);
  });

  describe('with a token that is worth nothing', () => {
    const forgeries: [string, (token: string) => string | Promise<string>][] = [
      ['garbage', () => 'garbage'],
      ['dots', () => '..'],
      ['a very long text', () => 'x'.repeat(5_000)],
      ['unsigned (alg none)', (token) => `${base64url({ alg: 'none', typ: 'JWT' })}.${token.split('.')[1]}.`],
      [
        'signed with another secret',
        (token) => {
          const head = token.split('.').slice(0, 2).join('.');
          return `${head}.${createHmac('sha256', 'secret').update(head).digest('base64url')}`;
        },
      ],
      [
        'changed after signing',
        (token) => {
          const [head, , signature] = token.split('.');
          return `${head}.${base64url({ ...claimsOf(token), aud: 'admin' })}.${signature}`;
        },
      ],
      ['the old kind', () => `${base64url({ alg: 'HS256' })}.${base64url({ login: 'constructor' })}.x`],
      ['meant for pads', async () => (await buildUser(app)).entryToken],
      ["an administrator's", () => signInAsAdmin(app)],
      [
        "another server's",
        async () => {
          const other = await startApp();
          const { token } = await buildUser(other);
          await other.close();
          return token;
        },
      ],
    ];
    for (const [name, forge] of forgeries) {
      it(`refuses one that is ${name}`, async () => {
        const user = await buildUser(app);
        const answer = await checkWith(await forge(user.token));
        expect(answer.status).to.equal(401);
        expect(answer.body).to.deep.equal({ error: 'BACKEND.ERROR.AUTHENTICATION.NOT_AUTH' });
      });
    }

    it('takes the caller for a guest where a token is not needed', async () => {
      const answer = await me('garbage');
      expect(answer.status).to.equal(200);
      expect(answer.body.auth).to.equal(false);
      expect(answer.body).not.to.have.property('user');
    });

    it('does not stumble over a token of another type', async () => {
      for (const token of [5, null, {}, ['x'], true]) {
        const answer = await app.agent
          .post('/api/auth/check')
          .send({ auth_token: token, login: 'x', password: 'x' });
        expect(answer.status).to.equal(401);
      }
      const twice = await app.agent.get('/api/configuration?auth_token=a&auth_token=b');
      expect(twice.status).to.equal(200);
    });

    it("does not take a person's token for an administrator's", async () => {
      const user = await buildUser(app);
      const answer = await app.agent.get('/api/configuration/title').query({ auth_token: user.token });
      expect(answer.status).to.equal(401);
      expect(answer.body.error).to.equal('BACKEND.ERROR.AUTHENTICATION.ADMIN');
    });
  });

  it('lets nobody in whose account is closed, and ends the sessions', async () => {
    const user = await buildUser(app);
    const admin = await signInAsAdmin(app);
    const closing = await app.agent
      .put(`/api/user/${user.login}`)
      .query({ auth_token: admin })
      .send({ active: false });
    expect(closing.body.value.active).to.equal(false);
    expect((await me(user.token)).body.auth).to.equal(false);
    const right = await login({ login: user.login, password: user.password });
    expect(right.status).to.equal(401);
    expect(right.body.error).to.equal('BACKEND.ERROR.AUTHENTICATION.ACTIVATION_NEEDED');
    const wrong = await login({ login: user.login, password: 'wrong' });
    expect(wrong.body.error).to.equal('BACKEND.ERROR.AUTHENTICATION.PASSWORD_INCORRECT');
  });

  it('checks the own password and nobody else’s', async () => {
    const user = await buildUser(app);
    const other = await buildUser(app);
    const check = (body: object) =>
      app.agent.post('/api/auth/check').set('Authorization', `Bearer ${user.token}`).send(body);
    expect((await check({ login: user.email, password: user.password })).body).to.deep.equal({
      success: true,
    });
    expect((await check({ login: user.login, password: 'wrong' })).status).to.equal(400);
    const foreign = await check({ login: other.login, password: other.password });
    expect(foreign.status).to.equal(401);
    expect(foreign.body.error).to.equal('BACKEND.ERROR.AUTHENTICATION.DENIED');
  });

  it('refuses passwords of its own while another service signs people in', async () => {
    const user = await buildUser(app);
    await app.model.configuration.set('authMethod', 'cas');
    for (const name of [user.login, 'somebody new']) {
      const answer = await login({ login: name, password: user.password });
      expect(answer.status).to.equal(400);
      expect(answer.body.error).to.equal('BACKEND.ERROR.AUTHENTICATION.CAS_NO_TICKET');
    }
    await app.model.configuration.set('authMethod', 'internal');
    expect((await login({ login: user.login, password: user.password })).status).to.equal(200);
  });
});

describe('trying too often', () => {
  it('is answered with the seconds to wait, for that account only', async () => {
    const app = await startApp({ limitFactor: 1 });
    const user = await buildUser(app);
    const other = await buildUser(app);
    const login = (name: string, password: string) =>
      app.agent.post('/api/auth/login').send({ login: name, password });
    const answers = await Promise.all(Array.from({ length: 14 }, () => login(user.login, 'wrong')));
    expect(answers.filter((answer) => answer.status === 429)).to.have.length(4);
    const refused = await login(user.login, user.password);
    expect(refused.status).to.equal(429);
    expect(refused.body.error).to.equal('BACKEND.ERROR.PERMISSION.TOO_MANY');
    expect(refused.body.retryAfter).to.be.within(1, 900);
    expect(refused.headers['retry-after']).to.equal(String(refused.body.retryAfter));
    expect((await login(other.login, other.password)).status).to.equal(200);
    await app.close();
  });

  it('does not count sign-ins that succeed', async () => {
    const app = await startApp({ limitFactor: 1 });
    const user = await buildUser(app);
    for (let count = 0; count < 15; count += 1) await signIn(app, user.login, user.password);
    await app.close();
  });
});

describe('guessing the password of an administrator', () => {
  it('ends for the address after five tries, and for everybody after a hundred', async () => {
    const app = await startApp({ limitFactor: 1, trustProxy: () => true });
    const guess = (address: string, login: string) =>
      app.agent
        .post('/api/auth/admin/login')
        .set('X-Forwarded-For', address)
        .send({ login, password: 'a guess' });
    const statuses: number[] = [];
    for (let number = 1; number <= 120; number += 1) {
      statuses.push((await guess(`10.0.0.${Math.ceil(number / 6)}`, 'root')).status);
    }
    const refused = statuses.flatMap((status, index) => (status === 429 ? [index + 1] : []));
    expect(refused).to.deep.equal(Array.from({ length: 20 }, (_, index) => 6 * (index + 1)));
    expect((await guess('10.0.1.1', ' ROOT')).status).to.equal(429);
    expect((await guess('10.0.1.1', 'another')).status).to.equal(400);
    await app.close();
  });
});

describe('an account of the earlier generation', () => {
  const salt = createHash('sha512').update('salt').digest('hex').slice(0, 80);
  const hashOf = (password: string): string =>
    createHash('sha512').update(salt).update(password).digest('hex');
  const record = (id: string, fields: object): object => ({
    _id: id,
    login: 'hugo',
    email: 'Hugo@Example.org',
    password: { salt, hash: hashOf('vieux secret') },
    firstname: 'Hugo',
    lastname: '',
    organization: '',
    color: '',
    groups: [],
    bookmarks: { groups: [], pads: [] },
    userlists: {},
    active: true,
    lang: 'fr',
    somethingOfAnAdmin: 7,
    ...fields,
  });
  let app: TestApp;
  before(async () => {
    app = await startApp({
      prepare: async (database) => {
        await database.set(keys.user('hugo-1a2b'), record('hugo-1a2b', {}));
        await database.set(keys.user('undefined'), { login: 'ghost' });
        await database.set(keys.user('cas-1'), {
          ...record('cas-1', { login: 'cas', email: 'cas@example.org' }),
          password: { salt, hash: hashOf('soooooo_useless') },
        });
        await database.set(
          keys.user('empty-1'),
          record('empty-1', { login: 'empty', email: 'e@e.org', password: '' }),
        );
        await database.set('mypads:conf:passwordMax', '30');
        await database.set('mypads:conf:passwordMin', 'nonsense');
      },
    });
  });
  after(() => app.close());

  const login = (name: string, password: string) =>
    app.agent.post('/api/auth/login').send({ login: name, password });
  const stored = () =>
    app.model.store.get<UserRecord & { somethingOfAnAdmin: number }>(keys.user('hugo-1a2b'));

  it('signs in by its login and its address, and nothing of it is lost', async () => {
    expect((await login('hugo', 'vieux secret')).status).to.equal(200);
    expect((await login('Hugo@Example.org', 'vieux secret')).status).to.equal(200);
    expect((await stored())?.somethingOfAnAdmin).to.equal(7);
  });

  it('has a new hash after that, with which the same password still works', async () => {
    const password = (await stored())?.password;
    expect(password).to.have.property('scheme', 'bcrypt');
    expect((await login('hugo', 'vieux secret')).status).to.equal(200);
    expect((await login('hugo', 'wrong')).status).to.equal(400);
  });

  it('matches its address in any letter case only where the setting says so', async () => {
    expect((await login('hugo@example.org', 'vieux secret')).status).to.equal(400);
    await app.model.configuration.set('insensitiveMailMatch', true);
    expect((await login('hugo@example.org', 'vieux secret')).status).to.equal(200);
    await app.model.configuration.remove('insensitiveMailMatch');
  });

  it('of another sign-in service cannot be entered with the stand-in password', async () => {
    const answer = await login('cas', 'soooooo_useless');
    expect(answer.status).to.equal(400);
    expect(answer.body.error).to.equal('BACKEND.ERROR.AUTHENTICATION.PLEASE_CHANGE_YOUR_PASSWORD');
  });

  it('with an emptied password, or without a record worth the name, opens to nobody', async () => {
    for (const name of ['empty', 'ghost', 'undefined']) expect((await login(name, 'x')).status).to.equal(400);
  });

  it('reads the settings of that database, and defaults where they make no sense', () => {
    expect(app.model.configuration.get('passwordMax')).to.equal(30);
    expect(app.model.configuration.get('passwordMin')).to.equal(8);
  });
});

describe('while the accounts of an old database are being indexed', () => {
  it('asks to come back, and makes no double accounts (R6)', async () => {
    const app = await startApp({ held: true });
    const { agent } = app;
    expect((await agent.get('/api/cache/check')).body).to.deep.equal({ userCacheReady: false });
    const body = { login: 'early', password: 'secret of early', email: 'early@example.org' };
    const early = await agent.post('/api/user').send(body);
    expect(early.status).to.equal(503);
    expect(early.body.error).to.equal('BACKEND.ERROR.SERVER.BUSY');
    expect(early.headers['retry-after']).to.equal('1');
    expect((await agent.post('/api/auth/login').send({ login: 'early', password: 'x' })).status).to.equal(
      503,
    );
    await app.inject({ fault: 'none' });
    await app.ready();
    expect((await agent.get('/api/cache/check')).body).to.deep.equal({ userCacheReady: true });
    expect((await agent.post('/api/user').send(body)).status).to.equal(200);
    await app.close();
  });
});
