import { expect } from 'chai';
import { startApp, useTestApp } from '../support/app';
import { callerOf } from '../support/caller';
import { buildUser, signIn, signInAsAdmin } from '../support/factories';
import { chooseCas } from '../support/signInServices';

describe('signing in and out', () => {
  const app = useTestApp();

  const login = (body: object) => app.agent.post('/api/auth/login').send(body);
  const me = (token: string) => app.agent.get('/api/configuration').set('Authorization', `Bearer ${token}`);

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

  it('contains no password, salt, hash or author token in any answer (W1)', async () => {
    const user = await buildUser(app);
    const answer = await login({ login: user.login, password: user.password });
    const shown = await app.agent.get(`/api/user/${user.login}`).query({ auth_token: answer.body.token });
    const configuration = await me(answer.body.token);
    for (const text of [answer.text, shown.text, configuration.text]) {
      expect(text).not.to.match(/"password"|"salt"|"hash"|eplAuthorToken/);
    }
  });

  it('checks a password by whatever name the person signs in with', async () => {
    const user = await buildUser(app, { email: 'Ada.Check@example.org' });
    await app.model.configuration.set('insensitiveMailMatch', true);
    const check = (name: string) =>
      callerOf(app, user.token)('post', 'auth/check', { login: name, password: user.password });
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

  it('finds no account for built-in names of JavaScript (C11)', async () => {
    for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
      expect((await login({ login: name, password: 'x' })).status).to.equal(400);
      const admin = await app.agent.post('/api/auth/admin/login').send({ login: name, password: 'x' });
      expect(admin.body.error).to.equal('BACKEND.ERROR.AUTHENTICATION.PASSWORD_INCORRECT');
    }
    expect(({} as Record<string, unknown>).login).to.equal(undefined);
  });

  it('refuses people whose account is closed, and ends their sessions', async () => {
    const user = await buildUser(app);
    const admin = await signInAsAdmin(app);
    const closing = await callerOf(app, admin)('put', `user/${user.login}`, { active: false });
    expect(closing.body.value.active).to.equal(false);
    expect((await me(user.token)).body.auth).to.equal(false);
    const right = await login({ login: user.login, password: user.password });
    expect(right.body.error).to.equal('BACKEND.ERROR.AUTHENTICATION.ACTIVATION_NEEDED');
    const wrong = await login({ login: user.login, password: 'wrong' });
    expect(wrong.body.error).to.equal('BACKEND.ERROR.AUTHENTICATION.PASSWORD_INCORRECT');
  });

  it('checks the password of the caller and of nobody else', async () => {
    const user = await buildUser(app);
    const other = await buildUser(app);
    const check = (body: object) =>
      app.agent.post('/api/auth/check').set('Authorization', `Bearer ${user.token}`).send(body);
    expect((await check({ login: user.email, password: user.password })).body).to.deep.equal({
      success: true,
    });
    expect((await check({ login: user.login, password: 'wrong' })).status).to.equal(400);
    const foreign = await check({ login: other.login, password: other.password });
    expect(foreign.body.error).to.equal('BACKEND.ERROR.AUTHENTICATION.DENIED');
  });

  it('refuses passwords of the database while another service signs people in', async () => {
    const user = await buildUser(app);
    await chooseCas(app.model.configuration.set);
    for (const name of [user.login, 'somebody new']) {
      const answer = await login({ login: name, password: user.password });
      expect(answer.body.error).to.equal('BACKEND.ERROR.AUTHENTICATION.CAS_NO_TICKET');
    }
    await app.model.configuration.set('authMethod', 'internal');
    expect((await login({ login: user.login, password: user.password })).status).to.equal(200);
  });
});

describe('trying too often', () => {
  it('does not count sign-ins that succeed', async () => {
    const app = await startApp({ limitFactor: 1 });
    const user = await buildUser(app);
    for (let count = 0; count < 15; count += 1) await signIn(app, user.login, user.password);
    await app.close();
  });
});

describe('while the accounts of an old database are being indexed', () => {
  it('a sign-in is told to try again, and no account is made twice (R6)', async () => {
    const app = await startApp({ held: true });
    const { agent } = app;
    expect((await agent.get('/api/cache/check')).body).to.deep.equal({ userCacheReady: false });
    const body = { login: 'early', password: 'secret of early', email: 'early@example.org' };
    const early = await agent.post('/api/user').send(body);
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
