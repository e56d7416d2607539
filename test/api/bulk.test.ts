/** Calls that change many groups or pads at once. */
import { expect } from 'chai';
import { limits } from '../../model/limits';
import type { GroupRecord, UserRecord } from '../../model/store/entities';
import { keys } from '../../model/store/store';
import { useTestAppForEach } from '../support/app';
import { type Call, callerOf } from '../support/caller';
import { buildGroup, buildPad } from '../support/factories';
import { usePerson } from '../support/people';

const denied = 'BACKEND.ERROR.AUTHENTICATION.DENIED_RECORD_EDIT';
const missing = 'BACKEND.ERROR.CONFIGURATION.KEY_NOT_FOUND';

describe('changes of many things at once', () => {
  const app = useTestAppForEach();
  const { user: alice, call: asAlice } = usePerson(app, beforeEach);
  const { user: bob, call: asBob } = usePerson(app, beforeEach);

  describe('bookmarks', () => {
    const marks = async () => (await app.model.store.get<UserRecord>(keys.user(bob.id)))?.bookmarks;

    it('are set and removed, and the answer says which of them changed', async () => {
      const group = await buildGroup(app, alice, { visibility: 'public' });
      const pads = [await buildPad(app, alice, group), await buildPad(app, alice, group)];
      const [one = '', two = ''] = pads.map(({ _id }) => _id);
      await asBob('post', 'usermark', { type: 'pads', key: one }).expect(200);
      const body = { type: 'pads', keys: [one, two, two] };
      const set = { success: true, changed: [two], refused: [] };
      await asBob('put', 'usermark', { ...body, marked: true }).expect(200, set);
      expect((await marks())?.pads).to.deep.equal([one, two]);
      const removed = { success: true, changed: [one, two], refused: [] };
      await asBob('put', 'usermark', { ...body, marked: false }).expect(200, removed);
      expect(await marks()).to.deep.equal({ groups: [], pads: [] });
      const nothing = { success: true, changed: [], refused: [] };
      await asBob('put', 'usermark', { ...body, marked: false }).expect(200, nothing);
    });

    it('refuse what the person may not see like what does not exist, and set the others', async () => {
      const [open, closed] = [
        await buildGroup(app, alice, { visibility: 'public' }),
        await buildGroup(app, alice),
      ];
      const shown = await buildPad(app, alice, open);
      const hidden = await buildPad(app, alice, closed);
      const groups = { type: 'groups', keys: [open._id, closed._id, 'x', shown._id], marked: true };
      await asBob('put', 'usermark', groups).expect(200, {
        success: true,
        changed: [open._id],
        refused: [closed._id, 'x', shown._id],
      });
      const pads = { type: 'pads', keys: [shown._id, hidden._id, 'x', open._id], marked: true };
      await asBob('put', 'usermark', pads).expect(200, {
        success: true,
        changed: [shown._id],
        refused: [hidden._id, 'x', open._id],
      });
    });

    it('are removed also from what is closed or has been removed', async () => {
      const group = await buildGroup(app, alice, { visibility: 'public' });
      const body = { type: 'groups', keys: [group._id] };
      await asBob('put', 'usermark', { ...body, marked: true }).expect(200);
      await asAlice('delete', `group/${group._id}`).expect(200);
      await asBob('put', 'usermark', { ...body, marked: false }).expect(200);
      expect((await marks())?.groups).to.deep.equal([]);
    });

    it('say what is wrong with the request', async () => {
      const body = { type: 'groups', keys: ['x'], marked: true };
      for (const wrong of [
        { ...body, keys: [] },
        { ...body, keys: Array.from({ length: limits.bulk + 1 }, () => 'x') },
        { ...body, keys: 'x' },
        { ...body, marked: 'yes' },
        { ...body, type: 'users' },
      ]) {
        expect((await asBob('put', 'usermark', wrong)).status, JSON.stringify(wrong).slice(0, 60)).to.equal(
          400,
        );
      }
    });
  });

  describe('tags', () => {
    const tagsOf = async (id: string) => (await app.model.store.get<GroupRecord>(keys.group(id)))?.tags;
    const change = (call: Call, changes: object[]) => call('post', 'group/tags', { changes });

    it('are added and removed, the others stay, and the answer is enough to undo the change', async () => {
      const one = await buildGroup(app, alice, { tags: ['old', 'kept'] });
      const two = await buildGroup(app, alice, { tags: ['new'] });
      const same = await buildGroup(app, alice, { tags: ['new'] });
      const { body } = await change(asAlice, [
        { group: one._id, add: ['new', 'new'], remove: ['old', 'none'] },
        { group: two._id, add: ['new', 'more'] },
        { group: same._id, add: ['new'] },
      ]);
      expect(body.failed).to.deep.equal([]);
      expect(body.changed).to.have.deep.members([
        { group: one._id, add: ['new'], remove: ['old'] },
        { group: two._id, add: ['more'], remove: [] },
      ]);
      expect(await tagsOf(one._id)).to.deep.equal(['kept', 'new']);
      expect(await tagsOf(two._id)).to.deep.equal(['new', 'more']);
      const back = body.changed.map(
        ({ group, add, remove }: { group: string; add: string[]; remove: string[] }) => ({
          group,
          add: remove,
          remove: add,
        }),
      );
      expect((await change(asAlice, back)).status).to.equal(200);
      expect(await tagsOf(one._id)).to.have.members(['kept', 'old']);
      expect(await tagsOf(two._id)).to.deep.equal(['new']);
      const listed = (await asAlice('get', 'overview')).body.value.groups[one._id];
      expect(listed.tags).to.have.members(['kept', 'old']);
    });

    it('change only in groups that the caller administers; the others are named with the reason', async () => {
      const own = await buildGroup(app, bob);
      const shared = await buildGroup(app, alice, { users: [bob.id] });
      const open = await buildGroup(app, alice, { visibility: 'public' });
      const ids = [own._id, shared._id, open._id, 'x'];
      const { status, body } = await change(
        asBob,
        ids.map((group) => ({ group, add: ['mine'] })),
      );
      expect(status).to.equal(200);
      expect(body.changed).to.deep.equal([{ group: own._id, add: ['mine'], remove: [] }]);
      expect(body.failed).to.have.deep.members([
        { group: shared._id, error: denied },
        { group: open._id, error: denied },
        { group: 'x', error: missing },
      ]);
      expect([await tagsOf(shared._id), await tagsOf(open._id)]).to.deep.equal([[], []]);
      const guest = await change(callerOf(app), [{ group: open._id, add: ['mine'] }]);
      expect(guest.status).to.equal(401);
    });

    it('cannot exceed the limit of a group, and can always be removed', async () => {
      const full = Array.from({ length: limits.tags }, (_, number) => `tag ${number}`);
      const group = await buildGroup(app, alice, { tags: full });
      const { body } = await change(asAlice, [{ group: group._id, add: ['one more'] }]);
      expect(body.failed).to.deep.equal([{ group: group._id, error: 'BACKEND.ERROR.TYPE.PARAM_INVALID' }]);
      const swapped = { group: group._id, add: ['one more'], remove: ['tag 0'] };
      expect((await change(asAlice, [swapped])).body.changed).to.deep.equal([swapped]);
    });

    it('of twenty calls at the same time are all stored', async () => {
      await app.inject({ fault: 'delay' });
      const group = await buildGroup(app, alice);
      const names = Array.from({ length: 20 }, (_, number) => `t${number}`);
      await Promise.all(
        names.map((name) => change(asAlice, [{ group: group._id, add: [name] }]).expect(200)),
      );
      expect(await tagsOf(group._id)).to.have.members(names);
    });

    it('say what is wrong with the request', async () => {
      for (const changes of [
        [],
        'x',
        [{ add: ['a'] }],
        [{ group: 'x', add: [''] }],
        [{ group: 'x', tags: [] }],
      ]) {
        const { status } = await asAlice('post', 'group/tags', { changes });
        expect(status, JSON.stringify(changes)).to.equal(400);
      }
    });
  });
});
