import { expect } from 'chai';
import type { CheckupAnswer } from '../../api/admin/schema';
import { startApp, useTestAppForEach } from '../support/app';
import { callerOf } from '../support/caller';
import { buildUser, signInAsAdmin } from '../support/factories';
import { people } from '../support/ldapServer';
import { useDirectory } from '../support/ldapSignIn';
import { closedPort } from '../support/smtpServer';

describe('signing in through an LDAP directory, over HTTP', () => {
  const app = useTestAppForEach();
  const directory = useDirectory(app);
  beforeEach(() => app.model.configuration.set('authMethod', 'ldap'));

  const { alice } = people;
  const login = (name: string, password: string) =>
    app.agent.post('/api/auth/login').send({ login: name, password });

  it('makes an active account at the first sign-in, also where addresses are confirmed', async () => {
    await app.model.configuration.set('checkMails', true);
    const answer = await login(alice.uid, alice.password);
    expect(answer.body.user).to.include({
      login: 'alice',
      email: 'alice@example.org',
      firstname: 'Alice',
      lastname: 'Liddell',
      active: true,
    });
    expect((await app.model.users.findByLogin('alice'))?.password).to.equal(null);
  });

  it('answers a wrong password and an unknown login alike', async () => {
    const answers = [
      await login('alice', 'wrong'),
      await login('nobody', 'wrong'),
      await login('ad-wrong', 'any'),
      await login('ad-unknown', 'any'),
    ];
    for (const { body } of answers) {
      expect(body).to.deep.equal({ error: 'BACKEND.ERROR.AUTHENTICATION.PASSWORD_INCORRECT' });
    }
    expect(await app.model.users.findByLogin('alice')).to.equal(undefined);
  });

  it('never merges two people with one address', async () => {
    expect((await login('twin1', 'same')).status).to.equal(200);
    const second = await login('twin2', 'same');
    expect(second.body.error).to.equal('BACKEND.ERROR.USER.EMAIL_ALREADY_EXISTS');
  });

  it('refuses the old password of the account, and deletes it', async () => {
    await app.model.configuration.set('authMethod', 'internal');
    const before = await buildUser(app, { login: 'alice', email: 'alice@example.org' });
    const local = await buildUser(app);
    await app.model.configuration.set('authMethod', 'ldap');
    expect((await login('alice', before.password)).status).to.equal(400);
    expect((await login(local.login, local.password)).status).to.equal(400);
    expect((await login('alice', alice.password)).body.user._id).to.equal(before.id);
    await app.model.configuration.set('authMethod', 'internal');
    for (const password of [before.password, alice.password, 'soooooo_useless']) {
      expect((await login('alice', password)).body.error).to.match(/PLEASE_CHANGE_YOUR_PASSWORD$/);
    }
  });

  it('checks the current password of a signed-in person at the directory', async () => {
    const { token } = (await login('alice', alice.password)).body;
    const asAlice = (method: 'put' | 'post' | 'delete', path: string, body: object) =>
      app.agent[method](`/api/${path}`).set('Authorization', `Bearer ${token}`).send(body);
    const check = (password: string) => asAlice('post', 'auth/check', { login: 'alice', password });
    expect((await check(alice.password)).body).to.deep.equal({ success: true });
    expect((await check('wrong')).status).to.equal(400);
    const move = (currentPassword: string) =>
      asAlice('put', 'user/alice', { email: 'moved@example.org', currentPassword });
    expect((await move('wrong')).body.error).to.equal('BACKEND.ERROR.AUTHENTICATION.PASSWORD_INCORRECT');
    expect((await move(alice.password)).body.value.email).to.equal('moved@example.org');
    // Old clients send the directory's password with every profile. It must not be stored.
    const profile = { organization: 'Wonderland', password: alice.password, passwordConfirm: alice.password };
    expect((await asAlice('put', 'user/alice', profile)).status).to.equal(200);
    expect((await app.model.users.findByLogin('alice'))?.password).to.equal(null);
    // Another password cannot be stored, and the answer must not say that it was.
    for (const more of [{}, { currentPassword: alice.password }, { currentPassword: 'wrong' }]) {
      const refused = await asAlice('put', 'user/alice', {
        firstname: 'X',
        password: 'a new secret',
        ...more,
      });
      expect([refused.status, refused.body], JSON.stringify(more)).to.deep.equal([
        400,
        { error: 'BACKEND.ERROR.AUTHENTICATION.NO_RECOVER', field: 'password' },
      ]);
    }
    expect((await check('a new secret')).status).to.equal(400);
    expect((await asAlice('delete', 'user/alice', { currentPassword: 'wrong' })).status).to.equal(400);
    expect((await asAlice('delete', 'user/alice', { currentPassword: alice.password })).status).to.equal(200);
  });

  it('accepts short passwords of the directory, whatever the settings say', async () => {
    await app.model.configuration.set('passwordMin', 60);
    const { bob } = people;
    const answer = await login(bob.uid, bob.password);
    expect(answer.status).to.equal(200);
    const saved = await callerOf(app, answer.body.token)('put', 'user/bob', {
      organization: 'Yard',
      password: bob.password,
      passwordConfirm: bob.password,
    });
    expect(saved.status).to.equal(200);
    expect((await login(bob.uid, bob.password)).status).to.equal(200);
  });

  it('keeps running when the directory answers anything while it checks a current password (A3)', async () => {
    const expected: [string, number, string][] = [
      [people.adWrongPassword.uid, 400, 'PASSWORD_INCORRECT'],
      [people.adUnknown.uid, 400, 'PASSWORD_INCORRECT'],
      [people.busy.uid, 503, 'DIRECTORY_UNAVAILABLE'],
      [people.hangUp.uid, 503, 'DIRECTORY_UNAVAILABLE'],
      [people.oddCode.uid, 503, 'DIRECTORY_UNAVAILABLE'],
    ];
    for (const [uid, status, error] of expected) {
      await app.model.configuration.set('authMethod', 'internal');
      const user = await buildUser(app, { login: uid });
      await app.model.configuration.set('authMethod', 'ldap');
      const asUser = (method: 'post' | 'delete', path: string, body: object) =>
        app.agent[method](`/api/${path}`).set('Authorization', `Bearer ${user.token}`).send(body);
      for (const answer of [
        await asUser('post', 'auth/check', { login: uid, password: 'any' }),
        await asUser('delete', `user/${uid}`, { currentPassword: 'any' }),
      ]) {
        expect([answer.status, answer.body.error], uid).to.deep.equal([
          status,
          `BACKEND.ERROR.AUTHENTICATION.${error}`,
        ]);
      }
    }
    expect((await app.agent.get('/api/cache/check')).status).to.equal(200);
  });

  it('counts wrong passwords', async () => {
    const strict = await startApp({
      limitFactor: 1,
      plugin: { authMethod: 'ldap', authLdapSettings: directory.settings() },
    });
    const answers = await Promise.all(
      Array.from({ length: 12 }, () =>
        strict.agent.post('/api/auth/login').send({ login: 'alice', password: 'wrong' }),
      ),
    );
    expect(answers.filter(({ status }) => status === 429)).to.have.length(2);
    await strict.close();
  });

  it('says that the directory is down, and keeps running (A2)', async () => {
    const dead = { ...directory.settings(), url: `ldap://127.0.0.1:${await closedPort()}` };
    const down = await startApp({ plugin: { authMethod: 'ldap', authLdapSettings: dead } });
    for (const name of ['alice', 'nobody']) {
      const answer = await down.agent.post('/api/auth/login').send({ login: name, password: 'any' });
      expect(answer.body).to.deep.equal({ error: 'BACKEND.ERROR.AUTHENTICATION.DIRECTORY_UNAVAILABLE' });
    }
    expect((await down.agent.get('/api/cache/check')).status).to.equal(200);
    await down.close();
  });

  it('tests the settings before they are saved, with the stored password', async () => {
    const admin = await signInAsAdmin(app);
    const save = (value: unknown) =>
      app.agent.put('/api/configuration/authLdapSettings').query({ auth_token: admin }).send({ value });
    const { bindCredentials, ...shown } = directory.settings();
    expect((await save(shown)).status).to.equal(200);
    const wrong = await save({ ...shown, bindCredentials: `${String(bindCredentials)} not` });
    expect(wrong.body.error).to.equal('BACKEND.ERROR.CONFIGURATION.UNABLE_TO_BIND_TO_LDAP');
    expect(wrong.text).not.to.include(String(bindCredentials));
    expect(app.model.configuration.get('authLdapSettings').bindCredentials).to.equal(bindCredentials);
    expect((await login('alice', alice.password)).status).to.equal(200);
  });

  it('tests settings without saving them, and the checkup tests those that are saved', async () => {
    const admin = await signInAsAdmin(app);
    const attempt = (value: unknown) =>
      callerOf(app, admin)('post', 'admin/testSetting', { key: 'authLdapSettings', value });
    const { bindCredentials, ...shown } = directory.settings();
    expect((await attempt(shown)).status, 'with the password that is kept').to.equal(200);
    const wrong = await attempt({ ...shown, bindCredentials: `${String(bindCredentials)} not` });
    expect(wrong.body.error).to.equal('BACKEND.ERROR.CONFIGURATION.UNABLE_TO_BIND_TO_LDAP');
    const searchBase = 'ou=nowhere,dc=example,dc=org';
    expect((await attempt({ ...shown, searchBase })).body.reason).to.be.a('string');
    expect(app.model.configuration.get('authLdapSettings')).to.deep.equal(directory.settings());
    await login('alice', alice.password);
    const { body } = await app.agent.get('/api/admin/checkup').query({ auth_token: admin });
    const found = Object.fromEntries(
      (body as CheckupAnswer).checks.map(({ id, finding }) => [id, finding] as const),
    );
    expect(found).to.include({ ldap: 'good', damage: 'good' });
  });

  it('logs no password', async () => {
    await login('alice', alice.password);
    await login('alice', 'a wrong secret');
    const logged = JSON.stringify(await app.lines());
    for (const secret of [alice.password, 'a wrong secret', 'service secret']) {
      expect(logged).not.to.include(secret);
    }
    expect(logged).to.include('sign-in refused');
  });
});
