/** An old database with missing fields, unknown ids and empty lists. People still get their groups and pads. */
import { expect } from 'chai';
import type { Database } from '../../model/ports';
import { keys } from '../../model/store/store';
import { useTestAppForEach } from '../support/app';
import { type Call, callerOf, encodePassword } from '../support/caller';
import { signIn, signInAsAdmin } from '../support/factories';
import { inProcessOnly } from '../support/network';

/** The password `correct hörse` in the format of ep_mypads 1.x. */
const oldPassword = {
  salt: '00112233445566778899'.repeat(4),
  hash: 'f48f69ad2089ff9bce744383f0ea0734dd04ca98f5a455e0072940460311ffa35a0e6dfa1059e7accb20366cb468d1c36cdd3ad593a8e2b72fd501104242695c',
};

const records: Record<string, unknown> = {
  'mypads:user:alice-1': {
    _id: 'alice-1',
    login: 'alice',
    email: 'alice@example.org',
    password: oldPassword,
    firstname: 'Alice',
    lastname: '',
    groups: ['good-1', 'left-1', 'gone-1', 'bare-1', 'null-1', 'text-1', 'good-1'],
    bookmarks: { groups: ['good-1', 'gone-1', 'left-1'], pads: ['pad-1', 'gone-1', 'orphan-1', 'closed-1'] },
  },
  'mypads:user:bob-1': { _id: 'bob-1', login: 'bob', email: 'bob@example.org', password: oldPassword },
  'mypads:user:undefined': { login: 'ghost' },
  'mypads:user:empty-1': { _id: 'empty-1', login: 'empty', email: 'empty@example.org', password: '' },
  'mypads:user:twin-2': {
    _id: 'twin-2',
    login: 'twin',
    email: 'twin@example.org',
    password: { salt: 'of', hash: 'another' },
    ctime: 2,
  },
  'mypads:user:twin-1': {
    _id: 'twin-1',
    login: 'twin',
    email: 'twin@example.org',
    password: oldPassword,
    groups: ['good-1'],
    userlists: { broken: null, odd: { name: 7, uids: ['alice-1', 'removed-1', null] } },
    ctime: 3,
  },
  'mypads:jobqueue:deletePad:doomed-1': 'doomed-1',
  'mypads:pad:doomed-1': { _id: 'doomed-1', name: 'Doomed', group: 'good-1' },
  'mypads:conf:passwordMin': 'many',
  'mypads:conf:unheardOf': { a: 1 },
  'mypads:group:good-1': {
    _id: 'good-1',
    name: 'Good',
    admins: ['alice-1', 'removed-1', 'alice-1'],
    users: ['removed-2', 'bob-1', 'alice-1', null, 7],
    visibility: 'restricted',
    password: 'plain text from long ago',
    readonly: false,
    tags: ['a', 'a', 5],
    pads: ['pad-1', 'gone-1', 'moved-1', 'pad-1', 'pad-2'],
    ctime: 1_400_000_000_000,
    extra: 'kept',
  },
  'mypads:group:bare-1': {
    _id: 'bare-1',
    name: 'Bare',
    admins: ['alice-1'],
    users: null,
    pads: null,
    tags: null,
  },
  'mypads:group:null-1': null,
  'mypads:group:text-1': 'not a group',
  'mypads:group:left-1': {
    _id: 'left-1',
    name: 'Left',
    admins: ['bob-1'],
    users: [],
    pads: [],
    visibility: 'restricted',
  },
  'mypads:group:locked-1': {
    _id: 'locked-1',
    name: 'Locked',
    admins: ['bob-1'],
    users: [],
    pads: ['closed-1'],
    visibility: 'private',
    password: oldPassword,
  },
  'mypads:group:odd-1': {
    _id: 'odd-1',
    name: 'Odd',
    admins: ['bob-1'],
    pads: [],
    visibility: 'anybody',
    password: {},
  },
  'mypads:group:was-private-1': {
    _id: 'was-private-1',
    name: 'Was private',
    admins: ['bob-1'],
    users: [],
    pads: [],
    visibility: 'public',
    password: oldPassword,
  },
  'mypads:pad:pad-1': {
    _id: 'pad-1',
    name: 'One',
    group: 'good-1',
    users: [],
    visibility: null,
    readonly: null,
    password: 'old',
    ctime: 1,
  },
  'mypads:pad:pad-2': { _id: 'pad-2', name: 'Two', group: 'good-1', moveGroup: 'left-1' },
  'mypads:pad:moved-1': { _id: 'moved-1', name: 'Moved', group: 'left-1' },
  'mypads:pad:orphan-1': { _id: 'orphan-1', name: 'Orphan', group: 'gone-1' },
  'mypads:pad:unlinked-1': { _id: 'unlinked-1', name: 'Unlinked', group: 'good-1' },
  'mypads:pad:closed-1': { _id: 'closed-1', name: 'Closed', group: 'locked-1', visibility: null },
};

