/** The numbers of accounts, groups and pads for server administrators: they are correct and current. */
import { expect } from 'chai';
import { keys } from '../../model/store/store';
import { useAdministrator } from '../support/administrators';
import { callerOf } from '../support/caller';
import { buildGroup, buildPad, buildUser } from '../support/factories';

describe('the numbers of a server', () => {
  const { app, admin } = useAdministrator();

  const seconds = (): number => Math.floor(app.ports.now() / 1000);

  it('are those of its accounts, groups and pads, and nothing else', async () => {
    const [owner, friend] = [await buildUser(app), await buildUser(app)];
    const group = await buildGroup(app, owner, { visibility: 'private', password: 'of the group' });
    for (let count = 0; count < 3; count += 1) await buildPad(app, owner, group);
    // Sessions, user lists and bookmarks do not count.
    await callerOf(app)('post', `group/${group._id}/unlock`, { password: 'of the group' }).expect(200);
    await callerOf(app, owner.token)('post', 'userlist', { name: 'L', loginsOrEmails: [friend.login] });
    await callerOf(app, owner.token)('post', 'usermark', { type: 'groups', key: group._id });
    const { timestamp, ...numbers } = (await admin('get', 'stats/stats.json').expect(200)).body;
    expect(numbers).to.deep.equal({ users: 2, pad: 3, groups: 1 });
    expect(timestamp, 'in seconds since 1970').to.be.within(seconds() - 60, seconds() + 1);
  });

  it('are right at once, from an empty database on, and do not count what was removed', async () => {
    const numbers = async () => {
      const { timestamp, ...counts } = (await admin('get', 'stats/stats.json').expect(200)).body;
      expect(timestamp, 'in seconds since 1970').to.be.within(seconds() - 60, seconds() + 1);
      return counts;
    };
    expect(await numbers()).to.deep.equal({ users: 0, pad: 0, groups: 0 });
    const owner = await buildUser(app);
    const group = await buildGroup(app, owner);
    const pad = await buildPad(app, owner, group);
    await buildPad(app, owner, group);
    expect(await numbers()).to.deep.equal({ users: 1, pad: 2, groups: 1 });
    const asOwner = callerOf(app, owner.token);
    await asOwner('put', `pad/${pad._id}`, { name: 'Renamed', group: group._id }).expect(200);
    await asOwner('delete', `pad/${pad._id}`).expect(200);
    await app.idle();
    expect(await numbers()).to.deep.equal({ users: 1, pad: 1, groups: 1 });
    await app.restart();
    expect(await numbers()).to.deep.equal({ users: 1, pad: 1, groups: 1 });
    await asOwner('delete', `group/${group._id}`).expect(200);
    await app.idle();
    expect(await numbers()).to.deep.equal({ users: 1, pad: 0, groups: 0 });
  });

  it('count the same records as the lists, also those that another program wrote', async () => {
    const owner = await buildUser(app);
    await buildPad(app, owner, await buildGroup(app, owner));
    const { database } = app.ports;
    for (const [number, nonsense] of [{}, { name: 5 }, 'text'].entries()) {
      await database.set(keys.pad(`broken-${number}`), nonsense);
      await database.set(keys.group(`broken-${number}`), nonsense);
      await database.set(keys.user(`broken-${number}`), nonsense);
    }
    await database.set(keys.pad('other'), { _id: 'other', name: 'Other', group: 'gone' });
    await app.restart();
    let { body } = await admin('get', 'stats/stats.json').expect(200);
    // The answer has the saved numbers until everything has been counted again.
    while (body.groups !== 3) ({ body } = await admin('get', 'stats/stats.json').expect(200));
    // The third group is a text, and nobody can reach a pad without a group.
    expect(body).to.include({ users: 1, pad: 1, groups: 3 });
    for (const [list, count] of Object.entries({ pads: 1, groups: 3, users: 1 }))
      expect((await admin('get', `admin/${list}`).expect(200)).body.count, list).to.equal(count);
  });
});
