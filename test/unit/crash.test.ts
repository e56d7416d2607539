/**
 * The server dies between two writes. Each change is repeated and stopped before its first write, its second, and so
 * on; then a new server starts on the database. Each change must be complete or not begun, and confirmed changes stay.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { randomText } from '../../model/ids';
import { createModel, type Model } from '../../model/model';
import type { Database } from '../../model/ports';
import type { GroupRecord, PadRecord, UserRecord } from '../../model/store/entities';
import { peopleOf, storedGroup } from '../../model/store/records';
import { keys } from '../../model/store/store';
import { createTestPorts, plainHasher, uploadFolder } from '../support/ports';
import { zipOf } from '../support/zips';

class ServerDead extends Error {}

/** A database in memory that can be told to fail from a certain write on, as if the server had died. */
class Disk {
  private writesLeft = Number.POSITIVE_INFINITY;

  constructor(readonly values = new Map<string, string>()) {}

  /** The same data for a new server. This one still fails. */
  moved(): Disk {
    return new Disk(this.values);
  }

  /** A copy of the data, on which nothing has failed. */
  copied(): Disk {
    return new Disk(new Map(this.values));
  }

  get isDead(): boolean {
    return this.writesLeft < 0;
  }

  dieAfter(writes: number): void {
    this.writesLeft = writes;
  }

  private countWrites(cost: number): void {
    if (this.writesLeft < cost) this.writesLeft = -1;
    if (this.writesLeft < 0) throw new ServerDead('the server is dead');
    this.writesLeft -= cost;
  }

  readonly database: Database = {
    get: async (key) => {
      this.countWrites(0);
      const value = this.values.get(key);
      return value === undefined ? undefined : JSON.parse(value);
    },
    set: async (key, value) => {
      this.countWrites(1);
      this.values.set(key, JSON.stringify(value));
    },
    remove: async (key) => {
      this.countWrites(1);
      this.values.delete(key);
    },
    findKeys: async (pattern) => {
      this.countWrites(0);
      return [...this.values.keys()].filter((key) => key.startsWith(pattern.replace(/\*$/, '')));
    },
  };
}

async function start(disk: Disk): Promise<Model> {
  const connect = async () => ({ database: disk.database, close: async () => {} });
  const { closeDatabase, ...ports } = await createTestPorts({ connect });
  const model = await createModel({ ...ports, hasher: plainHasher, now: () => 1_000_000, checkLocks: false });
  await model.users.ready;
  await model.jobs.runDue();
  await model.jobs.idle();
  return model;
}

interface Fixture {
  disk: Disk;
  model: Model;
  alice: string;
  bob: string;
  carol: string;
  /** A group of Alice with Bob as a user, and two pads. */
  group: GroupRecord;
  /** A group of Alice alone, with one pad. */
  other: GroupRecord;
  pads: PadRecord[];
}

async function build(): Promise<Fixture> {
  const disk = new Disk();
  const model = await start(disk);
  const person = async (login: string): Promise<string> => {
    const email = `${login}@example.org`;
    return (await model.users.register({ login, email, password: 'long enough', active: true }))._id;
  };
  const [alice, bob, carol] = [await person('alice'), await person('bob'), await person('carol')];
  const group = await model.groups.create(alice, { name: 'Group', users: [bob] });
  const other = await model.groups.create(alice, { name: 'Other' });
  const pads = [
    await model.pads.create(group._id, { name: 'One' }),
    await model.pads.create(group._id, { name: 'Two' }),
    await model.pads.create(other._id, { name: 'Three' }),
  ];
  return { disk, model, alice, bob, carol, group, other, pads };
}

