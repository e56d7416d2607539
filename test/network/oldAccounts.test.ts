import { createHash } from 'node:crypto';
import { expect } from 'chai';
import type { UserRecord } from '../../model/store/entities';
import { keys } from '../../model/store/store';
import { startApp, type TestApp } from '../support/app';
import { checkEach } from '../support/cases';
import { buildUser } from '../support/factories';
import { inProcessOnly } from '../support/network';
import { until } from '../support/waiting';

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

  inProcessOnly.it('gets no session by a password that is replaced while it is hashed anew', async () => {
    const slow = await startApp({ hashingRounds: 9 });
    const { id, password } = await buildUser(slow, { login: 'hugo' });
    const other = await buildUser(slow);
    const [own, foreign] = [await slow.model.users.get(id), await slow.model.users.get(other.id)];
    const hashes = async () => (await slow.operations()).some(({ what }) => what === 'hash');
    const cases: Record<string, [UserRecord['password'] | undefined, number]> = {
      'another one': [foreign?.password, 400],
      'none any more': [null, 400],
      'the same one, hashed by another sign-in': [own?.password, 200],
    };
    await checkEach(cases, async ([next = null, status]) => {
      await slow.model.users.update(id, (user) => ({ ...user, password: { salt, hash: hashOf(password) } }));
      await slow.operations();
      // The sign-in cannot store its hash meanwhile.
      const { answer } = await slow.model.store.locked([keys.user(id)], async () => {
        const sent = slow.agent.post('/api/auth/login').send({ login: 'hugo', password });
        const begun = { answer: sent.then((one) => one) };
        await until('it is hashed', hashes);
        const user = await slow.model.store.get<UserRecord>(keys.user(id));
        await slow.model.store.set(keys.user(id), { ...user, password: next });
        return begun;
      });
      const { status: answered, body } = await answer;
      expect([answered, body.error]).to.deep.equal([status, status === 200 ? undefined : incorrect]);
    });
    await slow.close();
  });

  it('with a damaged record cannot sign in', async () => {
    for (const name of ['ghost', 'undefined']) expect(await refusal(name, 'x')).to.equal(incorrect);
  });

  it('has the settings of its database, and the defaults where they are invalid', () => {
    expect(app.model.configuration.get('passwordMax')).to.equal(30);
    expect(app.model.configuration.get('passwordMin')).to.equal(8);
  });
});
