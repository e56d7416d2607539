import { expect } from 'chai';
import type { Group, Pad } from '../../api/answers';
import type { ExportAnswer } from '../../api/export/schema';
import { exportLimits } from '../../model/limits';
import type { PadRecord } from '../../model/store/entities';
import { keys } from '../../model/store/store';
import { startApp, useTestAppForEach } from '../support/app';
import { type Call, callerOf, encodePassword } from '../support/caller';
import { checkEach } from '../support/cases';
import {
  beginExport,
  download,
  endOfExport,
  makeExport,
  readExport,
  readMade,
  untilExportIsGone,
} from '../support/exports';
import { buildApiToken, buildGroup, buildPad, buildUser, signIn, signInAsAdmin } from '../support/factories';
import { inProcessOnly } from '../support/network';
import { usePeople, usePerson } from '../support/people';

const hour = 3_600_000;

// The texts of pads are written into the database of the tests; test/host/exports.test.ts has those of a real Etherpad.
inProcessOnly.describe('exports', () => {
  const people = usePeople();
  const { alice, bob, carol, asAlice, asBob, asCarol, asRoot, asGuest, buildShared } = people;

  const write = async (pad: Pad, text: string): Promise<void> => {
    const { database } = people.app.ports;
    const stored = (await database.get(`pad:${pad._id}`)) as object;
    await database.set(`pad:${pad._id}`, { ...stored, text });
  };
  async function buildWritten(group: Pick<Group, '_id'>, name: string, fields: object = {}): Promise<Pad> {
    const pad = await buildPad(people.app, alice, group, { name, ...fields });
    await write(pad, `text of ${name}\n`);
    return pad;
  }
  const withoutAccess = async (): Promise<Call> => callerOf(people.app, (await buildUser(people.app)).token);
  /** Holds an export back while it reads this pad. */
  const hold = (pad: Pad) => people.app.inject({ fault: 'block', calls: ['get'], keys: `pad:${pad._id}` });
  const release = () => people.app.inject({ fault: 'none' });
  afterEach(release);
  const namesIn = ({ index }: Awaited<ReturnType<typeof makeExport>>): string[] =>
    index.folders.flatMap(({ pads }) => pads.map(({ name }) => name)).sort();

  it('have the texts of a folder in the formats that were asked for, and say what is in it', async () => {
    const group = await buildShared({
      name: 'Class 5b',
      description: 'For <parents>',
      tags: ['school'],
      readers: [carol.id],
    });
    const pad = await buildWritten(group, 'Minutes & more');
    await asAlice('put', `pad/${pad._id}`, { template: true }).expect(200);
    const { index, files, text, answer } = await makeExport(asAlice, {
      group: group._id,
      formats: ['text', 'html'],
    });
    expect([...files.keys()]).to.have.members([
      'index.json',
      'index.html',
      'Class 5b/Minutes & more.txt',
      'Class 5b/Minutes & more.html',
    ]);
    expect(text('Class 5b/Minutes & more.txt')).to.equal('text of Minutes & more\n');
    expect(index).to.deep.include({ format: 'ep_mypads', version: 1, createdBy: alice.login, leftOut: [] });
    expect(index.server).to.match(/^127\.0\.0\.1:\d+$/);
    const [folder] = index.folders;
    expect(folder).to.deep.include({
      name: 'Class 5b',
      description: 'For <parents>',
      tags: ['school'],
      visibility: 'restricted',
      path: 'Class 5b',
    });
    expect(folder?.people).to.deep.equal([
      { username: alice.login, name: '', role: 'manager' },
      { username: bob.login, name: '', role: 'writer' },
      { username: carol.login, name: '', role: 'reader' },
    ]);
    expect(folder?.pads[0]).to.deep.include({
      name: 'Minutes & more',
      createdAt: new Date(pad.ctime).toISOString(),
      template: true,
      files: { text: 'Class 5b/Minutes & more.txt', html: 'Class 5b/Minutes & more.html' },
    });
    const page = text('index.html');
    expect(page).to.include('For &lt;parents&gt;').and.include('Class%205b/Minutes%20%26%20more.txt');
    expect(page).to.not.match(/<script|<parents>|https?:/);
    expect(answer).to.deep.include({ about: 'group', name: 'Class 5b', pads: 1, leftOut: 0 });
    expect(answer.until).to.be.greaterThan(people.app.ports.now() + 23 * hour);
  });

  it('say of a pad without a time, as 1.x has left it, no year 1970', async () => {
    const group = await buildShared();
    const pad = await buildWritten(group, 'Minutes');
    const { store } = people.app.model;
    const { ctime: _, lastUpdate: __, ...old } = (await store.get<PadRecord>(keys.pad(pad._id))) as PadRecord;
    await store.set(keys.pad(pad._id), old);
    const { index, text } = await makeExport(asAlice, { group: group._id });
    const [exported] = index.folders[0]?.pads ?? [];
    expect(exported?.name).to.equal('Minutes');
    expect(exported).not.to.have.property('createdAt');
    expect(text('index.html')).not.to.include('1970');
  });

  it('are for everyone who may read, with the people of the folder for its managers only', async () => {
    const group = await buildShared({ readers: [carol.id] });
    const pad = await buildWritten(group, 'Minutes');
    const other = await withoutAccess();
    const read = callerOf(people.app, await buildApiToken(people.app, alice, { scopes: ['read', 'write'] }));
    const actors: Record<string, { call: Call; status: number; seesPeople?: boolean }> = {
      manager: { call: asAlice, status: 200, seesPeople: true },
      writer: { call: asBob, status: 200, seesPeople: false },
      reader: { call: asCarol, status: 200, seesPeople: false },
      other: { call: other, status: 401 },
      guest: { call: asGuest, status: 401 },
      'server administrator': { call: asRoot, status: 401 },
      'API token': { call: read, status: 403 },
    };
    await checkEach(actors, async ({ call, status, seesPeople }) => {
      for (const body of [{ group: group._id }, { pads: [pad._id] }]) {
        if (status !== 200) {
          expect((await call('post', 'exports', body)).status).to.equal(status);
          continue;
        }
        const made = await makeExport(call, { ...body, formats: ['text'] });
        expect(namesIn(made)).to.deep.equal(['Minutes']);
        expect(made.index.folders[0]?.people !== undefined).to.equal(seesPeople);
      }
    });
  });

  it('have of a folder what the person may open: not what is locked for them, nor what is in the trash', async () => {
    const group = await buildShared({ visibility: 'public' });
    await buildWritten(group, 'Open');
    await buildWritten(group, 'Locked', { visibility: 'private', password: 'a password' });
    await buildWritten(group, 'Restricted', { visibility: 'restricted' });
    const gone = await buildWritten(group, 'Gone');
    await asAlice('delete', `pad/${gone._id}`).expect(200);
    const member = await makeExport(asBob, { group: group._id, formats: ['text'] });
    expect(namesIn(member)).to.deep.equal(['Open', 'Restricted']);
    expect(member.index.leftOut).to.deep.equal([{ name: 'Locked', reason: 'locked' }]);
  });

  it('are of a folder for its people only; of pads for everyone who may open them', async () => {
    const group = await buildShared({ visibility: 'public' });
    const pads = [(await buildWritten(group, 'Open'))._id];
    const other = await withoutAccess();
    const { status, body } = await other('post', 'exports', { group: group._id });
    const refusal = { error: 'BACKEND.ERROR.AUTHENTICATION.DENIED_RECORD', key: group._id };
    expect([status, body]).to.deep.equal([401, refusal]);
    expect(namesIn(await makeExport(other, { pads, formats: ['text'] }))).to.deep.equal(['Open']);
  });

  it('name no pad that the person lost after they asked', async () => {
    const group = await buildShared({ visibility: 'public' });
    await hold(await buildWritten(group, 'Open'));
    await buildWritten(group, 'Restricted', { visibility: 'restricted' });
    await buildWritten(group, 'Locked', { visibility: 'private', password: 'a password' });
    const id = await beginExport(asBob, { group: group._id, formats: ['text'] });
    await asAlice('delete', `group/${group._id}/members/${bob.login}`).expect(200);
    await release();
    const made = await readMade(asBob, id);
    expect(namesIn(made)).to.deep.equal(['Open']);
    expect(made.index.leftOut.map(({ name }) => name)).to.deep.equal([undefined, undefined]);
    expect(made.text('index.html')).to.not.include('Restricted</').and.not.include('Locked');
  });

  it('are of pads by their own ids, not by a read-only id, which is to hide that of the pad', async () => {
    let pad: Pad | undefined;
    const app = await startApp({ padOfReadOnlyId: async (id) => (id === 'r.shown' ? pad?._id : undefined) });
    try {
      const owner = await buildUser(app);
      pad = await buildPad(app, owner, await buildGroup(app, owner, { visibility: 'public' }));
      const call = callerOf(app, (await buildUser(app)).token);
      expect((await call('get', 'pad/r.shown')).body.value).to.include({ _id: 'r.shown' });
      for (const pads of [['r.shown'], [pad._id, 'r.shown'], ['r.unknown']]) {
        const { status, body } = await call('post', 'exports', { pads, formats: ['etherpad'] });
        const refusal = { error: 'BACKEND.ERROR.CONFIGURATION.KEY_NOT_FOUND', key: pads.at(-1) };
        expect([status, body]).to.deep.equal([404, refusal]);
      }
    } finally {
      await app.close();
    }
  });

  it('open the pads of a locked folder for who has proved its password, until it changes', async () => {
    const group = await buildShared({ visibility: 'private', password: 'a password' });
    const pad = await buildWritten(group, 'Minutes');
    const call = await withoutAccess();
    expect((await call('post', 'exports', { pads: [pad._id] })).body.error).to.equal(
      'BACKEND.ERROR.TYPE.PASSWORD_MISSING',
    );
    await call('get', `group/${group._id}?password=${encodePassword('a password')}`).expect(200);
    expect(namesIn(await makeExport(call, { pads: [pad._id], formats: ['text'] }))).to.deep.equal([
      'Minutes',
    ]);
    await hold(pad);
    const id = await beginExport(call, { pads: [pad._id], formats: ['text'] });
    await asAlice('put', `group/${group._id}`, { password: 'another' }).expect(200);
    await release();
    expect(await endOfExport(call, id)).to.deep.include({ state: 'ready', pads: 0, leftOut: 1 });
  });

  it('do not say more about what somebody may not open than that it does not exist', async () => {
    const pad = await buildWritten(await buildShared(), 'Secret');
    const call = await withoutAccess();
    const denied = await call('post', 'exports', { pads: [pad._id] });
    expect(denied.body).to.deep.equal((await call('get', `pad/${pad._id}`)).body);
    expect((await call('post', 'exports', { pads: ['unknown'] })).status).to.equal(404);
    expect((await call('post', 'exports', { group: 'unknown' })).status).to.equal(404);
    const wrong = [
      {},
      { me: true, pads: [pad._id] },
      { me: false },
      { pads: [] },
      { formats: ['pdf'], me: true },
      { formats: ['text', 'text', 'html', 'etherpad'], me: true },
    ];
    for (const body of wrong) expect((await call('post', 'exports', body)).status).to.equal(400);
    expect((await call('post', 'exports', { user: alice.login })).body.error).to.equal(
      'BACKEND.ERROR.AUTHENTICATION.ADMIN',
    );
  });

  it('leave out a pad whose right is lost before it is read, and say so', async () => {
    const group = await buildShared();
    const [first, second] = [await buildWritten(group, 'One'), await buildWritten(group, 'Two')];
    await hold(first);
    const id = await beginExport(asBob, { pads: [first._id, second._id], formats: ['text'] });
    await asAlice('delete', `group/${group._id}/members/${bob.login}`).expect(200);
    await release();
    expect(await endOfExport(asBob, id)).to.deep.include({ state: 'ready', pads: 0, leftOut: 2 });
    const archive = await download(asBob, id);
    expect(archive.includes('text of')).to.equal(false);
  });

  it('belong to who has asked: nobody else sees, downloads or deletes one', async () => {
    const group = await buildShared();
    await buildWritten(group, 'Minutes');
    const { id } = await makeExport(asAlice, { group: group._id });
    const other = await signIn(people.app, alice.login, alice.password);
    const actors = {
      'another member': asBob,
      'server administrator': asRoot,
      other: await withoutAccess(),
    };
    await checkEach(actors, async (call) => {
      for (const [method, path] of [
        ['get', `exports/${id}`],
        ['get', `exports/${id}/file`],
        ['delete', `exports/${id}`],
      ] as const)
        expect((await call(method, path)).status, path).to.equal(404);
      const own = (await call('get', 'exports').expect(200)).body.value;
      expect(own.map(({ _id }: ExportAnswer) => _id)).to.not.include(id);
    });
    expect((await asGuest('get', `exports/${id}/file`)).status).to.equal(401);
    // The same person in another browser.
    const again = callerOf(people.app, other.token);
    expect((await download(again, id)).length).to.be.greaterThan(100);
    await again('delete', `exports/${id}`).expect(200, { success: true, key: id });
    expect((await asAlice('get', `exports/${id}/file`)).status).to.equal(404);
  });

  it('are one at a time for each person, and can be cancelled', async () => {
    const group = await buildShared();
    const pad = await buildWritten(group, 'Minutes');
    await hold(pad);
    const id = await beginExport(asBob, { group: group._id });
    expect(await readExport(asBob, id)).to.deep.include({ state: 'working' });
    const early = await asBob('get', `exports/${id}/file`);
    expect(early.body).to.deep.equal({ error: 'BACKEND.ERROR.SERVER.BUSY', retryAfter: 3 });
    expect(early.headers['retry-after']).to.equal('3');
    const second = await asBob('post', 'exports', { group: group._id });
    expect(second.body).to.deep.include({ error: 'BACKEND.ERROR.EXPORT.RUNNING' });
    const others = await beginExport(asAlice, { me: true });
    await asBob('delete', `exports/${id}`).expect(200);
    await release();
    expect((await asBob('get', `exports/${id}`)).status).to.equal(404);
    await people.app.idle();
    const left = (await asBob('get', 'exports').expect(200)).body.value;
    expect(left.map(({ _id }: ExportAnswer) => _id)).to.not.include(id);
    expect((await endOfExport(asAlice, others)).state).to.equal('ready');
    const both = await Promise.all([1, 2].map(() => asBob('post', 'exports', { group: group._id })));
    expect(both.map(({ status }) => status).sort()).to.deep.equal([200, 409]);
  });

  describe('with a server of their own', () => {
    const app = useTestAppForEach();
    const { user: person, call } = usePerson(app, beforeEach);

    it('end after a day', async () => {
      const { id } = await makeExport(call, { me: true });
      app.ports.advance(23.9 * hour);
      await call('get', `exports/${id}/file`).expect(200);
      app.ports.advance(0.2 * hour);
      expect((await call('get', `exports/${id}`)).status).to.equal(404);
      expect((await call('get', `exports/${id}/file`)).status).to.equal(404);
      app.ports.schedule.run('remove files of exports');
      await untilExportIsGone(app, id);
      await app.model.jobs.runNow('removeExports');
      expect(await app.model.store.get(keys.exportsOf('user', person.id))).to.equal(undefined);
    });

    it('are made again after a restart, with the rights of then', async () => {
      const group = await buildGroup(app, person, { name: 'Class' });
      const pad = await buildPad(app, person, group, { name: 'Minutes' });
      const { id } = await makeExport(call, { group: group._id, formats: ['text'] });
      await app.restart();
      expect(await readExport(call, id)).to.deep.include({ state: 'ready' });
      await call('delete', `pad/${pad._id}`).expect(200);
      const archive = await download(call, id);
      expect(archive.includes('Minutes.txt')).to.equal(false);
    });
  });

  it('are of no use to a closed account, and end with a deleted one', async () => {
    const user = await buildUser(people.app);
    const call = callerOf(people.app, user.token);
    const { id } = await makeExport(call, { me: true });
    const group = await buildGroup(people.app, user);
    const pad = await buildPad(people.app, user, group);
    await hold(pad);
    const open = await beginExport(call, { group: group._id });
    const path = `user/${user.login}`;
    await asRoot('put', path, { active: false }).expect(200);
    await release();
    await people.app.idle();
    expect((await call('get', `exports/${id}/file`)).status).to.equal(401);
    await asRoot('put', path, { active: true }).expect(200);
    const again = callerOf(people.app, (await signIn(people.app, user.login, user.password)).token);
    expect(await readExport(again, open)).to.deep.include({
      state: 'failed',
      error: 'BACKEND.ERROR.AUTHENTICATION.DENIED',
    });
    const aboutThem = await makeExport(asRoot, { user: user.login });
    await asRoot('delete', path).expect(200);
    await people.app.idle();
    expect(await people.app.model.store.get(keys.exportsOf('user', user.id))).to.equal(undefined);
    expect((await asRoot('get', `exports/${aboutThem.id}`)).status).to.equal(404);
    for (const one of [id, aboutThem.id]) await untilExportIsGone(people.app, one);
  });

  it('have no more pads than an export may have, and name the others', async () => {
    const group = await buildShared();
    for (const name of ['One', 'Two', 'Three']) await buildWritten(group, name);
    const limits: { pads: number } = exportLimits;
    const { pads } = limits;
    limits.pads = 2;
    try {
      const made = await makeExport(asAlice, { group: group._id, formats: ['text'] });
      const names = [...namesIn(made), ...made.index.leftOut.map(({ name }) => name)];
      expect(namesIn(made)).to.have.length(2);
      expect(names).to.have.members(['One', 'Two', 'Three']);
      expect(made.index.leftOut.map(({ reason }) => reason)).to.deep.equal(['tooMany']);
    } finally {
      limits.pads = pads;
    }
  });

  it('have what can be read of a pad, and name the formats that cannot', async () => {
    const { padReader } = people.app.ports;
    const { read } = padReader;
    let isDeleted = false;
    padReader.read = async (id) => {
      const pad = await read(id);
      return (
        pad && {
          ...pad,
          // biome-ignore lint/correctness/useYield: it fails before its first piece
          async *etherpad() {
            if (isDeleted) await asAlice('delete', `pad/${id}`).expect(200);
            throw new Error('no record');
          },
        }
      );
    };
    try {
      const pad = await buildWritten(await buildShared(), 'Minutes');
      const made = await makeExport(asAlice, { pads: [pad._id] });
      expect(namesIn(made)).to.deep.equal(['Minutes']);
      expect(made.index.leftOut).to.deep.equal([{ name: 'Minutes.etherpad', reason: 'failed' }]);
      const nothing = await makeExport(asAlice, { pads: [pad._id], formats: ['etherpad'] });
      expect(nothing.index.leftOut).to.deep.equal([{ name: 'Minutes', reason: 'failed' }]);
      isDeleted = true;
      const deleted = await makeExport(asAlice, { pads: [pad._id], formats: ['etherpad'] });
      expect(deleted.index.leftOut).to.deep.equal([{ name: 'Minutes', reason: 'missing' }]);
    } finally {
      padReader.read = read;
    }
  });

  it('have names that work on every system, also for pads with the same name', async () => {
    const group = await buildShared({ name: '../../etc' });
    const names = [
      '../../passwd',
      'NUL',
      'minutes',
      'Minutes',
      'Minutes ',
      '\u{1F600}',
      'a/b\\c:d',
      '...',
      'caf\u00e9',
    ];
    for (const name of names) await buildWritten(group, name);
    const second = await buildShared({ name: 'index.html' });
    const pad = await buildWritten(second, 'Minutes');
    const made = await makeExport(asAlice, { group: group._id });
    const paths = [...made.files.keys()];
    expect(new Set(paths.map((path) => path.toLowerCase().normalize('NFKD'))).size).to.equal(paths.length);
    for (const path of paths) {
      expect(path, path).to.match(/^(index\.(json|html)|etc\/[^/\\:*?"<>|]+\.(txt|html|etherpad))$/);
      expect(path, path).to.not.match(/(^|\/)\.|[. ]($|\/)|(^|\/)(nul|con)(\.|$)/i);
    }
    expect(namesIn(made)).to.have.length(names.length);
    for (const { files } of made.index.folders[0]?.pads ?? [])
      for (const path of Object.values(files)) expect(made.files.has(path), path).to.equal(true);
    const other = await makeExport(asAlice, { pads: [pad._id], formats: ['text'] });
    expect(other.index.folders[0]?.path).to.equal('index.html (2)');
  });

  it('have the chat only if it is asked for', async () => {
    const group = await buildShared({ name: 'Class' });
    const pad = await buildWritten(group, 'Minutes');
    const { database } = people.app.ports;
    const stored = (await database.get(`pad:${pad._id}`)) as object;
    await database.set(`pad:${pad._id}`, { ...stored, chatHead: 2 });
    const message = (author: string, text: string) => ({
      author,
      name: author,
      text,
      time: Date.UTC(2026, 0, 2, 3, 4),
    });
    await database.set(`pad:${pad._id}:chat:0`, message('a.own', 'mine'));
    await database.set(`pad:${pad._id}:chat:1`, message('a.other', 'by another\nperson'));
    // From a file, or a program that counts in nanoseconds.
    await database.set(`pad:${pad._id}:chat:2`, {
      ...message('a.other', 'later than any date'),
      time: 1.7e18,
    });
    const without = await makeExport(asAlice, { group: group._id });
    expect([...without.files.keys()].some((path) => path.includes('chat'))).to.equal(false);
    expect(without.text('Class/Minutes.etherpad')).to.include('"chatHead":-1');
    const whole = await makeExport(asAlice, { group: group._id, chat: true });
    const chat = whole.text(whole.index.folders[0]?.pads[0]?.files.chat ?? '');
    expect(chat)
      .to.match(/^\[.*2026.*03:04.*UTC\] a\.own: mine\n/)
      .and.include('by another\n    person\n')
      .and.include('later than any date');
    expect(whole.text('Class/Minutes.etherpad')).to.include('"chatHead":2');
  });

  describe('of all data of a person', () => {
    /** A person with one of everything, and a pad in which they have written. */
    async function buildKnown() {
      const { app } = people;
      const user = await buildUser(app, { firstname: 'Ada', lastname: 'Lovelace', organization: 'Analysts' });
      const call = callerOf(app, user.token);
      const own = await buildGroup(app, user, { name: 'Own folder' });
      const pad = await buildPad(app, user, own, { name: 'Written by me' });
      await write(pad, 'my own words\n');
      await buildPad(app, user, own, { name: 'Not written in' });
      const foreign = await buildShared({ name: 'Hidden folder' });
      const shared = await buildWritten(foreign, 'Shared pad');
      await asAlice('post', `pad/${shared._id}/people`, {
        loginsOrEmails: [user.login],
        role: 'writer',
      }).expect(200);
      const lost = await buildWritten(foreign, 'Lost pad');
      await call('put', `user/${user.login}`, { hideHelp: true }).expect(200);
      await app.model.users.update(user.id, (record) => ({
        ...record,
        authors: [`a.${user.login}`],
        absent: { since: Date.UTC(2026, 0, 1) },
      }));
      const padIDs = { [pad._id]: 1, [shared._id]: 1, [lost._id]: 1, 'no-pad-of-ours': 1 };
      await app.ports.database.set(`globalAuthor:a.${user.login}`, { name: 'Ada', padIDs });
      await call('post', 'usermark', { type: 'pads', key: pad._id }).expect(200);
      await call('post', 'userlist', { name: 'Friends', loginsOrEmails: [bob.login] }).expect(200);
      const token = await buildApiToken(app, user, { name: 'Program' });
      return { user, call, pad, shared, token };
    }
    type Known = Awaited<ReturnType<typeof buildKnown>>;

    function expectComplete({ user, token }: Known, made: Awaited<ReturnType<typeof makeExport>>): void {
      const data = JSON.parse(made.text('me.json'));
      expect(data.account).to.deep.include({
        username: user.login,
        email: user.email,
        firstName: 'Ada',
        lastName: 'Lovelace',
        organization: 'Analysts',
        hidesHints: true,
        notInDirectorySince: '2026-01-01T00:00:00.000Z',
      });
      expect(data.folders).to.deep.equal([{ name: 'Own folder', role: 'manager' }]);
      expect(data.sharedPads).to.deep.equal([{ name: 'Shared pad', role: 'writer' }]);
      expect(data.bookmarks).to.deep.equal({ folders: [], pads: ['Written by me'] });
      expect(data.peopleLists).to.deep.equal([{ name: 'Friends', people: [{ username: bob.login }] }]);
      expect(data.apiTokens[0]).to.deep.include({ name: 'Program', lastFour: token.slice(-4) });
      expect(data.sessions[0].created).to.match(/^\d{4}-/);
      expect(data.secondFactors).to.deep.include({ authenticatorApp: false, passkeys: [] });
      const all = [...made.files.values()].map(String).join('\n');
      // test/support/leaks.ts searches the file for all secrets of the database too.
      for (const secret of [token, user.token, user.password]) expect(all.includes(secret)).to.equal(false);
      expect(namesIn(made)).to.deep.equal(['Shared pad', 'Written by me']);
      expect(made.text('Own folder/Written by me.txt')).to.equal('my own words\n');
      // Of the folder of the pad that is shared alone, they do not even know the name.
      expect(all).to.not.include('Hidden folder').and.not.include('Lost pad');
      expect(made.index.leftOut).to.deep.equal([{ reason: 'noAccess' }, { reason: 'missing' }]);
    }

    it('has their account, what belongs to it, and the pads in which they have written', async () => {
      const known = await buildKnown();
      const made = await makeExport(known.call, { me: true });
      expectComplete(known, made);
      expect(made.index.createdBy).to.equal(known.user.login);
      expect(made.answer).to.deep.include({ about: 'account', name: known.user.login });
    });

    it('is the same for a server administrator, and in the activity', async () => {
      const known = await buildKnown();
      const made = await makeExport(asRoot, { user: known.user.login });
      expectComplete(known, made);
      expect(made.index.createdBy).to.equal('root');
      const { entries } = (await asRoot('get', 'admin/log').expect(200)).body;
      expect(entries[0]).to.deep.include({ action: 'dataExported', by: 'root' });
      expect(entries[0].object).to.deep.include({ kind: 'user', id: known.user.id });
      expect((await known.call('get', 'exports').expect(200)).body.value).to.deep.equal([]);
      expect((await asRoot('post', 'exports', { user: 'nobody' })).status).to.equal(404);
      expect((await asRoot('post', 'exports', { me: true })).status).to.equal(401);
    });

    it('has what they wrote in chats, also in 1.x, and what others wrote only if it is asked for', async () => {
      const { user, call, pad } = await buildKnown();
      const { database } = people.app.ports;
      await database.set('token2author:t.old', 'a.old');
      await people.app.model.users.update(user.id, (record) => ({ ...record, eplAuthorToken: 't.old' }));
      const stored = (await database.get(`pad:${pad._id}`)) as object;
      await database.set(`pad:${pad._id}`, { ...stored, chatHead: 2 });
      for (const [number, author] of [`a.${user.login}`, 'a.other', 'a.old'].entries())
        await database.set(`pad:${pad._id}:chat:${number}`, {
          author,
          name: author,
          text: `by ${author}`,
          time: 0,
        });
      const own = await makeExport(call, { me: true, formats: ['text'] });
      expect(own.text('Own folder/Written by me.chat.txt'))
        .to.include(`by a.${user.login}`)
        .and.include('by a.old')
        .and.not.include('a.other');
      expect(JSON.parse(own.text('me.json')).account.authorsInEtherpad).to.deep.equal([
        `a.${user.login}`,
        'a.old',
      ]);
      const whole = await makeExport(call, { me: true, formats: ['text'], chat: true });
      expect(whole.text('Own folder/Written by me.chat.txt')).to.include('by a.other');
    });

    it('ends with the session of the administrator, whose name alone does not give it to another one', async () => {
      const user = await buildUser(people.app);
      const first = callerOf(people.app, await signInAsAdmin(people.app));
      const { id } = await makeExport(first, { user: user.login });
      await first('post', 'auth/admin/logout').expect(200);
      expect((await first('get', `exports/${id}/file`)).status).to.equal(401);
      // An account may have the name of an administrator.
      const named = await buildUser(people.app, { login: 'root' });
      expect((await callerOf(people.app, named.token)('get', `exports/${id}`)).status).to.equal(404);
    });
  });
});
