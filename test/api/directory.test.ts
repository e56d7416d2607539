import { expect } from 'chai';
import type { Database } from '../../model/ports';
import { keys } from '../../model/store/store';
import { useAdministrator } from '../support/administrators';
import { startApp } from '../support/app';
import { callerOf } from '../support/caller';
import { buildUser, signInAsAdmin } from '../support/factories';

describe('searching accounts', () => {
  const { app, admin } = useAdministrator();

  const all = (query: object = {}) => admin('get', 'all-users').query(query);
  const search = (text: string, query: object = {}) =>
    admin('get', `search-users/${encodeURIComponent(text)}`).query(query);
  const found = async (text: string): Promise<string[]> => Object.keys((await search(text)).body.users);

  it('shows everybody, with what an administrator needs', async () => {
    const user = await buildUser(app, { firstname: 'Ada', lastname: 'L', organization: 'not told' });
    expect((await all()).body).to.deep.equal({
      users: {
        [user.login]: { _id: user.id, email: user.email, firstname: 'Ada', lastname: 'L', active: true },
      },
      usersCount: 1,
    });
  });

  it('finds parts of the login, the address, the first or the last name, in any order (B12)', async () => {
    await buildUser(app, {
      login: 'mlovelace',
      email: 'countess@poets.org',
      firstname: 'Augusta Ada',
      lastname: 'King',
    });
    await buildUser(app);
    for (const text of ['love', 'LACE', 'tess@poe', 'ada', 'gusta', 'kin', 'king poets', ' king ']) {
      expect(await found(text), text).to.deep.equal(['mlovelace']);
    }
    for (const text of ['lovelacecountess', 'ada love xyz', 'xyz', '.*', '%', '*']) {
      expect(await found(text), text).to.deep.equal([]);
    }
    expect((await search('xyz')).body).to.deep.equal({ users: {}, usersCount: 0 });
  });

  it('ignores letter case and accents', async () => {
    await buildUser(app, { login: 'hélène.lefèvre', lastname: 'Weiß', firstname: 'Łukasz' });
    await buildUser(app, { login: '田中太郎', firstname: 'ΑΛΈΞΑΝΔΡΟΣ' });
    for (const text of ['helene', 'HÉLÈNE', 'Lefevre', 'weiss', 'WEISS', 'weiß', 'lukasz']) {
      expect(await found(text), text).to.deep.equal(['hélène.lefèvre']);
    }
    for (const text of ['田中', '太郎', 'αλεξανδρος', 'Αλέξανδρ']) {
      expect(await found(text), text).to.deep.equal(['田中太郎']);
    }
  });

  it('comes in pages, by login, with the number of all that was found', async () => {
    for (const login of ['walker-10', 'walker-9', 'walker-11', 'other']) await buildUser(app, { login });
    const page = (query: object) =>
      search('walker', query).then(({ body }) => [Object.keys(body.users), body.usersCount]);
    expect(await page({})).to.deep.equal([['walker-9', 'walker-10', 'walker-11'], 3]);
    expect(await page({ limit: 2 })).to.deep.equal([['walker-9', 'walker-10'], 3]);
    expect(await page({ limit: 2, offset: 2 })).to.deep.equal([['walker-11'], 3]);
    expect(await page({ offset: 5 })).to.deep.equal([[], 3]);
    expect(Object.keys((await all({ limit: 1 })).body.users)).to.deep.equal(['other']);
    for (const query of [{ limit: 0 }, { limit: -1 }, { limit: 'all' }, { offset: 1.5 }, { limit: [1, 2] }]) {
      const answer = await all(query);
      expect(answer.status, JSON.stringify(query)).to.equal(400);
      expect(answer.body.error).to.equal('BACKEND.ERROR.TYPE.PARAM_INVALID');
    }
  });

  it('shows at once who was added, changed and removed', async () => {
    expect(await found('person')).to.deep.equal([]);
    const user = await buildUser(app, { firstname: 'Before' });
    expect(await found('before')).to.deep.equal([user.login]);
    const change = (body: object) => admin('put', `user/${user.login}`, body);
    await change({ firstname: 'After', active: false });
    expect(await found('before')).to.deep.equal([]);
    expect((await search('after')).body.users[user.login].active).to.equal(false);
    await admin('delete', `user/${user.login}`);
    expect(await found('after')).to.deep.equal([]);
  });

  it('survives accounts that are damaged, that exist twice, or that have built-in names of JavaScript', async () => {
    const old = await startApp({
      prepare: async (database) => {
        const account = (id: string, fields: object) =>
          database.set(keys.user(id), { _id: id, login: id, email: `${id}@example.org`, ...fields });
        await database.set(keys.user('undefined'), { login: 'ghost' });
        await account('a-1', { login: '__proto__', firstname: 5 });
        await account('b-1', { login: 'twin', ctime: 2, email: 'younger@example.org' });
        await account('b-2', { login: 'twin', ctime: 1, email: 'older@example.org' });
      },
    });
    const { body } = await old.agent.get('/api/all-users').query({ auth_token: await signInAsAdmin(old) });
    expect(body.usersCount).to.equal(3);
    expect(Object.keys(body.users)).to.have.members(['__proto__', 'twin', 'b-1']);
    expect(body.users.twin.email).to.equal('older@example.org');
    await old.close();
  });

  /** Accounts that another program has written, called `many-0` and so on. */
  const manyAccounts =
    (count: number) =>
    async (database: Database): Promise<void> => {
      const ids = Array.from({ length: count }, (_, number) => `many-${number}`);
      await Promise.all(
        ids.map((_id) =>
          database.set(keys.user(_id), { _id, login: _id, email: `${_id}@example.org`, firstname: 'Zoë' }),
        ),
      );
    };

  it('asks to try again later while accounts are being indexed at the start', async () => {
    const old = await startApp({ held: true, prepare: manyAccounts(3), indexTimeLimit: 500 });
    const everybody = async () =>
      old.agent.get('/api/all-users').query({ auth_token: await signInAsAdmin(old) });
    for (const path of ['/api/all-users', '/api/stats/stats.json']) {
      const busy = await old.agent.get(path).query({ auth_token: await signInAsAdmin(old) });
      expect(busy.status, path).to.equal(503);
      expect(busy.body.error).to.equal('BACKEND.ERROR.SERVER.BUSY');
    }
    await old.inject({ fault: 'none' });
    await old.ready();
    expect((await everybody()).body.usersCount).to.equal(3);
    await old.close();
  });

  it('reads no list of keys and no records of others for a search', async () => {
    const user = await buildUser(app);
    await app.idle();
    expect(await found('person')).to.deep.equal([user.login]);
    await app.operations();
    expect(await found('pers')).to.deep.equal([user.login]);
    const read = (await app.operations()).filter(
      ({ what, ...more }) => what === 'findKeys' || ('key' in more && `${more.key}`.includes(':user:')),
    );
    expect(read).to.deep.equal([]);
  });

  it('finds everybody among thousands by any part of the name, before and after a restart', async () => {
    const old = await startApp({ prepare: manyAccounts(2_000) });
    for (let start = 0; start < 2; start += 1) {
      const auth_token = await signInAsAdmin(old);
      const ask = async (text: string, query: object = {}) => {
        const { body } = await old.agent
          .get(`/api/search-users/${encodeURIComponent(text)}`)
          .query({ auth_token, ...query });
        return [body.usersCount, ...Object.keys(body.users).slice(0, 2)];
      };
      expect(await ask('m', { limit: 2 })).to.deep.equal([2_000, 'many-0', 'many-1']);
      expect(await ask('ma', { limit: 2, offset: 999 })).to.deep.equal([2_000, 'many-999', 'many-1000']);
      expect(await ask('y-199')).to.deep.equal([11, 'many-199', 'many-1990']);
      expect(await ask('y-1999')).to.deep.equal([1, 'many-1999']);
      expect(await ask('1999@e', { limit: 5 })).to.deep.equal([1, 'many-1999']);
      expect(await ask('ZOE', { limit: 1 })).to.deep.equal([2_000, 'many-0']);
      expect(await ask('y-1999x')).to.deep.equal([0]);
      await old.restart();
      await old.ready();
    }
    await old.close();
  });

  it('shows both of two old accounts with one login, and both can be administered', async () => {
    const old = await startApp({
      prepare: async (database) => {
        for (const [index, id] of ['twin-1', 'twin-2'].entries()) {
          const account = { _id: id, login: 'twin', email: `${id}@example.org`, ctime: index };
          await database.set(keys.user(id), account);
        }
      },
    });
    const auth_token = await signInAsAdmin(old);
    for (const path of ['all-users', 'search-users/twin']) {
      const { body } = await old.agent.get(`/api/${path}`).query({ auth_token });
      expect(body.usersCount).to.equal(2);
      expect(Object.keys(body.users)).to.deep.equal(['twin', 'twin-2']);
      expect(body.users.twin._id).to.equal('twin-1');
    }
    const change = await callerOf(old, auth_token)('put', 'user/twin-2', { firstname: 'Second' });
    expect(change.body.value).to.include({ _id: 'twin-2', firstname: 'Second' });
    await old.agent.delete('/api/user/twin-2').query({ auth_token }).expect(200);
    expect((await old.agent.get('/api/all-users').query({ auth_token })).body.usersCount).to.equal(1);
    await old.close();
  });
});

