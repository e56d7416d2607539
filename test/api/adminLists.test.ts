import { expect } from 'chai';
import type { Group, Pad } from '../../api/answers';
import { keys } from '../../model/store/store';
import { useTestApp } from '../support/app';
import { callerOf } from '../support/caller';
import { checkEach } from '../support/cases';
import { buildGroup, buildPad, buildUser } from '../support/factories';
import { inProcessOnly } from '../support/network';
import { useAdmin, usePerson } from '../support/people';
import { addApp } from '../support/secondFactors';

interface Row {
  _id: string;
  name: string;
  login: string;
}

describe('lists for server administrators', () => {
  const app = useTestApp();
  const admin = useAdmin(app, before);
  const { user: ada } = usePerson(app, before, { login: 'ada', email: 'ada@example.org' });
  const { user: bob } = usePerson(app, before, { login: 'bob', email: 'bob@example.org' });
  let board: Group;
  let open: Group;
  let minutes: Pad;
  let notes: Pad;

  before(async () => {
    board = await buildGroup(app, ada, { name: 'Böard', tags: ['Vorstand'], users: [bob.id] });
    open = await buildGroup(app, bob, { name: 'Open house', visibility: 'public', archived: true });
    minutes = await buildPad(app, ada, board, { name: 'Minutes' });
    notes = await buildPad(app, bob, open, { name: 'Notes', visibility: 'restricted' });
  });

  /** The names or logins of the entries of a list, sorted. */
  async function listed(what: 'users' | 'groups' | 'pads', query = ''): Promise<string[]> {
    const { status, body } = await admin('get', `admin/${what}?${query}`);
    expect(status, JSON.stringify(body)).to.equal(200);
    return body[what].map(({ name, login }: Row) => name ?? login).sort();
  }

  for (const what of ['users', 'groups', 'pads'] as const) {
    it(`admin/${what}: refuse filters and values that they do not know`, async () => {
      for (const [query, field, error] of [
        ['colour=red', 'colour', 'PARAM_UNKNOWN'],
        ['limit=0', 'limit', 'PARAM_INVALID'],
        ['limit=1001', 'limit', 'PARAM_INVALID'],
        ['limit=ten', 'limit', 'PARAM_INVALID'],
        ['offset=-1', 'offset', 'PARAM_INVALID'],
        ['text=a&text=b', 'text', 'PARAM_INVALID'],
        ['sort=email', 'sort', 'PARAM_INVALID'],
        ['descending=yes', 'descending', 'PARAM_INVALID'],
      ]) {
        const { status, body } = await admin('get', `admin/${what}?${query}`);
        expect([status, body.error, body.field], query).to.deep.equal([
          400,
          `BACKEND.ERROR.TYPE.${error}`,
          field,
        ]);
      }
    });

    it(`admin/${what}: come in pages that together have every entry once`, async () => {
      const { body: all } = await admin('get', `admin/${what}`);
      expect(all.count).to.equal(2);
      const ids: string[] = [];
      for (const offset of [0, 1, 2]) {
        const { body } = await admin('get', `admin/${what}?limit=1&offset=${offset}`);
        expect(body.count).to.equal(2);
        ids.push(...body[what].map(({ _id }: Row) => _id));
      }
      expect(ids).to.deep.equal(all[what].map(({ _id }: Row) => _id));
    });
  }

  it('filter accounts by their names and their state', async () => {
    expect(await listed('users', 'text=BOB')).to.deep.equal(['bob']);
    await admin('put', 'user/bob', { active: false });
    expect(await listed('users', 'closed=true')).to.deep.equal(['bob']);
    expect(await listed('users', 'active=true')).to.deep.equal(['ada']);
    expect(await listed('users', 'unconfirmed=true')).to.deep.equal([]);
    await admin('put', 'user/bob', { active: true });
    expect(await listed('users', 'closed=true')).to.deep.equal([]);
  });

  it('find accounts, folders and pads by words in any order', async () => {
    await admin('put', 'user/bob', { firstname: 'Bo', lastname: 'Lindqvist' });
    await admin('put', 'user/ada', { firstname: '太郎', lastname: '山田' });
    for (const text of ['Lindqvist Bo', 'lindq  BOB@', 'bo indqvíst b'])
      expect(await listed('users', `text=${encodeURIComponent(text)}`), text).to.deep.equal(['bob']);
    expect(await listed('users', 'text=bob%20ada')).to.deep.equal([]);
    for (const text of ['山田太郎', '太郎 山田'])
      expect(await listed('users', `text=${encodeURIComponent(text)}`), text).to.deep.equal(['ada']);
    expect((await admin('get', 'search-users/lindqvist%20bo')).body.usersCount).to.equal(1);
    expect(await listed('groups', 'text=house%20op')).to.deep.equal(['Open house']);
    expect(await listed('groups', 'text=house%20vorstand')).to.deep.equal([]);
    expect(await listed('pads', 'text=tes%20minu')).to.deep.equal(['Minutes']);
  });

  it('find nobody by a text with NUL, and everybody as before afterwards', async () => {
    for (const path of ['admin/users?text=ad%00a', 'search-users/ad%00a', 'admin/groups?text=ad%00a'])
      expect((await admin('get', path)).status, path).to.equal(200);
    expect((await admin('get', 'search-users/ada')).body.usersCount).to.equal(1);
  });

  const set = (key: string, value: unknown) => admin('put', `configuration/${key}`, { value }).expect(200);

  // Whether a proxy is offered depends on the settings of Etherpad too.
  inProcessOnly.it('filter accounts by their second factor, and by who knows the person', async () => {
    const filtered = async () => [
      await listed('users', 'secondFactor=true'),
      await listed('users', 'secondFactor=false'),
      await listed('users', 'secondFactor=false&external=false&active=true'),
    ];
    expect(await filtered()).to.deep.equal([[], ['ada', 'bob'], ['ada', 'bob']]);
    const { id } = await addApp(app, ada);
    expect(await filtered()).to.deep.equal([['ada'], ['bob'], ['bob']]);
    const identities = [{ method: 'header', issuer: '', subject: 'bob' }];
    await app.model.users.update(bob.id, (user) => ({ ...user, identities }));
    // People of a service that is not offered have passwords here, or need one.
    expect(await filtered()).to.deep.equal([['ada'], ['bob'], ['bob']]);
    expect(await listed('users', 'external=true')).to.deep.equal([]);
    await set('authHeaderSettings', { name: 'Proxy', proxies: ['192.0.2.1'] });
    await set('authMethods', ['header']);
    expect(await filtered()).to.deep.equal([['ada'], ['bob'], []]);
    expect(await listed('users', 'external=true')).to.deep.equal(['bob']);
    await set('authMethods', []);
    await callerOf(app, ada.token)('delete', `user/ada/factors/${id}`, { currentPassword: ada.password });
    expect(await listed('users', 'secondFactor=true')).to.deep.equal([]);
  });

  it('filter accounts by whether they manage a folder', async () => {
    const carl = await buildUser(app, { login: 'carl' });
    expect(await listed('users', 'manager=true')).to.deep.equal(['ada', 'bob']);
    expect(await listed('users', 'manager=false')).to.deep.equal(['carl']);
    const { users } = (await admin('get', 'admin/users')).body;
    expect(users.map(({ manager }: { manager: boolean }) => manager)).to.deep.equal([true, true, false]);
    const group = await buildGroup(app, ada, { name: 'Handed over', admins: [carl.id] });
    expect(await listed('users', 'manager=true&secondFactor=false&text=carl')).to.deep.equal(['carl']);
    await callerOf(app, ada.token)('delete', `group/${group._id}`).expect(200);
    expect(await listed('users', 'manager=true')).to.deep.equal(['ada', 'bob']);
    await admin('delete', 'user/carl').expect(200);
  });

  it('filter folders', async () => {
    expect(await listed('groups', 'text=BOARD')).to.deep.equal(['Böard']);
    expect(await listed('groups', 'text=VORSTAND')).to.deep.equal(['Böard']);
    expect(await listed('groups', 'name=Open%20house')).to.deep.equal(['Open house']);
    expect(await listed('groups', 'name=open')).to.deep.equal([]);
    expect(await listed('groups', `name=${encodeURIComponent('Bo\u0308ard')}`)).to.deep.equal(['Böard']);
    expect(await listed('groups', 'visibility=public')).to.deep.equal(['Open house']);
    expect(await listed('groups', 'archived=true')).to.deep.equal(['Open house']);
    expect(await listed('groups', 'archived=false&visibility=restricted')).to.deep.equal(['Böard']);
    for (const name of ['ada', 'ada@example.org', ada.id]) {
      expect(await listed('groups', `admin=${name}`), name).to.deep.equal(['Böard']);
    }
    expect(await listed('groups', 'member=bob')).to.deep.equal(['Böard', 'Open house']);
    const { status, body } = await admin('get', 'admin/groups?admin=nobody');
    expect([status, body.error, body.key]).to.deep.equal([404, 'BACKEND.ERROR.USER.NOT_FOUND', 'nobody']);
  });

  it('filter pads by their effective settings', async () => {
    expect(await listed('pads', 'text=min')).to.deep.equal(['Minutes']);
    expect(await listed('pads', 'visibility=public')).to.deep.equal([]);
    expect(await listed('pads', 'visibility=restricted')).to.deep.equal(['Minutes', 'Notes']);
    expect(await listed('pads', 'archived=true')).to.deep.equal(['Notes']);
    expect(await listed('pads', `group=${board._id}`)).to.deep.equal(['Minutes']);
    expect(await listed('pads', 'admin=bob')).to.deep.equal(['Notes']);
  });

  it('filter folders and pads by their last change', async () => {
    const later = Date.now() + 3_600_000;
    for (const what of ['groups', 'pads'] as const) {
      expect(await listed(what, `changedAfter=${later}`)).to.deep.equal([]);
      expect(await listed(what, `changedBefore=${later}`)).to.have.length(2);
      expect(await listed(what, `changedBefore=${minutes.ctime - 60_000}`)).to.deep.equal([]);
    }
  });

  it('are sorted as asked, also in reverse and in pages', async () => {
    app.ports.advance(5_000);
    const zed = await buildUser(app, { login: 'Zed' });
    const old = await buildGroup(app, zed, { name: 'Zz top' });
    for (const name of ['pad 2', 'Älteste', 'pad 1']) await buildPad(app, zed, old, { name });
    await callerOf(app, zed.token)('put', `group/${old._id}`, { name: 'aardvark' });
    const inOrder = async (what: 'users' | 'groups' | 'pads', query: string): Promise<string[]> => {
      const { status, body } = await admin('get', `admin/${what}?${query}`);
      expect(status, JSON.stringify(body)).to.equal(200);
      return body[what].map(({ name, login }: Row) => name ?? login);
    };
    const cases: [Parameters<typeof inOrder>, string[]][] = [
      [
        ['groups', 'sort=name'],
        ['aardvark', 'Böard', 'Open house'],
      ],
      [
        ['groups', 'sort=name&descending=true'],
        ['Open house', 'Böard', 'aardvark'],
      ],
      [['groups', 'sort=pads&descending=true&limit=1'], ['aardvark']],
      [['groups', 'sort=changed&descending=true&limit=1'], ['aardvark']],
      [
        ['pads', 'sort=name'],
        ['Älteste', 'Minutes', 'Notes', 'pad 1', 'pad 2'],
      ],
      [
        ['pads', 'sort=name&limit=2&offset=1'],
        ['Minutes', 'Notes'],
      ],
      [
        ['pads', `sort=name&descending=true&group=${old._id}`],
        ['pad 2', 'pad 1', 'Älteste'],
      ],
      [['pads', 'sort=changed&limit=1&text=pad'], ['pad 2']],
      [
        ['users', ''],
        ['ada', 'bob', 'Zed'],
      ],
      [
        ['users', 'sort=login&descending=true'],
        ['Zed', 'bob', 'ada'],
      ],
      [['users', 'sort=created&descending=true&limit=1'], ['Zed']],
    ];
    await checkEach(
      cases.map(([asked, expected]) => [asked.join('?'), { asked, expected }] as const),
      async ({ asked, expected }) => expect(await inOrder(...asked)).to.deep.equal(expected),
    );
    await admin('delete', 'user/Zed').expect(200);
    await app.idle();
  });

  it('show who administers a folder and how much is in it', async () => {
    const { body } = await admin('get', 'admin/groups?text=vorstand');
    const [{ admins, memberCount, padCount, lastUpdate, ...row }] = body.groups;
    expect(row).to.include({ _id: board._id, name: 'Böard', visibility: 'restricted', archived: false });
    expect([memberCount, padCount]).to.deep.equal([1, 1]);
    expect(admins).to.have.length(1);
    expect(admins[0]).to.include({ _id: ada.id, login: 'ada', email: 'ada@example.org' });
    expect(lastUpdate).to.be.at.least(minutes.ctime);
  });

  it('show the folder of a pad and its effective settings', async () => {
    const { body } = await admin('get', 'admin/pads?text=notes');
    expect(body.pads).to.deep.equal([
      {
        _id: notes._id,
        name: 'Notes',
        group: open._id,
        groupName: 'Open house',
        visibility: 'restricted',
        readonly: false,
        archived: true,
        ctime: notes.ctime,
        lastUpdate: body.pads[0].lastUpdate,
      },
    ]);
  });

  it('follow every change at once', async () => {
    const call = callerOf(app, ada.token);
    const { _id: id } = await buildGroup(app, ada, { name: 'Short-lived' });
    expect(await listed('groups', 'text=short-lived')).to.deep.equal(['Short-lived']);
    const pad = await buildPad(app, ada, { _id: id }, { name: 'Mayfly' });
    expect(await listed('pads', `group=${id}`)).to.deep.equal(['Mayfly']);
    await call('put', `group/${id}`, { name: 'Renamed', visibility: 'public' });
    expect(await listed('groups', 'name=Renamed&visibility=public')).to.deep.equal(['Renamed']);
    expect(await listed('pads', 'visibility=public')).to.deep.equal(['Mayfly']);
    await call('put', `pad/${pad._id}`, { name: 'Moved', group: board._id });
    expect(await listed('pads', `group=${board._id}`)).to.deep.equal(['Minutes', 'Moved']);
    await call('delete', `pad/${pad._id}`);
    expect(await listed('pads')).to.deep.equal(['Minutes', 'Notes']);
    await buildPad(app, ada, { _id: id }, { name: 'With its folder' });
    await call('delete', `group/${id}`);
    expect(await listed('groups')).to.deep.equal(['Böard', 'Open house']);
    expect(await listed('pads')).to.deep.equal(['Minutes', 'Notes']);
  });

  inProcessOnly.it('that cannot be read are logged once, however many people wait for them', async () => {
    await app.restart();
    await app.inject({ fault: 'fail', why: 'gone', calls: ['findKeys'], keys: keys.group('') });
    const five = Array.from({ length: 5 }, () => app.model.recordIndex.groups({ offset: 0, limit: 10 }));
    for (const { status } of await Promise.allSettled(five)) expect(status).to.equal('rejected');
    const messages = (await app.lines()).map(({ message }) => message);
    expect(
      messages.filter((message) => message === 'building the index failed, retrying in 5 s'),
    ).to.have.length(1);
    await app.inject({ fault: 'none' });
    await admin('get', 'admin/groups').expect(200);
  });

  it('miss nothing when changes and lists are requested at the same moment', async () => {
    const call = callerOf(app, ada.token);
    const names = Array.from({ length: 30 }, (_, number) => `Crowd ${number}`);
    const made = names.map((name) => call('post', 'group', { name }));
    const lists = names.map(() => admin('get', 'admin/groups?text=crowd'));
    const answers = await Promise.all([...made, ...lists]);
    for (const { status } of answers) expect(status).to.equal(200);
    expect(await listed('groups', 'text=crowd')).to.deep.equal([...names].sort());
    const ids = answers.slice(0, names.length).map(({ body }) => body.key);
    await Promise.all([...ids.map((id) => call('delete', `group/${id}`)), admin('get', 'admin/groups')]);
    expect(await listed('groups', 'text=crowd')).to.deep.equal([]);
  });
});