/** What people would see now. Throws if records contradict each other. */
async function inspect(model: Model, disk: Disk): Promise<{ groups: GroupRecord[]; shown: string[] }> {
  const records = (prefix: string): unknown[] =>
    [...disk.values].filter(([key]) => key.startsWith(prefix)).map(([, value]) => JSON.parse(value));
  const groups = records(keys.group('')) as GroupRecord[];
  const shown: string[] = [];
  for (const group of groups) {
    for (const person of peopleOf(group)) {
      const user = JSON.parse(disk.values.get(keys.user(person)) ?? '{}') as UserRecord;
      expect(user.groups, `the index of ${person}`).to.include(group._id);
    }
    const own = [...(await model.pads.findMany(group.pads)).values()].filter(
      (pad) => pad.group === group._id,
    );
    shown.push(...own.map((pad) => pad._id));
  }
  expect(shown, 'a pad shown twice').to.deep.equal([...new Set(shown)]);
  for (const id of shown) {
    expect(disk.values.has(`pad:${id}`), `${id} in the editor`).to.equal(true);
    const group = groups.find((one) => one.pads.includes(id));
    const actor = { kind: 'user', id: group?.admins[0] ?? '', unlocked: () => false } as const;
    expect((await model.padAccess.decide(id, { actor })).entry, `${id} opens`).to.equal('write');
  }
  return { groups, shown };
}

interface Change {
  title: string;
  /** What happens before. */
  prepare?: (fixture: Fixture) => Promise<unknown>;
  run: (fixture: Fixture) => Promise<unknown>;
  /** Whether the change can be seen. After a crash, true and false are right; `half` is a failure. */
  done: (
    fixture: Fixture,
    seen: Seen,
    started: { model: Model; disk: Disk },
  ) => boolean | 'half' | Promise<boolean | 'half'>;
}

/** A link to the first pad. */
const linkTo = ({ model, alice, group, pads: [pad] }: Fixture): Promise<unknown> =>
  model.groups.createLink(group._id, { pad: pad?._id }, alice);

type Seen = { groups: GroupRecord[]; shown: string[] };

/** Whether a pad or a group is in the trash; `half`: it is both there and where it was, or in neither place. */
async function inTrash(
  model: Model,
  { groups, shown }: Seen,
  record: { _id: string } | undefined,
  kind: 'pad' | 'group',
): Promise<boolean | 'half'> {
  const id = record?._id ?? '';
  const isThere = kind === 'pad' ? shown.includes(id) : groups.some(({ _id }) => _id === id);
  const isTrashed = (await model.trash.find(id)) !== undefined;
  const isListed = groups.some(({ pads, links }) => pads.includes(id) || links.some(({ pad }) => pad === id));
  if (isThere === isTrashed) return 'half';
  return kind === 'pad' && isListed !== isThere ? 'half' : isTrashed;
}

/** Whether nothing of these records is left; a note about the trash means that nothing was deleted yet. */
function removedFromTrash(disk: Disk, ids: readonly string[]): boolean | 'half' {
  const left = [...disk.values].filter(([key]) => ids.some((id) => key.endsWith(`:${id}`)));
  const isWhole = left.some(([key, value]) => key.includes('jobqueue') && value.includes('"trashed"'));
  const links = [...disk.values.keys()].filter((key) => key.startsWith(keys.link('')));
  if (isWhole) return false;
  return left.length + links.length === 0 || 'half';
}

/** Asks for an export of a folder of Alice, and waits for its file. */
async function exportGroup({ model, alice, group }: Fixture): Promise<string> {
  const asked = { formats: ['text'] as const, chat: false, lang: 'en', server: 'example.org', unlocked: {} };
  const subject = { kind: 'group', id: group._id, name: group.name } as const;
  const id = await model.exports.ask({ kind: 'user', name: alice }, { ...asked, subject });
  await model.jobs.idle();
  return id;
}

const exportsOf = (model: Model, { alice }: Fixture) => model.exports.list({ kind: 'user', name: alice });

const waiting = { login: 'dave', email: 'dave@example.org', password: 'long enough', active: false };

