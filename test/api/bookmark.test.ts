import { expect } from 'chai';
import type { UserRecord } from '../../model/store/entities';
import { keys } from '../../model/store/store';
import { useTestAppForEach } from '../support/app';
import { callerOf } from '../support/caller';
import { buildGroup, buildPad } from '../support/factories';
import { usePerson } from '../support/people';

describe('bookmarks over HTTP', () => {
  const app = useTestAppForEach();
  const { user: alice } = usePerson(app, beforeEach);
  const { user: bob, call: asBob } = usePerson(app, beforeEach);

  async function marks(): Promise<UserRecord['bookmarks'] | undefined> {
    return (await app.model.store.get<UserRecord>(keys.user(bob.id)))?.bookmarks;
  }

  it('sets a bookmark and takes it away again', async () => {
    const group = await buildGroup(app, alice, { visibility: 'public' });
    const pad = await buildPad(app, alice, group);
    for (const [type, key] of [
      ['groups', group._id],
      ['pads', pad._id],
    ] as const) {
      await asBob('post', 'usermark', { type, key }).expect(200, { success: true });
      expect((await marks())?.[type]).to.deep.equal([key]);
      await asBob('post', 'usermark', { type, key }).expect(200, { success: true });
      expect((await marks())?.[type]).to.deep.equal([]);
    }
  });

  it('of a folder is there again for somebody who was removed and added, and ends when they leave it', async () => {
    const asAlice = callerOf(app, alice.token);
    const group = await buildGroup(app, alice, { users: [bob.id] });
    await asBob('post', 'usermark', { type: 'groups', key: group._id }).expect(200);
    const shown = async () => Object.keys((await asBob('get', 'group')).body.value.bookmarks.groups);
    for (const [role, expected] of [
      ['removed', []],
      ['users', [group._id]],
    ] as const) {
      await asAlice('put', `group/${group._id}/members`, { [role]: [bob.login] }).expect(200);
      expect(await shown(), role).to.deep.equal(expected);
    }
    await asBob('post', 'group/resign', { gid: group._id }).expect(200);
    await asAlice('put', `group/${group._id}/members`, { users: [bob.login] }).expect(200);
    expect(await shown()).to.deep.equal([]);
  });

  it('keeps the newest five thousand of a kind and drops the oldest', async () => {
    const groups = Array.from({ length: 5_000 }, (_, number) => `old-${number}`);
    await app.model.users.update(bob.id, (user) => ({ ...user, bookmarks: { groups, pads: [] } }));
    const { _id } = await buildGroup(app, alice, { visibility: 'public' });
    await asBob('post', 'usermark', { type: 'groups', key: _id }).expect(200, { success: true });
    expect((await marks())?.groups).to.deep.equal([...groups.slice(1), _id]);
  });

  it('refuses what the person may not see exactly like what does not exist', async () => {
    const group = await buildGroup(app, alice);
    const pad = await buildPad(app, alice, group);
    for (const [type, key] of [
      ['groups', group._id],
      ['pads', pad._id],
      ['groups', 'nothing-here'],
      ['pads', 'x'],
    ]) {
      const { status, body } = await asBob('post', 'usermark', { type, key });
      expect([status, body]).to.deep.equal([404, { error: 'BACKEND.ERROR.USER.BOOKMARK_NOT_FOUND' }]);
    }
    expect(await marks()).to.deep.equal({ groups: [], pads: [] });
  });

  it('does not take a group for a pad', async () => {
    const group = await buildGroup(app, alice, { visibility: 'public' });
    expect((await asBob('post', 'usermark', { type: 'pads', key: group._id })).status).to.equal(404);
  });

  it('accepts a private group after its password was entered', async () => {
    const group = await buildGroup(app, alice, { visibility: 'private', password: 'p' });
    const mark = { type: 'groups', key: group._id };
    expect((await asBob('post', 'usermark', mark)).status).to.equal(404);
    await asBob('post', `group/${group._id}/unlock`, { password: 'p' }).expect(200);
    expect((await asBob('post', 'usermark', mark)).status).to.equal(200);
  });

  it('does not list what has been removed', async () => {
    const group = await buildGroup(app, alice, { visibility: 'public' });
    const [stays, goes] = [await buildPad(app, alice, group), await buildPad(app, alice, group)];
    for (const { _id } of [stays, goes]) {
      await asBob('post', 'usermark', { type: 'pads', key: _id }).expect(200);
    }
    await callerOf(app, alice.token)('delete', `pad/${goes._id}?permanent=true`).expect(200);
    const expected = { groups: [], pads: [stays._id] };
    expect((await asBob('get', 'configuration')).body.user.bookmarks).to.deep.equal(expected);
    expect((await asBob('get', `user/${bob.login}`)).body.value.bookmarks).to.deep.equal(expected);
  });

  it('can be removed from what is closed or has been removed', async () => {
    const group = await buildGroup(app, alice, { visibility: 'public' });
    const mark = { type: 'groups', key: group._id };
    await asBob('post', 'usermark', mark).expect(200);
    await callerOf(app, alice.token)('delete', `group/${group._id}?permanent=true`).expect(200);
    expect(await marks()).to.deep.equal({ groups: [group._id], pads: [] });
    await asBob('post', 'usermark', mark).expect(200);
    expect(await marks()).to.deep.equal({ groups: [], pads: [] });
  });

  it('say what is wrong with the request', async () => {
    for (const type of [undefined, 5, 'folders']) {
      const { status, body } = await asBob('post', 'usermark', { type, key: 'x' });
      expect([status, body.error]).to.deep.equal([400, 'BACKEND.ERROR.TYPE.TYPE_PADSORGROUPS']);
    }
  });
});
