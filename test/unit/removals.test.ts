/** Removals that continue after the answer: they are noted, the pads are closed, and a next start can finish them. */
import { expect } from 'chai';
import { FilesOfProcess } from '../../host/ownFiles';
import { MyPadsError } from '../../model/errors';
import { createInProcessCoordination } from '../../model/inProcessCoordination';
import { createModel, type Model } from '../../model/model';
import type { Database, EditorPads, PasswordHasher, Ports } from '../../model/ports';
import { createSchedule } from '../../model/schedule';
import type { GroupRecord, InvitationRecord } from '../../model/store/entities';
import { keys } from '../../model/store/store';
import { createStoredPads, openIndexInMemory, uploadFolder } from '../support/ports';
import { createTestSchedule } from '../support/schedule';
import { until } from '../support/waiting';

const silent = (): void => {};

/** Fast and without security. */
const hasher: PasswordHasher = {
  hash: async (text) => text,
  compare: async (text, hash) => text === hash,
  close: async () => {},
};

/** A database and an editor that stay when the model is closed, as in a restart. */
class Place {
  readonly values = new Map<string, unknown>();
  /** The removals that the editor was asked for: `<pad>`, or `<pad>*` with leftovers. */
  readonly removed: string[] = [];
  scans: string[] = [];
  /** Chats whose old messages the editor was asked to remove, with the number of messages. */
  readonly chats: [string, number | undefined][] = [];
  /** Milliseconds by which the clock has been moved forward. */
  ahead = 0;
  readonly schedule = createTestSchedule(createSchedule());
  /** A removal in the editor lasts until this resolves. */
  patience: Promise<void> = Promise.resolve();
  /** The editor says whether a pad exists when this has resolved. */
  answers: Promise<void> = Promise.resolve();

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

  private async untilDone(signal: AbortSignal | undefined): Promise<void> {
    await Promise.race([
      this.patience,
      new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason))),
    ]);
  }

  private readonly pads: EditorPads = {
    exists: async (padId) => {
      await this.answers;
      return this.values.has(`pad:${padId}`);
    },
    copy: async () => {},
    convertible: () => [],
    checkImport: async () => undefined,
    import: async () => undefined,
    text: async () => undefined,
    create: (padId) => this.database.set(`pad:${padId}`, {}),
    remove: async (padId, { leftovers, signal } = {}) => {
      this.removed.push(leftovers ? `${padId}*` : padId);
      await this.untilDone(signal);
      await this.database.remove(`pad:${padId}`);
    },
    removeReadOnlyId: async () => {},
    emptyChat: async () => 7,
    removeOldChat: async (padId, { count, signal }) => {
      this.chats.push([padId, count]);
      await this.untilDone(signal);
    },
    lastEdited: async () => null,
    visited: () => new Set(),
  };

  async start(): Promise<Model> {
    const ports: Ports = {
      database: this.database,
      pads: this.pads,
      settings: { users: () => ({}), plugin: () => ({}) },
      log: { debug: silent, info: silent, warn: silent, error: silent },
      openIndex: openIndexInMemory,
      padReader: createStoredPads(this.database),
      exportFiles: new FilesOfProcess(undefined),
      uploadFolders: [uploadFolder],
      hasher,
      coordination: createInProcessCoordination({ now: Date.now }),
      schedule: this.schedule,
      now: () => Date.now() + this.ahead,
      checkLocks: true,
    };
    return createModel(ports);
  }
}

