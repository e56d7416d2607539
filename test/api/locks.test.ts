/** `admin/locks`: server administrators see who is locked out, and lift that. */
import { expect } from 'chai';
import type { AdminLock, AdminLocksAnswer } from '../../api/admin/schema';
import { limitTable } from '../../web/rateLimit';
import { useAdministrator } from '../support/administrators';
import { buildGroup, buildUser, type TestUser } from '../support/factories';

const school = '192.0.2.1';

describe('the list of what is locked', () => {
  const { app, admin } = useAdministrator({ limitFactor: 1, trustProxy: () => true });
  let user: TestUser;
  beforeEach(async () => {
    user = await buildUser(app);
  });

  const post = (path: string, body: object, from = school) =>
    app.agent.post(`/api/${path}`).set('X-Forwarded-For', from).send(body);
  const signIn = (login: string, password: string, from?: string) =>
    post('auth/login', { login, password }, from);
  /** Tries wrong passwords until no more are accepted. Returns how many were sent. */
  async function lock(login = user.login, from = school): Promise<number> {
    for (let tries = 1; ; tries += 1) if ((await signIn(login, 'a guess', from)).status === 429) return tries;
  }
  const read = async (): Promise<AdminLocksAnswer> => (await admin('get', 'admin/locks').expect(200)).body;
  const only = async (): Promise<AdminLock> => {
    const { locks } = await read();
    expect(locks).to.have.length(1);
    return locks[0] as AdminLock;
  };

  it('has the address, the account, how many tries there were and until when it is locked', async () => {
    expect(await read()).to.deep.equal({ locks: [], count: 0 });
    const before = app.ports.now();
    const tries = await lock();
    const { id, until, ...found } = await only();
    expect(found).to.deep.equal({
      limit: 'signIn',
      address: school,
      object: { kind: 'user', id: user.id, name: user.login },
      knownBrowser: false,
      tries,
    });
    expect(id).to.match(/^[0-9a-f]{32}$/);
    expect(until).to.be.within(before, app.ports.now() + limitTable.signIn.seconds * 1_000);
  });

  it('names the account however it was typed, and however its owner writes it', async () => {
    const ada = await buildUser(app, { login: 'Ada', email: 'Ada@Example.org' });
    for (const typed of ['Ada', ' ada@example.org']) {
      await lock(typed);
      const { id, object } = await only();
      expect(object, typed).to.deep.equal({ kind: 'user', id: ada.id, name: 'Ada' });
      await admin('delete', `admin/locks/${id}`).expect(200);
    }
  });

  it('names accounts whose username or address has accents', async () => {
    const jose = await buildUser(app, { login: 'José', email: 'joséphine@example.org' });
    for (const typed of ['josé', 'JOSE', 'Joséphine@example.org', 'josephine@example.org']) {
      await lock(typed);
      const { id, object } = await only();
      expect(object, typed).to.deep.equal({ kind: 'user', id: jose.id, name: 'José' });
      await admin('delete', `admin/locks/${id}`).expect(200);
    }
    await lock('jos');
    expect((await only()).object).to.deep.equal({ kind: 'user', id: null, name: null });
  });

  it('names server administrators with capitals and accents', async () => {
    app.ports.accounts.Élodie = { password: 'elodies secret', is_admin: true };
    await app.readSettings();
    const guess = () => post('auth/admin/login', { login: 'élodie', password: 'a guess' });
    while ((await guess()).status !== 429);
    expect((await only()).object).to.deep.equal({ kind: 'admin', id: 'Élodie', name: 'Élodie' });
  });

  it('has IPv6 addresses as their network, and never a name that no account has: it may be a password', async () => {
    await lock('password in the wrong field', '2001:db8:1:2:3:4:5:6');
    const { address, object } = await only();
    expect(address).to.equal('2001:db8:1:2::/64');
    expect(object).to.deep.equal({ kind: 'user', id: null, name: null });
    expect(JSON.stringify(await read())).not.to.include('wrong');
  });

  it('has addresses, from which nobody can sign in, and names that no account has last', async () => {
    await lock('somebody');
    for (let number = 0; (await signIn(`somebody ${number}`, 'a guess')).status !== 429; number += 1);
    await lock(user.login, '192.0.2.2');
    const { locks, count } = await read();
    expect(count).to.equal(3);
    expect(locks.map(({ limit, object }) => [limit, object?.name])).to.have.deep.members([
      ['signIn', null],
      ['signInAddress', undefined],
      ['signIn', user.login],
    ]);
    expect(locks.at(-1)).to.deep.include({ limit: 'signIn', object: { kind: 'user', id: null, name: null } });
  });

  it('has folders and known browsers too', async () => {
    const folder = await buildGroup(app, user, {
      visibility: 'private',
      password: 'secret',
      name: 'Minutes',
    });
    const unlock = () => post(`group/${folder._id}/unlock`, { password: 'a guess' });
    while ((await unlock()).status !== 429);
    const cookie = String((await signIn(user.login, user.password)).headers['set-cookie']);
    const device = /mypads_device=[^;]+/.exec(cookie)?.[0] ?? '';
    const guess = () => signIn(user.login, 'a guess').set('Cookie', device);
    while ((await guess()).status !== 429);
    const found = (await read()).locks.map(({ limit, object, knownBrowser, address }) => [
      limit,
      object?.name,
      knownBrowser,
      address,
    ]);
    expect(found).to.have.deep.members([
      ['passwordProof', 'Minutes', false, school],
      ['signInBrowser', user.login, true, null],
    ]);
    expect(JSON.stringify(await read())).not.to.include(device.split('.')[1]);
  });

  it('can be lifted: the person gets in at once, and everything is counted anew', async () => {
    await lock();
    expect((await signIn(user.login, user.password)).status).to.equal(429);
    const { id } = await only();
    expect((await admin('delete', `admin/locks/${id}`)).body).to.deep.equal({ success: true, key: id });
    expect(await read()).to.deep.equal({ locks: [], count: 0 });
    expect((await signIn(user.login, user.password)).status).to.equal(200);
    expect(await lock()).to.equal(limitTable.signIn.points + 1);
    await admin('delete', 'admin/locks/made-up').expect(404);
  });

  it('writes into the administration log and the log who has lifted it, without the address', async () => {
    await lock();
    const { id } = await only();
    await admin('delete', `admin/locks/${id}`).expect(200);
    const { entries } = (await admin('get', 'admin/log').expect(200)).body;
    expect(entries[0]).to.include({ action: 'limitLifted', by: 'root' });
    expect(entries[0].object).to.deep.equal({ kind: 'user', id: user.id, name: user.login });
    expect(JSON.stringify(entries)).not.to.include(school);
    await app.said('limit lifted');
  });
});
