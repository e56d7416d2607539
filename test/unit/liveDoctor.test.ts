/** The search for damage while the server runs: limited in time and size; changes in progress are not reported. */
import { expect } from 'chai';
import { createLiveDoctor, type LiveIds } from '../../model/doctor/liveDoctor';
import { createStore, keys, type Store } from '../../model/store/store';
import { createTestPorts } from '../support/app';

describe('the search for damage while the server runs', () => {
  let ports: Awaited<ReturnType<typeof createTestPorts>>;
  let store: Store;
  beforeEach(async () => {
    ports = await createTestPorts();
    store = createStore(ports.database, ports.coordination);
  });
  afterEach(() => ports.closeDatabase());

  const trash = { pads: new Set<string>(), groups: new Set<string>() };
  const none: LiveIds = { users: [], groups: [], pads: [], trash };
  const orphan = (id: string) => store.set(keys.pad(id), { _id: id, name: id, group: 'gone' });

  it('counts what is damaged by its kind', async () => {
    await orphan('one');
    await orphan('two');
    const doctor = createLiveDoctor({
      store,
      ids: async () => ({ ...none, pads: ['one', 'two', 'missing'] }),
    });
    const report = await doctor.search(20_000);
    expect(report).to.deep.equal({
      kind: 'found',
      findings: new Map([['orphanPads', 2]]),
      repairable: true,
      records: 3,
    });
  });

  it('does not report damage that is gone a second later', async () => {
    await orphan('one');
    let looks = 0;
    const ids = async () => {
      looks += 1;
      const folder = { _id: 'gone', name: 'Made meanwhile', pads: ['one'], admins: [], users: [] };
      if (looks === 2) await store.set(keys.group('gone'), folder);
      return { ...none, groups: ['gone'], pads: ['one'] };
    };
    const report = await createLiveDoctor({ store, ids }).search(20_000);
    expect(report).to.deep.include({ kind: 'found', findings: new Map() });
    expect(looks).to.equal(2);
  });

  it('does not report pads that an unfinished import makes, and that are not on a list yet', async () => {
    await store.set(keys.group('class'), {
      _id: 'class',
      name: 'Class',
      pads: [],
      admins: ['ada'],
      users: [],
    });
    await store.set(keys.user('ada'), { _id: 'ada', login: 'ada', groups: ['class'] });
    for (const [id, ctime] of Object.entries({ earlier: 1_000, made: 3_000 }))
      await store.set(keys.pad(id), { _id: id, name: id, group: 'class', ctime });
    const job = { type: 'padImport', facts: {}, begun: 2_000, next: 2_000, attempts: 0 };
    await store.set(keys.jobs, { 'padImport:one': job });
    const ids = async () => ({ ...none, users: ['ada'], groups: ['class'], pads: ['earlier', 'made'] });
    const findings = async () => {
      const report = await createLiveDoctor({ store, ids }).search(20_000);
      return report.kind === 'found' ? report.findings.get('unlinkedPads') : undefined;
    };
    expect(await findings()).to.equal(1);
    await store.remove(keys.jobs);
    expect(await findings()).to.equal(2);
  });

  it('continues in the background when it takes too long, once for all who ask', async () => {
    const pads = Array.from({ length: 2_000 }, (_, number) => `pad-${number}`);
    let asked = 0;
    const ids = async () => {
      asked += 1;
      return { ...none, pads };
    };
    const doctor = createLiveDoctor({ store, ids });
    const first = await Promise.all([doctor.search(1), doctor.search(1)]);
    for (const { kind } of first) expect(kind).to.equal('searching');
    const report = await doctor.search(20_000);
    expect(report).to.deep.equal({ kind: 'found', findings: new Map(), repairable: false, records: 2_000 });
    expect(asked).to.equal(1);
    // Each of these starts another search, which takes longer than it may.
    for (let again = 0; again < 3; again += 1) expect(await doctor.search(1)).to.deep.equal(report);
    expect(await doctor.search(20_000)).to.deep.equal(report);
    expect(asked).to.be.above(1);
    doctor.close();
  });

  it('does not run in a very large database', async () => {
    const users = Array.from({ length: 20_001 }, (_, number) => `user-${number}`);
    const doctor = createLiveDoctor({ store, ids: async () => ({ ...none, users }) });
    expect(await doctor.search(20_000)).to.deep.equal({ kind: 'tooMany', records: 20_001 });
  });

  it('ends when the server stops', async () => {
    const pads = Array.from({ length: 20_000 }, (_, number) => `pad-${number}`);
    const doctor = createLiveDoctor({ store, ids: async () => ({ ...none, pads }) });
    const search = doctor.search(20_000).catch((error: Error) => error.name);
    doctor.close();
    expect(await search).to.equal('AbortError');
  });
});