async function prepare(database: Database): Promise<void> {
  for (const [key, value] of Object.entries(records)) if (value !== null) await database.set(key, value);
}

describe('an old and damaged database', () => {
  const app = useTestAppForEach({ prepare });
  let asAlice: Call;
  let asBob: Call;

  beforeEach(async () => {
    asAlice = callerOf(app, (await signIn(app, 'alice', 'correct hörse')).token);
    asBob = callerOf(app, (await signIn(app, 'bob', 'correct hörse')).token);
  });

  it('shows the groups and pads that exist', async () => {
    const { status, body } = await asAlice('get', 'group');
    expect(status).to.equal(200);
    const { groups, pads, users, admins, bookmarks } = body.value;
    expect(Object.keys(groups)).to.have.members(['good-1', 'bare-1']);
    expect(groups['good-1']).to.deep.include({
      admins: ['alice-1'],
      users: ['bob-1'],
      pads: ['pad-1', 'pad-2'],
      tags: ['a'],
      description: '',
      hasPassword: false,
    });
    expect(groups['good-1'].abilities.leave).to.equal(false);
    expect(groups['bare-1']).to.deep.include({
      visibility: 'restricted',
      users: [],
      pads: [],
      tags: [],
      ctime: 0,
    });
    expect(Object.keys(pads)).to.have.members(['pad-1', 'pad-2']);
    expect(pads['pad-2']).to.deep.include({ visibility: null, readonly: null, ctime: 0, lastUpdate: null });
    expect(Object.keys(users)).to.have.members(['alice-1', 'bob-1']);
    expect(Object.keys(admins)).to.deep.equal(['alice-1']);
    expect(Object.keys(bookmarks.groups)).to.deep.equal(['good-1']);
    expect(Object.keys(bookmarks.pads)).to.deep.equal(['pad-1']);
  });

  it('shows in the summary of a group only people who exist', async () => {
    const { abilities, groups } = (await asAlice('get', 'overview')).body.value;
    expect(groups['good-1']).to.deep.include({ admins: ['alice-1'], users: ['bob-1'] });
    expect(abilities[groups['good-1'].abilities].leave).to.equal(false);
  });

  it('answers for each thing, good or damaged, without failing', async () => {
    const ids = ['good-1', 'bare-1', 'null-1', 'text-1', 'left-1', 'gone-1', 'locked-1', 'odd-1'];
    for (const id of ids) expect((await asAlice('get', `group/${id}`)).status).to.be.oneOf([200, 401, 404]);
    for (const id of ['pad-1', 'pad-2', 'moved-1', 'orphan-1', 'closed-1', 'gone-1']) {
      expect((await asAlice('get', `pad/${id}`)).status).to.be.oneOf([200, 401, 404]);
    }
  });

  it('closes groups and pads with an unknown visibility', async () => {
    expect((await asAlice('get', 'group/odd-1')).status).to.equal(401);
  });

  it('does not accept a left-over password or one in plain text', async () => {
    await asAlice('put', 'group/good-1', { visibility: 'private' }).expect(400);
    await asBob('put', 'group/was-private-1', { visibility: 'private' }).expect(400);
    await asAlice('put', 'group/good-1', { name: 'Better' }).expect(200);
    expect(await app.ports.database.get('mypads:group:good-1')).to.deep.include({
      password: null,
      extra: 'kept',
    });
  });

  it('opens a private group with its old password', async () => {
    const path = `group/locked-1?password=${encodePassword('correct hörse')}`;
    expect((await asAlice('get', path)).body.value.pads).to.deep.equal(['closed-1']);
    expect((await asAlice('get', 'pad/closed-1')).status).to.equal(200);
  });

  it('does not let the last admin leave whose account exists', async () => {
    const { status, body } = await asAlice('post', 'group/resign', { gid: 'good-1' });
    expect([status, body.error]).to.deep.equal([400, 'BACKEND.ERROR.GROUP.RESIGN_UNIQUE_ADMIN']);
    expect((await asBob('post', 'group/resign', { gid: 'good-1' })).status).to.equal(200);
  });

  it('lets damaged things be changed, moved and removed', async () => {
    await asAlice('put', 'pad/pad-2', { name: 'Still two' }).expect(200);
    expect(await app.ports.database.get('mypads:pad:pad-2')).to.not.have.property('moveGroup');
    await asAlice('put', 'pad/pad-2', { group: 'bare-1' }).expect(200);
    expect((await asAlice('get', 'group/bare-1')).body.value.pads).to.deep.equal(['pad-2']);
    await asAlice('delete', 'pad/pad-1').expect(200);
    await asAlice('delete', 'group/good-1').expect(200);
    expect((await asAlice('get', 'group')).body.value.groups).to.have.keys(['bare-1']);
    expect((await asBob('get', 'pad/moved-1')).status).to.equal(200);
  });

  it('signs people in to that one of two accounts with the same login that has their password, and shares with it', async () => {
    const asTwin = callerOf(app, (await signIn(app, 'twin', 'correct hörse')).token);
    const { body } = await asTwin('get', 'configuration').expect(200);
    expect(body.user._id).to.equal('twin-1');
    expect((await asTwin('get', 'userlist')).body.value.odd.users).to.have.length(1);
    expect((await asTwin('get', 'group')).body.value.groups).to.deep.equal({});
    await asAlice('put', 'group/bare-1/members', { users: ['twin'] }).expect(200);
    expect((await asTwin('get', 'group')).body.value.groups).to.have.keys(['bare-1']);
  });

  it('refuses accounts without a password, and damaged accounts', async () => {
    for (const [login, password] of [
      ['empty', ''],
      ['empty', 'anything'],
      ['ghost', ''],
      ['ghost', 'anything'],
      ['undefined', 'undefined'],
    ]) {
      const answer = await callerOf(app)('post', 'auth/login', { login, password });
      expect(answer.status, login).to.equal(400);
    }
  });

  it('opens a pad to the members of its group although the group does not list it', async () => {
    expect((await asBob('get', 'pad/unlinked-1')).status).to.equal(200);
    expect((await callerOf(app)('get', 'pad/unlinked-1')).status).to.equal(401);
  });

  it('keeps a pad closed whose removal had begun in 1.x', async () => {
    expect((await asAlice('get', 'pad/doomed-1')).status).to.equal(404);
    expect((await asAlice('get', 'group')).body.value.pads).to.not.have.property('doomed-1');
  });

  it('uses the default for a setting with an invalid value', async () => {
    expect((await asAlice('get', 'configuration')).body.value.passwordMin).to.equal(8);
  });

  inProcessOnly.it('has the same number of pads in each number and list for administrators', async () => {
    const numbers = async (): Promise<Record<string, number[]>> => {
      const admin = callerOf(app, await signInAsAdmin(app));
      const read = async (path: string) => {
        let answer = await admin('get', path);
        while (answer.status === 503) answer = await admin('get', path);
        return answer.body;
      };
      const { pad, groups } = await read('stats/stats.json');
      const today = (await read('admin/numbers')).days.at(-1);
      const [pads, folders] = [await read('admin/pads'), await read('admin/groups')];
      return { pads: [pad, today.pads, pads.count], groups: [groups, today.groups, folders.count] };
    };
    await app.idle();
    expect(await numbers()).to.deep.equal({ pads: [5, 5, 5], groups: [6, 6, 6] });
    const { body } = await asAlice('post', 'pad', { name: 'New', group: 'good-1' });
    await asAlice('delete', `pad/${body.key}`).expect(200);
    await asAlice('delete', 'pad/pad-1').expect(200);
    await app.idle();
    expect((await numbers()).pads).to.deep.equal([4, 4, 4]);
    // Also if it is removed while the server runs.
    await app.model.store.remove(keys.pad('orphan-1'));
    expect((await numbers()).pads?.slice(0, 2)).to.deep.equal([4, 4]);
    await app.restart();
    expect((await numbers()).pads).to.deep.equal([4, 4, 4]);
  });

  it('lets a person remove a bookmark of something that does not exist', async () => {
    await asAlice('post', 'usermark', { type: 'pads', key: 'gone-1' }).expect(200);
    await asAlice('post', 'usermark', { type: 'pads', key: 'gone-1' }).expect(404);
  });
});
