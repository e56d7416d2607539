/** The product on every kind of database that Etherpad supports: normal use, restarts and old databases. */
import { expect } from 'chai';
import { createStoredPads } from '../../host/storedPads';
import { loginName, mailName } from '../../model/accounts/nameRecords';
import { createDoctor } from '../../model/doctor/doctor';
import { limits } from '../../model/limits';
import { keys } from '../../model/store/store';
import { startApp, type TestApp } from '../support/app';
import { callerOf, encodePassword } from '../support/caller';
import { damage } from '../support/damage';
import { databases, describeDatabases, type FreshDatabase } from '../support/databases';
import { buildGroup, buildPad, buildUser, signIn, signInAsAdmin } from '../support/factories';
import {
  legacyGroups,
  legacyPasswords,
  legacyPeople,
  legacyRecords,
  writeLegacyRecords,
} from '../support/legacy';

after(() => console.log(`\n  ${describeDatabases()}`));

for (const kind of databases) {
  describe(`on ${kind.name}`, () => {
    let fresh: FreshDatabase;
    let app: TestApp;

    beforeEach(async () => {
      fresh = await kind.create();
      app = await startApp({ connect: fresh.connect });
    });
    afterEach(async () => {
      await app.close();
      await fresh.drop();
    });

    async function restart(prepare?: Parameters<typeof startApp>[0]): Promise<void> {
      await app.close();
      app = await startApp({ connect: fresh.connect, ...prepare });
      await app.model.jobs.idle();
    }

    it('stores and finds values unchanged, also after a restart', async () => {
      const value = { text: 'é 日本 \u0001 \' " %_ \\', list: [null, 1, { a: false }], empty: {}, zero: 0 };
      const { database } = app.ports;
      await database.set('mypads:test:a_b', value);
      await database.set('mypads:test:axb', { other: true });
      await database.set('mypads:test:a%', { other: true });
      await database.set('mypads:test:A_B', { upper: true });
      await database.set('mypads:test:gone', { gone: true });
      await database.remove('mypads:test:gone');
      await restart();
      const { store } = app.model;
      expect(await store.get('mypads:test:a_b')).to.deep.equal(value);
      expect(await store.get('mypads:test:A_B'), 'letter case counts').to.deep.equal({ upper: true });
      expect(await store.get('mypads:test:gone')).to.equal(undefined);
      expect(await store.getMany(['mypads:test:none', 'mypads:test:axb'])).to.deep.equal([
        undefined,
        { other: true },
      ]);
      const found = (await store.scan('mypads:test:a')).filter((key) => key.startsWith('mypads:test:a'));
      expect(found).to.have.members(['mypads:test:a_b', 'mypads:test:axb', 'mypads:test:a%']);
    });

    it('keeps texts that look like numbers or JSON, also after a restart', async () => {
      const texts = ['007', '1e3', '12345678901234567890', 'true', 'null', '"quoted"', '{"a":1}', ' 5 ', ''];
      const stored = () => Promise.all(texts.map((_, at) => app.model.store.get(`mypads:test:${at}`)));
      for (const [at, text] of texts.entries()) await app.ports.database.set(`mypads:test:${at}`, text);
      expect(await stored()).to.deep.equal(texts);
      await restart();
      expect(await stored()).to.deep.equal(texts);
    });

    it('loses none of twenty changes of one value made at once', async () => {
      const { store } = app.model;
      const add = () =>
        store.update<{ count: number }>('mypads:test:n', (now) => ({ count: (now?.count ?? 0) + 1 }));
      await Promise.all(Array.from({ length: 20 }, add));
      expect(await store.get('mypads:test:n')).to.deep.equal({ count: 20 });
    });

    it('keeps accounts, their index and their sessions over a restart', async () => {
      const user = await buildUser(app, { login: 'Zoë', email: 'Zoe@Example.org', password: 'Zoë has one' });
      const other = await buildUser(app);
      await callerOf(app, other.token)('get', 'auth/logout').expect(200);
      await restart();
      const asUser = callerOf(app, user.token);
      expect((await asUser('get', 'configuration')).body.user._id).to.equal(user.id);
      expect((await callerOf(app, other.token)('get', 'configuration')).body.auth).to.equal(false);
      for (const login of ['Zoë', 'Zoe@Example.org']) await signIn(app, login, 'Zoë has one');
      const taken = { login: 'somebody', email: 'zoe@example.org', password: 'long enough' };
      expect((await callerOf(app)('post', 'user', taken)).status).to.equal(400);
    });

    it('links every pad that people make in one group at once, and removes a group with all of them', async () => {
      const owner = await buildUser(app);
      const group = await buildGroup(app, owner);
      const pads = await Promise.all(Array.from({ length: 20 }, () => buildPad(app, owner, group)));
      await restart();
      const call = callerOf(app, owner.token);
      const { value } = (await call('get', 'group').expect(200)).body;
      expect(value.groups[group._id].pads).to.have.members(pads.map(({ _id }) => _id));
      await call('delete', `group/${group._id}?permanent=true`).expect(200);
      await restart();
      const left = await app.ports.database.findKeys('*', null);
      expect(left.filter((key) => pads.some(({ _id }) => key.includes(_id)))).to.deep.equal([]);
      expect((await callerOf(app, owner.token)('get', 'group')).body.value.groups).to.deep.equal({});
    });

    it('opens a database of ep_mypads 1.7.17: everybody can sign in, nothing is lost', async () => {
      await restart({
        prepare: writeLegacyRecords,
      });
      const { database } = app.ports;
      for (const [key, value] of legacyRecords()) {
        // Other values are Etherpad's plain strings, which one of the databases reads as JSON.
        if (typeof value === 'object') expect(await database.get(key), key).to.deep.equal(value);
      }
      await Promise.all(
        legacyPeople.map(async ({ login, email, password, groups }) => {
          await signIn(app, login, password);
          const { token } = await signIn(app, email, password);
          const { value } = (await callerOf(app, token)('get', 'group').expect(200)).body;
          expect(Object.keys(value.groups), login).to.have.members(groups);
        }),
      );
      const { value } = (await callerOf(app)('get', 'configuration')).body;
      expect(value).to.deep.include({ title: 'Les pads du collège Jean-Moulin', passwordMin: 10 });
      expect(app.model.configuration.get('tokenDuration')).to.equal(120);
      const id = legacyGroups.council;
      const path = `group/${id}?password=${encodePassword(legacyPasswords[id])}`;
      expect((await callerOf(app)('get', path)).status).to.equal(200);
    });

    it('completes removals that 1.x or a power cut have left', async () => {
      const owner = await buildUser(app);
      const group = await buildGroup(app, owner);
      const [noted, cut] = [await buildPad(app, owner, group), await buildPad(app, owner, group)];
      await app.ports.database.remove(keys.pendingJobs);
      for (const id of [noted._id, '123', 'old-pad']) await app.ports.database.set(keys.deletePad(id), id);
      await restart();
      expect((await app.ports.database.findKeys(`${keys.deletePad('')}*`, null)).length).to.equal(0);
      await app.ports.database.set(keys.deletePad(cut._id), { pad: cut._id });
      await app.model.store.update<object>(keys.pendingJobs, (now) => ({ ...now, pads: [cut._id] }));
      expect((await callerOf(app, owner.token)('get', `pad/${cut._id}`)).status).to.equal(404);
      await restart();
      const { pads } = (await callerOf(app, owner.token)('get', 'group')).body.value;
      expect(pads).to.deep.equal({});
      expect(await app.ports.pads.exists(cut._id)).to.equal(false);
    });

    // Etherpad 1.8.14 has drivers for the others: test/host/doctorDatabases.test.ts repairs those.
    if (['sqlite', 'rustydb'].includes(kind.name))
      it('lets the doctor repair a damaged database', async () => {
        const { database } = app.ports;
        await writeLegacyRecords(database);
        await damage(database);
        const doctor = createDoctor({ database, storedPads: createStoredPads, now: Date.now });
        const mended = await doctor.repair({ orphans: false, keep: async () => {} });
        expect(mended.length).to.be.greaterThan(15);
        expect((await doctor.examine()).findings).to.deep.equal([]);
      });

    it('never makes a key of more than 100 characters, however long names are', async () => {
      const email = `${'a'.repeat(64)}@${'b'.repeat(60)}.${'c'.repeat(60)}.example.org`;
      const login = '漢'.repeat(40);
      const owner = await buildUser(app, { login, email });
      app.ports.accounts[`administrator ${'x'.repeat(200)}`] = { password: 'rootroot', is_admin: true };
      const admin = { login: `administrator ${'x'.repeat(200)}`, password: 'rootroot' };
      await signInAsAdmin(app);
      await callerOf(app)('post', 'auth/admin/login', admin);
      const group = await buildGroup(app, owner, {
        name: 'W'.repeat(40),
        visibility: 'private',
        password: 'x',
      });
      const pad = await buildPad(app, owner, group, { name: 'W'.repeat(40) });
      await callerOf(app)('post', `group/${group._id}/unlock`, { password: 'x' }).expect(200);
      await callerOf(app, owner.token)('post', 'userlist', { name: 'W'.repeat(40), loginsOrEmails: [email] });
      await callerOf(app, owner.token)('delete', `pad/${pad._id}?permanent=true`).expect(200);
      const user = await app.model.users.get(owner.id);
      if (user) await app.model.jobs.idle();
      const found = await app.ports.database.findKeys('*', null);
      expect(found.length).to.be.greaterThan(10);
      expect(found.filter((key) => Buffer.byteLength(key) > 100)).to.deep.equal([]);
    });
  });
}

describe('the names of keys', () => {
  it('stay under 100 characters, also those that are made of the longest id that a request may carry', () => {
    const [ours, id] = ['x'.repeat(50), 'x'.repeat(limits.id)];
    const longest = [
      keys.user(ours),
      keys.group(ours),
      keys.pad(ours),
      keys.deletePad(id),
      keys.deleteGroup(id),
      keys.session('f'.repeat(48)),
      keys.sessionsOf('admin', 'é'.repeat(500)),
      keys.sessionsOf('user', id),
      loginName('é'.repeat(500)).key,
      mailName(`${'é'.repeat(500)}@example.org`).key,
      keys.mailToken('f'.repeat(64)),
    ];
    for (const key of longest) expect(Buffer.byteLength(key), key).to.be.at.most(100);
  });
});
