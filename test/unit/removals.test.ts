/** Removals that continue after the answer: they are noted, the pads are closed, and a next start can finish them. */
import { expect } from 'chai';
import { actingAs } from '../../model/actor';
import { MyPadsError } from '../../model/errors';
import { keys } from '../../model/store/store';
import { type Place, useFolderOfPads } from '../support/removalPlace';
import { heldWork, succeeds, until } from '../support/waiting';

const silent = (): void => {};
const guest = { actor: { kind: 'guest' as const, unlocked: () => false } };

describe('a removal', () => {
  const fixture = useFolderOfPads();

  it('is answered at once where removals are queued, and completed afterwards', async () => {
    const { place, model, group, pads } = fixture;
    await model.configuration.set('deleteJobQueue', true);
    const { held, release: finish } = heldWork();
    place.patience = held;
    await model.groups.remove(group);
    for (const id of pads) {
      expect((await model.padAccess.decide(id, guest)).entry).to.equal('closed');
      expect(place.values.has(`pad:${id}`), 'the editor still has it').to.equal(true);
      expect(place.values.get(keys.deletePad(id))).to.deep.equal({ pad: id });
    }
    finish();
    await model.jobs.idle();
    expect(place.removed).to.deep.equal(pads);
    const left = [...place.values.keys()].filter((key) => pads.some((id) => key.includes(id)));
    expect(left).to.deep.equal([]);
  });

  it('that cannot be read does not keep pads from being forgotten after a year', async () => {
    const { place, model, pads } = fixture;
    await model.pads.remove(pads[0] ?? '');
    await model.jobs.idle();
    const former = () => [...place.values.keys()].filter((key) => key.startsWith(keys.formerPads('')));
    expect(former()).to.have.length(1);
    place.ahead = 400 * 24 * 3600_000;
    const { get } = place.database;
    place.database.get = (key) => (key === keys.jobs ? Promise.reject(new Error('unreadable')) : get(key));
    place.schedule.run('forgetRemovedPads');
    await until('its record is removed', () => former().length === 0);
    place.database.get = get;
  });

  it('is interrupted when the server stops, and continues at the next start', async () => {
    const { place, model, pads } = fixture;
    const [removing = '', ...others] = pads;
    await model.configuration.set('deleteJobQueue', true);
    place.patience = new Promise(() => {});
    await model.pads.remove(removing);
    await until('the editor has begun', () => place.removed.length > 0);
    await model.close();
    expect(place.values.has(`pad:${removing}`)).to.equal(true);
    const { held, release: finish } = heldWork();
    place.patience = held;
    const second = await place.start();
    expect((await second.padAccess.decide(removing, guest)).entry).to.equal('closed');
    finish();
    await second.jobs.idle();
    expect(place.removed).to.deep.equal([removing, `${removing}*`]);
    expect([...place.values.keys()].filter((key) => key.includes(removing))).to.deep.equal([]);
    expect(place.values.get(keys.jobs)).to.equal(undefined);
    for (const id of others) expect(await second.pads.find(id)).to.not.equal(undefined);
  });

  it('of thousands of pads seldom writes what is left, and does so when the server stops', async () => {
    const { place, model, pads } = fixture;
    const many = Array.from({ length: 2_000 }, (_, index) => `pad-${index}`);
    const sample = place.values.get(keys.pad(pads[0] ?? ''));
    for (const _id of many) place.values.set(keys.pad(_id), { ...(sample as object), _id, group: 'gone' });
    const left = (): number => {
      const [job] = Object.values(
        place.values.get(keys.jobs) as Record<string, { facts: { pads: string[] } }>,
      );
      return job?.facts.pads.length ?? 0;
    };
    let isStuck = true;
    Object.defineProperty(place, 'patience', {
      get: () => (isStuck && place.removed.length > 1_060 ? new Promise(silent) : Promise.resolve()),
    });
    await model.configuration.set('deleteJobQueue', true);
    const { set } = place.database;
    let writes = 0;
    place.database.set = (key, value) => {
      if (key === keys.jobs) writes += 1;
      return set(key, value);
    };
    const note = {
      type: 'removePads',
      begun: 0,
      next: 0,
      attempts: 0,
      facts: { pads: many, isDecided: true },
    };
    place.values.set(keys.jobs, { 'removePads:many': note });
    void model.jobs.runDue();
    await until('the editor does not answer', () => place.removed.length > 1_060);
    await model.close();
    expect(left()).to.equal(940);
    isStuck = false;
    const second = await place.start();
    await second.jobs.idle();
    expect(new Set(place.removed.map((id) => id.replace('*', ''))).size).to.equal(2_000);
    expect(writes).to.be.below(20);
  });

  it('that fails in the editor is tried again minutes later, without a restart', async () => {
    const { place, model, pads } = fixture;
    const [id = ''] = pads;
    place.patience = Promise.reject(new Error('the database is away'));
    place.patience.catch(silent);
    await model.pads.remove(id);
    await model.pads.removeChatHistory(pads[1] ?? '');
    await model.jobs.idle();
    expect((await model.padAccess.decide(id, guest)).entry).to.equal('closed');
    place.patience = Promise.resolve();
    await model.jobs.runDue();
    expect(place.removed, 'too early').to.deep.equal([id]);
    place.ahead = 60_000;
    await model.jobs.runDue();
    expect(place.removed).to.deep.equal([id, `${id}*`]);
    expect(place.chats).to.have.length(2);
    await model.jobs.runDue();
    expect(place.removed, 'done').to.have.length(2);
    expect([...place.values.keys()].filter((key) => key.includes(id))).to.deep.equal([]);
  });

  it('of a group is refused if the right has gone since the call was checked, and changes nothing', async () => {
    const { place, model, group } = fixture;
    const before = [...place.values];
    const denied = new MyPadsError('BACKEND.ERROR.AUTHENTICATION.DENIED_RECORD_EDIT', { key: group });
    const seen: string[] = [];
    const refuse = ({ _id }: { _id: string }): void => {
      seen.push(_id);
      throw denied;
    };
    expect(await model.groups.remove(group, refuse).catch((error: unknown) => error)).to.equal(denied);
    expect(seen).to.deep.equal([group]);
    await model.jobs.idle();
    expect([...place.values]).to.have.deep.members(before);
    expect(place.removed).to.deep.equal([]);
  });

  it('of a group that fails in the middle is completed minutes later, without a restart', async () => {
    const { place, model, group, pads } = fixture;
    const { set } = place.database;
    place.database.set = async (key, value) => {
      if (key.startsWith(keys.deletePad(''))) throw new Error('the database is away');
      return set(key, value);
    };
    const failure = await model.groups.remove(group).catch((error: unknown) => error);
    expect(failure).to.be.instanceOf(Error);
    place.database.set = set;
    await until('the group is gone', async () => {
      await model.jobs.idle();
      place.ahead += 3600_000;
      await model.jobs.runDue();
      return !place.values.has(keys.jobs);
    });
    const left = [...place.values].filter(([, value]) => JSON.stringify(value ?? null).includes(group));
    expect(left.map(([key]) => key)).to.deep.equal([]);
    expect(pads.filter((id) => place.values.has(`pad:${id}`))).to.deep.equal([]);
  });

  it('of a group with many pads writes no more than a hundred records of a kind at once', async () => {
    const { place, model, group } = fixture;
    const record = place.values.get(keys.group(group)) as { pads: string[] };
    const [first = ''] = record.pads;
    const more = Array.from({ length: 250 }, (_, number) => `more-${number}`);
    for (const id of more) {
      place.values.set(keys.pad(id), { ...(place.values.get(keys.pad(first)) as object), _id: id });
      place.values.set(`pad:${id}`, {});
    }
    await model.store.set(keys.group(group), { ...record, pads: [...record.pads, ...more] });
    const { set, remove } = place.database;
    const underWay = new Map<string, number>();
    const most = new Map<string, number>();
    async function counted(key: string, write: () => Promise<void>): Promise<void> {
      const kind = key.replace(/[^:]*$/, '');
      const now = (underWay.get(kind) ?? 0) + 1;
      underWay.set(kind, now);
      most.set(kind, Math.max(now, most.get(kind) ?? 0));
      await new Promise((resolve) => setImmediate(resolve));
      await write();
      underWay.set(kind, (underWay.get(kind) ?? 0) - 1);
    }
    place.database.set = (key, value) => counted(key, () => set(key, value));
    place.database.remove = (key) => counted(key, () => remove(key));
    await model.groups.remove(group);
    await model.jobs.idle();
    expect([...most.keys()]).to.include.members([keys.pad(''), keys.deletePad(''), keys.formerPads('')]);
    expect([...most].filter(([, writes]) => writes > 100)).to.deep.equal([]);
    expect([...place.values.keys()].filter((key) => key.includes('more-'))).to.deep.equal([]);
  });

  it('of a group that cannot remove its trash while it waits for others is repeated, and ends nothing', async () => {
    const { place, model, group, pads } = fixture;
    const owner = (await model.users.findByLogin('owner'))?._id ?? '';
    await model.configuration.set('deleteJobQueue', true);
    const [trashed = ''] = pads;
    await model.trash.addPad(trashed, owner);
    const { held, release: finish } = heldWork();
    place.patience = held;
    for (let other = 0; other < 5; other++) {
      const { _id } = await model.groups.create(owner, { name: 'Other' });
      await model.pads.create(_id, { name: 'Long' });
      await model.groups.remove(_id);
    }
    const { set } = place.database;
    let hasFailed = false;
    place.database.set = async (key, value) => {
      if (key !== keys.deletePad(trashed)) return set(key, value);
      hasFailed = true;
      throw new Error('the database is away');
    };
    const unhandled: unknown[] = [];
    const others = process.listeners('unhandledRejection');
    process.removeAllListeners('unhandledRejection');
    process.on('unhandledRejection', (error) => void unhandled.push(error));
    try {
      await model.groups.remove(group);
      await until('the trash cannot be removed', () => hasFailed);
      // Node reports a rejection when the promises of this turn are done, which nothing else shows.
      for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
    } finally {
      process.removeAllListeners('unhandledRejection');
      for (const listener of others) process.on('unhandledRejection', listener);
    }
    expect(unhandled).to.deep.equal([]);
    place.database.set = set;
    finish();
    await model.jobs.idle();
    const left = await model.jobs.list();
    expect(left.find(({ type }) => type === 'removeGroup')?.error, 'the job knows').to.be.a('string');
    await until('all is removed', async () => {
      place.ahead += 3600_000;
      await model.jobs.runDue();
      await model.jobs.idle();
      return !place.values.has(keys.jobs);
    });
    expect(place.values.has(`pad:${trashed}`)).to.equal(false);
  });

  it('that was begun in 1.x is found once, in the background, and completed (P7)', async () => {
    const { place, model, group, pads } = fixture;
    await model.close();
    const [listed = ''] = pads;
    // 1.x had no limit for names, from which ids begin, and did not shorten them in keys.
    const long = `${'minutes-of-'.repeat(6)}may-x1`;
    const notes = [...['old-1', '123', listed].map(keys.deletePad), keys.deletePad('') + long];
    place.values.delete(keys.pendingJobs);
    for (const note of notes) {
      const id = note.slice(keys.deletePad('').length);
      place.values.set(note, id === '123' ? 123 : id);
    }
    const second = await place.start();
    for (const id of ['old-1', '123', listed]) {
      expect((await second.padAccess.decide(id, guest)).entry).to.be.oneOf(['closed', 'removed']);
    }
    await second.jobs.idle();
    expect(place.removed).to.have.members(['old-1*', '123*', `${listed}*`, `${long}*`]);
    expect([...place.values.keys()].filter((key) => key.startsWith(keys.deletePad('')))).to.deep.equal([]);
    expect((await second.groups.find(group))?.pads).to.deep.equal(pads.slice(1));
    await second.close();
    place.scans = [];
    const third = await place.start();
    await third.jobs.idle();
    expect(place.scans).to.not.include(`${keys.deletePad('')}*`);
  });
});