async function fixture(place: Place): Promise<{ model: Model; group: string; pads: string[] }> {
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

const guestAccount = { login: 'asking', email: 'invited@example.org', password: 'long enough' };
const guest = { actor: { kind: 'guest' as const, unlocked: () => false } };

describe('a removal', () => {
  it('is answered at once where removals are queued, and completed afterwards', async () => {
    const place = new Place();
    const { model, group, pads } = await fixture(place);
    await model.configuration.set('deleteJobQueue', true);
    let finish = silent;
    place.patience = new Promise((resolve) => {
      finish = resolve;
    });
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
    await model.close();
  });

  it('that cannot be read does not keep pads from being forgotten after a year', async () => {
    const place = new Place();
    const { model, pads } = await fixture(place);
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
    await model.close();
  });

  it('is interrupted when the server stops, and continues at the next start', async () => {
    const place = new Place();
    const { model, pads } = await fixture(place);
    const [removing = '', ...others] = pads;
    await model.configuration.set('deleteJobQueue', true);
    place.patience = new Promise(() => {});
    await model.pads.remove(removing);
    await until('the editor has begun', () => place.removed.length > 0);
    await model.close();
    expect(place.values.has(`pad:${removing}`)).to.equal(true);
    let finish = silent;
    place.patience = new Promise((resolve) => {
      finish = resolve;
    });
    const second = await place.start();
    expect((await second.padAccess.decide(removing, guest)).entry).to.equal('closed');
    finish();
    await second.jobs.idle();
    expect(place.removed).to.deep.equal([removing, `${removing}*`]);
    expect([...place.values.keys()].filter((key) => key.includes(removing))).to.deep.equal([]);
    expect(place.values.get(keys.jobs)).to.equal(undefined);
    for (const id of others) expect(await second.pads.find(id)).to.not.equal(undefined);
    await second.close();
  });

  it('that fails in the editor is tried again minutes later, without a restart', async () => {
    const place = new Place();
    const { model, pads } = await fixture(place);
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
    await model.close();
  });

  it('of a group is refused if the right has gone since the call was checked, and changes nothing', async () => {
    const place = new Place();
    const { model, group } = await fixture(place);
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
    await model.close();
  });

  it('of a group that fails in the middle is completed minutes later, without a restart', async () => {
    const place = new Place();
    const { model, group, pads } = await fixture(place);
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
    await model.close();
  });

  it('of a group that cannot remove its trash while it waits for others is repeated, and ends nothing', async () => {
    const place = new Place();
    const { model, group, pads } = await fixture(place);
    const owner = (await model.users.findByLogin('owner'))?._id ?? '';
    await model.configuration.set('deleteJobQueue', true);
    const [trashed = ''] = pads;
    await model.trash.addPad(trashed, owner);
    let finish = silent;
    place.patience = new Promise((resolve) => {
      finish = resolve;
    });
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
    await model.close();
  });

  it('that was begun in 1.x is found once, in the background, and completed (P7)', async () => {
    const place = new Place();
    const { model, group, pads } = await fixture(place);
    await model.close();
    const [listed = ''] = pads;
    place.values.delete(keys.pendingJobs);
    for (const id of ['old-1', '123', listed]) place.values.set(keys.deletePad(id), id === '123' ? 123 : id);
    const second = await place.start();
    for (const id of ['old-1', '123', listed]) {
      expect((await second.padAccess.decide(id, guest)).entry).to.be.oneOf(['closed', 'removed']);
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

describe('a folder whose only manager is removed', () => {
  let place: Place;
  let model: Model;
  let group: string;
  let pads: string[];
  let owner: string;
  let heir: string;

  beforeEach(async () => {
    place = new Place();
    ({ model, group, pads } = await fixture(place));
    owner = (await model.users.findByLogin('owner'))?._id ?? '';
    const person = { login: 'heir', email: 'heir@example.org', password: 'long enough', active: true };
    heir = (await model.users.register(person))._id;
  });
  afterEach(() => model.close());

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
      model.store.getMany([keys.group(group), keys.deleteGroup(group)]).then(
        () => true,
        () => false,
      ),
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
    let goOn = silent;
    const isBegun = new Promise<void>((reached) => {
      place.database.set = async (key, value) => {
        if (key === keys.jobs && JSON.stringify(value).includes('removeGroup')) {
          place.database.set = set;
          await new Promise<void>((resolve) => {
            goOn = resolve;
            reached();
          });
        }
        return set(key, value);
      };
    });
    const removed = model.accountRemoval.remove(owner);
    await isBegun;
    await model.groups.add(group, 'admins', ['heir']);
    goOn();
    expect(await removed).to.deep.equal({ removed: [], left: 1 });
    await runLeftJobs();
    await expectKept();
  });

  it('is removed by a job of an earlier version, which does not say whose it was', async () => {
    await model.close();
    const job = { type: 'removeGroup', facts: { group }, begun: 1, next: 1, attempts: 1 };
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
  it('is removed after the answer where removals are queued, also after a restart', async () => {
    const place = new Place();
    const { model, pads } = await fixture(place);
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
    await second.close();
  });
});

describe('a pad that Etherpad has removed without the plugin', () => {
  let place: Place;
  let model: Model;
  let group: string;
  let gone: string;
  let others: string[];

  beforeEach(async () => {
    place = new Place();
    const made = await fixture(place);
    ({ model, group } = made);
    [gone = '', ...others] = made.pads;
  });
  afterEach(() => model.close());

  /** The editor removes the pad. `meanwhile`: what happens before the plugin checks whether the pad has returned. */
  async function vanish(meanwhile: () => unknown = () => {}): Promise<void> {
    place.values.delete(`pad:${gone}`);
    const noticed = model.removals.padVanished(gone);
    await until('the pad is to be checked', () => place.schedule.isPlanned('check vanished pad'));
    await meanwhile();
    place.schedule.run('check vanished pad');
    await noticed;
  }

  /** The editor creates the pad again. Only its first record exists now. */
  const comeBack = (): void => void place.values.set(`pad:${gone}`, { copy: true });

  async function restart(): Promise<void> {
    await model.close();
    model = await place.start();
  }

  /** What the owner of the pad can see and do now. */
  async function shown(): Promise<{ listed: boolean; found: boolean; entry: string; managed: boolean }> {
    const owner = (await model.users.findByLogin('owner'))?._id ?? '';
    const actor = { kind: 'user' as const, id: owner, unlocked: () => false };
    const { entry, managed } = await model.padAccess.decide(gone, { actor });
    const listed = ((await model.groups.find(group))?.pads ?? []).includes(gone);
    return { listed, found: (await model.pads.find(gone)) !== undefined, entry, managed };
  }

  const away = { listed: false, found: false, entry: 'closed', managed: true };
  const there = { listed: true, found: true, entry: 'write', managed: true };
  const forgotten = { listed: false, found: false, entry: 'removed', managed: false };

  it('is not listed, and closed to everybody', async () => {
    await vanish();
    expect(await shown()).to.deep.equal(away);
    expect((await model.groups.find(group))?.pads).to.deep.equal(others);
    expect([...place.values.keys()]).to.not.include(keys.pad(gone));
  });

  it('is not listed either when the server stops a moment later', async () => {
    place.values.delete(`pad:${gone}`);
    const noticed = model.removals.padVanished(gone);
    await new Promise((resolve) => setImmediate(resolve));
    await model.close();
    await noticed;
    expect((await model.groups.find(group))?.pads, 'not yet').to.include(gone);
    model = await place.start();
    expect(await shown()).to.deep.equal(forgotten);
  });

  it('keeps its record when it is replaced at once', async () => {
    await vanish(comeBack);
    expect(await shown()).to.deep.equal(there);
  });

  it('keeps its record when it is replaced right before it is closed, which the editor does not report', async () => {
    const { set } = place.database;
    place.database.set = (key, value) => {
      if (key === keys.deletePad(gone)) comeBack();
      return set(key, value);
    };
    await vanish();
    expect(await shown()).to.deep.equal(there);
  });

  it('does not get its old record back a second time when its replacement is reported twice', async () => {
    await vanish();
    comeBack();
    let answer = silent;
    place.answers = new Promise((resolve) => {
      answer = resolve;
    });
    const late = model.removals.padAppeared(gone);
    await new Promise((resolve) => setImmediate(resolve));
    place.answers = Promise.resolve();
    await model.removals.padAppeared(gone);
    await model.pads.update(gone, { name: 'A new name' });
    answer();
    await late;
    expect((await model.pads.find(gone))?.name).to.equal('A new name');
  });

  it('gets its record back when it is replaced minutes later, and is closed until then', async () => {
    const before = await model.pads.find(gone);
    await vanish();
    place.ahead = 59 * 60_000;
    await model.jobs.runDue();
    await model.removals.padAppeared(gone);
    expect(await shown(), 'the editor has nothing yet').to.deep.equal(away);
    comeBack();
    expect(await shown(), 'the editor has begun').to.deep.equal(away);
    await model.removals.padAppeared(gone);
    expect(await shown()).to.deep.equal(there);
    expect(await model.pads.find(gone)).to.deep.equal(before);
    expect(place.removed, 'nothing of the new pad').to.deep.equal([]);
  });

  for (const [title, later] of [
    ['at the next look', 10 * 60_000],
    ['also at the end of its time', 61 * 60_000],
  ] as const) {
    it(`gets its record back ${title} although no event reported its replacement`, async () => {
      await vanish();
      comeBack();
      place.ahead = later;
      await model.jobs.runDue();
      expect(await shown()).to.deep.equal(there);
      expect(place.removed).to.deep.equal([]);
    });
  }

  it('gets its record back after a restart when it was replaced', async () => {
    await vanish();
    comeBack();
    await restart();
    expect(await shown()).to.deep.equal(there);
  });

  const day = 24 * 3600_000;

  /** Gives the pad a link, an invitation and a request, and resolves to the ids of link and invitation. */
  async function giveParts(): Promise<{ link: string; invitation: string }> {
    const owner = (await model.users.findByLogin('owner'))?._id ?? '';
    const asking = (await model.users.register({ ...guestAccount, active: true }))._id;
    const { _id: link } = await model.groups.createLink(group, { pad: gone }, owner);
    await model.groups.addRequest(group, { user: asking, pad: gone, text: 'Please' }, () => true);
    const invitation = 'digest-of-a-token';
    const created = Date.now() - day;
    await model.store.set(keys.invitation(invitation), { group, pad: gone, created });
    const text = { address: 'invited@example.org', sentence: '', lang: '', seed: 'seed' };
    const times = { created, expires: created + 30 * day, mailed: created };
    const made: InvitationRecord = {
      _id: invitation,
      pad: gone,
      role: 'users',
      by: owner,
      mail: 'sent',
      reminded: true,
      ...text,
      ...times,
    };
    await model.store.update<GroupRecord>(
      keys.group(group),
      (stored) => stored && { ...stored, invitations: [made] },
    );
    return { link, invitation };
  }

  async function parts() {
    const { links, invitations, requests } = (await model.groups.find(group)) ?? {};
    return { links, invitations, requests };
  }
  const noParts = { links: [], invitations: [], requests: [] };
  const notesOf = ({ link, invitation }: { link: string; invitation: string }) =>
    [keys.link(link), keys.invitation(invitation)].map((key) => place.values.get(key));

  for (const [title, meanwhile] of [
    ['minutes later', async () => {}],
    [
      'after a crash between its note and its group',
      async () => {
        const { set } = place.database;
        place.database.set = (key, value) =>
          key === keys.group(group) ? Promise.reject(new Error('the database is away')) : set(key, value);
        return () => Object.assign(place.database, { set });
      },
    ],
  ] as const) {
    it(`keeps its links, invitations and requests when it is replaced ${title}`, async () => {
      const ids = await giveParts();
      const [before, notes] = [await parts(), notesOf(ids)];
      const [link] = before.links ?? [];
      const secret = link === undefined ? '' : model.groups.secretOf(link);
      const mend = await meanwhile();
      await vanish().catch(silent);
      if (mend) {
        mend();
        await until('the group can be read', () =>
          parts().then(
            () => true,
            () => false,
          ),
        );
      } else {
        expect(await parts()).to.deep.equal(noParts);
        expect(await model.groups.linkOfSecret(secret)).to.equal(undefined);
      }
      await model.jobs.runNow('endInvitations');
      comeBack();
      await model.removals.padAppeared(gone);
      expect(await shown()).to.deep.equal(there);
      expect(await parts()).to.deep.equal(before);
      expect(notesOf(ids)).to.deep.equal(notes);
      expect((await model.groups.linkOfSecret(secret))?.link).to.deep.equal(link);
    });
  }

  it('loses its links, invitations and requests with its record', async () => {
    const ids = await giveParts();
    await vanish();
    place.ahead = 61 * 60_000;
    await model.jobs.runDue();
    await model.jobs.idle();
    expect(await parts()).to.deep.equal(noParts);
    expect(notesOf(ids)).to.deep.equal([undefined, undefined]);
    expect([...place.values].filter((entry) => JSON.stringify(entry).includes(gone))).to.deep.equal([]);
  });

  it('leaves no links and invitations when it is replaced after its group was removed', async () => {
    const ids = await giveParts();
    await vanish();
    await model.groups.remove(group);
    comeBack();
    await model.removals.padAppeared(gone);
    expect(notesOf(ids)).to.deep.equal([undefined, undefined]);
  });

  it('does not bring back the request and the invitation of accounts that were removed meanwhile', async () => {
    await giveParts();
    await vanish();
    const asking = (await model.users.findByLogin(guestAccount.login))?._id ?? '';
    await model.accountRemoval.remove(asking);
    await model.jobs.idle();
    comeBack();
    await model.removals.padAppeared(gone);
    const { links, requests } = await parts();
    expect([links?.length, requests]).to.deep.equal([1, []]);
    const left = [...place.values].filter((entry) => JSON.stringify(entry).includes(asking));
    expect(left.map(([key]) => key)).to.deep.equal([]);
  });

  it('gets its record back from a note of an earlier version, which has no links', async () => {
    await vanish();
    const note = place.values.get(keys.deletePad(gone)) as { vanished: Record<string, unknown> };
    const { record, since } = note.vanished;
    place.values.set(keys.deletePad(gone), { pad: gone, vanished: { record, since } });
    comeBack();
    await model.removals.padAppeared(gone);
    expect(await shown()).to.deep.equal(there);
    expect(await parts()).to.deep.equal(noParts);
  });

  it('loses its record after an hour, with its bookmarks', async () => {
    const owner = (await model.users.findByLogin('owner'))?._id ?? '';
    await model.bookmarks.toggle({ kind: 'user', id: owner, unlocked: () => false }, 'pads', gone);
    await vanish();
    place.ahead = 61 * 60_000;
    await model.jobs.runDue();
    await model.jobs.idle();
    expect(await shown()).to.deep.equal(forgotten);
    expect([...place.values].filter((entry) => JSON.stringify(entry).includes(gone))).to.deep.equal([]);
  });

  it('loses its record at the next start', async () => {
    await vanish();
    await restart();
    await model.jobs.idle();
    expect([...place.values].filter((entry) => JSON.stringify(entry).includes(gone))).to.deep.equal([]);
    expect((await model.groups.find(group))?.pads).to.deep.equal(others);
  });

  it('stays removed when it was removed again before its replacement was reported', async () => {
    await vanish();
    await model.removals.padVanished(gone);
    await model.removals.padAppeared(gone);
    expect(await shown()).to.deep.equal(away);
  });

  it('is closed when its group was removed before it is replaced', async () => {
    await vanish();
    await model.groups.remove(group);
    comeBack();
    await model.removals.padAppeared(gone);
    expect(await shown()).to.deep.include({ listed: false, entry: 'closed', managed: true });
    expect(place.values.get(`pad:${gone}`), 'its text is not ours to remove').to.deep.equal({ copy: true });
  });

  it('loses its record when it was removed in the plugin meanwhile', async () => {
    await vanish(() => model.pads.remove(gone));
    place.ahead = 10 * 60_000;
    await model.jobs.runDue();
    await model.jobs.idle();
    expect([...place.values].filter((entry) => JSON.stringify(entry).includes(gone))).to.deep.equal([]);
    expect(place.values.get(keys.jobs)).to.equal(undefined);
  });
});
