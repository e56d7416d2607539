/** The trash: what is deleted can be restored with everything that belonged to it, by those who manage it. */
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import type { Group, Pad } from '../../api/answers';
import type { TrashedAnswer } from '../../api/trash/schema';
import type { JobList } from '../../model/jobs/jobList';
import { keys } from '../../model/store/store';
import { type Call, callerOf, encodePassword, snapshot } from '../support/caller';
import { checkEach } from '../support/cases';
import { buildApiToken, buildGroup, buildPad, buildUser } from '../support/factories';
import { inProcessOnly } from '../support/network';
import { usePeople } from '../support/people';
import { heldWork, succeeds, until } from '../support/waiting';

const day = 24 * 3_600_000;

describe('the trash', () => {
  const people = usePeople();
  const { alice, bob, carol, asAlice, asBob, asCarol, asRoot, asGuest, buildShared, groupRecord } = people;
  afterEach(() => people.app.model.configuration.set('trashDays', 30));

  const listOf = async (call: Call): Promise<TrashedAnswer[]> =>
    (await call('get', 'trash?limit=200').expect(200)).body.entries;
  const entryOf = async (call: Call, id: string) => (await listOf(call)).find(({ _id }) => _id === id);
  const remove = (call: Call, what: 'pad' | 'group', id: string) =>
    call('delete', `${what}/${id}`).expect(200, { success: true, key: id });
  const restore = (call: Call, id: string, body: object = {}) => call('post', `trash/${id}/restore`, body);
  const statusOf = async (answer: PromiseLike<{ status: number }>) => (await answer).status;

  async function runSweep(): Promise<void> {
    await people.app.model.jobs.runNow('emptyTrash');
    await people.app.idle();
  }

  /** A folder of Alice in which Bob writes and Carol reads, and a pad of it. */
  async function build(fields: object = {}): Promise<{ group: Group; pad: Pad }> {
    const group = await buildShared({ name: 'Class 5b', readers: [carol.id], ...fields });
    return { group, pad: await buildPad(people.app, alice, group, { name: 'Minutes' }) };
  }

  /** As a process that was killed after the work and before it took the job off the list. */
  async function leaveJob(type: string, facts: object, name = 'left'): Promise<void> {
    const { database, now } = people.app.ports;
    const list = ((await database.get(keys.jobs)) ?? {}) as JobList;
    const job = { type, facts, begun: now(), next: now(), attempts: 0 };
    await database.set(keys.jobs, { ...list, [`${type}:${name}`]: job });
  }

  it('tells those who restore and delete the same at the same moment what has happened', async () => {
    for (const what of ['pad', 'group'] as const) {
      for (let round = 0; round < 5; round++) {
        const id = (await build())[what]._id;
        await remove(asAlice, what, id);
        const calls = Array.from({ length: 6 }, (_, index) =>
          index % 2 === round % 2 ? restore(asAlice, id) : asAlice('delete', `trash/${id}`),
        );
        const statuses = await Promise.all(calls.map(statusOf));
        await people.app.idle();
        const isBack = (await statusOf(asAlice('get', `${what}/${id}`))) === 200;
        const said = statuses.map((status, index) => (index % 2 === round % 2) === isBack || status === 404);
        expect(said, `${what}: ${statuses}, ${isBack}`).to.deep.equal(Array(6).fill(true));
      }
    }
  });

  inProcessOnly.it(
    'is not changed by work of a killed process that people have undone since then',
    async () => {
      const { group, pad } = await build();
      await remove(asAlice, 'pad', pad._id);
      const { deleted: at } = (await entryOf(asAlice, pad._id)) as TrashedAnswer;
      await leaveJob('trashPad', { pad: pad._id, at, by: alice.id });
      await restore(asAlice, pad._id).expect(200);
      await people.app.model.jobs.resume();
      await people.app.idle();
      expect(await entryOf(asAlice, pad._id), 'restored').to.equal(undefined);
      expect(await statusOf(asBob('get', `pad/${pad._id}`))).to.equal(200);

      await leaveJob('restorePad', { pad: pad._id, group: group._id, at });
      people.app.ports.advance(1_000);
      await remove(asAlice, 'pad', pad._id);
      await people.app.model.jobs.resume();
      await people.app.idle();
      expect((await entryOf(asAlice, pad._id))?._id, 'deleted again').to.equal(pad._id);
      expect(await statusOf(asBob('get', `pad/${pad._id}`))).to.equal(404);
    },
  );

  inProcessOnly.it(
    'deletes a pad that somebody deletes while the next process looks at what a killed one has not begun',
    async () => {
      const { database, now } = people.app.ports;
      const { pad } = await build();
      await leaveJob('trashPad', { pad: pad._id, at: now(), by: alice.id }, pad._id);
      const { get } = database;
      const [reading, next] = [heldWork(), heldWork()];
      database.get = async (key) => {
        const value = await get(key);
        if (key !== keys.deletePad(pad._id)) return value;
        database.get = get;
        reading.release();
        await next.held;
        return value;
      };
      const resumed = people.app.model.jobs.resume();
      await reading.held;
      const deleted = people.app.model.trash.addPad(pad._id, alice.id);
      next.release();
      await Promise.all([resumed, deleted]);
      await people.app.idle();
      expect((await entryOf(asAlice, pad._id))?._id).to.equal(pad._id);
    },
  );

  inProcessOnly.it('keeps a pad whose restore has failed before it began, and was answered so', async () => {
    const { pad } = await build();
    await remove(asAlice, 'pad', pad._id);
    const key = keys.pad(pad._id);
    await people.app.inject({ fault: 'fail', why: 'full', calls: ['set'], keys: key });
    expect(await statusOf(restore(asAlice, pad._id))).to.equal(503);
    await people.app.inject({ fault: 'none' });
    const { store, jobs } = people.app.model;
    // The failed write is rolled back first.
    await until('it can be read', () => succeeds(store.get(key)));
    people.app.ports.advance(60_000);
    await jobs.runDue();
    await people.app.idle();
    expect((await jobs.list()).map(({ type }) => type)).to.not.include('restorePad');
    expect((await entryOf(asAlice, pad._id))?._id).to.equal(pad._id);
    await restore(asAlice, pad._id).expect(200);
  });

  it('says what was deleted, when, by whom and until when, the latest first, in pages', async () => {
    const { group, pad } = await build();
    const other = await buildPad(people.app, alice, group, { name: 'Other' });
    const before = people.app.ports.now();
    await remove(asAlice, 'pad', pad._id);
    people.app.ports.advance(1_000);
    await remove(asRoot, 'pad', other._id);
    const [latest, first] = (await asAlice('get', 'trash?limit=2').expect(200)).body.entries;
    expect(first).to.deep.include({
      _id: pad._id,
      kind: 'pad',
      name: 'Minutes',
      group: { _id: group._id, name: 'Class 5b' },
    });
    expect(first.by).to.deep.include({ _id: alice.id, login: alice.login });
    expect(first.deleted).to.be.within(before, people.app.ports.now());
    expect(first.until).to.equal(first.deleted + 30 * day);
    expect(latest).to.deep.include({ _id: other._id, by: null });
    const { body } = await asAlice('get', 'trash?offset=1&limit=1').expect(200);
    expect(body.entries.map(({ _id }: TrashedAnswer) => _id)).to.deep.equal([pad._id]);
    expect(body.count).to.be.at.least(2);
    await remove(asAlice, 'group', group._id);
    const folder = await entryOf(asAlice, group._id);
    expect(folder).to.deep.include({ kind: 'group', name: 'Class 5b', group: null, padCount: 0 });
    for (const query of ['limit=0', 'limit=100000', 'offset=-1', 'sort=name'])
      expect((await asAlice('get', `trash?${query}`)).status, query).to.equal(400);
  });

  it('is for managers and server administrators; for all others nothing is there', async () => {
    const former = await buildUser(people.app);
    const reading = callerOf(people.app, await buildApiToken(people.app, alice, { scopes: ['read'] }));
    const writing = callerOf(
      people.app,
      await buildApiToken(people.app, alice, { scopes: ['read', 'write'] }),
    );
    const aboutPeople = callerOf(people.app, await buildApiToken(people.app, alice, { scopes: ['people'] }));
    const admin = callerOf(
      people.app,
      await buildApiToken(people.app, 'root', { scopes: ['read', 'write', 'administration'] }),
    );
    const actors: Record<string, { call: Call; sees: boolean; may: boolean; refused?: number }> = {
      manager: { call: asAlice, sees: true, may: true },
      'manager, API token to write': { call: writing, sees: true, may: true },
      'manager, API token to read': { call: reading, sees: true, may: false, refused: 403 },
      'manager, API token about people': { call: aboutPeople, sees: false, may: false, refused: 403 },
      'server administrator': { call: asRoot, sees: true, may: true },
      'server administrator, API token': { call: admin, sees: true, may: true },
      writer: { call: asBob, sees: false, may: false },
      reader: { call: asCarol, sees: false, may: false },
      other: { call: callerOf(people.app, former.token), sees: false, may: false },
      guest: { call: asGuest, sees: false, may: false, refused: 401 },
    };
    await checkEach(actors, async ({ call, sees, may, refused = 404 }) => {
      for (const what of ['pad', 'group'] as const) {
        const { group, pad } = await build();
        const id = what === 'pad' ? pad._id : group._id;
        await remove(asAlice, what, id);
        const list = await call('get', 'trash?limit=200');
        const ids = (list.body.entries ?? []).map(({ _id }: TrashedAnswer) => _id);
        expect(ids.includes(id), `sees the ${what}`).to.equal(sees);
        const restored = await restore(call, id);
        expect(restored.status, `restores the ${what}`).to.equal(may ? 200 : refused);
        // The answer is that for what does not exist.
        const unknown = await restore(call, 'unknown');
        if (!may) expect({ ...restored.body, key: '' }).to.deep.equal({ ...unknown.body, key: '' });
        if (may) await remove(asAlice, what, id);
        const gone = await call('delete', `trash/${id}`);
        expect(gone.status, `deletes the ${what} for good`).to.equal(may ? 200 : refused);
        expect((await entryOf(asAlice, id)) === undefined, `the ${what} is gone`).to.equal(may);
      }
    });
  });

  it('shows writers what they deleted as managers, and nothing else', async () => {
    const { group, pad } = await build({ admins: [bob.id] });
    const other = await buildPad(people.app, alice, group);
    await remove(asBob, 'pad', pad._id);
    await remove(asAlice, 'pad', other._id);
    await asAlice('put', `group/${group._id}/members`, { users: [bob.login] }).expect(200);
    expect(await entryOf(asBob, pad._id)).to.deep.include({ name: 'Minutes' });
    expect(await entryOf(asBob, other._id)).to.equal(undefined);
    const own = await buildGroup(people.app, bob);
    expect(await statusOf(restore(asBob, pad._id, { group: own._id })), 'a move').to.equal(401);
    const setRole = (role: 'readers' | 'users') =>
      asAlice('put', `group/${group._id}/members`, { [role]: [bob.login] }).expect(200);
    await setRole('readers');
    expect(await entryOf(asBob, pad._id), 'as a reader').to.equal(undefined);
    const { entries, count } = (await asBob('get', 'trash?limit=200')).body;
    expect(entries, 'as many as are counted').to.have.length(count);
    await setRole('users');
    expect([
      await statusOf(restore(asBob, other._id)),
      await statusOf(restore(asBob, pad._id)),
    ]).to.deep.equal([404, 200]);
  });

  it('has a pad that is gone from every list and call, and cannot be told from one that never was', async () => {
    const { group, pad } = await build({ visibility: 'public' });
    const link = (await asAlice('post', `pad/${pad._id}/links`, { role: 'writer' }).expect(200)).body.value;
    const open = () => asGuest('post', 'links/open', { secret: link.secret });
    await open().expect(200);
    await asCarol('post', 'usermark', { type: 'pads', key: pad._id }).expect(200);
    await asCarol('post', `pad/${pad._id}/ticket`).expect(200);
    await remove(asAlice, 'pad', pad._id);
    const calls: Record<string, (call: Call, id: string) => PromiseLike<{ status: number; body: object }>> = {
      read: (call, id) => call('get', `pad/${id}`),
      password: (call, id) => call('get', `pad/${id}?password=${encodePassword('x')}`),
      unlock: (call, id) => call('post', `pad/${id}/unlock`, { password: 'x' }),
      ticket: (call, id) => call('post', `pad/${id}/ticket`),
      'is it public': (call, id) => call('get', `pad/ispublic/${id}`),
      change: (call, id) => call('put', `pad/${id}`, { name: 'Mine' }),
      move: (call, id) => call('put', `pad/${id}`, { group: group._id }),
      copy: (call, id) => call('post', `pad/${id}/duplicate`, { name: 'Copy' }),
      links: (call, id) => call('get', `pad/${id}/links`),
      'new link': (call, id) => call('post', `pad/${id}/links`, {}),
      access: (call, id) => call('get', `pad/${id}/access`),
      share: (call, id) => call('post', `pad/${id}/people`, { loginsOrEmails: [bob.login], role: 'reader' }),
      chat: (call, id) => call('delete', `pad/chathistory/${id}`),
      delete: (call, id) => call('delete', `pad/${id}`),
      'delete for good': (call, id) => call('delete', `pad/${id}?permanent=true`),
      bookmark: (call, id) => call('put', 'usermark', { type: 'pads', keys: [id], marked: true }),
      'ask for access': (call, id) => call('post', `pad/${id}/requests`, {}),
    };
    await checkEach(calls, async (make) => {
      for (const call of [asAlice, asBob, asGuest, asRoot]) {
        const [there, never] = [await make(call, pad._id), await make(call, 'never-was')];
        const shown = (answer: { status: number; body: object }) =>
          JSON.stringify([answer.status, answer.body]).replaceAll(pad._id, 'never-was');
        expect(shown(there)).to.equal(shown(never));
      }
    });
    expect(await statusOf(open())).to.equal(404);
    for (const [call, path] of [
      [asAlice, `group/${group._id}`],
      [asAlice, 'group'],
      [asAlice, 'overview'],
      [asAlice, 'overview/pads'],
      [asCarol, 'overview/recent'],
      [asCarol, 'group'],
      [asAlice, `group/${group._id}/links`],
      [asAlice, `group/${group._id}/access`],
      [asRoot, 'admin/pads'],
    ] as const)
      expect((await call('get', path).expect(200)).text, path).not.to.include(pad._id);
    const found = (await asRoot('get', `admin/groups?text=${group._id}`)).body.groups?.[0] ?? {};
    expect(JSON.stringify(found)).to.include('"padCount":0');
  });

  it('gives back a pad with its links, invitations, shares, password, bookmarks and place', async () => {
    const { group, pad } = await build();
    const id = pad._id;
    await asAlice('put', `pad/${id}`, { visibility: 'private', password: 'sesame' }).expect(200);
    const link = (await asAlice('post', `pad/${id}/links`, { label: 'Parents' }).expect(200)).body.value;
    const outsider = await buildUser(people.app);
    const asOutsider = callerOf(people.app, outsider.token);
    const share = { loginsOrEmails: [outsider.login], role: 'writer' };
    await asAlice('post', `pad/${id}/people`, share).expect(200);
    await asCarol('put', 'usermark', { type: 'pads', keys: [id], marked: true }).expect(200);
    const records = async () => ({
      pad: await people.app.model.store.get(keys.pad(id)),
      group: await groupRecord(group._id),
    });
    const before = await records();
    await remove(asAlice, 'pad', id);
    expect((await asOutsider('get', 'overview')).text).not.to.include(id);
    expect((await groupRecord(group._id))?.links).to.deep.equal([]);
    await restore(asAlice, id).expect(200, { success: true, key: id });
    expect(await records()).to.deep.equal(before);
    expect(await entryOf(asAlice, id)).to.equal(undefined);
    expect((await asAlice('get', `pad/${id}/links`)).body.value[0]._id).to.equal(link._id);
    expect((await asOutsider('get', 'overview')).body.value.shared.pads).to.have.key(id);
    expect((await asCarol('get', 'group')).body.value.bookmarks.pads).to.have.key(id);
    const opened = await asBob('get', `pad/${id}?password=${encodePassword('sesame')}`);
    expect(opened.body.value.abilities.enter).to.equal('write');
    expect(await statusOf(restore(asAlice, id))).to.equal(404);
  });

  it('gives back a folder as one unit: people, pads, links, password, bookmarks', async () => {
    const { group, pad } = await build({ visibility: 'private', password: 'sesame' });
    const id = group._id;
    await asAlice('post', `group/${id}/links`, { label: 'Parents' }).expect(200);
    await asBob('put', 'usermark', { type: 'groups', keys: [id], marked: true }).expect(200);
    await people.app.idle();
    const before = await snapshot(people.app);
    await remove(asAlice, 'group', id);
    for (const [call, path] of [
      [asAlice, 'overview'],
      [asBob, 'group'],
      [asRoot, 'admin/groups'],
      [asRoot, 'admin/pads'],
      [asRoot, `admin/users/${bob.login}/access`],
    ] as const)
      expect((await call('get', path).expect(200)).text, path)
        .not.to.include(pad._id)
        .and.not.to.include(id);
    for (const path of [`group/${id}`, `pad/${pad._id}`, `group/${id}/links`, `group/${id}/present`])
      expect(await statusOf(asAlice('get', path)), path).to.equal(404);
    expect(await statusOf(asBob('post', 'group/resign', { gid: id }))).to.equal(404);
    expect(await statusOf(asAlice('put', `group/${id}/members`, { users: [carol.login] }))).to.equal(404);
    await restore(asAlice, id).expect(200, { success: true, key: id });
    expect(await snapshot(people.app)).to.deep.equal(before);
    const opened = await asGuest('post', `group/${id}/unlock`, { password: 'sesame' });
    expect(Object.keys(opened.body.pads)).to.deep.equal([pad._id]);
  });

  it('gives a pad back into another folder by the rule for a move, with its links', async () => {
    const { group, pad } = await build();
    const id = pad._id;
    await asAlice('post', `pad/${id}/links`, { label: 'Parents' }).expect(200);
    const own = await buildShared();
    const foreign = await buildGroup(people.app, carol, { users: [alice.id] });
    await remove(asAlice, 'pad', id);
    expect(await statusOf(restore(asAlice, id, { group: foreign._id }))).to.equal(401);
    expect((await restore(asAlice, id, { group: 'unknown' })).body).to.deep.equal({
      error: 'BACKEND.ERROR.PAD.ITEMS_NOT_FOUND',
      field: 'group',
    });
    expect(await statusOf(restore(asCarol, id, { group: foreign._id }))).to.equal(404);
    expect(await entryOf(asAlice, id)).to.not.equal(undefined);
    await restore(asAlice, id, { group: own._id }).expect(200);
    expect((await groupRecord(own._id))?.pads).to.deep.equal([id]);
    expect((await groupRecord(own._id))?.links).to.have.length(1);
    expect((await groupRecord(group._id))?.pads).to.deep.equal([]);
    await remove(asAlice, 'group', own._id);
    expect((await restore(asAlice, own._id, { group: group._id })).body.field).to.equal('group');
  });

  inProcessOnly.it('says that a pad is back only to those into whose folder it was restored', async () => {
    const { model, ports } = people.app;
    const { group, pad } = await build();
    const own = await buildShared();
    await remove(asAlice, 'pad', pad._id);
    const { database } = ports;
    const { set } = database;
    let second: Promise<void> | undefined;
    // The first one is about to write. Nothing shows that the second one waits for it.
    database.set = async (key, value) => {
      if (key === keys.pad(pad._id)) second ??= model.trash.restorePad(pad._id, own._id);
      await pause(50);
      return set(key, value);
    };
    const [one] = await Promise.allSettled([model.trash.restorePad(pad._id, group._id)]);
    const [other] = await Promise.allSettled([second]);
    database.set = set;
    expect([one.status, other.status]).to.deep.equal(['fulfilled', 'rejected']);
    expect((await groupRecord(group._id))?.pads).to.deep.equal([pad._id]);
  });

  it('keeps the pads of a folder in the trash until the folder is back', async () => {
    const { group, pad } = await build();
    await remove(asAlice, 'pad', pad._id);
    await remove(asAlice, 'group', group._id);
    for (const call of [asAlice, asRoot]) {
      expect(await entryOf(call, pad._id)).to.equal(undefined);
      expect(await statusOf(restore(call, pad._id))).to.equal(404);
    }
    await restore(asAlice, group._id).expect(200);
    await restore(asAlice, pad._id).expect(200);
    expect((await groupRecord(group._id))?.pads).to.deep.equal([pad._id]);
  });

  it('deletes for good what is deleted there, with its traces and what was in the folder’s trash', async () => {
    const { group, pad } = await build();
    const second = await buildPad(people.app, alice, group);
    await asAlice('post', `pad/${pad._id}/links`, {}).expect(200);
    await asBob('put', 'usermark', { type: 'pads', keys: [pad._id, second._id], marked: true }).expect(200);
    await remove(asAlice, 'pad', pad._id);
    await remove(asAlice, 'group', group._id);
    await asAlice('delete', `trash/${group._id}`).expect(200, { success: true, key: group._id });
    await people.app.idle();
    const left = JSON.stringify(await snapshot(people.app));
    for (const id of [group._id, pad._id, second._id]) expect(left).not.to.include(id);
    for (const { _id } of [pad, second]) expect(await people.app.ports.pads.exists(_id)).to.equal(false);
  });

  it('is emptied of what the caller manages, and of nothing else', async () => {
    const [{ group, pad }, kept] = [await build(), await buildGroup(people.app, carol)];
    const other = await buildPad(people.app, carol, kept);
    const folder = await buildShared();
    await remove(asAlice, 'pad', pad._id);
    await remove(asAlice, 'group', folder._id);
    await remove(asCarol, 'pad', other._id);
    expect(await statusOf(asGuest('delete', 'trash'))).to.equal(401);
    expect((await asBob('delete', 'trash').expect(200)).body).to.deep.equal({ success: true, removed: 0 });
    expect((await asAlice('delete', 'trash').expect(200)).body.removed).to.be.at.least(2);
    expect(await listOf(asAlice)).to.deep.equal([]);
    expect(await people.app.ports.pads.exists(pad._id)).to.equal(false);
    expect(await groupRecord(group._id)).to.not.equal(undefined);
    expect(await entryOf(asCarol, other._id)).to.not.equal(undefined);
  });

  it('is passed by with `permanent`, and while `trashDays` is 0', async () => {
    const { group, pad } = await build();
    await asAlice('delete', `pad/${pad._id}?permanent=true`).expect(200, { success: true, key: pad._id });
    await asAlice('delete', `group/${group._id}?permanent=true`).expect(200);
    const another = await build();
    await people.app.model.configuration.set('trashDays', 0);
    await remove(asAlice, 'pad', another.pad._id);
    await remove(asAlice, 'group', another.group._id);
    await people.app.idle();
    for (const { _id } of [group, pad, another.group, another.pad]) {
      expect(await entryOf(asRoot, _id)).to.equal(undefined);
      expect(await people.app.ports.pads.exists(_id)).to.equal(false);
    }
    expect(await statusOf(asAlice('delete', `pad/${pad._id}?permanent=maybe`))).to.equal(400);
  });

  it('does not lose what is restored while it is being emptied', async () => {
    const { group, pad } = await build();
    for (let round = 0; round < 5; round += 1) {
      await remove(asAlice, 'pad', pad._id);
      const [restored, emptied] = await Promise.all([
        statusOf(restore(asAlice, pad._id)),
        statusOf(asAlice('delete', 'trash')),
      ]);
      await people.app.idle();
      expect(emptied).to.equal(200);
      const exists = await people.app.ports.pads.exists(pad._id);
      expect(exists, 'restored or gone').to.equal(restored === 200);
      if (!exists) return;
      expect((await groupRecord(group._id))?.pads).to.deep.equal([pad._id]);
    }
  });

  it('goes with an account that alone could restore it, and forgets others', async () => {
    const [owner, second] = [await buildUser(people.app), await buildUser(people.app)];
    const asOwner = callerOf(people.app, owner.token);
    const alone = await buildGroup(people.app, owner, { users: [bob.id] });
    const both = await buildGroup(people.app, owner, { admins: [second.id], readers: [bob.id] });
    const pad = await buildPad(people.app, owner, both);
    const inAlone = await buildPad(people.app, owner, alone);
    const inBoth = await buildPad(people.app, owner, both);
    await asOwner('post', `pad/${pad._id}/people`, { loginsOrEmails: [owner.login], role: 'writer' });
    await asOwner('post', `pad/${pad._id}/links`, {}).expect(200);
    await remove(asOwner, 'pad', pad._id);
    for (const { _id } of [alone, both]) await remove(asOwner, 'group', _id);
    const { removed } = (await asRoot('delete', `user/${owner.login}?preview=true`).expect(200)).body;
    expect(removed.trashed).to.deep.equal([{ _id: alone._id, name: alone.name, pads: 1 }]);
    await asRoot('delete', `user/${owner.login}`).expect(200);
    await people.app.idle();
    const left = JSON.stringify(await snapshot(people.app));
    for (const id of [owner.id, alone._id, inAlone._id]) expect(left).not.to.include(id);
    expect(await people.app.ports.pads.exists(inAlone._id)).to.equal(false);
    const asSecond = callerOf(people.app, second.token);
    expect(await entryOf(asSecond, both._id)).to.deep.include({ by: null });
    await restore(asSecond, both._id).expect(200);
    await restore(asSecond, pad._id).expect(200);
    expect((await groupRecord(both._id))?.admins).to.deep.equal([second.id]);
    expect((await asSecond('get', `group/${both._id}`)).body.pads).to.have.keys(inBoth._id, pad._id);
  });

  it('stays with the last manager, who cannot leave while the folder exists', async () => {
    const { group, pad } = await build({ admins: [bob.id] });
    await remove(asBob, 'pad', pad._id);
    await asBob('post', 'group/resign', { gid: group._id }).expect(200);
    expect(await entryOf(asBob, pad._id)).to.equal(undefined);
    expect(await entryOf(asAlice, pad._id)).to.not.equal(undefined);
    expect((await asAlice('post', 'group/resign', { gid: group._id })).body.error).to.equal(
      'BACKEND.ERROR.GROUP.RESIGN_UNIQUE_ADMIN',
    );
  });

  it('is no damage, and is in the activity of server administrators', async () => {
    const { group, pad } = await build();
    const other = await build();
    await asBob('put', 'usermark', { type: 'pads', keys: [pad._id], marked: true }).expect(200);
    await asBob('put', 'usermark', { type: 'groups', keys: [other.group._id], marked: true }).expect(200);
    await remove(asRoot, 'pad', pad._id);
    await remove(asRoot, 'group', other.group._id);
    const { body } = await asRoot('get', 'admin/checkup').expect(200);
    const damage = JSON.stringify(body.findings ?? body).match(
      /orphanPads|danglingBookmarks|staleGroupIndex/g,
    );
    expect(damage).to.equal(null);
    await restore(asRoot, pad._id).expect(200);
    await restore(asRoot, other.group._id).expect(200);
    const { entries } = (await asRoot('get', 'admin/log?limit=4').expect(200)).body;
    const shown = entries.map(({ action, object }: { action: string; object: { name: string } }) => [
      action,
      object.name,
    ]);
    expect(shown).to.deep.equal([
      ['groupRestored', 'Class 5b'],
      ['padRestored', 'Minutes'],
      ['groupRemoved', 'Class 5b'],
      ['padRemoved', 'Minutes'],
    ]);
    expect(await groupRecord(group._id)).to.not.equal(undefined);
  });

  it('is the same after a restart', async () => {
    const { group, pad } = await build();
    const other = await build();
    await remove(asAlice, 'pad', pad._id);
    await remove(asAlice, 'group', other.group._id);
    await people.app.restart();
    await people.app.model.recordIndex.whenVerified(new AbortController().signal);
    for (const id of [pad._id, other.group._id]) {
      expect(await entryOf(asAlice, id)).to.not.equal(undefined);
      await restore(asAlice, id).expect(200);
    }
    expect((await groupRecord(group._id))?.pads).to.deep.equal([pad._id]);
  });

  inProcessOnly.it('does not lose the pads of a folder in the trash that the index has missed', async () => {
    const { group, pad } = await build();
    await remove(asAlice, 'pad', pad._id);
    await remove(asAlice, 'group', group._id);
    const { model, ports } = people.app;
    const key = keys.deleteGroup(group._id);
    const note = await ports.database.get(key);
    await model.store.remove(key);
    await ports.database.set(key, note);
    await runSweep();
    await restore(asAlice, group._id).expect(200);
    await restore(asAlice, pad._id).expect(200);
  });

  // The clock moves by days, after which no session of the administrator is left.
  inProcessOnly.it('loses by itself what was deleted before its days, and nothing earlier', async () => {
    const { group, pad } = await build();
    const [second, third] = [await build(), await build()];
    await people.app.model.configuration.set('trashDays', 3);
    await remove(asAlice, 'pad', pad._id);
    await remove(asAlice, 'group', second.group._id);
    people.app.ports.advance(2 * day);
    await remove(asAlice, 'pad', third.pad._id);
    await runSweep();
    expect(await entryOf(asAlice, pad._id)).to.not.equal(undefined);
    people.app.ports.advance(2 * day);
    await runSweep();
    for (const id of [pad._id, second.group._id]) expect(await entryOf(asAlice, id)).to.equal(undefined);
    expect(await entryOf(asAlice, third.pad._id)).to.not.equal(undefined);
    const left = JSON.stringify(await snapshot(people.app));
    for (const id of [pad._id, second.group._id, second.pad._id]) expect(left).not.to.include(id);
    expect(await groupRecord(group._id)).to.not.equal(undefined);
    await people.app.model.configuration.set('trashDays', 0);
    await runSweep();
    expect(await people.app.ports.pads.exists(third.pad._id)).to.equal(false);
  });
});
