/**
 * Concurrent requests and changes of several records: R1 to R7 of the list of defects that no other test file covers.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { keys } from '../../model/store/store';
import { useTestAppForEach } from '../support/app';
import { callerOf, snapshot } from '../support/caller';
import { buildGroup, buildPad, buildUser, signIn, signInAsAdmin } from '../support/factories';
import { usePerson } from '../support/people';
import { until } from '../support/waiting';

describe('nothing is lost or stored twice', () => {
  const app = useTestAppForEach();
  const { user: owner, call } = usePerson(app, beforeEach);
  const { user: friend } = usePerson(app, beforeEach);
  beforeEach(() => app.inject({ fault: 'delay' }));

  const times = <Value>(count: number, make: (index: number) => PromiseLike<Value>): Promise<Value[]> =>
    Promise.all(Array.from({ length: count }, (_, index) => make(index)));

  it('when one person makes twenty groups at once (R1)', async () => {
    const made = await times(20, (index) => call('post', 'group', { name: `G${index}`, users: [friend.id] }));
    const ids = made.map(({ body }) => body.key);
    for (const { token } of [owner, friend]) {
      const { value } = (await callerOf(app, token)('get', 'group')).body;
      expect(Object.keys(value.groups)).to.have.members(ids);
    }
  });

  it('when a profile, bookmarks, lists and groups of one person change at once (R1)', async () => {
    const groups = await times(5, () => buildGroup(app, friend, { visibility: 'public' }));
    const answers = await Promise.all([
      call('put', `user/${owner.login}`, { firstname: 'A' }),
      call('put', `user/${owner.login}`, { lastname: 'B' }),
      ...groups.map(({ _id }) => call('post', 'usermark', { type: 'groups', key: _id })),
      ...groups.map(({ name }) => call('post', 'userlist', { name })),
      ...groups.map(({ name }) => call('post', 'group', { name })),
      ...groups.map(({ _id }) => callerOf(app, friend.token)('put', `group/${_id}`, { users: [owner.id] })),
    ]);
    for (const { status, text } of answers) expect(status, text).to.equal(200);
    const { user } = (await call('get', 'configuration')).body;
    expect(user).to.include({ firstname: 'A', lastname: 'B' });
    expect(user.bookmarks.groups).to.have.members(groups.map(({ _id }) => _id));
    expect(user.groups).to.have.length(10);
    expect(Object.keys((await call('get', 'userlist')).body.value)).to.have.length(5);
  });

  it('when pads of one group are made, moved and removed at once (R1)', async () => {
    const [from, to] = [await buildGroup(app, owner), await buildGroup(app, owner)];
    const pads = await times(12, () => buildPad(app, owner, from));
    const [moved, removed, kept] = [pads.slice(0, 4), pads.slice(4, 8), pads.slice(8)];
    const answers = await Promise.all([
      ...moved.map(({ _id }) => call('put', `pad/${_id}`, { group: to._id })),
      ...removed.map(({ _id }) => call('delete', `pad/${_id}`)),
      ...kept.map(({ _id }) => call('put', `pad/${_id}`, { name: 'Kept' })),
      call('post', 'pad', { name: 'New', group: from._id }),
    ]);
    for (const { status, text } of answers) expect(status, text).to.equal(200);
    const padsOf = async (id: string): Promise<string[]> =>
      (await call('get', `group/${id}`)).body.value.pads;
    expect(await padsOf(to._id)).to.have.members(moved.map(({ _id }) => _id));
    expect(await padsOf(from._id)).to.have.members([...kept.map(({ _id }) => _id), answers.at(-1)?.body.key]);
  });

  it('when an admin saves the group, or invites, while another admin removes that right', async () => {
    const group = await buildGroup(app, owner, { admins: [owner.id, friend.id] });
    const byFriend = callerOf(app, friend.token);
    const both = [owner.id, friend.id];
    const [taken, ...late] = await Promise.all([
      call('put', `group/${group._id}`, { admins: [owner.id] }),
      ...[1, 2, 3].map(() => byFriend('put', `group/${group._id}`, { admins: both })),
      byFriend('post', 'group/invite', {
        gid: group._id,
        invite: false,
        loginsOrEmails: [owner.login, friend.login],
      }),
    ]);
    expect(taken?.status).to.equal(200);
    for (const { status } of late) expect([200, 401]).to.include(status);
    const { admins } = (await call('get', `group/${group._id}`)).body.value;
    expect(admins).to.deep.equal([owner.id]);
  });

  it('when a manager gives a pad that somebody has asked for, while another one declines', async () => {
    const group = await buildGroup(app, owner);
    const pad = await buildPad(app, owner, group);
    const byFriend = callerOf(app, friend.token);
    await byFriend('post', `pad/${pad._id}/requests`, {}).expect(200);
    await app.idle();
    const [request] = (await call('get', 'requests')).body.value;
    const answer = async (body: object) => (await call('put', `requests/${request._id}`, body)).status;
    await app.inject({ fault: 'block', calls: ['set'], keys: keys.pad(pad._id) });
    await app.operations();
    const given = answer({ role: 'writer' });
    await until('the pad is given', async () =>
      (await app.operations()).some(
        ({ what, ...on }) => what === 'set' && 'key' in on && on.key === keys.pad(pad._id),
      ),
    );
    const declined = answer({ declined: true });
    // Nothing shows that it waits for the lock.
    await pause(200);
    await app.inject({ fault: 'none' });
    const answers = await Promise.all([given, declined]);
    expect(answers).to.have.members([200, 404]);
    const { body } = await byFriend('get', `pad/${pad._id}`);
    expect(body.value?.abilities.enter).to.equal(answers[0] === 200 ? 'write' : undefined);
  });

  it('when a pad is changed while it is moved: nobody is told to try again later', async () => {
    const groups = await times(3, () => buildGroup(app, owner));
    const pad = await buildPad(app, owner, groups[0] ?? { _id: '' });
    const path = `pad/${pad._id}`;
    const answers = await Promise.all([
      ...groups.slice(1).map(({ _id }) => call('put', path, { group: _id })),
      ...[1, 2, 3].map(() => call('put', path, { name: 'Changed' })),
      call('put', path, { readonly: true }),
    ]);
    for (const { status, text } of answers) expect(status, text).to.equal(200);
    const { value } = (await call('get', path)).body;
    expect(value).to.include({ name: 'Changed', readonly: true });
    const lists = await Promise.all(groups.map(({ _id }) => call('get', `group/${_id}`)));
    const listing = lists.filter(({ body }) => body.value.pads.includes(pad._id));
    expect(listing.map(({ body }) => body.key)).to.deep.equal([value.group]);
  });

  it('when an admin makes, changes or moves pads while another admin removes that right', async () => {
    const [shared, own] = [
      await buildGroup(app, owner, { admins: [owner.id, friend.id] }),
      await buildGroup(app, friend),
    ];
    const [changed, moved, coming] = [
      await buildPad(app, owner, shared),
      await buildPad(app, owner, shared),
      await buildPad(app, friend, own),
    ];
    const byFriend = callerOf(app, friend.token);
    await app.inject({ fault: 'block', calls: ['set'], keys: keys.group(shared._id) });
    await app.operations();
    const operations: string[] = [];
    const seen = async (count: number, wanted: string): Promise<void> =>
      until(wanted, async () => {
        operations.push(
          ...(await app.operations()).map((operation) =>
            'key' in operation ? `${operation.what} ${operation.key}` : '',
          ),
        );
        return operations.filter((one) => one === wanted).length >= count;
      });
    const taking = call('put', `group/${shared._id}`, { admins: [owner.id] }).then((answer) => answer);
    await seen(1, `set ${keys.group(shared._id)}`);
    const late = Promise.all([
      byFriend('put', `pad/${changed._id}`, { name: 'Late' }),
      byFriend('put', `pad/${moved._id}`, { group: own._id }),
      byFriend('put', `pad/${coming._id}`, { group: shared._id }),
      byFriend('post', 'pad', { name: 'Late', group: shared._id }),
    ]);
    // Each call has checked the right, which is still there, and waits for its turn to write.
    for (const { _id } of [changed, moved, coming]) await seen(1, `get ${keys.pad(_id)}`);
    await until(
      'a fourth pad',
      async () => (await app.ports.database.findKeys('mypads:pad:*', null)).length === 4,
    );
    await app.inject({ fault: 'none' });
    expect((await taking).status).to.equal(200);
    for (const { status, text } of await late) expect(status, text).to.equal(401);
    await app.idle();
    const { value, pads } = (await call('get', `group/${shared._id}`)).body;
    expect(value.pads).to.have.members([changed._id, moved._id]);
    expect(Object.values<{ name: string }>(pads).map(({ name }) => name)).not.to.include('Late');
    expect((await app.ports.database.findKeys('mypads:pad:*', null)).sort()).to.deep.equal(
      [changed, moved, coming].map(({ _id }) => keys.pad(_id)).sort(),
    );
  });

  it('when an admin removes a member while another admin removes that right', async () => {
    const third = await buildUser(app);
    const group = await buildGroup(app, owner, { admins: [owner.id, friend.id], users: [third.id] });
    await app.inject({ fault: 'block', calls: ['set'], keys: keys.group(group._id) });
    await app.operations();
    const seen = (wanted: string): Promise<void> =>
      until(wanted, async () =>
        (await app.operations()).some((one) => 'key' in one && `${one.what} ${one.key}` === wanted),
      );
    const taking = call('put', `group/${group._id}`, { admins: [owner.id] }).then((answer) => answer);
    await seen(`set ${keys.group(group._id)}`);
    const late = callerOf(app, friend.token)('delete', `group/${group._id}/members/${third.login}`).then(
      (answer) => answer,
    );
    // The friend still has the right: the server has checked it before it reads the member.
    await seen(`get ${keys.user(third.id)}`);
    await app.inject({ fault: 'none' });
    expect((await taking).status).to.equal(200);
    expect((await late).status).to.equal(401);
    expect((await call('get', `group/${group._id}`)).body.value.users).to.deep.equal([third.id]);
  });

  it('when people sign in with a password that is being changed', async () => {
    const byAdmin = callerOf(app, await signInAsAdmin(app));
    const [changed, ...attempts] = await Promise.all([
      byAdmin('put', `user/${friend.login}`, { password: 'another good password' }),
      ...Array.from({ length: 20 }, () =>
        callerOf(app)('post', 'auth/login', { login: friend.login, password: friend.password }),
      ),
    ]);
    expect(changed?.status).to.equal(200);
    for (const { status, body } of attempts) {
      if (status !== 200) continue;
      const { status: later } = await callerOf(app, body.token)('get', 'group');
      expect(later, 'a session of the earlier password').to.equal(401);
    }
  });

  it('when somebody signs out and the database fails: the answer says so', async () => {
    await app.inject({ fault: 'fail', why: 'disk full', calls: ['remove'], keys: keys.session('') });
    expect((await call('post', 'auth/logout')).status).to.equal(503);
    await app.inject({ fault: 'none' });
    // The server first rolls back the failed write.
    await until('a sign-out', async () => (await call('post', 'auth/logout')).status === 200);
    expect((await call('get', 'group')).status).to.equal(401);
  });

  it('when five groups with bookmarks are removed at once: no bookmark stays, of members or others (R2, R3)', async () => {
    const outsider = await buildUser(app);
    const groups = await times(5, () => buildGroup(app, owner, { visibility: 'public', users: [friend.id] }));
    const pads = await times(5, async (index) => buildPad(app, owner, groups[index] ?? { _id: '' }));
    const kept = await buildGroup(app, owner, { visibility: 'public' });
    for (const { token } of [owner, friend, outsider]) {
      const mark = (type: string, key: string) =>
        callerOf(app, token)('post', 'usermark', { type, key }).expect(200);
      await mark('groups', kept._id);
      if (token !== friend.token) for (const { _id } of groups) await mark('groups', _id);
      if (token !== owner.token) for (const { _id } of pads) await mark('pads', _id);
    }
    await Promise.all(groups.map(({ _id }) => call('delete', `group/${_id}?permanent=true`).expect(200)));
    for (const { token } of [owner, friend, outsider]) {
      const { bookmarks } = (await callerOf(app, token)('get', 'group')).body.value;
      expect([Object.keys(bookmarks.groups), Object.keys(bookmarks.pads)]).to.deep.equal([[kept._id], []]);
    }
    await app.idle();
    for (const { token } of [owner, friend, outsider]) {
      const { user } = (await callerOf(app, token)('get', 'configuration')).body;
      expect(user.bookmarks).to.deep.equal({ groups: [kept._id], pads: [] });
    }
  });

  it('when a change has no id in its body: the path decides (R4)', async () => {
    const group = await buildGroup(app, owner);
    const pad = await buildPad(app, owner, group);
    const before = Object.keys(await snapshot(app));
    expect((await call('put', `group/${group._id}`, { name: 'Other' })).body.key).to.equal(group._id);
    expect((await call('put', `pad/${pad._id}`, { name: 'Other' })).body.key).to.equal(pad._id);
    expect(Object.keys(await snapshot(app))).to.deep.equal(before);
    const { value } = (await call('get', 'group')).body;
    expect(Object.values<{ name: string }>(value.groups).map(({ name }) => name)).to.deep.equal(['Other']);
    expect(Object.values<{ name: string }>(value.pads).map(({ name }) => name)).to.deep.equal(['Other']);
  });

  it('when a profile is sent with another login: the old one still signs in (R5)', async () => {
    for (const by of [call, callerOf(app, await signInAsAdmin(app))]) {
      const { status } = await by('put', `user/${owner.login}`, { login: 'nobody-yet', firstname: 'X' });
      expect(status).to.equal(400);
    }
    await signIn(app, owner.login, owner.password);
    await buildUser(app, { login: 'nobody-yet' });
  });
});
