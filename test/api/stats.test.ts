/** The numbers of accounts, groups and pads for server administrators: that they are right, and how old they may be. */
import { expect } from 'chai';
import { startApp, type TestApp } from '../support/app';
import { type Call, callerOf } from '../support/caller';
import { buildGroup, buildPad, buildUser, signInAsAdmin } from '../support/factories';

interface Counts {
  timestamp: number;
  users: number;
  pad: number;
  groups: number;
}

describe('the numbers of a server', () => {
  let app: TestApp;
  let admin: Call;
  beforeEach(async () => {
    app = await startApp();
    admin = callerOf(app, await signInAsAdmin(app));
  });
  afterEach(() => app.close());

  /** Asks until they have been counted at this time (seconds since 1970) or later. */
  async function counted(since = 0): Promise<Counts> {
    let answer = await admin('get', 'stats/stats.json');
    while (answer.status === 503 || answer.body.timestamp < since) {
      answer = await admin('get', 'stats/stats.json');
    }
    expect(answer.status).to.equal(200);
    return answer.body;
  }
  const seconds = (): number => Math.floor(app.ports.now() / 1000);

  it('are those of its accounts, groups and pads, and nothing else', async () => {
    const [owner, friend] = [await buildUser(app), await buildUser(app)];
    const group = await buildGroup(app, owner, { visibility: 'private', password: 'of the group' });
    for (let count = 0; count < 3; count += 1) await buildPad(app, owner, group);
    // Sessions, lists and bookmarks are none of them.
    await callerOf(app)('post', `group/${group._id}/unlock`, { password: 'of the group' }).expect(200);
    await callerOf(app, owner.token)('post', 'userlist', { name: 'L', loginsOrEmails: [friend.login] });
    await callerOf(app, owner.token)('post', 'usermark', { type: 'groups', key: group._id });
    const { timestamp, ...numbers } = await counted();
    expect(numbers).to.deep.equal({ users: 2, pad: 3, groups: 1 });
    expect(timestamp, 'in seconds since 1970').to.be.within(seconds() - 60, seconds() + 1);
  });

  it('are counted again when they are ten minutes old and somebody asks, without what is gone', async () => {
    const owner = await buildUser(app);
    const group = await buildGroup(app, owner);
    await buildPad(app, owner, group);
    const before = await counted();
    expect(before).to.include({ users: 1, pad: 1, groups: 1 });
    await callerOf(app, owner.token)('delete', `group/${group._id}`).expect(200);
    await app.idle();
    expect(await counted()).to.deep.equal(before);
    app.ports.advance(10 * 60_000);
    const after = await counted(before.timestamp + 10 * 60);
    expect(after).to.include({ users: 1, pad: 0, groups: 0 });
  });
});
