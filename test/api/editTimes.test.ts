/** Pad records of ep_mypads 1.x do not have the time of the last change. Lists show it nevertheless. */
import { expect } from 'chai';
import type { Database } from '../../model/ports';
import type { PadRecord, UserRecord } from '../../model/store/entities';
import { keys } from '../../model/store/store';
import { useTestApp } from '../support/app';
import { callerOf } from '../support/caller';
import { buildUser, type TestUser } from '../support/factories';
import { inProcessOnly } from '../support/network';
import { until } from '../support/waiting';

const written = 1_500_000_000_000;
const created = 1_400_000_000_000;

/** Two folders with pads of 1.x. Nobody has written in the second pad of each. */
async function writeFolders(database: Database, owner: string): Promise<void> {
  for (const group of ['old-1', 'old-2']) {
    const pads = [`${group}-written`, `${group}-new`];
    await database.set(keys.group(group), {
      ...{
        _id: group,
        name: group,
        admins: [owner],
        users: [],
        pads,
        visibility: 'restricted',
        ctime: created,
      },
    });
    for (const [index, id] of pads.entries()) {
      await database.set(keys.pad(id), { _id: id, name: id, group, users: [], ctime: created });
      const [head, edited] = index === 0 ? [7, written] : [0, null];
      // Etherpad has the time in the last revision, the editor of the tests has it in the pad.
      await database.set(`pad:${id}`, { head, edited, chatHead: -1 });
      await database.set(`pad:${id}:revs:${head}`, { meta: { timestamp: written } });
    }
  }
}

describe('the times of pads from ep_mypads 1.x', () => {
  const app = useTestApp();
  let owner: TestUser;

  before(async () => {
    owner = await buildUser(app);
    const { database } = app.ports;
    await writeFolders(database, owner.id);
    await app.model.store.update<UserRecord>(
      keys.user(owner.id),
      (user) => user && { ...user, groups: ['old-1'], bookmarks: { groups: [], pads: ['old-2-written'] } },
    );
    await database.set(keys.recent(owner.id), { pads: ['old-2-written', 'old-2-new'] });
    await filled();
    await database.remove(keys.editTimes);
  });

  const filled = () =>
    until('the times are stored', async () => (await app.ports.database.get(keys.editTimes)) !== undefined);

  /** The times in every list. */
  async function listed() {
    const call = callerOf(app, owner.token);
    const { value } = (await call('get', 'group')).body;
    const overview = (await call('get', 'overview')).body.value;
    const recent = (await call('get', 'overview/recent')).body.value;
    return {
      pads: Object.values<{ lastUpdate: number | null }>(value.pads).map(({ lastUpdate }) => lastUpdate),
      folder: overview.groups['old-1'].lastUpdate,
      bookmark: value.bookmarks.pads['old-2-written'].lastUpdate,
      recent: recent.map(({ lastUpdate }: { lastUpdate: number | null }) => lastUpdate),
    };
  }
  const right = { pads: [written, null], folder: written, bookmark: written, recent: [written, null] };
  const readsOfEditor = async () =>
    (await app.operations()).filter((operation) => 'key' in operation && operation.key.startsWith('pad:'));

  it('are in the first answers after the first start, before all records are read', async () => {
    await app.inject({ fault: 'block', calls: ['findKeys'], keys: keys.pad('') });
    await app.restart();
    expect(await listed()).to.deep.equal(right);
    expect(await app.ports.database.get(keys.editTimes)).to.not.be.an('object');
    await app.inject({ fault: 'none' });
  });

  it('are soon in the records of the plugin, and later starts do not ask the editor', async () => {
    await filled();
    for (const [id, time] of Object.entries({ 'old-1-written': written, 'old-1-new': undefined })) {
      const record = (await app.ports.database.get(keys.pad(id))) as PadRecord;
      expect([record.lastUpdate, record.ctime], id).to.deep.equal([time, created]);
    }
    await app.restart();
    await app.operations();
    expect(await listed()).to.deep.equal(right);
    expect(await readsOfEditor()).to.deep.equal([]);
  });

  it('are in the records although the editor could not be asked about some of them at first', async () => {
    const { database } = app.ports;
    const record = (await database.get(keys.pad('old-1-written'))) as PadRecord;
    const { lastUpdate: _, ...withoutTime } = record;
    await database.set(keys.pad('old-1-written'), withoutTime);
    await database.remove(keys.editTimes);
    await app.inject({ fault: 'fail', calls: ['get'], keys: 'pad:old-1-written', why: 'connection lost' });
    await app.restart();
    await app.said('reading the edit time of a pad failed');
    await app.inject({ fault: 'none' });
    expect(await database.get(keys.editTimes)).to.not.be.an('object');
    await app.restart();
    await filled();
    expect(await database.get(keys.pad('old-1-written'))).to.deep.equal(record);
  });

  // The model of a real server reads the time from the editor.
  inProcessOnly.it(
    'of a pad that another program wrote later are stored when its folder is opened',
    async () => {
      const { database } = app.ports;
      const record = (await database.get(keys.pad('old-1-written'))) as PadRecord;
      const { lastUpdate: _, ...withoutTime } = record;
      await app.model.store.set(keys.pad('old-1-written'), withoutTime);
      const { body } = await callerOf(app, owner.token)('get', 'group/old-1');
      expect(body.pads['old-1-written'].lastUpdate).to.equal(written);
      await until('the time is stored', async () => {
        const stored = (await database.get(keys.pad('old-1-written'))) as PadRecord;
        return stored.lastUpdate === written;
      });
      expect((await listed()).pads).to.deep.equal(right.pads);
    },
  );

  // The model of a real server reads the time from the editor.
  inProcessOnly.it('do not replace a change that is stored meanwhile', async () => {
    const { database } = app.ports;
    const record = (await database.get(keys.pad('old-1-written'))) as PadRecord;
    const { lastUpdate: _, ...withoutTime } = record;
    await app.model.store.set(keys.pad('old-1-written'), withoutTime);
    const old = { ...record, lastUpdate: undefined };
    await Promise.all([app.model.pads.touch('old-1-written'), app.model.editTimes.lastUpdates([old])]);
    await until('the change is noted', async () => {
      const stored = (await database.get(keys.pad('old-1-written'))) as PadRecord;
      return stored.lastUpdate !== undefined;
    });
    const [later] = (await listed()).pads;
    expect(later).to.be.greaterThan(written);
  });
});