describe('a long list of accounts', () => {
  it('is complete and in order, is stored nowhere, and is not sent again when the caller has it', async () => {
    const logins = Array.from({ length: 1_500 }, (_, number) => `pupil ${String(number).padStart(4, '0')}`);
    const app = await startApp({
      prepare: async (database) => {
        for (const [ctime, login] of logins.entries()) {
          const _id = `id-${login}`;
          await database.set(keys.user(_id), { _id, login, email: `p${ctime}@example.org`, ctime });
        }
      },
    });
    const token = await signInAsAdmin(app);
    const ask = (path: string) => app.agent.get(`/api/${path}`).set('Authorization', `Bearer ${token}`);
    for (const path of ['all-users', 'search-users/pupil']) {
      const { body, headers } = await ask(path);
      expect(Object.keys(body.users)).to.deep.equal(logins);
      expect(body.usersCount).to.equal(logins.length);
      expect(headers['cache-control']).to.equal('no-store');
      expect((await ask(path).set('If-None-Match', headers.etag ?? '')).status).to.equal(304);
      const page = (await ask(path).query({ offset: 50, limit: 50 })).body;
      expect(Object.keys(page.users)).to.deep.equal(logins.slice(50, 100));
      expect(page.usersCount).to.equal(logins.length);
    }
    await app.close();
  });
});
