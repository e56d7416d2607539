/** The doctor finds every kind of damage, changes nothing unless asked, repairs it, and then finds nothing. */
import { expect } from 'chai';
import { createStoredPads } from '../../host/storedPads';
import { createDoctor, type Doctor, type Report } from '../../model/doctor/doctor';
import { type Kind, kinds, orphanKinds } from '../../model/doctor/findings';
import { createModel } from '../../model/model';
import type { GroupRecord, PadRecord, UserRecord } from '../../model/store/entities';
import { readGroup } from '../../model/store/records';
import { keys } from '../../model/store/store';
import { readTrashedGroup, readTrashedPad } from '../../model/store/trashNotes';
import { createTestPorts } from '../support/app';
import { checkEach } from '../support/cases';
import { damage, makeOrphans } from '../support/damage';
import { legacyGroups, writeLegacyRecords } from '../support/legacy';
import { until } from '../support/waiting';

type Ports = Awaited<ReturnType<typeof createTestPorts>>;

describe('the doctor', () => {
  let ports: Ports;
  let doctor: Doctor;
  let kept: Map<string, unknown>;

  beforeEach(async () => {
    ports = await createTestPorts();
    await writeLegacyRecords(ports.database);
    doctor = createDoctor({ database: ports.database, storedPads: createStoredPads, now: Date.now });
    kept = new Map();
  });
  afterEach(async () => {
    await ports.closeDatabase();
  });

  const repair = (orphans = false) =>
    doctor.repair({
      orphans,
      keep: async (key, value) => {
        if (!kept.has(key)) kept.set(key, structuredClone(value));
      },
    });

  async function everything(): Promise<Map<string, unknown>> {
    const found = (await ports.database.findKeys('*', null)).sort();
    return new Map(
      await Promise.all(
        found.map(
          async (key): Promise<[string, unknown]> => [key, structuredClone(await ports.database.get(key))],
        ),
      ),
    );
  }

  function counts({ findings }: Report): Partial<Record<Kind, number>> {
    const found: Partial<Record<Kind, number>> = {};
    for (const { kind } of findings) found[kind] = (found[kind] ?? 0) + 1;
    return found;
  }

  it('lists no pad of which an interrupted import has not made the text', async () => {
    await repair(true);
    const group = legacyGroups.class;
    const begun = Date.now();
    const job = { type: 'padImport', facts: {}, begun, next: begun, attempts: 0 };
    await ports.database.set(keys.jobs, { 'padImport:one': job });
    await ports.database.set(keys.pad('half'), { _id: 'half', name: 'Half', group, users: [], ctime: begun });
    expect(counts(await doctor.examine())).to.not.have.property('unlinkedPads');
    await repair();
    const { pads } = (await ports.database.get(keys.group(group))) as GroupRecord;
    expect(pads).to.not.include('half');
  });

  it('counts accounts, groups and pads, and finds the damage in the database of an old school', async () => {
    const report = await doctor.examine();
    expect(report.numbers).to.deep.equal({ users: 9, groups: 9, pads: 19, orphans: 0 });
    expect(counts(report)).to.deep.equal({
      leftOverPasswords: 1,
      leftOverFields: 1,
      danglingBookmarks: 1,
      danglingLists: 1,
      leftovers: 1,
    });
  });

  it('finds no damage in what is in the trash, which a start does not delete', async () => {
    await repair(true);
    const model = await createModel(ports);
    await model.users.ready;
    const ada = await model.users.register({
      login: 'ada',
      email: 'ada@example.org',
      password: 'long enough',
      active: true,
    });
    const [kept, gone] = [
      await model.groups.create(ada._id, { name: 'Kept' }),
      await model.groups.create(ada._id, { name: 'Gone', visibility: 'public' }),
    ];
    const pad = await model.pads.create(kept._id, { name: 'In the trash' });
    const inside = await model.pads.create(gone._id, { name: 'Inside' });
    await model.pads.share(pad._id, ['frank'], 'reader');
    for (const [group, of] of [
      [kept._id, pad._id],
      [gone._id, undefined],
    ] as const)
      await model.groups.createLink(group, { pad: of }, ada._id);
    const actor = { kind: 'user', id: ada._id, unlocked: () => false } as const;
    for (const id of [pad._id, inside._id]) await model.bookmarks.toggle(actor, 'pads', id);
    await model.bookmarks.toggle(actor, 'groups', gone._id);
    await model.trash.addPad(pad._id, ada._id);
    await model.trash.addGroup(gone._id, ada._id);
    await model.jobs.idle();
    await model.close();
    const report = await doctor.examine();
    expect(counts(report)).to.deep.equal({});
    expect(report.waiting).to.equal(0);
    // As in a database of 1.x, in which a start looks for deletions that have begun.
    await ports.database.remove(keys.pendingJobs);
    const again = await createModel(ports);
    await again.jobs.idle();
    for (const id of [pad._id, gone._id]) expect(await again.trash.find(id)).to.not.equal(undefined);
    await again.close();
  });

  it('finds every kind of damage, and changes nothing', async () => {
    await damage(ports.database);
    await makeOrphans(ports.database);
    await ports.database.set(keys.conf('allowEtherPads'), false);
    const frank = (await ports.database.get(keys.user('frank-vs8gdak'))) as UserRecord;
    for (const [id, login, email] of [
      ['frank-2', 'frank', 'other@example.org'],
      ['other-1', 'other', 'frank@example.org'],
    ] as const) {
      await ports.database.set(keys.user(id), { ...frank, _id: id, login, email, password: '' });
    }
    await ports.database.set(keys.group('lonely'), { _id: 'lonely', name: 'Lonely', admins: ['gone'] });
    await ports.database.set(keys.conf('passwordMin'), 99);
    const before = await everything();
    const found = counts(await doctor.examine());
    // This database cannot hold unreadable records: test/database/unreadableRecords.test.ts tests them.
    expect([...Object.keys(found), 'unreadable']).to.have.members(Object.keys(kinds));
    expect(await everything()).to.deep.equal(before);
  });

  it('gives back what was in the database before the damage', async () => {
    // The order of people and pads may change, and lists that 1.x does not know may be added without content.
    const plain = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.toSorted();
      if (typeof value !== 'object' || value === null) return value;
      const inside = Object.entries(value).map(([key, field]) => [key, plain(field)] as const);
      return Object.fromEntries(inside.filter(([, field]) => !Array.isArray(field) || field.length > 0));
    };
    await repair();
    const before = await everything();
    await damage(ports.database);
    await repair();
    const after = await everything();
    expect(before.delete(keys.conf('openRegistration'))).to.equal(true);
    for (const key of [keys.deletePad('imported'), keys.pendingJobs])
      expect(after.delete(key), key).to.equal(true);
    // Only a database with some names has an index to repair.
    for (const key of [...after.keys()].filter((name) => name.startsWith('mypads:index:'))) after.delete(key);
    expect(plain(Object.fromEntries(after))).to.deep.equal(plain(Object.fromEntries(before)));
  });

  it('repairs who reads a folder: in its record, and in the records of accounts', async () => {
    const frank = 'frank-vs8gdak';
    await ports.database.set(keys.group('shown'), {
      _id: 'shown',
      name: 'Shown',
      admins: [frank],
      users: [],
      readers: [frank, 'helene-lefevre-ve4gdoq', 'gone'],
    });
    await repair();
    const { readers } = (await ports.database.get(keys.group('shown'))) as GroupRecord;
    expect(readers).to.deep.equal(['helene-lefevre-ve4gdoq']);
    const helene = (await ports.database.get(keys.user('helene-lefevre-ve4gdoq'))) as UserRecord;
    expect(helene.readerOf).to.deep.equal(['shown']);
    expect(helene.groups).to.not.include('shown');
    expect((await doctor.examine()).findings).to.deep.equal([]);
  });

  it('keeps what rules give as lists of people, without accounts that are gone', async () => {
    const there = ['frank-vs8gdak', 'helene-lefevre-ve4gdoq'];
    const ruled = (people: string[]) => ({
      _id: 'ruled',
      name: 'Ruled',
      admins: ['alice-v42gdz3'],
      users: people,
      byRule: [{ rules: { r1: 'users' }, people }],
    });
    await ports.database.set(keys.group('ruled'), ruled([...there, 'gone']));
    await ports.database.set(keys.group('nobody'), { ...ruled(['gone']), _id: 'nobody' });
    await repair();
    const { byRule } = (await ports.database.get(keys.group('ruled'))) as Record<string, unknown>;
    expect(byRule).to.deep.equal([{ rules: { r1: 'users' }, people: there }]);
    const nobody = (await ports.database.get(keys.group('nobody'))) as Record<string, unknown>;
    expect(nobody.byRule ?? undefined).to.equal(undefined);
  });

  it('repairs with whom a pad is shared: in its record, and in the records of accounts', async () => {
    const helene = 'helene-lefevre-ve4gdoq';
    const pad = {
      _id: 'own-pad',
      name: 'Own',
      group: 'shown',
      people: { gone: 'writer', [helene]: 'reader' },
    };
    await ports.database.set(keys.pad('own-pad'), pad);
    await ports.database.set(keys.group('shown'), {
      _id: 'shown',
      name: 'Shown',
      admins: ['frank-vs8gdak'],
      pads: ['own-pad'],
    });
    await repair();
    const { people } = (await ports.database.get(keys.pad('own-pad'))) as PadRecord;
    expect(people).to.deep.equal({ [helene]: 'reader' });
    const { sharedPads } = (await ports.database.get(keys.user(helene))) as UserRecord;
    expect(sharedPads).to.deep.equal(['own-pad']);
  });

  it('finds the token for deleting a pad that Etherpad has left of a removed pad', async () => {
    await ports.database.set('pad:gone:deletionToken', { hash: '0'.repeat(64) });
    const { findings } = await doctor.examine();
    expect(findings.filter(({ kind }) => kind === 'leftovers').map((finding) => finding.of)).to.include(
      'gone',
    );
    await repair(true);
    expect(await ports.database.get('pad:gone:deletionToken')).to.not.be.an('object');
  });

  it('keeps the password with which somebody has signed in since 1.x', async () => {
    await damage(ports.database);
    const { database } = ports;
    const twin = (await database.get(keys.user('carol-twin'))) as UserRecord;
    const password = { scheme: 'bcrypt', hash: 'new' };
    await database.set(keys.user('carol-twin'), { ...twin, password });
    await repair();
    expect(await database.get(keys.user('carol-twin'))).to.deep.include({ password });
    expect(await database.get(keys.user('carol-vn6gdde'))).to.not.be.an('object');
  });

  it('merges accounts and their people lists, although somebody has one that is none', async () => {
    await damage(ports.database);
    const bob = (await ports.database.get(keys.user('bob-vc3gd6c'))) as UserRecord;
    const userlists = {
      text: { name: 'Text', uids: 'carol-twin' },
      object: { name: 'Object', uids: {} },
      none: 'x',
      both: { name: 'Both', uids: ['carol-twin', bob._id, 'carol-vn6gdde'] },
    };
    await ports.database.set(keys.user(bob._id), { ...bob, userlists });
    const listsOf = async (id: string) =>
      ((await ports.database.get(keys.user(id))) as UserRecord | undefined)?.userlists;
    for (const [id, lists] of Object.entries({
      'carol-vn6gdde': { own: { name: 'Own', uids: [] } },
      'carol-twin': { own: { name: 'Other', uids: [] }, hers: { name: 'Hers', uids: [bob._id] } },
    })) {
      const record = (await ports.database.get(keys.user(id))) as UserRecord;
      await ports.database.set(keys.user(id), { ...record, userlists: lists });
    }
    await repair();
    expect(await ports.database.get(keys.user('carol-twin'))).to.not.be.an('object');
    expect((await listsOf(bob._id))?.both?.uids).to.deep.equal(['carol-vn6gdde', bob._id]);
    expect(await listsOf('carol-vn6gdde')).to.deep.equal({
      own: { name: 'Own', uids: [] },
      hers: { name: 'Hers', uids: [bob._id] },
    });
    expect((await doctor.examine()).findings).to.deep.equal([]);
  });

  it('opens no account that was closed by merging it, and says who has to decide', async () => {
    await damage(ports.database);
    const { database } = ports;
    const twin = (await database.get(keys.user('carol-twin'))) as UserRecord;
    const closed = { ...twin, active: false, closed: true };
    await database.set(keys.user('carol-twin'), closed);
    await repair();
    expect(await database.get(keys.user('carol-twin'))).to.deep.include({ active: false, closed: true });
    expect(await database.get(keys.user('carol-vn6gdde'))).to.deep.include({ active: true });
    const [left] = (await doctor.examine()).findings;
    expect(left).to.deep.include({ kind: 'duplicateAccounts', of: 'carol' });
    expect(left?.detail).to.match(/^carol-twin, carol-vn6gdde: .*closed/);
    await database.set(keys.user('carol-vn6gdde'), { ...closed, _id: 'carol-vn6gdde', ctime: 1 });
    await repair();
    expect(await database.get(keys.user('carol-vn6gdde'))).to.not.be.an('object');
    expect(await database.get(keys.user('carol-twin'))).to.deep.include({ active: false, closed: true });
  });

  it('merges no account away that has a second factor, API tokens or a sign-in service', async () => {
    await damage(ports.database);
    const { database } = ports;
    const twin = (await database.get(keys.user('carol-twin'))) as UserRecord;
    const factors = { passkeys: [{ _id: 'p' }], recovery: [], version: 'v' };
    const identity = { method: 'oidc', issuer: 'https://id.example.org', subject: '1' };
    // Both have used it, so the account with more folders or the older one stays.
    const used = {
      ...((await database.get(keys.user('carol-vn6gdde'))) as UserRecord),
      identities: [identity],
    };
    await database.set(keys.user('carol-vn6gdde'), used);
    const has = {
      'second factor': [keys.factors('carol-twin'), factors],
      'API token': [keys.apiTokensOf('user', 'carol-twin'), { ids: ['t'] }],
      service: [keys.user('carol-twin'), { ...twin, identities: [{ ...identity, subject: '2' }] }],
    } as const;
    await checkEach(Object.entries(has), async ([key, value]) => {
      const before = await database.get(key);
      await database.set(key, value);
      await repair();
      expect(await database.get(keys.user('carol-twin'))).to.be.an('object');
      const [left] = (await doctor.examine()).findings;
      expect(left).to.deep.include({ kind: 'duplicateAccounts', of: 'carol' });
      expect(left?.detail).to.contain('a person has to decide');
      await (before ? database.set(key, before) : database.remove(key));
    });
    await repair();
    expect(await database.get(keys.user('carol-twin'))).to.not.be.an('object');
  });

  it('merges what rules give two accounts, so that the end of the rules takes it away', async () => {
    await damage(ports.database);
    const { database } = ports;
    const group = { name: 'Ruled', admins: ['alice-v42gdz3'] };
    await database.set(keys.group('both'), {
      ...group,
      users: ['carol-twin', 'carol-vn6gdde'],
      byRule: [
        { rules: { r1: 'users' }, people: ['carol-twin', 'bob-vc3gd6c'] },
        { rules: { r1: 'readers', r2: 'users' }, people: ['carol-vn6gdde'] },
      ],
    });
    await database.set(keys.group('byHand'), {
      ...group,
      users: ['carol-vn6gdde'],
      readers: ['carol-twin'],
      byRule: [{ rules: { r1: 'readers' }, people: ['carol-twin'] }],
    });
    await repair();
    const grantsOf = async (id: string) =>
      Object.fromEntries(readGroup(id, await database.get(keys.group(id)))?.byRule ?? []);
    expect(await grantsOf('both')).to.deep.equal({
      'carol-vn6gdde': { rules: { r1: 'users', r2: 'users' } },
    });
    expect(await grantsOf('byHand')).to.deep.equal({
      'carol-vn6gdde': { rules: { r1: 'readers' }, own: 'users' },
    });
  });

  it('gives the merged account the higher of two roles in a pad that is shared with both', async () => {
    await damage(ports.database);
    const { database } = ports;
    const [key = ''] = (await database.findKeys('mypads:pad:*', null)).sort();
    const people = { 'carol-twin': 'writer', 'carol-vn6gdde': 'reader', 'bob-vc3gd6c': 'reader' };
    await database.set(key, { ...((await database.get(key)) as PadRecord), people });
    await repair();
    expect(await database.get(key)).to.deep.include({
      people: { 'carol-vn6gdde': 'writer', 'bob-vc3gd6c': 'reader' },
    });
  });

  it('gives the merged account the kept links and authors of both, and what both have in the trash', async () => {
    await damage(ports.database);
    const { database } = ports;
    const [one, twin] = ['carol-vn6gdde', 'carol-twin'];
    for (const [id, keptLinks, authors] of [
      [one, [{ _id: 'l1', group: 'g', proof: 'p' }], ['a.one']],
      [twin, ['l1', 'l2'].map((_id) => ({ _id, group: 'g', proof: 'p' })), ['a.twin']],
    ] as const)
      await database.set(keys.user(id), {
        ...((await database.get(keys.user(id))) as object),
        keptLinks,
        authors,
      });
    const [padKey = ''] = (await database.findKeys('mypads:pad:*', null)).sort();
    const pad = { ...((await database.get(padKey)) as PadRecord), people: { [twin]: 'writer' } };
    const group = { _id: 'thrown', name: 'Thrown', admins: [twin], users: [], readers: [one], pads: [] };
    const deleted = { at: Date.now(), by: twin };
    await database.set(keys.deleteGroup('thrown'), { _id: 'thrown', trashed: { ...deleted, record: group } });
    await database.set(keys.deletePad(pad._id), { pad: pad._id, trashed: { ...deleted, record: pad } });
    await database.remove(padKey);
    await repair();
    const kept = (await database.get(keys.user(one))) as UserRecord;
    expect(kept.keptLinks?.map(({ _id }) => _id)).to.deep.equal(['l1', 'l2']);
    expect(kept.authors).to.have.members(['a.one', 'a.twin']);
    const trashedGroup = readTrashedGroup(await database.get(keys.deleteGroup('thrown')));
    expect(trashedGroup).to.deep.include({ by: one });
    expect(trashedGroup?.record).to.deep.include({ admins: [one] });
    const trashedPad = readTrashedPad(await database.get(keys.deletePad(pad._id)));
    expect(trashedPad).to.deep.include({ by: one });
    expect(trashedPad?.record.people).to.deep.equal({ [one]: 'writer' });
  });

  it('does not merge two accounts with one login when their addresses differ', async () => {
    const frank = (await ports.database.get(keys.user('frank-vs8gdak'))) as UserRecord;
    await ports.database.set(keys.user('frank-2'), { ...frank, _id: 'frank-2', email: 'other@example.org' });
    await repair();
    expect(await ports.database.get(keys.user('frank-2'))).to.include({ email: 'other@example.org' });
    expect(counts(await doctor.examine())).to.deep.equal({ sharedLogin: 1 });
  });

  it('keeps a group whose people are all missing, and says so', async () => {
    const lonely = { _id: 'lonely', name: 'Lonely', admins: ['gone'], users: [], pads: [] };
    await ports.database.set(keys.group('lonely'), lonely);
    await repair();
    expect(await ports.database.get(keys.group('lonely'))).to.deep.equal(lonely);
    expect(counts(await doctor.examine())).to.deep.equal({ ownerless: 1 });
  });

  it('removes pads that nobody can reach only when told to, and then all of them', async () => {
    await makeOrphans(ports.database);
    await repair();
    const report = await doctor.examine();
    expect(report.numbers.orphans).to.equal(2);
    expect(report.findings.every(({ kind }) => orphanKinds.has(kind))).to.equal(true);
    await repair(true);
    expect((await doctor.examine()).findings).to.deep.equal([]);
    const left = [...(await everything()).keys()].filter((key) => key.includes('orphan'));
    expect(left).to.deep.equal([]);
    expect(kept.get('pad:orphan-2:revs:1')).to.deep.equal({ changeset: 'Z:1>0$' });
  });

  it('removes Etherpad’s own pads only where these are switched off, and when told to', async () => {
    const { database } = ports;
    expect((await doctor.examine()).numbers.orphans).to.equal(0);
    await database.set(keys.conf('allowEtherPads'), false);
    expect((await doctor.examine()).numbers.orphans).to.equal(1);
    await repair();
    expect(await database.get('pad:open-notes')).to.be.an('object');
    await repair(true);
    expect(await database.findKeys('pad:open-notes*', null)).to.deep.equal([]);
    expect(await database.get('pad:welcome-z414gdv4')).to.be.an('object');
  });

  it('ends the sessions that a new password would not end, and no others', async () => {
    const { database } = ports;
    const session = { created: Date.now(), lastSeen: Date.now(), browser: '', unlocked: {} };
    const people = [
      ['listed', 'user', 'bob-vc3gd6c'],
      ['unlisted', 'user', 'bob-vc3gd6c'],
      ['listedAdmin', 'admin', 'root'],
      ['unlistedAdmin', 'admin', 'root'],
      ['nobody', 'admin', null],
      ['guest', 'guest', ''],
    ] as const;
    for (const [_id, kind, owner] of people)
      await database.set(keys.session(_id), { ...session, _id, kind, owner });
    await database.set(keys.sessionsOf('user', 'bob-vc3gd6c'), { ids: ['listed'] });
    await database.set(keys.sessionsOf('admin', 'root'), { ids: ['listedAdmin'] });
    const provider = 'https://id.example.org';
    await database.set(keys.sessionsOfSid(provider, 'there'), { ids: ['listed', 'gone'] });
    await database.set(keys.sessionsOfSid(provider, 'gone'), { ids: ['gone'] });
    expect(counts(await doctor.examine())).to.include({ unlistedSessions: 2, expiredSessions: 3 });
    await repair();
    expect(await database.get(keys.sessionsOfSid(provider, 'there'))).to.deep.equal({ ids: ['listed'] });
    expect((await database.get(keys.sessionsOfSid(provider, 'gone'))) ?? undefined).to.equal(undefined);
    const left = (await database.findKeys(keys.session('*'), null)).map((key) => key.split(':').at(-1));
    expect(left).to.have.members(['listed', 'listedAdmin', 'guest']);
    expect(await database.get(keys.sessionsOf('user', 'bob-vc3gd6c'))).to.deep.equal({ ids: ['listed'] });
  });

  it('keeps pads that wait for their removal, and counts them', async () => {
    await ports.database.set(keys.deletePad('gone-pad'), 'gone-pad');
    await ports.database.set('pad:gone-pad:revs:0', {});
    await repair();
    expect(await ports.database.get('pad:gone-pad:revs:0')).to.deep.equal({});
    expect((await doctor.examine()).waiting).to.equal(1);
  });

  it('lets the next start continue interrupted removals, and keeps the record of a pad that may be replaced', async () => {
    const { database } = ports;
    const record = await database.get(keys.pad('devoirs-y7ygd3p'));
    await database.set(keys.pendingJobs, { searched: true });
    const long = `${'minutes-of-'.repeat(6)}may-x1`;
    for (const id of ['imported', long]) await database.set(keys.deletePad('') + id, id);
    await database.set(keys.deletePad('back'), { pad: 'back', vanished: { record, since: 1 } });
    await database.set(keys.deleteGroup('old'), { _id: 'old', pads: [], people: [] });
    const before = await doctor.examine();
    const lost = before.findings.filter(({ kind }) => kind === 'lostRemovals');
    expect(lost.map(({ of }) => of)).to.have.members(['imported', long, 'back', 'old']);
    expect(before.waiting, 'those that the next start continues').to.equal(0);
    await repair();
    expect(await database.get(keys.pendingJobs)).to.deep.equal({
      searched: true,
      pads: ['imported', long],
      vanished: ['back'],
      groups: ['old'],
    });
    expect(await database.get(keys.deletePad(long)), 'where the server looks for it').to.not.equal(undefined);
    expect(await doctor.examine()).to.deep.include({ findings: [], waiting: 3 });
  });

  it('finds no damage in the links of a pad that may return', async () => {
    const model = await createModel(ports);
    await model.users.ready;
    const person = { login: 'ada', email: 'ada@example.org', password: 'long enough', active: true };
    const ada = await model.users.register(person);
    const { _id: group } = await model.groups.create(ada._id, { name: 'Kept' });
    const { _id: pad } = await model.pads.create(group, { name: 'Removed by Etherpad' });
    const { _id: link } = await model.groups.createLink(group, { pad }, ada._id);
    await ports.pads.remove(pad, {});
    const noticed = model.removals.padVanished(pad);
    await until('it is to be checked', () => ports.schedule.isPlanned('check vanished pad'));
    ports.schedule.run('check vanished pad');
    await noticed;
    await model.close();
    expect(await ports.database.get(keys.link(link))).to.not.equal(undefined);
    expect(counts(await doctor.examine()).lostLinks).to.equal(undefined);
  });

  it('leaves a pad on its way into the trash in its folder, with the invitations to it', async () => {
    const { database } = ports;
    const pad = 'devoirs-y7ygd3p';
    const record = (await database.get(keys.pad(pad))) as PadRecord;
    const folder = keys.group(record.group);
    const group = (await database.get(folder)) as GroupRecord;
    const invitation = { _id: 'i'.repeat(32), address: 'zoe@example.org', seed: 's', role: 'users', pad };
    const made = { created: Date.now(), expires: Date.now() + 3600_000, mail: 'sent' };
    await database.set(folder, { ...group, invitations: [{ ...invitation, ...made }] });
    await database.set(keys.invitation(invitation._id), { group: group._id, pad, created: made.created });
    const facts = { at: Date.now(), by: null };
    await database.set(keys.deletePad(pad), { pad, trashed: { ...facts, record } });
    const times = { begun: facts.at, next: facts.at, attempts: 0 };
    await database.set(keys.jobs, { job: { type: 'trashPad', facts: { ...facts, pad }, ...times } });
    await repair();
    const after = (await database.get(folder)) as GroupRecord;
    expect(after.pads).to.include(pad);
    expect(await database.get(keys.invitation(invitation._id))).to.include({ pad });
  });

  it('does not report the removals of a database of 1.x, because the first start finds them', async () => {
    await ports.database.set(keys.deletePad('old'), 'old');
    const report = await doctor.examine();
    expect([counts(report).lostRemovals, report.waiting]).to.deep.equal([undefined, 1]);
  });

  it('takes a setting of the settings file instead of that in the database', async () => {
    const { database } = ports;
    const parts = { database, storedPads: createStoredPads, now: Date.now };
    const presetTo = async (presets: Record<string, unknown>) =>
      counts(await createDoctor({ ...parts, presets }).examine());
    await makeOrphans(database);
    await database.set(keys.conf('allowEtherPads'), false);
    const foreign = counts(await doctor.examine()).foreignPads;
    expect(foreign).to.be.greaterThan(0);
    // Otherwise `--orphans` would remove pads that people can open.
    expect((await presetTo({ allowEtherPads: true })).foreignPads).to.equal(undefined);
    expect((await presetTo({ allowEtherPads: 'perhaps' })).foreignPads).to.equal(foreign);
    await database.set(keys.conf('allowEtherPads'), true);
    expect((await presetTo({ allowEtherPads: false })).foreignPads).to.equal(foreign);
  });

  it('does not miss passwords of people who sign in at a directory or a sign-on server', async () => {
    const { database } = ports;
    const [key = ''] = await database.findKeys('mypads:user:*', null);
    const user = (await database.get(key)) as UserRecord;
    await database.set(key, { ...user, password: null });
    expect(counts(await doctor.examine()).noPassword).to.equal(1);
    for (const method of ['ldap', 'cas']) {
      await database.set(keys.conf('authMethod'), method);
      expect(counts(await doctor.examine()).noPassword, method).to.equal(undefined);
    }
  });

  it('removes invalid settings, and only reports settings that contradict each other', async () => {
    const { database } = ports;
    await database.set(keys.conf('tokenDuration'), 'soon');
    await database.set(keys.conf('SMTPPort'), '587');
    await database.set(keys.conf('passwordMin'), 50);
    await database.set(keys.conf('passwordMax'), 40);
    await database.set(keys.conf('authMethod'), 'ldap');
    await database.set(keys.conf('authLdapSettings'), {
      url: 'ldap://example.org',
      bindCredentials: 'a secret',
      searchBase: 'o=x',
      searchFilter: '(uid=somebody)',
    });
    const { findings } = await doctor.examine();
    const about = findings.filter(
      ({ kind }) => kind === 'unusableSettings' || kind === 'contradictorySettings',
    );
    expect(about.map(({ kind, of }) => [kind, of])).to.deep.equal([
      ['unusableSettings', 'tokenDuration'],
      ['contradictorySettings', 'passwordMax'],
      ['contradictorySettings', 'authLdapSettings'],
    ]);
    expect(JSON.stringify(findings)).to.not.include('a secret');
    await repair();
    expect((await database.get(keys.conf('tokenDuration'))) ?? undefined).to.equal(undefined);
    expect(kept.get(keys.conf('tokenDuration'))).to.equal('soon');
    expect(await database.get(keys.conf('SMTPPort'))).to.equal('587');
    expect(counts(await doctor.examine())).to.deep.equal({ contradictorySettings: 2 });
  });
});
