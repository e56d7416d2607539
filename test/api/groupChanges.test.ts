import { expect } from 'chai';
import type { GroupRecord } from '../../model/store/entities';
import { keys } from '../../model/store/store';
import { buildPad } from '../support/factories';
import { usePeople } from '../support/people';

describe('creating, changing and removing a group', () => {
  const people = usePeople();
  const { alice, bob, carol, asAlice, asBob, asCarol, asRoot, asGuest } = people;
  const { buildShared, buildSharedPad, groupRecord, groupsOf } = people;

  describe('creating one', () => {
    it('makes a restricted group with the defaults, which the caller administers', async () => {
      const answer = await asAlice('post', 'group', { name: '  Board  ' });
      expect(answer.status).to.equal(200);
      expect(answer.body.success).to.equal(true);
      expect(answer.body.value).to.deep.include({
        _id: answer.body.key,
        name: 'Board',
        visibility: 'restricted',
        hasPassword: false,
        admins: [alice.id],
        users: [],
        pads: [],
      });
      expect(answer.body.key).to.match(/^board-[a-z0-9]+$/);
      expect(answer.body.value.abilities).to.include({ edit: true, leave: false });
      expect(await groupsOf(alice)).to.include(answer.body.key);
    });

    it('has the people that were sent', async () => {
      const { body } = await asAlice('post', 'group', { name: 'Full', users: [bob.id], admins: [carol.id] });
      expect(body.value).to.deep.include({ admins: [alice.id, carol.id], users: [bob.id] });
      expect(await groupsOf(bob)).to.include(body.key);
      expect(await groupsOf(carol)).to.include(body.key);
    });

    it('requires a password for a private group, and stores only a hash', async () => {
      const without = await asAlice('post', 'group', { name: 'P', visibility: 'private' });
      expect(without.body.error).to.equal('BACKEND.ERROR.AUTHENTICATION.PASSWORD_INCORRECT');
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

    it('needs the id of an owner from a server administrator', async () => {
      const without = await asRoot('post', 'group', { name: 'P' });
      expect([without.status, without.body.error]).to.deep.equal([400, 'BACKEND.ERROR.TYPE.PARAM_STR']);
      const unknown = await asRoot('post', 'group', { name: 'P', admin: 'nobody-1' });
      expect(unknown.body.error).to.equal('BACKEND.ERROR.GROUP.ITEMS_NOT_FOUND');
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
      const { group, pad } = await buildSharedPad({ admins: [carol.id] });
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
});