describe('a removal that a person waits for', () => {
  const fixture = useFolderOfPads();
  const person = { kind: 'account', id: 'owner' } as const;

  /** Twelve folders in the trash that are due, and a folder with three pads. */
  async function folderBesideTrash() {
    const { place, model } = fixture;
    const owner = (await model.users.findByLogin('owner'))?._id ?? '';
    for (let number = 0; number < 12; number++) {
      const { _id } = await model.groups.create(owner, { name: 'Old' });
      await model.pads.create(_id, { name: 'Old' });
      await model.trash.addGroup(_id, owner);
    }
    place.ahead = 31 * 24 * 3600_000;
    return { ...fixture, owner };
  }

  /** The editor goes on with what it removes after `finish`. What it is asked for from then on is removed at once. */
  async function whileEditorIsSlow(place: Place, begin: () => Promise<unknown>): Promise<() => void> {
    const { held, release: finish } = heldWork();
    place.patience = held;
    await begin();
    await until('the editor has begun', () => place.removed.length > 0);
    // As many as run at once have begun when the promises of this turn are done, which nothing else shows.
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
    place.patience = Promise.resolve();
    return finish;
  }

  it('does not wait for all that is deleted from the trash after its days', async () => {
    const { place, model, group, pads, owner } = await folderBesideTrash();
    const [first = '', second = ''] = pads;
    await model.trash.addPad(second, owner);
    const finish = await whileEditorIsSlow(place, () => model.jobs.runNow('emptyTrash'));
    await actingAs(person, () => model.pads.remove(first));
    expect(place.values.has(`pad:${first}`)).to.equal(false);
    // With a pad in the trash of the folder.
    await actingAs(person, () => model.groups.remove(group));
    for (const id of pads) expect(place.values.has(`pad:${id}`)).to.equal(false);
    finish();
    await model.jobs.idle();
    expect([...place.values.keys()].filter((key) => key.startsWith('pad:'))).to.deep.equal([]);
  });

  it('does not wait for all that a start continues', async () => {
    const { place, model, group, pads } = await folderBesideTrash();
    await whileEditorIsSlow(place, () => model.jobs.runNow('emptyTrash'));
    await model.close();
    let second = model;
    const finish = await whileEditorIsSlow(place, async () => {
      second = await place.start();
    });
    await actingAs(person, () => second.groups.remove(group));
    for (const id of pads) expect(place.values.has(`pad:${id}`)).to.equal(false);
    finish();
    await second.jobs.idle();
    expect([...place.values.keys()].filter((key) => key.startsWith('pad:'))).to.deep.equal([]);
  });
});

