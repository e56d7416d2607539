/** What happens to accounts when the directory changes, is down, or gives unusual answers. */
import { expect } from 'chai';
import { startApp, useTestAppForEach } from '../support/app';
import { callerOf } from '../support/caller';
import { buildGroup, buildUser, signInAsAdmin } from '../support/factories';
import { type LdapServer, people, startLdapServer } from '../support/ldapServer';

const refused = 'BACKEND.ERROR.AUTHENTICATION.PASSWORD_INCORRECT';
const unavailable = 'BACKEND.ERROR.AUTHENTICATION.DIRECTORY_UNAVAILABLE';

describe('people of an LDAP directory', () => {
  const app = useTestAppForEach();
  let directory: LdapServer;
  beforeEach(async () => {
    directory = await startLdapServer();
    await app.model.configuration.set('authLdapSettings', directory.settings());
    await app.model.configuration.set('authMethod', 'ldap');
  });
  afterEach(async () => {
    await directory.stop();
  });

  const { alice, bob } = people;
  const login = (name: string, password: string) =>
    app.agent.post('/api/auth/login').send({ login: name, password });
  const accounts = async (): Promise<string[]> => app.ports.database.findKeys('mypads:user:*', null);

  it('keep their account, and get the current names and address of the directory', async () => {
    const first = (await login('alice', alice.password)).body;
    const call = callerOf(app, first.token);
    await call('put', 'user/alice', { organization: 'Wonderland' }).expect(200);
    const group = await buildGroup(app, first);
    await directory.change(alice, { mail: ['queen@example.org'], givenName: ['Alicia'], sn: ['Hargreaves'] });
    const second = (await login('alice', alice.password)).body;
    expect(second.user).to.include({
      _id: first.user._id,
      email: 'queen@example.org',
      firstname: 'Alicia',
      lastname: 'Hargreaves',
      organization: 'Wonderland',
    });
    const { value } = (await callerOf(app, second.token)('get', 'group')).body;
    expect(Object.keys(value.groups)).to.deep.equal([group._id]);
    expect(await app.model.users.findByEmail('alice@example.org')).to.equal(undefined);
  });

  it('sign in with their old address when another account has the new one, and the log says so', async () => {
    const first = (await login('alice', alice.password)).body;
    await login('bob', bob.password);
    await directory.change(alice, { mail: ['BOB@example.org'], sn: ['Changed'] });
    const second = await login('alice', alice.password);
    expect(second.body.user).to.include({
      _id: first.user._id,
      email: 'alice@example.org',
      lastname: 'Changed',
    });
    const told = app.ports.lines.filter(({ message }) => message.includes('belongs to another account'));
    expect(told.map(({ facts }) => facts)).to.deep.equal([{ user: first.user._id }]);
  });

  it('have one account, whatever the letter case and normal form of their login in it, the directory and the form', async () => {
    const first = (await login('aLiCe', alice.password)).body;
    await directory.rename(alice, 'Alice');
    for (const typed of ['alice', 'Alice', 'ALICE']) {
      expect((await login(typed, alice.password)).body.user._id, typed).to.equal(first.user._id);
    }
    const { renee } = people;
    const { token, user } = (await login(renee.uid, renee.password)).body;
    await directory.rename(renee, renee.uid.normalize('NFD'));
    await directory.change({ ...renee, uid: renee.uid.normalize('NFD') }, { givenName: ['Renate'] });
    const again = (await login(renee.uid, renee.password)).body.user;
    expect(again).to.include({ _id: user._id, firstname: 'Renate' });
    const deleted = await callerOf(app, token)('delete', `user/${encodeURIComponent(renee.uid)}`, {
      currentPassword: renee.password,
    });
    expect(deleted.body).to.include({ success: true });
    await app.model.configuration.set('authMethod', 'internal');
    const before = await buildUser(app, { login: 'BOB', email: 'bob@example.org' });
    await app.model.configuration.set('authMethod', 'ldap');
    expect((await login('bob', bob.password)).body.user._id).to.equal(before.id);
    expect(await accounts()).to.have.length(2);
  });

  it('cannot sign in after the directory has removed them; their account stays until an administrator removes it', async () => {
    const { token, user } = (await login('alice', alice.password)).body;
    await directory.remove(alice);
    expect((await login('alice', alice.password)).body).to.deep.equal({ error: refused });
    const call = callerOf(app, token);
    const own = { currentPassword: alice.password };
    expect((await call('delete', 'user/alice', own)).body.error).to.equal(refused);
    expect((await call('get', 'configuration')).body.user._id).to.equal(user._id);
    const admin = callerOf(app, await signInAsAdmin(app));
    await admin('delete', 'user/alice/sessions').expect(200);
    expect((await call('get', 'configuration')).body.auth).to.equal(false);
    expect((await app.model.users.get(user._id))?.login).to.equal('alice');
  });

  it('cannot sign in while the directory has no address for them, and their account stays as it is', async () => {
    const { user } = (await login('alice', alice.password)).body;
    await directory.change(alice, { mail: [] });
    const answer = await login('alice', alice.password);
    expect(answer.body.error).to.equal('BACKEND.ERROR.AUTHENTICATION.LDAP_NO_VALID_MAIL');
    expect((await app.model.users.get(user._id))?.email).to.equal('alice@example.org');
  });

  it('cannot sign in when an administrator has closed their account, which only the right password reveals', async () => {
    await login('alice', alice.password);
    const admin = callerOf(app, await signInAsAdmin(app));
    await admin('put', 'user/alice', { active: false }).expect(200);
    await directory.change(alice, { sn: ['Changed'] });
    const right = await login('alice', alice.password);
    expect(right.body.error).to.equal('BACKEND.ERROR.AUTHENTICATION.ACTIVATION_NEEDED');
    expect((await login('alice', 'wrong')).body).to.deep.equal({ error: refused });
    expect((await app.model.users.findByLogin('alice'))?.active).to.equal(false);
  });

  it('get one account of twenty first sign-ins at the same moment', async () => {
    // Starts the first conversations before, because that takes long on a busy machine.
    await Promise.all(Array.from({ length: 4 }, () => login('bob', bob.password)));
    const answers = await Promise.all(Array.from({ length: 20 }, () => login('alice', alice.password)));
    expect(answers.map(({ status }) => status)).to.deep.equal(new Array(20).fill(200));
    expect(new Set(answers.map(({ body }) => body.user._id)).size).to.equal(1);
    expect(await accounts()).to.have.length(2);
  });

  it('leave no trace of their password, in whatever way it is sent', async () => {
    const secret = people.alice.password;
    const { token } = (await login('alice', secret)).body;
    const call = callerOf(app, token);
    await call('post', 'auth/check', { login: 'alice', password: secret }).expect(200);
    const profile = { firstname: 'A', password: secret, passwordConfirm: secret, currentPassword: secret };
    await call('put', 'user/alice', profile).expect(200);
    const { database } = app.ports;
    const values = await Promise.all((await database.findKeys('*', null)).map((key) => database.get(key)));
    const record = await app.model.users.findByLogin('alice');
    expect(record?.password).to.equal(null);
    expect(JSON.stringify([values, app.ports.lines])).not.to.include(secret);
  });

  it('may have a login that means something to JavaScript', async () => {
    const { uid, password } = people.proto;
    const first = (await login(uid, password)).body;
    expect(first.user.login).to.equal('__proto__');
    expect((await login(uid, password)).body.user._id).to.equal(first.user._id);
    expect((await callerOf(app, first.token)('get', `user/${uid}`)).body.value.login).to.equal(uid);
    expect(({} as Record<string, unknown>).login).to.equal(undefined);
  });

  it('get an error in time when it hangs, at every call', async () => {
    const plugin = { authMethod: 'ldap', authLdapSettings: directory.settings() };
    const hasty = await startApp({ directoryTimeLimit: 5_000, plugin });
    const login = (name: string, password: string) =>
      hasty.agent.post('/api/auth/login').send({ login: name, password });
    const { token } = (await login('alice', alice.password)).body;
    const call = callerOf(hasty, token);
    await directory.freeze();
    const answers = await Promise.all([
      login('alice', alice.password),
      login('nobody', 'any'),
      call('post', 'auth/check', { login: 'alice', password: alice.password }),
      call('put', 'user/alice', { email: 'other@example.org', currentPassword: alice.password }),
      call('delete', 'user/alice', { currentPassword: alice.password }),
    ]);
    directory.thaw();
    for (const { status, body } of answers)
      expect([status, body]).to.deep.equal([503, { error: unavailable }]);
    expect((await hasty.model.users.findByLogin('alice'))?.email).to.equal('alice@example.org');
    expect((await login('alice', alice.password)).status).to.equal(200);
    await hasty.close();
  });

  it('are not limited afterwards for attempts while it was down', async () => {
    const plugin = { authMethod: 'ldap', authLdapSettings: directory.settings() };
    const strict = await startApp({ limitFactor: 1, plugin });
    const enter = (password: string): Promise<{ status: number }> =>
      strict.agent.post('/api/auth/login').send({ login: 'alice', password });
    const ask = async (url: string): Promise<void> => {
      Object.assign(plugin.authLdapSettings, { url });
      await strict.readSettings();
    };
    expect((await enter(alice.password)).status).to.equal(200);
    await ask('ldap://127.0.0.1:1');
    for (let tries = 0; tries < 11; tries++) expect((await enter(alice.password)).status).to.equal(503);
    await ask(directory.url);
    expect((await enter(alice.password)).status).to.equal(200);
    await strict.close();
  });
});
