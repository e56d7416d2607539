/** Database operations of a call: P1 to P9 of the list of defects that no other test file covers. */
import { expect } from 'chai';
import { keys } from '../../model/store/store';
import { startApp, useTestAppForEach } from '../support/app';
import { callerOf } from '../support/caller';
import { buildGroup, buildPad, buildUser, signInAsAdmin } from '../support/factories';
import { inProcessOnly } from '../support/network';
import { usePerson } from '../support/people';
import type { DatabaseOperation } from '../support/serverFaults';
import { until } from '../support/waiting';

describe('the number of database operations', () => {
  const app = useTestAppForEach();
  const { user: owner, call } = usePerson(app, beforeEach);

  const times = <Value>(count: number, make: (index: number) => PromiseLike<Value>): Promise<Value[]> =>
    Promise.all(Array.from({ length: count }, (_, index) => make(index)));

  /** How often each key is read during `work`, and how many reads run at the same time at most. */
  async function readsOf(work: () => PromiseLike<unknown>) {
    await app.inject({ fault: 'delay' });
    await app.operations();
    await work();
    const reads = (await app.operations()).filter((one): one is DatabaseOperation => one.what === 'get');
    await app.inject({ fault: 'none' });
    return {
      of: (key: string) => reads.filter((one) => one.key === key).length,
      most: Math.max(...reads.map(({ underWay }) => underWay)),
    };
  }
  const scans = async () => (await app.operations()).filter(({ what }) => what === 'findKeys').length;

  it('of the list of one’s own groups: one read for each record, many in parallel (P3)', async () => {
    const friends = await times(6, () => buildUser(app));
    const users = friends.map(({ id }) => id);
    const groups = await times(5, () => buildGroup(app, owner, { users }));
    const pads = await Promise.all(
      groups.flatMap((group) => [buildPad(app, owner, group), buildPad(app, owner, group)]),
    );
    for (const { _id } of pads) await call('post', 'usermark', { type: 'pads', key: _id });
    let answered = 0;
    const reads = await readsOf(async () => {
      answered = Object.keys((await call('get', 'group')).body.value.pads).length;
    });
    expect(answered).to.equal(10);
    for (const { _id } of groups) expect(reads.of(keys.group(_id)), 'a group').to.be.within(1, 2);
    for (const { _id } of pads) expect(reads.of(keys.pad(_id)), 'a pad').to.be.within(1, 2);
    for (const { id } of friends) expect(reads.of(keys.user(id)), 'a person').to.be.at.most(1);
    expect(reads.most).to.be.above(5);
  });

  // It waits for a read of the process.
  inProcessOnly.it('of a list after one that was made while its people changed: no read', async () => {
    const [slow, changed] = await times(2, () => buildUser(app));
    if (slow === undefined || changed === undefined) throw new Error('nobody');
    const { _id } = await buildGroup(app, owner, { users: [slow.id, changed.id] });
    const { groupContents, users } = app.model;
    groupContents.clear();
    await app.inject({ fault: 'block', calls: ['get'], keys: keys.user(slow.id) });
    await app.operations();
    const reading = groupContents.read([_id]);
    await until('the account is read', async () =>
      (await app.operations()).some((one) => one.what === 'get' && one.key === keys.user(slow.id)),
    );
    await users.update(changed.id, (user) => ({ ...user, firstname: 'New' }));
    await app.inject({ fault: 'none' });
    await reading;
    const reads = await readsOf(() => groupContents.read([_id]));
    expect(reads.of(keys.group(_id))).to.equal(0);
    expect((await groupContents.read([_id])).get(_id)?.people.get(changed.id)?.firstname).to.equal('New');
  });

  it('of the list of one’s own groups later: no read, also after a change, except of people who are new in it', async () => {
    const friends = await times(3, () => buildUser(app));
    const groups = await times(4, () => buildGroup(app, owner, { users: friends.map(({ id }) => id) }));
    const pads = await Promise.all(groups.map((group) => buildPad(app, owner, group)));
    await call('get', 'group');
    const [first, second] = groups;
    await call('put', `pad/${pads[1]?._id}`, { name: 'Another name' });
    await call('put', `group/${first?._id}`, { name: 'Another name' });
    for (const path of ['group', 'overview', `group/${second?._id}`]) {
      const reads = await readsOf(() => call('get', path));
      for (const { _id } of groups) expect(reads.of(keys.group(_id)), 'a group').to.equal(0);
      for (const { _id } of pads) expect(reads.of(keys.pad(_id)), 'a pad').to.equal(0);
      for (const { id } of friends) expect(reads.of(keys.user(id)), 'a person').to.equal(0);
    }
    const newcomer = await buildUser(app);
    await call('post', `group/${first?._id}/members`, { loginsOrEmails: [newcomer.login] });
    const reads = await readsOf(() => call('get', 'group'));
    for (const { id } of friends) expect(reads.of(keys.user(id)), 'a person').to.equal(0);
    expect((await call('get', 'group')).body.value.users).to.have.property(newcomer.id);
  });

  it('of a folder with thousands of pads is not limited, so that a class behind one address can read it', async () => {
    const narrow = await startApp({ limitFactor: 1 });
    try {
      const maker = await buildUser(narrow);
      const { _id } = await buildGroup(narrow, maker, { visibility: 'public' });
      const pads = Array.from({ length: 5_000 }, (_, number) => `gone-${number}`);
      await narrow.model.store.update<object>(keys.group(_id), (group) => ({ ...group, pads }));
      for (let tries = 0; tries < 25; tries += 1) {
        expect((await callerOf(narrow)('get', `group/${_id}`)).status).to.equal(200);
      }
    } finally {
      await narrow.close();
    }
  });

  it('of user lists: one read for each person, on however many lists (P4)', async () => {
    const friends = await times(8, () => buildUser(app));
    const loginsOrEmails = friends.map(({ login }) => login);
    await times(6, () => call('post', 'userlist', { name: 'L', loginsOrEmails }));
    const reads = await readsOf(() => call('get', 'userlist'));
    for (const { id } of friends) expect(reads.of(keys.user(id))).to.equal(1);
    expect(reads.most).to.be.above(5);
  });

  it('of the statistics: none for another request (P5)', async () => {
    const admin = callerOf(app, await signInAsAdmin(app));
    await buildPad(app, owner, await buildGroup(app, owner));
    await app.idle();
    await app.operations();
    for (let tries = 0; tries < 5; tries += 1) await callerOf(app)('get', 'stats/stats.json');
    expect(await scans()).to.equal(0);
    for (let tries = 0; tries < 5; tries += 1) await admin('get', 'stats/stats.json');
    expect(await scans()).to.equal(0);
  });
});
