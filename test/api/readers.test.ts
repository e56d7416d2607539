/** Readers of a folder: they see everything in it, and change nothing. */
import { expect } from 'chai';
import type { UserRecord } from '../../model/store/entities';
import { keys } from '../../model/store/store';
import { buildPad } from '../support/factories';
import { usePeople } from '../support/people';

describe('a reader of a folder', () => {
  const people = usePeople();
  const { alice, bob, carol, asAlice, asBob, asCarol, asGuest } = people;
  const { buildShared, buildSharedPad, groupRecord, groupsOf } = people;

  const readerOf = async (id: string): Promise<string[]> =>
    (await people.app.model.store.get<UserRecord>(keys.user(id)))?.readerOf ?? [];
  const add = (group: string, role: string, logins: string[]) =>
    asAlice('post', `group/${group}/members`, { loginsOrEmails: logins, role });
  async function rolesIn(id: string) {
    const { admins, users, readers } = (await groupRecord(id)) ?? {};
    return { admins, users, readers };
  }

  it('is added by role; nobody gets a role with fewer rights than before', async () => {
    const { _id: id } = await buildShared();
    const { body } = await add(id, 'reader', [carol.login, bob.login, alice.login, 'nobody']);
    expect([body.value.readers, body.absent]).to.deep.equal([[carol.id], ['nobody']]);
    expect(await rolesIn(id)).to.deep.equal({ admins: [alice.id], users: [bob.id], readers: [carol.id] });
    await add(id, 'writer', [carol.login]);
    expect(await rolesIn(id)).to.deep.equal({ admins: [alice.id], users: [bob.id, carol.id], readers: [] });
    await add(id, 'manager', [carol.login]);
    expect((await rolesIn(id)).admins).to.deep.equal([alice.id, carol.id]);
    expect((await add(id, 'owner', [carol.login])).status).to.equal(400);
  });

  it('sees the folder, all its pads and the logins of its people, in all lists', async () => {
    const group = await buildShared({ readers: [carol.id] });
    const pads = [
      await buildPad(people.app, alice, group),
      await buildPad(people.app, alice, group, { visibility: 'restricted' }),
    ].map(({ _id }) => _id);
    const { value, users } = (await asCarol('get', `group/${group._id}`)).body;
    expect(value.pads).to.have.members(pads);
    expect(value).to.deep.include({ users: [bob.id], readers: [carol.id] });
    expect(users[bob.id]).to.have.all.keys('_id', 'login', 'color');
    const all = (await asCarol('get', 'group')).body.value;
    expect(all.groups[group._id].pads).to.have.members(pads);
    const listed = (await asCarol('get', 'overview')).body.value.groups[group._id];
    expect(listed).to.deep.include({ padCount: 2, readers: [carol.id] });
    const { enter, edit } = (await asCarol('get', `pad/${pads[0]}`)).body.value.abilities;
    expect([enter, edit]).to.deep.equal(['read', false]);
  });

  it('changes nothing, and creates no pads where members may', async () => {
    const { group, pad } = await buildSharedPad({ readers: [carol.id], allowUsersToCreatePads: true });
    const create = await asCarol('post', 'pad', { name: 'A pad', group: group._id });
    expect([create.status, create.body.error]).to.deep.equal([401, 'BACKEND.ERROR.AUTHENTICATION.DENIED']);
    const refused = [
      asCarol('put', `pad/${pad._id}`, { name: 'Another' }),
      asCarol('delete', `pad/${pad._id}`),
      asCarol('delete', `pad/chathistory/${pad._id}`),
      asCarol('put', `group/${group._id}`, { readers: [], users: [carol.id] }),
      asCarol('put', `group/${group._id}/members`, { users: [carol.login] }),
      asCarol('post', `group/${group._id}/members`, { loginsOrEmails: [carol.login], role: 'writer' }),
    ];
    for (const { status, body } of await Promise.all(refused))
      expect([status, body.error]).to.deep.equal([401, 'BACKEND.ERROR.AUTHENTICATION.DENIED_RECORD_EDIT']);
    expect((await asBob('post', 'pad', { name: 'A pad', group: group._id })).status).to.equal(200);
  });

  it('writes where everybody may: in a public pad, or after proving the password', async () => {
    const entryOf = async (pad: string) =>
      (await asCarol('get', `pad/${pad}`)).body.value.abilities.enter as string;
    const open = await buildShared({ visibility: 'public', readers: [carol.id] });
    expect(await entryOf((await buildPad(people.app, alice, open))._id)).to.equal('write');
    const secret = { visibility: 'private', password: 'secret', readers: [carol.id] };
    const locked = await buildShared(secret);
    const pad = await buildPad(people.app, alice, locked);
    expect(await entryOf(pad._id)).to.equal('read');
    await asCarol('post', `group/${locked._id}/unlock`, { password: 'secret' }).expect(200);
    expect(await entryOf(pad._id)).to.equal('write');
  });

  it('is not in the list of groups that ep_mypads 1.x reads; each change of role moves them', async () => {
    const { _id: id } = await buildShared({ readers: [carol.id] });
    expect(await groupsOf(carol)).to.not.include(id);
    expect(await readerOf(carol.id)).to.include(id);
    await asAlice('put', `group/${id}/members`, { users: [carol.login], readers: [bob.login] }).expect(200);
    expect(await groupsOf(carol)).to.include(id);
    expect(await readerOf(carol.id)).to.not.include(id);
    expect(await groupsOf(bob)).to.not.include(id);
    expect(await readerOf(bob.id)).to.include(id);
    await asAlice('post', 'group/invite', { gid: id, invite: true, loginsOrEmails: [bob.login] }).expect(200);
    expect(await rolesIn(id)).to.deep.equal({ admins: [alice.id], users: [bob.id], readers: [] });
    expect(await readerOf(bob.id)).to.not.include(id);
    await asAlice('put', `group/${id}`, { users: [], readers: [bob.id] }).expect(200);
    expect(await rolesIn(id)).to.deep.equal({ admins: [alice.id], users: [], readers: [bob.id] });
  });

  it('keeps a bookmark of the folder when the role changes, and loses it with the folder', async () => {
    const { _id: id } = await buildShared({ readers: [carol.id] });
    await asCarol('post', 'usermark', { type: 'groups', key: id }).expect(200);
    await asAlice('put', `group/${id}/members`, { users: [carol.login] }).expect(200);
    await asAlice('put', `group/${id}/members`, { readers: [carol.login] }).expect(200);
    expect((await asCarol('get', 'overview')).body.value.bookmarks.groups).to.have.property(id);
    await asAlice('delete', `group/${id}?permanent=true`).expect(200);
    await people.app.idle();
    expect(await readerOf(carol.id)).to.not.include(id);
    expect((await asCarol('get', 'overview')).body.value.bookmarks.groups).to.not.have.property(id);
  });

  it('leaves the folder, or is removed from it, and sees nothing of it any more', async () => {
    const { _id: id } = await buildShared({ readers: [carol.id, bob.id], users: [] });
    await asCarol('post', 'group/resign', { gid: id }).expect(200);
    await asAlice('delete', `group/${id}/members/${bob.login}`).expect(200);
    expect(await rolesIn(id)).to.deep.equal({ admins: [alice.id], users: [], readers: [] });
    for (const who of [asBob, asCarol, asGuest])
      expect((await who('get', `group/${id}`)).body.error).to.match(/DENIED_RECORD$|MUST_BE$/);
    expect(await readerOf(carol.id)).to.not.include(id);
  });

  it('whose account is removed is in no folder any more', async () => {
    const { _id: id } = await buildShared({ readers: [carol.id] });
    await people.asRoot('delete', `user/${carol.login}`).expect(200);
    await people.app.idle();
    expect((await rolesIn(id)).readers).to.deep.equal([]);
  });
});
