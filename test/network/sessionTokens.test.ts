import { createHmac } from 'node:crypto';
import { expect } from 'chai';
import { startApp, useTestApp } from '../support/app';
import { callerOf } from '../support/caller';
import { buildUser, entryTokenOf, signIn, signInAsAdmin } from '../support/factories';

const base64url = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

function claimsOf(token: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
}

describe('sessions and their tokens', () => {
  const app = useTestApp();

  const login = (body: object) => app.agent.post('/api/auth/login').send(body);
  const me = (token: string) => app.agent.get('/api/configuration').set('Authorization', `Bearer ${token}`);
  const checkWith = (token: string) =>
    callerOf(app, token)('post', 'auth/check', { login: 'x', password: 'x' });

  it('include a cookie that opens pads and that the API never accepts', async () => {
    const user = await buildUser(app);
    const answer = await login({ login: user.login, password: user.password });
    const entry = entryTokenOf(answer);
    expect((await me(entry)).body.auth).to.equal(false);
    const byCookie = await app.agent
      .get('/api/configuration')
      .set('Cookie', `mypads_entry=${entry}; token=${entry}`);
    expect(byCookie.body.auth).to.equal(false);
  });

  it('can be several of one person; signing out ends one of them', async () => {
    const user = await buildUser(app);
    const second = await signIn(app, user.login, user.password);
    expect((await me(user.token)).body.auth).to.equal(true);
    const answer = await app.agent.get('/api/auth/logout').query({ auth_token: user.token });
    expect(answer.body).to.deep.equal({ success: true });
    expect(String(answer.headers['set-cookie'])).to.match(/^mypads_entry=; .*Expires=Thu, 01 Jan 1970/);
    expect((await me(user.token)).body.auth).to.equal(false);
    expect((await me(second.token)).body.auth).to.equal(true);
    expect((await app.agent.post('/api/auth/logout').send({ auth_token: second.token })).status).to.equal(
      200,
    );
    expect((await me(second.token)).body.auth).to.equal(false);
    const again = await app.agent.get('/api/auth/logout').query({ auth_token: second.token });
    expect(again.body.error).to.equal('BACKEND.ERROR.AUTHENTICATION.NOT_AUTH');
  });

  it('end together with their cookie', async () => {
    const user = await buildUser(app);
    expect(await app.model.sessions.read(user.entryToken, ['entry'])).not.to.equal(undefined);
    await app.agent.post('/api/auth/logout').query({ auth_token: user.token });
    expect(await app.model.sessions.read(user.entryToken, ['entry'])).to.equal(undefined);
  });

  it('end when the password changes, except the one that changes it', async () => {
    const user = await buildUser(app);
    const second = await signIn(app, user.login, user.password);
    const answer = await callerOf(app, second.token)('put', `user/${user.login}`, {
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

  it('survive a restart', async () => {
    const user = await buildUser(app);
    await app.restart();
    expect((await me(user.token)).body.user.login).to.equal(user.login);
  });

  describe('with an invalid token', () => {
    const forgeries: [string, (token: string) => string | Promise<string>][] = [
      ['garbage', () => 'garbage'],
      ['dots', () => '..'],
      ['a very long text', () => 'x'.repeat(5_000)],
      [
        'unsigned, with the algorithm none (C5)',
        (token) => `${base64url({ alg: 'none', typ: 'JWT' })}.${token.split('.')[1]}.`,
      ],
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
      [
        'the old kind, with a built-in name of JavaScript (C5)',
        () => `${base64url({ alg: 'HS256' })}.${base64url({ login: 'constructor' })}.x`,
      ],
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
        expect(answer.body).to.deep.equal({ error: 'BACKEND.ERROR.AUTHENTICATION.NOT_AUTH' });
      });
    }

    it('treats the caller as a guest where no token is needed', async () => {
      const answer = await me('garbage');
      expect(answer.status).to.equal(200);
      expect(answer.body.auth).to.equal(false);
      expect(answer.body).not.to.have.property('user');
    });

    it('survives a token of another type', async () => {
      for (const token of [5, null, {}, ['x'], true]) {
        const answer = await app.agent
          .post('/api/auth/check')
          .send({ auth_token: token, login: 'x', password: 'x' });
        expect(answer.status).to.equal(401);
      }
      const twice = await app.agent.get('/api/configuration?auth_token=a&auth_token=b');
      expect(twice.status).to.equal(200);
    });

    it('is refused where guests may call too, also if the token is missing or was sent twice', async () => {
      const call = () => app.agent.post('/api/links/open').send({ secret: 'unknown' });
      const answers = [
        await call().set('Authorization', 'Bearer'),
        await call().set('Authorization', 'JWT '),
        await call().query('auth_token=a&auth_token=b'),
      ];
      for (const { status, body } of answers)
        expect([status, body]).to.deep.equal([401, { error: 'BACKEND.ERROR.AUTHENTICATION.NOT_AUTH' }]);
    });
  });
});