describe('a folder whose only manager is removed', () => {
  const fixture = useFolderOfPads();
  let { place, model, group, pads } = fixture;
  let owner: string;
  let heir: string;

  beforeEach(async () => {
    ({ place, model, group, pads } = fixture);
    owner = (await model.users.findByLogin('owner'))?._id ?? '';
    const person = { login: 'heir', email: 'heir@example.org', password: 'long enough', active: true };
    heir = (await model.users.register(person))._id;
  });

  /** The leader runs everything that is on the list. */
  async function runLeftJobs(): Promise<void> {
    await until('no job is left', async () => {
      await model.jobs.idle();
      place.ahead += 3600_000;
      await model.jobs.runDue();
      return !place.values.has(keys.jobs);
    });
  }

  async function expectKept(): Promise<void> {
    expect((await model.groups.find(group))?.admins).to.deep.equal([heir]);
    const actor = { kind: 'user' as const, id: heir, unlocked: () => false };
    for (const id of pads) expect((await model.padAccess.decide(id, { actor })).entry).to.equal('write');
    expect(pads.filter((id) => !place.values.has(`pad:${id}`))).to.deep.equal([]);
    expect(place.values.get(keys.deleteGroup(group))).to.equal(undefined);
  }

  /** The removal of the account fails when it marks the folder; then another person gets the folder. */
  async function handOverAfter(failing: 'set' | 'remove'): Promise<void> {
    const { set, remove } = place.database;
    const failAt = (at: string, key: string) => {
      if (key === at) throw new Error('the database is away');
    };
    if (failing === 'set')
      place.database.set = async (key, value) => {
        failAt(keys.deleteGroup(group), key);
        return set(key, value);
      };
    else
      place.database.remove = async (key) => {
        failAt(keys.group(group), key);
        return remove(key);
      };
    expect(await model.accountRemoval.remove(owner).catch((error: unknown) => error)).to.be.instanceOf(Error);
    Object.assign(place.database, { set, remove });
    // A failed write is rolled back first. Until then its record cannot be read.
    await until('the records can be read', () =>
      succeeds(model.store.getMany([keys.group(group), keys.deleteGroup(group)])),
    );
    const user = await model.users.get(owner);
    await model.groups.handOverAll(user ?? { _id: owner, groups: [] }, heir);
    expect(await model.accountRemoval.remove(owner)).to.deep.equal({ removed: [], left: 1 });
  }

  for (const [title, failing] of [
    ['could not be noted', 'set'],
    ['was noted, and no more', 'remove'],
  ] as const) {
    it(`belongs to whom it was handed over to, after its removal ${title}`, async () => {
      await handOverAfter(failing);
      await runLeftJobs();
      await expectKept();
    });
  }

  it('is removed when its new manager asks for it, also while the failed removal is still to be repeated', async () => {
    await handOverAfter('set');
    await model.groups.remove(group);
    expect(await model.groups.find(group)).to.equal(undefined);
    await runLeftJobs();
    expect(pads.filter((id) => place.values.has(`pad:${id}`))).to.deep.equal([]);
  });

  it('stays with whoever becomes a manager at the last moment', async () => {
    const { set } = place.database;
    const [beginning, next] = [heldWork(), heldWork()];
    place.database.set = async (key, value) => {
      if (key === keys.jobs && JSON.stringify(value).includes('removeGroup')) {
        place.database.set = set;
        beginning.release();
        await next.held;
      }
      return set(key, value);
    };
    const removed = model.accountRemoval.remove(owner);
    await beginning.held;
    await model.groups.add(group, 'admins', ['heir']);
    next.release();
    expect(await removed).to.deep.equal({ removed: [], left: 1 });
    await runLeftJobs();
    await expectKept();
  });

  it('is removed by a job of an earlier version, which does not say whose it was', async () => {
    await model.close();
    const job = { type: 'removeGroup', facts: { group }, begun: 1, next: 1, attempts: 1 };
    place.values.set(keys.deleteGroup(group), { _id: group, pads, people: [owner] });
    place.values.set(keys.jobs, { [`removeGroup:${group}`]: job });
    model = await place.start();
    await model.users.ready;
    await model.jobs.resume();
    expect(await model.groups.find(group)).to.equal(undefined);
    await runLeftJobs();
    expect(pads.filter((id) => place.values.has(`pad:${id}`))).to.deep.equal([]);
  });
});

describe('a chat history', () => {
  const fixture = useFolderOfPads();

  it('is removed after the answer where removals are queued, also after a restart', async () => {
    const { place, model, pads } = fixture;
    const [pad = ''] = pads;
    await model.configuration.set('deleteJobQueue', true);
    place.patience = new Promise(() => {});
    await model.pads.removeChatHistory(pad);
    await model.close();
    expect(place.chats).to.deep.equal([[pad, 7]]);
    place.patience = Promise.resolve();
    const second = await place.start();
    await second.jobs.idle();
    expect(place.chats).to.deep.equal([
      [pad, 7],
      [pad, undefined],
    ]);
    expect(place.values.get(keys.jobs)).to.equal(undefined);
  });
});
