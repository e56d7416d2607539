import { expect } from 'chai';
import { useTestAppForEach } from '../support/app';
import { callerOf } from '../support/caller';
import { checkEach } from '../support/cases';
import { refusal } from '../support/errorKeys';
import { buildUser, signInAsAdmin } from '../support/factories';
import { people } from '../support/ldapServer';
import { useDirectory } from '../support/ldapSignIn';
import { openOidcBrowser } from '../support/oidcBrowser';
import { startOidcServer } from '../support/oidcServer';
import { closedPort } from '../support/smtpServer';
import { until } from '../support/waiting';

describe('passwords of this server and of a directory, side by side', () => {
  const app = useTestAppForEach();
  const directory = useDirectory(app);
  beforeEach(() => app.model.configuration.set('authMethods', ['ldap']));

  const { alice } = people;
  const login = (name: string, password: string) =>
    app.agent.post('/api/auth/login').send({ login: name, password });
  const error = (name: string) => `BACKEND.ERROR.${name}`;

  it('are asked in the order of the settings, until one knows the person', () =>
    checkEach(
      [
        ['internal first', ['internal', 'ldap']],
        ['directory first', ['ldap', 'internal']],
      ] as const,
      async (methods, title) => {
        await app.model.configuration.set('authMethod', methods[0]);
        await app.model.configuration.set('authMethods', methods);
        const bob = await buildUser(app, { email: `${methods[0]}@example.org` });
        const own = await login(bob.login, bob.password);
        expect([own.status, own.body.user?.passwordAt], title).to.deep.equal([200, 'here']);
        const known = await login('alice', alice.password);
        expect([known.status, known.body.user?.passwordAt]).to.deep.equal([200, 'directory']);
        for (const name of ['alice', bob.login, 'nobody'])
          expect((await login(name, 'wrong')).body.error).to.equal(
            error('AUTHENTICATION.PASSWORD_INCORRECT'),
          );
      },
    ));

  it('open one account with a provider of OpenID Connect, by one verified address', async () => {
    const root = 'https://pads.example.org';
    const provider = await startOidcServer({ root });
    try {
      await app.model.configuration.set('rootUrl', root);
      const school = provider.provider({ linkDomains: ['example.org'] });
      await app.model.configuration.set('authOidcSettings', { providers: { school } });
      await app.model.configuration.set('authMethods', ['ldap', 'oidc']);
      const first = (await login('alice', alice.password)).body.user;
      const claims = {
        sub: 'a-1',
        preferred_username: 'al',
        email: 'alice@example.org',
        email_verified: true,
      };
      provider.present(claims);
      const { user } = (await openOidcBrowser(app, root).signIn()).body;
      expect([user._id, user.login]).to.deep.equal([first._id, 'alice']);
      expect((await login('alice', alice.password)).body.user._id).to.equal(first._id);
    } finally {
      await provider.stop();
    }
  });

  it('each check the current password of their own people', async () => {
    const bob = await buildUser(app);
    const { token } = (await login('alice', alice.password)).body;
    const check = async (by: string, name: string, password: string) =>
      (await callerOf(app, by)('post', 'auth/check', { login: name, password })).status;
    expect(await check(bob.token, bob.login, bob.password)).to.equal(200);
    expect(await check(bob.token, bob.login, alice.password)).to.equal(400);
    expect(await check(token, 'alice', alice.password)).to.equal(200);
    expect(await check(token, 'alice', bob.password)).to.equal(400);
  });

  it('refuse a password of an administrator for a person of the directory', async () => {
    await login('alice', alice.password);
    const admin = callerOf(app, await signInAsAdmin(app));
    const { body } = await admin('put', 'user/alice', { password: 'a given one' });
    expect(body).to.deep.equal({ error: error('AUTHENTICATION.NO_RECOVER'), field: 'password' });
    expect((await login('alice', 'a given one')).status).to.equal(400);
  });

  it('do not depend on each other either when so many sign-ins wait for the directory that it is not asked', async () => {
    await app.model.configuration.set('authMethod', 'ldap');
    await app.model.configuration.set('authMethods', ['ldap', 'internal']);
    const bob = await buildUser(app);
    await login('alice', alice.password);
    const { signIn } = app.model;
    await directory.freeze();
    const waiting = Array.from({ length: 104 }, () => refusal(signIn.byPassword('alice', 'waits')));
    try {
      await until('the queue is full', () => app.model.queues().ldap === 100);
      const own = await signIn.byPassword(bob.login, bob.password);
      expect([own.user.login, own.method]).to.deep.equal([bob.login, 'internal']);
      const wrong = error('AUTHENTICATION.PASSWORD_INCORRECT');
      expect(await refusal(signIn.byPassword(bob.login, 'wrong'))).to.equal(wrong);
      const busy = error('SERVER.BUSY');
      for (const name of ['alice', 'nobody'])
        expect(await refusal(signIn.byPassword(name, alice.password)), name).to.equal(busy);
      await app.model.configuration.set('authMethods', ['ldap']);
      expect(await refusal(signIn.byPassword(bob.login, bob.password)), 'alone').to.equal(busy);
    } finally {
      directory.thaw();
      await Promise.all(waiting);
    }
  });

  it('do not depend on each other: while the directory is down, people of this server sign in', async () => {
    const bob = await buildUser(app);
    await login('alice', alice.password);
    const url = `ldap://127.0.0.1:${await closedPort()}`;
    await app.ports.database.set('mypads:conf:authLdapSettings', directory.settings({ url }));
    await app.restart();
    expect((await login(bob.login, bob.password)).status).to.equal(200);
    const down = await login('alice', alice.password);
    expect(down.body.error).to.equal(error('AUTHENTICATION.DIRECTORY_UNAVAILABLE'));
    // It counts as an attempt, so nobody guesses without a limit meanwhile.
    expect((await login(bob.login, 'wrong')).body.error).to.equal(error('AUTHENTICATION.PASSWORD_INCORRECT'));
  });
});
