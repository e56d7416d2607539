import { expect } from 'chai';
import type { Group } from '../../api/answers';
import type { GroupRecord, PadRecord } from '../../model/store/entities';
import { keys } from '../../model/store/store';
import type { Call } from '../support/caller';
import { buildGroup, buildPad } from '../support/factories';
import { usePeople } from '../support/people';

describe('creating, changing, moving and removing a pad', () => {
  const people = usePeople();
  const { alice, bob, carol, asAlice, asBob, asCarol, asRoot, asGuest, buildShared, buildSharedPad } = people;

  async function groupRecord(id: string): Promise<GroupRecord | undefined> {
    return people.app.model.store.get<GroupRecord>(keys.group(id));
  }

  async function padRecord(id: string): Promise<PadRecord | undefined> {
    return people.app.model.store.get<PadRecord>(keys.pad(id));
  }

  describe('creating one', () => {
    it('makes a pad that inherits everything, in the editor and in the group', async () => {
      const group = await buildShared();
      const { body } = await asAlice('post', 'pad', { name: 'Minutes', group: group._id });
      expect(body.value).to.deep.include({
        _id: body.key,
        name: 'Minutes',
        group: group._id,
        visibility: null,
        readonly: null,
        hasPassword: false,
        lastUpdate: null,
        effective: { visibility: 'restricted', passwordOf: null, readonly: false },
      });
      expect(body.value.abilities).to.deep.equal({
        enter: 'write',
        edit: true,
        remove: true,
        removeChatHistory: true,
        move: true,
        bookmark: true,
        askToWrite: false,
      });
      expect((await groupRecord(group._id))?.pads).to.deep.equal([body.key]);
      expect(await people.app.ports.pads.exists(body.key)).to.equal(true);
    });

    it('accepts what the form sends for "as the folder"', async () => {
      const group = await buildShared();
      const sent = { name: 'P', group: group._id, visibility: null, password: null, readonly: null };
      expect((await asAlice('post', 'pad', sent)).status).to.equal(200);
      expect((await asAlice('post', 'pad', { ...sent, visibility: '' })).body.value.visibility).to.equal(
        null,
      );
    });

    it('requires a password for a private pad, and stores only a hash', async () => {
      const group = await buildShared();
      const without = await asAlice('post', 'pad', { name: 'P', group: group._id, visibility: 'private' });
      expect(without.body.error).to.equal('BACKEND.ERROR.AUTHENTICATION.PASSWORD_INCORRECT');
      expect((await groupRecord(group._id))?.pads).to.deep.equal([]);
      const pad = await buildPad(people.app, alice, group, { visibility: 'private', password: 'x' });
      expect(pad.hasPassword).to.equal(true);
      expect((await padRecord(pad._id))?.password).to.include({ scheme: 'bcrypt' });
    });

    it('is allowed to admins, to users where the group allows it, who can write, and to server administrators (B8)', async () => {
      const closed = await buildShared();
      const open = await buildShared({ allowUsersToCreatePads: true });
      const rows: [Call, Group, number, string?][] = [
        [asGuest, open, 401, 'NOT_AUTH'],
        [asCarol, open, 401, 'DENIED'],
        [asBob, closed, 401, 'DENIED'],
        [asBob, open, 200],
        [asAlice, closed, 200],
        [asRoot, closed, 200],
      ];
      for (const [call, group, status, error] of rows) {
        const answer = await call('post', 'pad', { name: 'P', group: group._id });
        expect(answer.status).to.equal(status);
        if (error) expect(answer.body.error).to.equal(`BACKEND.ERROR.AUTHENTICATION.${error}`);
      }
      expect((await groupRecord(closed._id))?.pads).to.have.length(2);
      const { key } = (await asBob('post', 'pad', { name: 'P', group: open._id })).body;
      expect((await asBob('post', `pad/${key}/ticket`, {})).body.mode).to.equal('write');
    });

    it('names what is missing', async () => {
      const group = await buildShared();
      const rows: [object, string][] = [
        [{ name: 'P' }, 'TYPE.PARAM_STR'],
        [{ group: group._id }, 'TYPE.PARAM_STR'],
        [{ name: 'P', group: 'nothing-here' }, 'PAD.ITEMS_NOT_FOUND'],
      ];
      for (const [sent, error] of rows) {
        const { status, body } = await asAlice('post', 'pad', sent);
        expect([status, body.error]).to.deep.equal([400, `BACKEND.ERROR.${error}`]);
      }
    });

    it('leaves nothing behind when the group is removed at the same moment', async () => {
      await people.app.inject({ fault: 'delay' });
      const group = await buildShared();
      const [, ...answers] = await Promise.all([
        asAlice('delete', `group/${group._id}`),
        ...Array.from({ length: 5 }, () => asAlice('post', 'pad', { name: 'Late', group: group._id })),
      ]);
      for (const { status, body } of answers) {
        expect(status).to.be.oneOf([200, 400]);
        if (status === 200) expect(await people.app.ports.pads.exists(body.key)).to.equal(false);
      }
      const left = await people.app.ports.database.findKeys('mypads:pad:late-*', null);
      expect(left).to.deep.equal([]);
      expect(await people.app.ports.database.findKeys('pad:late-*', null)).to.deep.equal([]);
      await people.app.inject({ fault: 'none' });
    });
  });

  describe('changing one', () => {
    it('changes what is sent and leaves the rest', async () => {
      const group = await buildShared();
      const pad = await buildPad(people.app, alice, group, { visibility: 'private', password: 'p' });
      const { body } = await asAlice('put', `pad/${pad._id}`, { readonly: true });
      expect(body.value).to.deep.equal({
        ...pad,
        readonly: true,
        effective: { ...pad.effective, readonly: true },
        abilities: { ...pad.abilities, enter: 'read' },
      });
      await asBob('post', `pad/${pad._id}/unlock`, { password: 'p' }).expect(200);
    });

    it('accepts a whole pad as it was read', async () => {
      const { pad } = await buildSharedPad();
      const { value } = (await asAlice('get', `pad/${pad._id}`)).body;
      const { status, body } = await asAlice('put', `pad/${pad._id}`, { ...value, name: 'Whole', users: [] });
      expect([status, body.value.name]).to.deep.equal([200, 'Whole']);
    });

    it('resets a pad to the settings of its group', async () => {
      const group = await buildShared({ visibility: 'public' });
      const pad = await buildPad(people.app, alice, group, {
        visibility: 'private',
        password: 'p',
        readonly: true,
      });
      const sent = { name: pad.name, visibility: null, password: null, readonly: null };
      const { body } = await asAlice('put', `pad/${pad._id}`, sent);
      expect(body.value).to.include({ visibility: null, readonly: null, hasPassword: false });
      expect((await padRecord(pad._id))?.password).to.equal(null);
    });

    it('is allowed to admins of the group and server administrators', async () => {
      const group = await buildShared({ visibility: 'public', allowUsersToCreatePads: true });
      const pad = await buildPad(people.app, bob, group);
      const calls: ['put' | 'delete', string, object?][] = [
        ['put', `pad/${pad._id}`, { name: 'Mine' }],
        ['delete', `pad/chathistory/${pad._id}`],
        ['delete', `pad/${pad._id}`],
      ];
      for (const [method, path, body] of calls) {
        for (const [call, error] of [
          [asGuest, 'NOT_AUTH'],
          [asCarol, 'DENIED_RECORD_EDIT'],
          [asBob, 'DENIED_RECORD_EDIT'],
        ] as const) {
          const answer = await call(method, path, body);
          expect(answer.body.error).to.equal(`BACKEND.ERROR.AUTHENTICATION.${error}`);
        }
      }
      for (const [method, path, body] of calls) await asRoot(method, path, body).expect(200);
    });

    it('answers 404 for a pad that does not exist', async () => {
      for (const [method, path] of [
        ['put', 'pad/nothing-here'],
        ['delete', 'pad/nothing-here'],
        ['delete', 'pad/chathistory/nothing-here'],
      ] as const) {
        expect((await asAlice(method, path, {})).status).to.equal(404);
      }
    });
  });

  describe('moving one', () => {
    it('lists it in the other group and nowhere else', async () => {
      const [from, to] = [await buildShared(), await buildGroup(people.app, alice)];
      const pad = await buildPad(people.app, alice, from);
      const { body } = await asAlice('put', `pad/${pad._id}`, { group: to._id });
      expect(body.value.group).to.equal(to._id);
      expect((await groupRecord(from._id))?.pads).to.deep.equal([]);
      expect((await groupRecord(to._id))?.pads).to.deep.equal([pad._id]);
      expect((await asBob('get', `pad/${pad._id}`)).status).to.equal(401);
    });

    it('is allowed only to those who administer both groups', async () => {
      const own = await buildGroup(people.app, carol, { users: [alice.id] });
      const { group, pad } = await buildSharedPad();
      const answer = await asAlice('put', `pad/${pad._id}`, { group: own._id });
      expect(answer.body.error).to.equal('BACKEND.ERROR.AUTHENTICATION.DENIED_RECORD_EDIT');
      expect((await asCarol('put', `pad/${pad._id}`, { group: own._id })).status).to.equal(401);
      const unknown = await asAlice('put', `pad/${pad._id}`, { group: 'nothing-here' });
      expect([unknown.status, unknown.body.error]).to.deep.equal([400, 'BACKEND.ERROR.PAD.ITEMS_NOT_FOUND']);
      expect((await padRecord(pad._id))?.group).to.equal(group._id);
      await asRoot('put', `pad/${pad._id}`, { group: own._id }).expect(200);
    });

    it('leaves it in one group when two people move it at once', async () => {
      await people.app.inject({ fault: 'delay' });
      const from = await buildShared();
      const targets = [await buildGroup(people.app, alice), await buildGroup(people.app, alice)];
      const pad = await buildPad(people.app, alice, from);
      const answers = await Promise.all(
        targets.map((target) => asAlice('put', `pad/${pad._id}`, { group: target._id })),
      );
      expect(answers.map(({ status }) => status)).to.include(200);
      const home = (await padRecord(pad._id))?.group;
      const lists = await Promise.all([from, ...targets].map(({ _id }) => groupRecord(_id)));
      expect(lists.filter((group) => group?.pads.includes(pad._id)).map((group) => group?._id)).to.deep.equal(
        [home],
      );
      await people.app.inject({ fault: 'none' });
    });

    it('shows it in one group when the server died between the writes', async () => {
      const [from, to] = [await buildShared(), await buildGroup(people.app, alice)];
      const pad = await buildPad(people.app, alice, from);
      await people.app.model.store.update<GroupRecord>(
        keys.group(to._id),
        (group) => group && { ...group, pads: [pad._id] },
      );
      const { value } = (await asAlice('get', 'group')).body;
      expect(value.groups[from._id].pads).to.deep.equal([pad._id]);
      expect(value.groups[to._id].pads).to.deep.equal([]);
    });
  });

  describe('removing one', () => {
    it('removes the chat history and nothing else', async () => {
      const { pad } = await buildSharedPad();
      await people.app.chat(pad._id, 8);
      const read = (key: string) => people.app.ports.database.get(`pad:${pad._id}${key}`) as Promise<object>;
      const before = await read('');
      expect(before).to.include({ chatHead: 7 });
      expect(await read(':chat:7')).to.have.property('text', 'message 7');
      await asAlice('delete', `pad/chathistory/${pad._id}`).expect(200);
      expect(await read('')).to.deep.equal({ ...before, chatHead: -1 });
      for (const number of [0, 7])
        expect(await read(`:chat:${number}`)).to.satisfy((one: unknown) => one == null);
    });
  });

  describe('the time of the last change', () => {
    it('is stored at most once a minute, however often somebody types', async () => {
      const pad = await buildPad(people.app, alice, await buildShared());
      await people.app.model.pads.touch(pad._id);
      const first = (await padRecord(pad._id))?.lastUpdate;
      people.app.ports.advance(59_000);
      await people.app.model.pads.touch(pad._id);
      expect((await padRecord(pad._id))?.lastUpdate).to.equal(first);
      people.app.ports.advance(2_000);
      await people.app.model.pads.touch(pad._id);
      expect((await padRecord(pad._id))?.lastUpdate).to.be.greaterThan(first ?? Number.POSITIVE_INFINITY);
    });

    it('makes no record of a pad of Etherpad', async () => {
      await people.app.model.pads.touch('somebody-elses');
      expect(await padRecord('somebody-elses')).to.equal(undefined);
    });
  });
});
