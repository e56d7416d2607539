/** Removals that are not finished with their answer: noted, closed, worked off behind it or after the next start. */
import { expect } from 'chai';
import { createModel, type Model } from '../../model/model';
import type { Database, EditorPads, PasswordHasher, Ports } from '../../model/ports';
import { keys } from '../../model/store';

const silent = (): void => {};

/** Quick and worthless. */
const hasher: PasswordHasher = {
  hash: async (text) => text,
  compare: async (text, hash) => text === hash,
  close: async () => {},
};

/** A database and an editor that outlive the model, as they outlive a restart. */
class Place {
  readonly values = new Map<string, unknown>();
  /** What was asked of the editor: `<pad>` or, looking for leftovers, `<pad>*`. */
  readonly removed: string[] = [];
  scans: string[] = [];
  /** The editor works on a removal until this resolves. */
  patience: Promise<void> = Promise.resolve();

  readonly database: Database = {
    get: async (key) => structuredClone(this.values.get(key)),
    set: async (key, value) => {
      this.values.set(key, structuredClone(value));
    },
    remove: async (key) => {
      this.values.delete(key);
    },
    findKeys: async (pattern) => {
      this.scans.push(pattern);
      return [...this.values.keys()].filter((key) => key.startsWith(pattern.replace(/\*$/, '')));
    },
  };

  private readonly pads: EditorPads = {
    exists: async (padId) => this.values.has(`pad:${padId}`),
    create: (padId) => this.database.set(`pad:${padId}`, {}),
    remove: async (padId, { leftovers, signal } = {}) => {
      this.removed.push(leftovers ? `${padId}*` : padId);
      await Promise.race([
        this.patience,
        new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason))),
      ]);
      await this.database.remove(`pad:${padId}`);
    },
    removeChatHistory: async () => {},
    lastEdited: async () => null,
    visitors: () => 0,
  };

  async start(): Promise<Model> {
    const ports: Ports = {
      database: this.database,
      pads: this.pads,
      settings: { users: () => ({}), plugin: () => ({}) },
      log: { debug: silent, info: silent, warn: silent, error: silent },
      hasher,
      now: Date.now,
      checkLocks: true,
    };
    return createModel(ports);
  }
}

async function world(place: Place): Promise<{ model: Model; group: string; pads: string[] }> {
  const model = await place.start();
  await model.users.ready;
  await model.jobs.idle();
  const { _id } = await model.users.register({
    login: 'owner',
    email: 'owner@example.org',
    password: 'long enough',
    active: true,
  });
  const group = (await model.groups.create(_id, { name: 'Group' }))._id;
  const pads: string[] = [];
  for (const name of ['One', 'Two', 'Three']) pads.push((await model.pads.create(group, { name }))._id);
  return { model, group, pads };
}

const guest = { actor: { kind: 'guest' as const, unlocked: () => false } };

describe('a removal', () => {
  it('is answered at once where removals are queued, and follows behind, one pad after another', async () => {
    const place = new Place();
    const { model, group, pads } = await world(place);
    await model.configuration.set('deleteJobQueue', true);
    let finish = silent;
    place.patience = new Promise((resolve) => {
      finish = resolve;
    });
    await model.groups.remove(group);
    for (const id of pads) {
      expect((await model.door.decide(id, guest)).entry).to.equal('closed');
      expect(place.values.has(`pad:${id}`), 'the editor still has it').to.equal(true);
      expect(place.values.get(keys.deletePad(id))).to.deep.equal({ pad: id });
    }
    expect(place.removed).to.have.length(1);
    finish();
    await model.jobs.idle();
    expect(place.removed).to.deep.equal(pads);
    const left = [...place.values.keys()].filter((key) => pads.some((id) => key.includes(id)));
    expect(left).to.deep.equal([]);
    await model.close();
  });

  it('is broken off when the server stops, and goes on at the next start', async () => {
    const place = new Place();
    const { model, pads } = await world(place);
    const [doomed = '', ...others] = pads;
    await model.configuration.set('deleteJobQueue', true);
    place.patience = new Promise(() => {});
    await model.pads.remove(doomed);
    await model.close();
    expect(place.values.has(`pad:${doomed}`)).to.equal(true);
    let finish = silent;
    place.patience = new Promise((resolve) => {
      finish = resolve;
    });
    const second = await place.start();
    expect((await second.door.decide(doomed, guest)).entry).to.equal('closed');
    finish();
    await second.jobs.idle();
    expect(place.removed).to.deep.equal([doomed, `${doomed}*`]);
    expect([...place.values.keys()].filter((key) => key.includes(doomed))).to.deep.equal([]);
    expect(place.values.get(keys.pendingJobs)).to.deep.include({ pads: [], vanished: [] });
    for (const id of others) expect(await second.pads.find(id)).to.not.equal(undefined);
    await second.close();
  });

  it('that the earlier generation has noted is found once, in the background, and carried out', async () => {
    const place = new Place();
    const { model, group, pads } = await world(place);
    await model.close();
    const [listed = ''] = pads;
    place.values.delete(keys.pendingJobs);
    for (const id of ['old-1', '123', listed]) place.values.set(keys.deletePad(id), id === '123' ? 123 : id);
    const second = await place.start();
    for (const id of ['old-1', '123', listed]) {
      expect((await second.door.decide(id, guest)).entry).to.equal('closed');
    }
    await second.jobs.idle();
    expect(place.removed).to.have.members(['old-1*', '123*', `${listed}*`]);
    expect([...place.values.keys()].filter((key) => key.startsWith(keys.deletePad('')))).to.deep.equal([]);
    expect((await second.groups.find(group))?.pads).to.deep.equal(pads.slice(1));
    await second.close();
    place.scans = [];
    const third = await place.start();
    await third.jobs.idle();
    expect(place.scans).to.not.include(`${keys.deletePad('')}*`);
    await third.close();
  });
});

describe('a pad that the editor has removed by itself', () => {
  it('leaves no record and no place in its group', async () => {
    const place = new Place();
    const { model, group, pads } = await world(place);
    const [gone = '', ...others] = pads;
    place.values.delete(`pad:${gone}`);
    await model.jobs.padVanished(gone);
    expect(await model.pads.find(gone)).to.equal(undefined);
    expect((await model.groups.find(group))?.pads).to.deep.equal(others);
    await model.close();
  });

  it('leaves none either when the server stops a moment later', async () => {
    const place = new Place();
    const { model, group, pads } = await world(place);
    const [gone = '', ...others] = pads;
    place.values.delete(`pad:${gone}`);
    const noticed = model.jobs.padVanished(gone);
    await new Promise((resolve) => setImmediate(resolve));
    await model.close();
    await noticed;
    expect((await model.groups.find(group))?.pads, 'not yet').to.include(gone);
    const second = await place.start();
    expect((await second.groups.find(group))?.pads).to.deep.equal(others);
    expect(await second.pads.find(gone)).to.equal(undefined);
    await second.close();
  });

  it('keeps its record when another takes its place', async () => {
    const place = new Place();
    const { model, pads } = await world(place);
    const [replaced = ''] = pads;
    place.values.delete(`pad:${replaced}`);
    const noticed = model.jobs.padVanished(replaced);
    place.values.set(`pad:${replaced}`, { copy: true });
    await noticed;
    expect(await model.pads.find(replaced)).to.not.equal(undefined);
    expect(place.removed).to.deep.equal([]);
    await model.close();
  });
});
