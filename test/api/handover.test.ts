/** Handing over folders: one by its managers, and all that an account manages alone. */
import { expect } from 'chai';
import { keys } from '../../model/store/store';
import { callerOf } from '../support/caller';
import { buildGroup, buildPad, buildUser, type TestUser } from '../support/factories';
import { usePeople } from '../support/people';
import { until } from '../support/waiting';

describe('handing over', () => {
  const people = usePeople();
  const { alice, bob, carol, asAlice, asBob, asCarol, asRoot, asGuest, buildShared, groupRecord } = people;

  async function newcomer() {
    const user = await buildUser(people.app);
    return { user, call: callerOf(people.app, user.token) };
  }

  it('a folder makes the other person its only manager, and all managers members', async () => {
    const dave = await newcomer();
    const { _id: id } = await buildShared({ admins: [dave.user.id], readers: [carol.id] });
    const { status, body } = await asAlice('post', `group/${id}/handover`, { to: ` ${carol.email} ` });
    expect(status, JSON.stringify(body)).to.equal(200);
    expect(body.value.abilities).to.deep.include({ share: false, leave: true });
    expect(await groupRecord(id)).to.deep.include({
      admins: [carol.id],
      users: [bob.id, alice.id, dave.user.id],
      readers: [],
    });
    expect((await asCarol('put', `group/${id}`, { name: 'Now mine' })).status).to.equal(200);
    expect(Object.keys((await asCarol('get', 'overview')).body.value.groups)).to.include(id);
    for (const who of [asAlice, dave.call])
      expect((await who('post', `group/${id}/handover`, { to: alice.login })).status).to.equal(401);
  });

  it('a folder is for its managers and server administrators, and to an account that is open', async () => {
    const { _id: id } = await buildShared();
    for (const who of [asBob, asCarol, asGuest])
      expect((await who('post', `group/${id}/handover`, { to: bob.login })).status).to.equal(401);
    const closed = (await newcomer()).user;
    await asRoot('put', `user/${closed.login}`, { active: false }).expect(200);
    for (const to of ['nobody at all', closed.login]) {
      const answer = await asAlice('post', `group/${id}/handover`, { to });
      expect([answer.status, answer.body.error, answer.body.field]).to.deep.equal([
        404,
        'BACKEND.ERROR.USER.NOT_FOUND',
        'to',
      ]);
    }
    for (const body of [{}, { to: '' }, { to: 5 }, { to: bob.login, role: 'admins' }])
      expect((await asAlice('post', `group/${id}/handover`, body)).status).to.equal(400);
    expect((await asAlice('post', 'group/unknown/handover', { to: bob.login })).status).to.equal(404);
    expect((await groupRecord(id))?.admins).to.deep.equal([alice.id]);
    await asRoot('post', `group/${id}/handover`, { to: bob.login }).expect(200);
    expect(await groupRecord(id)).to.deep.include({ admins: [bob.id], users: [alice.id] });
  });

  /** Somebody who manages one folder alone and one together with Alice, and reads a third. */
  async function buildManager(): Promise<{ user: TestUser; own: string; both: string; pad: string }> {
    const { user } = await newcomer();
    const own = await buildGroup(people.app, user, { name: 'Alone', readers: [bob.id] });
    const both = await buildGroup(people.app, user, { admins: [alice.id] });
    await buildShared({ readers: [user.id] });
    return { user, own: own._id, both: both._id, pad: (await buildPad(people.app, user, own))._id };
  }

  it('everything that an account manages alone is for server administrators', async () => {
    const { user, own, both } = await buildManager();
    for (const who of [asAlice, callerOf(people.app, user.token), asGuest])
      expect((await who('post', `admin/users/${user.login}/handover`, { to: bob.login })).status).to.equal(
        401,
      );
    const { body } = await asRoot('post', `admin/users/${user.email}/handover`, { to: bob.login });
    expect(body).to.deep.equal({ success: true, groups: [{ _id: own, name: 'Alone' }] });
    expect(await groupRecord(own)).to.deep.include({ admins: [user.id, bob.id], readers: [] });
    expect((await groupRecord(both))?.admins).to.deep.equal([user.id, alice.id]);
    const again = await asRoot('post', `admin/users/${user.login}/handover`, { to: bob.login });
    expect(again.body.groups).to.deep.equal([]);
    for (const [login, to, status] of [
      ['nobody', bob.login, 404],
      [user.login, 'nobody', 404],
      [user.login, user.email, 400],
    ] as const)
      expect((await asRoot('post', `admin/users/${login}/handover`, { to })).status).to.equal(status);
  });

  it('everything includes folders whose other managers have closed accounts', async () => {
    const [{ user: closed }, { user }] = [await newcomer(), await newcomer()];
    const { _id, name } = await buildGroup(people.app, user, { admins: [closed.id] });
    await asRoot('put', `user/${closed.login}`, { active: false }).expect(200);
    for (const { login } of [user, closed]) {
      const { groups } = (await asRoot('get', `admin/users/${login}/access`)).body;
      expect(groups).to.deep.equal([{ _id, name, role: 'manager', alone: login === user.login }]);
    }
    await asRoot('put', `user/${user.login}`, { active: false }).expect(200);
    const { body } = await asRoot('post', `admin/users/${user.login}/handover`, { to: bob.login });
    expect(body.groups).to.deep.equal([{ _id, name }]);
  });

  it('everything gives away nothing that the account has handed over meanwhile', async () => {
    const { user, own } = await buildManager();
    await people.app.inject({ fault: 'block', calls: ['set'], keys: keys.group(own) });
    await people.app.operations();
    const operations: string[] = [];
    const seen = (wanted: string, count = 1): Promise<void> =>
      until(wanted, async () => {
        for (const one of await people.app.operations())
          if ('key' in one) operations.push(`${one.what} ${one.key}`);
        return operations.filter((one) => one === wanted).length >= count;
      });
    const first = callerOf(people.app, user.token)('post', `group/${own}/handover`, { to: carol.login }).then(
      (answer) => answer,
    );
    await seen(`set ${keys.group(own)}`);
    operations.length = 0;
    const all = asRoot('post', `admin/users/${user.login}/handover`, { to: bob.login }).then(
      (answer) => answer,
    );
    // The folder is still theirs: it is read for a limit of the call, and to find what they manage alone.
    await seen(`get ${keys.group(own)}`, 2);
    await people.app.inject({ fault: 'none' });
    expect((await first).status).to.equal(200);
    expect((await all).body).to.deep.equal({ success: true, groups: [] });
    expect(await groupRecord(own)).to.deep.include({ admins: [carol.id], users: [user.id] });
  });

  it('keeps the folders of an account that is removed, by its owner or by a server administrator', async () => {
    for (const byOwner of [true, false]) {
      const { user, own, both, pad } = await buildManager();
      const call = byOwner ? callerOf(people.app, user.token) : asRoot;
      const password = byOwner ? { currentPassword: user.password } : {};
      const folders = { to: carol.login };
      const preview = await call('delete', `user/${user.login}?preview=true`, { folders });
      expect(preview.body.removed.groups).to.have.length(1);
      if (byOwner) {
        const refused = await call('delete', `user/${user.login}`, { folders, currentPassword: 'wrong' });
        expect(refused.body.error).to.equal('BACKEND.ERROR.AUTHENTICATION.PASSWORD_INCORRECT');
        expect((await groupRecord(own))?.admins).to.deep.equal([user.id]);
      }
      for (const [to, status] of [
        ['nobody', 404],
        [user.login, 400],
      ] as const) {
        const refused = await call('delete', `user/${user.login}`, { ...password, folders: { to } });
        expect(refused.status).to.equal(status);
      }
      const { body } = await call('delete', `user/${user.login}`, { ...password, folders });
      expect(body.removed, JSON.stringify(body)).to.deep.equal({ groups: [], people: 0, left: 3 });
      await people.app.idle();
      expect(await groupRecord(own)).to.deep.include({ admins: [carol.id], readers: [bob.id], pads: [pad] });
      expect((await groupRecord(both))?.admins).to.deep.equal([alice.id]);
      expect((await asCarol('get', `pad/${pad}`)).body.value.abilities.enter).to.equal('write');
    }
  });

  it('is not done without being asked for: folders of a removed account are removed as before', async () => {
    const { user, own } = await buildManager();
    const { body } = await asRoot('delete', `user/${user.login}`, {});
    expect(body.removed.groups.map(({ _id }: { _id: string }) => _id)).to.deep.equal([own]);
    expect(await groupRecord(own)).to.equal(undefined);
  });
});
