import { expect } from 'chai';
import type { GroupRecord } from '../../model/store/entities';
import { keys } from '../../model/store/store';
import { callerOf, snapshot } from '../support/caller';
import { buildGroup, buildPad, buildUser } from '../support/factories';
import { usePeople } from '../support/people';

describe('creating, changing and removing a group', () => {
  const people = usePeople();
  const { alice, bob, carol, asAlice, asBob, asCarol, asRoot, asGuest, buildShared, groupRecord, groupsOf } =
    people;

  describe('creating one', () => {
    it('makes a restricted group with the defaults, which the caller administers', async () => {
      const answer = await asAlice('post', 'group', { name: '  Board  ' });
      expect(answer.status).to.equal(200);
      expect(answer.body.success).to.equal(true);
      expect(answer.body.value).to.deep.include({
        _id: answer.body.key,
        name: 'Board',
        description: '',
        visibility: 'restricted',
        hasPassword: false,
        readonly: false,
        archived: false,
        allowUsersToCreatePads: false,
        tags: [],
        admins: [alice.id],
        users: [],
        pads: [],
      });
      expect(answer.body.key).to.match(/^board-[a-z0-9]+$/);
      expect(answer.body.value.abilities).to.include({ edit: true, leave: false });
      expect(await groupsOf(alice)).to.include(answer.body.key);
    });

    it('stores every field that was sent', async () => {
      const fields = {
        description: 'All of it',
        visibility: 'public',
        readonly: true,
        archived: true,
        allowUsersToCreatePads: true,
        tags: ['one', 'two'],
      };
      const { body } = await asAlice('post', 'group', {
        name: 'Full',
        ...fields,
        users: [bob.id],
        admins: [carol.id],
      });
      expect(body.value).to.deep.include({ ...fields, admins: [alice.id, carol.id], users: [bob.id] });
      expect(await groupsOf(bob)).to.include(body.key);
      expect(await groupsOf(carol)).to.include(body.key);
    });

    it('requires a password for a private group, and stores only a hash', async () => {
      const without = await asAlice('post', 'group', { name: 'P', visibility: 'private' });
      expect([without.status, without.body.error]).to.deep.equal([
        400,
        'BACKEND.ERROR.AUTHENTICATION.PASSWORD_INCORRECT',
      ]);
      const { body } = await asAlice('post', 'group', { name: 'P', visibility: 'private', password: 'x' });
      expect(body.value.hasPassword).to.equal(true);
      expect((await groupRecord(body.key))?.password).to.include({ scheme: 'bcrypt' });
    });

    it('does not store a password that is sent with another visibility', async () => {
      const { body } = await asAlice('post', 'group', {
        name: 'P',
        visibility: 'public',
        password: 'plain text',
      });
      expect((await groupRecord(body.key))?.password).to.equal(null);
    });

    it('refuses people that do not exist', async () => {
      const { status, body } = await asAlice('post', 'group', { name: 'P', users: ['nobody-1'] });
      expect([status, body.error]).to.deep.equal([400, 'BACKEND.ERROR.GROUP.ITEMS_NOT_FOUND']);
    });

    it('is refused to guests', async () => {
      const { status, body } = await asGuest('post', 'group', { name: 'P' });
      expect([status, body.error]).to.deep.equal([401, 'BACKEND.ERROR.AUTHENTICATION.NOT_AUTH']);
    });

    it('needs the id of an owner from a server administrator', async () => {
      const without = await asRoot('post', 'group', { name: 'P' });
      expect([without.status, without.body.error]).to.deep.equal([400, 'BACKEND.ERROR.TYPE.PARAM_STR']);
      const unknown = await asRoot('post', 'group', { name: 'P', admin: 'nobody-1' });
      expect([unknown.status, unknown.body.error]).to.deep.equal([
        400,
        'BACKEND.ERROR.GROUP.ITEMS_NOT_FOUND',
      ]);
      const { body } = await asRoot('post', 'group', { name: 'P', admin: bob.id });
      expect(body.value.admins).to.deep.equal([bob.id]);
    });

    it("does not let a person make one in somebody else's name", async () => {
      const { body } = await asAlice('post', 'group', { name: 'P', admin: bob.id });
      expect(body.value.admins).to.deep.equal([alice.id]);
    });
  });

  describe('changing one', () => {
    it('changes what is sent and leaves the rest, admins too (B9)', async () => {
      const fields = { description: 'Stays', tags: ['stays'], visibility: 'public', admins: [carol.id] };
      const group = await buildShared(fields);
      const { body } = await asAlice('put', `group/${group._id}`, { name: 'New', readonly: true });
      const { name: _name, readonly: _readonly, ...rest } = group;
      expect(body.value).to.deep.equal({ ...rest, name: 'New', readonly: true });
    });

    it('accepts a whole group as it was read, and ignores fields that cannot be set (B9)', async () => {
      const group = await buildShared({ admins: [carol.id] });
      const pad = await buildPad(people.app, alice, group);
      const { value } = (await asAlice('get', `group/${group._id}`)).body;
      const { body } = await asAlice('put', `group/${group._id}`, {
        ...value,
        name: 'Whole',
        admin: carol.id,
        pads: [],
        ctime: 1,
      });
      expect(body.value).to.deep.equal({ ...value, name: 'Whole', pads: [pad._id] });
    });

    it('keeps fields of the record that it does not know', async () => {
      const group = await buildShared();
      await people.app.model.store.set(keys.group(group._id), {
        ...(await groupRecord(group._id)),
        extra: { kept: true },
      });
      await asAlice('put', `group/${group._id}`, { name: 'New' }).expect(200);
      expect(await groupRecord(group._id)).to.deep.include({ extra: { kept: true } });
    });

    it('is allowed to its admins and server administrators', async () => {
      const group = await buildShared({ visibility: 'public' });
      for (const [call, status, error] of [
        [asGuest, 401, 'NOT_AUTH'],
        [asCarol, 401, 'DENIED_RECORD_EDIT'],
        [asBob, 401, 'DENIED_RECORD_EDIT'],
      ] as const) {
        for (const [method, body] of [
          ['put', { name: 'Mine' }],
          ['delete', undefined],
        ] as const) {
          const answer = await call(method, `group/${group._id}`, body);
          expect([answer.status, answer.body.error]).to.deep.equal([
            status,
            `BACKEND.ERROR.AUTHENTICATION.${error}`,
          ]);
        }
      }
      expect((await groupRecord(group._id))?.name).to.equal(group.name);
      await asRoot('put', `group/${group._id}`, { name: 'By root' }).expect(200);
      expect((await groupRecord(group._id))?.name).to.equal('By root');
    });

    it('cannot leave a group without admins', async () => {
      const group = await buildShared();
      for (const admins of [[], undefined]) {
        const body = admins === undefined ? { users: [alice.id], admins: [] } : { admins };
        const { status, body: answer } = await asAlice('put', `group/${group._id}`, body);
        expect([status, answer.error]).to.deep.equal([400, 'BACKEND.ERROR.GROUP.RESIGN_UNIQUE_ADMIN']);
      }
    });

    it('updates the group lists of people who are added and removed', async () => {
      const group = await buildShared();
      await asAlice('put', `group/${group._id}`, { users: [carol.id] }).expect(200);
      expect(await groupsOf(bob)).to.not.include(group._id);
      expect(await groupsOf(carol)).to.include(group._id);
    });
  });

  describe('removing one', () => {
    it('removes its pads with it, in the editor too, and leaves nothing in the database', async () => {
      const group = await buildShared();
      const pads = [await buildPad(people.app, alice, group), await buildPad(people.app, alice, group)];
      await asAlice('delete', `group/${group._id}?permanent=true`).expect(200);
      expect((await asAlice('get', `group/${group._id}`)).status).to.equal(404);
      for (const { _id } of pads) {
        expect((await asAlice('get', `pad/${_id}`)).status).to.equal(404);
        expect(await people.app.ports.pads.exists(_id)).to.equal(false);
      }
      await people.app.idle();
      const left = JSON.stringify(await snapshot(people.app));
      for (const id of [group._id, ...pads.map((pad) => pad._id)]) expect(left).to.not.include(id);
    });

    it('keeps a pad that the group lists but that belongs to another group', async () => {
      const [one, other] = [await buildShared(), await buildShared()];
      const pad = await buildPad(people.app, alice, one);
      await people.app.model.store.update<GroupRecord>(keys.group(other._id), (group) =>
        group ? { ...group, pads: [pad._id] } : undefined,
      );
      await asAlice('delete', `group/${other._id}`).expect(200);
      expect((await asAlice('get', `pad/${pad._id}`)).status).to.equal(200);
    });
  });

  describe('removing an account', () => {
    it('removes groups that nobody else administers, and takes the person out of the others', async () => {
      const dora = await buildUser(people.app);
      const own = await buildGroup(people.app, dora, { users: [bob.id] });
      const pad = await buildPad(people.app, dora, own);
      const common = await buildGroup(people.app, alice, { admins: [dora.id] });
      const proof = { currentPassword: dora.password };
      await callerOf(people.app, dora.token)('delete', `user/${dora.login}`, proof).expect(200);
      await people.app.idle();
      expect((await asBob('get', `group/${own._id}`)).status).to.equal(404);
      expect(await people.app.ports.pads.exists(pad._id)).to.equal(false);
      expect((await groupRecord(common._id))?.admins).to.deep.equal([alice.id]);
    });
  });
});
