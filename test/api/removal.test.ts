/** A removal leaves nothing behind, in no record. */
import { expect } from 'chai';
import { keys } from '../../model/store/store';
import { useTestAppForEach } from '../support/app';
import { callerOf, snapshot } from '../support/caller';
import { buildGroup, buildPad, buildUser, type TestUser } from '../support/factories';
import { inProcessOnly } from '../support/network';
import { usePerson } from '../support/people';
import { succeeds, until } from '../support/waiting';

for (const queued of [false, true]) {
  describe(`a removal${queued ? ', queued' : ''}`, () => {
    const app = useTestAppForEach();
    const { user: owner, call } = usePerson(app, beforeEach);
    const { user: outsider } = usePerson(app, beforeEach);
    if (queued) beforeEach(() => app.model.configuration.set('deleteJobQueue', true));

    async function bookmark(who: TestUser, type: 'groups' | 'pads', key: string): Promise<void> {
      const answer = await callerOf(app, who.token)('post', 'usermark', { type, key });
      expect(answer.status, answer.text).to.equal(200);
    }

    const bookmarks = async ({ id }: TestUser) => (await app.model.users.get(id))?.bookmarks;

    async function expectNowhere(...ids: string[]): Promise<void> {
      await app.idle();
      const left = JSON.stringify(await snapshot(app));
      for (const id of ids) expect(left).to.not.include(id);
    }

    it('of a pad removes the bookmarks of everybody, also of people who are not in its group', async () => {
      const group = await buildGroup(app, owner, { visibility: 'public' });
      const [gone, kept] = [await buildPad(app, owner, group), await buildPad(app, owner, group)];
      for (const who of [owner, outsider]) {
        await bookmark(who, 'pads', gone._id);
        await bookmark(who, 'pads', kept._id);
      }
      expect((await call('delete', `pad/${gone._id}?permanent=true`)).status).to.equal(200);
      expect((await call('get', `pad/${gone._id}`)).status).to.equal(404);
      await expectNowhere(gone._id);
      for (const who of [owner, outsider]) {
        expect(await bookmarks(who)).to.deep.equal({ groups: [], pads: [kept._id] });
      }
    });

    // The authors of a real server are Etherpad's.
    inProcessOnly.it('of accounts takes the name of each author, also when one cannot be read', async () => {
      const { database } = app.ports;
      for (const { id, login } of [owner, outsider]) {
        await app.model.users.update(id, (user) => ({ ...user, authors: [`a.${login}`] }));
        await database.set(`globalAuthor:a.${login}`, { name: login });
      }
      const broken = { calls: ['get' as const], keys: `globalAuthor:a.${owner.login}` };
      await app.inject({ fault: 'fail', ...broken, why: 'not JSON' });
      for (const { id } of [owner, outsider]) await app.model.accountRemoval.remove(id);
      const isNameless = (login: string) => async (): Promise<boolean> =>
        ((await database.get(`globalAuthor:a.${login}`)) as { name: unknown }).name === null;
      await until('the other one has no name', isNameless(outsider.login));
      await app.inject({ fault: 'none' });
      await app.model.jobs.runNow('cleanUpAccounts');
      await until('both have no name', isNameless(owner.login));
    });

    // In the process only: a host does not say when its index has been compared with the records.
    inProcessOnly.it('of a pad reads only the accounts that have a bookmark of it', async () => {
      const group = await buildGroup(app, owner, { visibility: 'public' });
      const pad = await buildPad(app, owner, group);
      const others = [];
      for (let count = 0; count < 5; count += 1) others.push(await buildUser(app));
      await bookmark(outsider, 'pads', pad._id);
      await app.restart();
      await app.idle();
      await app.model.recordIndex.whenVerified(new AbortController().signal);
      await app.operations();
      expect((await call('delete', `pad/${pad._id}?permanent=true`)).status).to.equal(200);
      await app.idle();
      const done = await app.operations();
      expect(done.filter(({ what }) => what === 'findKeys')).to.deep.equal([]);
      const read = new Set(done.flatMap((operation) => ('key' in operation ? [operation.key] : [])));
      for (const { id } of others) expect(read).not.to.include(keys.user(id));
      expect(read).to.include(keys.user(outsider.id));
      await expectNowhere(pad._id);
    });

    it('of a group removes everybody’s bookmarks of it and its pads', async () => {
      const group = await buildGroup(app, owner, { visibility: 'public' });
      const pad = await buildPad(app, owner, group);
      await bookmark(outsider, 'groups', group._id);
      await bookmark(outsider, 'pads', pad._id);
      expect((await call('delete', `group/${group._id}?permanent=true`)).status).to.equal(200);
      await expectNowhere(group._id, pad._id);
      expect(await bookmarks(outsider)).to.deep.equal({ groups: [], pads: [] });
    });

    for (const kind of ['pad', 'group'] as const) {
      /** The database fails before anything is noted. */
      async function failedRemoval() {
        const group = await buildGroup(app, owner);
        const pad = await buildPad(app, owner, group);
        const { _id: id } = kind === 'pad' ? pad : group;
        const note = kind === 'pad' ? keys.deletePad(id) : keys.deleteGroup(id);
        await app.inject({ fault: 'fail', why: 'full', calls: ['set'], keys: note });
        expect((await call('delete', `${kind}/${id}?permanent=true`)).status).to.equal(503);
        await app.inject({ fault: 'none' });
        // The failed write is rolled back first. Until then its record cannot be read.
        await until('it can be read', async () => (await call('get', `${kind}/${id}`)).ok);
        return { id, pad };
      }

      async function runJobs(): Promise<void> {
        app.ports.advance(60_000);
        await app.model.jobs.runDue();
        await app.restart();
        await app.idle();
      }

      inProcessOnly.it(`of a ${kind} that has failed before it began does not happen later`, async () => {
        const { id, pad } = await failedRemoval();
        await runJobs();
        expect((await call('get', `${kind}/${id}`)).status).to.equal(200);
        expect((await call('get', `pad/${pad._id}`)).status).to.equal(200);
        expect(await app.model.jobs.list()).to.deep.equal([]);
        expect((await call('delete', `${kind}/${id}?permanent=true`)).status).to.equal(200);
        await expectNowhere(id, pad._id);
      });

      inProcessOnly.it(
        `of a ${kind} that has failed leaves it in the trash, where it was put then`,
        async () => {
          const { id, pad } = await failedRemoval();
          await until('it is in the trash', async () => (await call('delete', `${kind}/${id}`)).ok);
          await runJobs();
          expect((await call('post', `trash/${id}/restore`, {})).status).to.equal(200);
          expect((await call('get', `pad/${pad._id}`)).status).to.equal(200);
        },
      );

      inProcessOnly.it(
        `of a ${kind} in the trash that has failed before it began does not happen later`,
        async () => {
          const group = await buildGroup(app, owner);
          const pad = await buildPad(app, owner, group);
          const { _id: id } = kind === 'pad' ? pad : group;
          const note = kind === 'pad' ? keys.deletePad(id) : keys.deleteGroup(id);
          await call('delete', `${kind}/${id}`).expect(200);
          await app.inject({ fault: 'fail', why: 'full', calls: ['set'], keys: note });
          expect((await call('delete', `trash/${id}`)).status).to.equal(503);
          await app.inject({ fault: 'none' });
          await until('it can be read', () => succeeds(app.model.store.get(note)));
          await runJobs();
          expect((await call('post', `trash/${id}/restore`, {})).status).to.equal(200);
          expect((await call('get', `pad/${pad._id}`)).status).to.equal(200);
        },
      );
    }

    inProcessOnly.it('of a pad is in no list of its folder when it has failed half-way', async () => {
      const group = await buildGroup(app, owner);
      const [gone, kept] = [await buildPad(app, owner, group), await buildPad(app, owner, group)];
      const listed = async () => ({
        folder: Object.keys((await call('get', `group/${group._id}`)).body.pads ?? {}),
        folders: Object.keys((await call('get', 'group')).body.value?.pads ?? {}),
        count: (await call('get', 'overview')).body.value?.groups[group._id].padCount,
        names: ((await call('get', 'overview/pads')).body.value?.[group._id] ?? []).map(
          ({ _id }: { _id: string }) => _id,
        ),
      });
      expect((await listed()).names).to.deep.equal([gone._id, kept._id]);
      await app.inject({ fault: 'fail', why: 'full', calls: ['set'], keys: keys.group(group._id) });
      expect((await call('delete', `pad/${gone._id}?permanent=true`)).status).to.equal(503);
      await app.inject({ fault: 'none' });
      // The failed write is rolled back first. Until then its record cannot be read.
      await until('the folder can be read', async () => (await call('get', `group/${group._id}`)).ok);
      expect((await call('get', `pad/${gone._id}`)).status).to.equal(404);
      for (const when of ['at once', 'read again']) {
        const expected = { folder: [kept._id], folders: [kept._id], count: 1, names: [kept._id] };
        expect(await listed(), when).to.deep.equal(expected);
        app.model.groupContents.clear();
      }
    });

    it('of a hundred pads one after another, and of their group, is completed', async () => {
      const group = await buildGroup(app, owner);
      const pads = await Promise.all(Array.from({ length: 100 }, () => buildPad(app, owner, group)));
      const some = pads.slice(0, 20);
      const answers = await Promise.all(some.map(({ _id }) => call('delete', `pad/${_id}?permanent=true`)));
      expect(answers.every(({ status }) => status === 200)).to.equal(true);
      expect((await call('get', `group/${group._id}`)).body.value.pads).to.have.length(80);
      expect((await call('delete', `group/${group._id}?permanent=true`)).status).to.equal(200);
      const ids = pads.map(({ _id }) => _id);
      await expectNowhere(group._id, ...ids);
      for (const id of ids) expect(await app.ports.pads.exists(id)).to.equal(false);
    });
  });
}