const changes: Change[] = [
  {
    title: 'making a group',
    run: ({ model, carol, bob }) => model.groups.create(carol, { name: 'New', users: [bob] }),
    done: ({ carol }, { groups }) => groups.some(({ admins }) => admins.includes(carol)),
  },
  {
    title: 'making a pad',
    run: ({ model, group }) => model.pads.create(group._id, { name: 'New' }),
    done: (_fixture, { shown }) => (shown.length === 3 ? false : shown.length === 4 || 'half'),
  },
  {
    title: 'moving a pad',
    run: ({ model, pads: [pad], other }) => model.pads.update(pad?._id ?? '', { group: other._id }),
    done({ pads: [pad], other }, { shown, groups }) {
      if (shown.length !== 3) return 'half';
      const lists = groups.filter(({ pads }) => pads.includes(pad?._id ?? ''));
      return lists.length === 1 && lists[0]?._id === other._id;
    },
  },
  {
    title: 'inviting one person and removing another',
    run: ({ model, group }) => model.groups.invite(group._id, 'users', ['carol']),
    done({ group, bob, carol }, { groups }) {
      const users = groups.find(({ _id }) => _id === group._id)?.users ?? [];
      return users.join() === carol ? true : users.join() === bob ? false : 'half';
    },
  },
  {
    title: 'removing a pad',
    run: ({ model, pads: [pad] }) => model.pads.remove(pad?._id ?? ''),
    done({ pads: [pad], disk }, { shown }) {
      const gone = !shown.includes(pad?._id ?? '');
      const traces = [...disk.values.keys()].filter((key) => key.endsWith(`:${pad?._id}`));
      return gone && traces.length > 0 ? 'half' : gone;
    },
  },
  {
    title: 'removing a group with its pads',
    run: ({ model, group }) => model.groups.remove(group._id),
    done({ group, pads, disk, bob }, { groups, shown }) {
      const there = groups.some(({ _id }) => _id === group._id);
      if (there) return shown.length === 3 ? false : 'half';
      const ids = [group._id, pads[0]?._id, pads[1]?._id];
      const traces = [...disk.values.keys()].filter((key) => ids.some((id) => key.endsWith(`:${id}`)));
      const indexed = (JSON.parse(disk.values.get(keys.user(bob)) ?? '{}') as UserRecord).groups.length > 0;
      return traces.length > 0 || indexed ? 'half' : true;
    },
  },
  {
    title: 'removing an account with the groups that it alone administers',
    async prepare({ model, alice }) {
      const identity = { method: 'oidc', issuer: 'https://sso.example.org', subject: 'a-1' };
      await model.users.update(alice, (user) => ({ ...user, identities: [identity] }));
      await model.store.set(keys.identity(identity), { user: alice });
    },
    run: ({ model, alice }) => model.accountRemoval.remove(alice),
    done({ alice, bob, group, other, pads, disk }, { groups, shown }) {
      if (groups.length === 2 && shown.length === 3 && disk.values.has(keys.user(alice))) {
        return (JSON.parse(disk.values.get(keys.user(alice)) ?? '{}') as UserRecord).active ? false : 'half';
      }
      const ids = [alice, group._id, other._id, ...pads.map(({ _id }) => _id)];
      const traces = [...disk.values].filter(([key, value]) =>
        ids.some((id) => key.endsWith(`:${id}`) || (key !== keys.user(bob) && value.includes(id))),
      );
      const { groups: indexed } = JSON.parse(disk.values.get(keys.user(bob)) ?? '{}') as UserRecord;
      return traces.length > 0 || indexed.length > 0 ? 'half' : true;
    },
  },
  {
    title: 'putting a pad into the trash',
    prepare: linkTo,
    run: ({ model, alice, pads: [pad] }) => model.trash.addPad(pad?._id ?? '', alice),
    done: ({ pads: [pad] }, seen, { model }) => inTrash(model, seen, pad, 'pad'),
  },
  {
    title: 'restoring a pad into another group',
    async prepare(fixture) {
      await linkTo(fixture);
      await fixture.model.trash.addPad(fixture.pads[0]?._id ?? '', fixture.alice);
    },
    run: ({ model, other, pads: [pad] }) => model.trash.restorePad(pad?._id ?? '', other._id),
    async done({ pads: [pad], other }, seen, { model }) {
      const trashed = await inTrash(model, seen, pad, 'pad');
      if (trashed !== false) return trashed === 'half' ? 'half' : false;
      const group = seen.groups.find(({ _id }) => _id === other._id);
      return group?.pads.includes(pad?._id ?? '') && group.links.length === 1 ? true : 'half';
    },
  },
  {
    title: 'putting a group into the trash',
    run: ({ model, alice, group }) => model.trash.addGroup(group._id, alice),
    done: ({ group }, seen, { model }) => inTrash(model, seen, group, 'group'),
  },
  {
    title: 'restoring a group',
    prepare: ({ model, alice, group }) => model.trash.addGroup(group._id, alice),
    run: ({ model, group }) => model.trash.restoreGroup(group._id),
    async done({ group }, seen, { model }) {
      const trashed = await inTrash(model, seen, group, 'group');
      if (trashed === 'half') return 'half';
      return trashed ? false : seen.shown.length === 3 || 'half';
    },
  },
  {
    title: 'restoring a group with a role of a rule that is gone',
    async prepare({ model, alice, bob, group }) {
      const byRule = new Map([[bob, { rules: { gone: 'users' as const } }]]);
      await model.store.set(keys.group(group._id), storedGroup({ ...group, byRule }));
      await model.trash.addGroup(group._id, alice);
    },
    async run({ model, group }) {
      const trashed = await model.trash.find(group._id);
      if (trashed === undefined) throw new Error('not in the trash');
      await model.groupRules.restore(trashed.group, () => model.trash.restoreGroup(group._id));
    },
    async done({ group, bob }, seen, { model }) {
      const trashed = await inTrash(model, seen, group, 'group');
      if (trashed !== false) return trashed === 'half' ? 'half' : false;
      const people = peopleOf(seen.groups.find(({ _id }) => _id === group._id) ?? group);
      return people.includes(bob) ? 'half' : true;
    },
  },
  {
    title: 'deleting a pad in the trash for good',
    async prepare(fixture) {
      await linkTo(fixture);
      await fixture.model.trash.addPad(fixture.pads[0]?._id ?? '', fixture.alice);
    },
    run: ({ model, pads: [pad] }) => model.trash.remove([{ kind: 'pad', id: pad?._id ?? '' }]),
    done: ({ pads: [pad], disk }) => removedFromTrash(disk, [pad?._id ?? '']),
  },
  {
    title: 'deleting a group in the trash for good',
    prepare: ({ model, alice, group }) => model.trash.addGroup(group._id, alice),
    run: ({ model, group }) => model.trash.remove([{ kind: 'group', id: group._id }]),
    done: ({ pads, group, disk }) =>
      removedFromTrash(disk, [group._id, pads[0]?._id ?? '', pads[1]?._id ?? '']),
  },
  {
    title: 'making an export',
    run: exportGroup,
    async done(fixture, _seen, { model }) {
      const [made, ...others] = await exportsOf(model, fixture);
      if (made === undefined) return false;
      // It can be asked for again at once, and the file of a process that is dead is made again.
      return (made.state === 'ready' && made.pads === 2 && others.length === 0) || 'half';
    },
  },
  {
    title: 'removing an export',
    prepare: exportGroup,
    async run(fixture) {
      const [made] = await exportsOf(fixture.model, fixture);
      await fixture.model.exports.remove({ kind: 'user', name: fixture.alice }, made?._id ?? '');
    },
    done: async (fixture, _seen, { model }) => (await exportsOf(model, fixture)).length === 0,
  },
  {
    title: 'removing an account that has an export',
    prepare: exportGroup,
    run: ({ model, alice }) => model.accountRemoval.remove(alice),
    done({ alice, disk }) {
      if (disk.values.has(keys.user(alice))) return false;
      return disk.values.has(keys.exportsOf('user', alice)) ? 'half' : true;
    },
  },
  {
    title: 'importing two folders of pads',
    async run({ model, alice, disk }) {
      const file = path.join(uploadFolder, `crash-${randomText(8)}.zip`);
      mkdirSync(uploadFolder, { recursive: true });
      writeFileSync(file, await zipOf({ 'A/One.txt': '1', 'A/Two.txt': '2', 'B/Three.txt': '3' }));
      const importer = { id: alice, by: { kind: 'account', id: alice } } as const;
      await model.padImports.begin({ file, isTaken: false }, importer, { folderNames: true, name: '' }, 3);
      await model.jobs.idle();
      if (disk.isDead) throw new ServerDead('the server died after the answer');
    },
    async done({ alice }, { groups, shown }, { model, disk }) {
      const record = await model.padImports.find(alice);
      // The editor's pads that nobody lists would stay forever.
      const pads = [...disk.values.keys()].filter((key) => key.startsWith('pad:'));
      if (pads.length !== shown.length) return 'half';
      if (groups.length === 2 && shown.length === 3) return record?.state === 'done' ? 'half' : false;
      return (groups.length === 4 && shown.length === 6 && record?.state === 'done') || 'half';
    },
  },
  {
    title: 'giving an account another address',
    run: ({ model, bob }) => model.users.updateProfile(bob, { email: 'new@example.org' }),
    async done({ bob }, _seen, { model }) {
      const old = await model.users.findByEmail('bob@example.org');
      const fresh = await model.users.findByEmail('new@example.org');
      return (old === undefined) === (fresh === undefined) ? 'half' : fresh?._id === bob;
    },
  },
  {
    title: 'making an account that waits for its confirmation',
    run: ({ model }) => model.users.register({ ...waiting, unconfirmedUntil: 2_000_000 }),
    async done(_fixture, _seen, { model, disk }) {
      const user = await model.users.findByLogin('dave');
      if (!user) return (await model.users.findByEmail('dave@example.org')) ? 'half' : false;
      return disk.values.get(keys.unconfirmed(2_000_000))?.includes(user._id) ? true : 'half';
    },
  },
];

