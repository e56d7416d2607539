import { createHash } from 'node:crypto';
import { expect } from 'chai';
import type { UserRecord } from '../../model/store/entities';
import { keys } from '../../model/store/store';
import { useTestApp } from '../support/app';

describe('an account of ep_mypads 1.x', () => {
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
  const app = useTestApp({
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

  const login = (name: string, password: string) =>
    app.agent.post('/api/auth/login').send({ login: name, password });
  const stored = () =>
    app.model.store.get<UserRecord & { somethingOfAnAdmin: number }>(keys.user('hugo-1a2b'));

  it('signs in by its login and its address, and nothing of it is lost', async () => {
    expect((await login('hugo', 'vieux secret')).status).to.equal(200);
    expect((await login('Hugo@Example.org', 'vieux secret')).status).to.equal(200);
    expect((await stored())?.somethingOfAnAdmin).to.equal(7);
  });

  it('has a new hash after the first sign-in, with which the same password still works', async () => {
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

  const needsPassword = 'BACKEND.ERROR.AUTHENTICATION.PLEASE_CHANGE_YOUR_PASSWORD';
  const incorrect = 'BACKEND.ERROR.AUTHENTICATION.PASSWORD_INCORRECT';
  const refusal = async (name: string, password: string) => {
    const { status, body } = await login(name, password);
    expect(status).to.equal(400);
    return body.error;
  };

  it('of another sign-in service needs a password of its own, and says so', async () => {
    for (const name of ['cas', 'empty']) {
      for (const password of ['soooooo_useless', 'of the directory']) {
        expect(await refusal(name, password), `${name} ${password}`).to.equal(needsPassword);
      }
    }
    expect(await refusal('hugo', 'of the directory')).to.equal(incorrect);
    expect(await refusal('nobody', 'of the directory')).to.equal(incorrect);
  });

  it('of another sign-in service is not told from an unknown login where logins are secret', async () => {
    const byAddress = ['cas@example.org', 'nobody@example.org'];
    for (const name of byAddress) expect(await refusal(name, 'of the directory'), name).to.equal(incorrect);
    await app.model.configuration.set('openRegistration', false);
    for (const name of ['cas', 'empty', 'hugo', 'nobody', ...byAddress]) {
      expect(await refusal(name, 'of the directory'), name).to.equal(incorrect);
      // Everybody knows the placeholder of 1.x, so it is answered alike whatever the login is.
      expect(await refusal(name, 'soooooo_useless'), name).to.equal(needsPassword);
    }
    await app.model.configuration.remove('openRegistration');
  });

  it('with a damaged record cannot sign in', async () => {
    for (const name of ['ghost', 'undefined']) expect(await refusal(name, 'x')).to.equal(incorrect);
  });

  it('has the settings of its database, and the defaults where they are invalid', () => {
    expect(app.model.configuration.get('passwordMax')).to.equal(30);
    expect(app.model.configuration.get('passwordMin')).to.equal(8);
  });
});