describe('a server that dies between two writes (R3)', () => {
  for (const { title, prepare, run, done } of changes) {
    it(`leaves ${title} either complete or not begun`, async () => {
      const before = await build();
      await prepare?.(before);
      await before.model.jobs.idle();
      await before.model.close();
      let answered = false;
      const outcomes: (boolean | 'half')[] = [];
      for (let writes = 0; !answered; writes++) {
        const own = before.disk.copied();
        const fixture = { ...before, disk: own, model: await start(own) };
        own.dieAfter(writes);
        await run(fixture).then(
          () => {
            answered = true;
          },
          (error: unknown) => {
            if (!fixture.disk.isDead) throw error;
          },
        );
        fixture.disk.dieAfter(-1);
        const disk = fixture.disk.moved();
        const model = await start(disk);
        const outcome = await done(fixture, await inspect(model, disk), { model, disk });
        await Promise.all([fixture.model.close(), model.close()]);
        expect(outcome, `after ${writes} writes`).to.not.equal('half');
        outcomes.push(outcome);
      }
      expect(outcomes[0], 'before the first write').to.equal(false);
      expect(outcomes.at(-1), 'after the answer').to.equal(true);
      const turns = outcomes.filter((outcome, index) => index > 0 && outcome !== outcomes[index - 1]);
      expect(turns, 'done stays done').to.have.length(1);
    });
  }

  it('never confirms a change that is lost at a restart', async () => {
    const fixture = await build();
    const made = await fixture.model.pads.create(fixture.group._id, { name: 'Answered' });
    const model = await start(fixture.disk);
    expect((await inspect(model, fixture.disk)).shown).to.include(made._id);
  });

  it('keeps a pad closed that the editor failed to remove, and removes it at the next start', async () => {
    const fixture = await build();
    const id = fixture.pads[0]?._id ?? '';
    const { remove } = fixture.disk.database;
    fixture.disk.database.remove = (key) =>
      key === `pad:${id}` ? Promise.reject(new Error('not now')) : remove(key);
    await fixture.model.pads.remove(id);
    const actor = { kind: 'user', id: fixture.alice, unlocked: () => false } as const;
    expect((await fixture.model.padAccess.decide(id, { actor })).entry).to.equal('closed');
    expect(await fixture.model.pads.find(id)).to.equal(undefined);
    fixture.disk.database.remove = remove;
    await start(fixture.disk);
    expect([...fixture.disk.values.keys()].filter((key) => key.endsWith(`:${id}`))).to.deep.equal([]);
  });
});
