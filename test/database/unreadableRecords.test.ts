/** Unreadable records: truncated, overwritten, or of another shape. Nothing but their content is lost. */
import { expect } from 'chai';
import { createStoredPads } from '../../host/storedPads';
import { loginName, mailName } from '../../model/accounts/nameRecords';
import { createDoctor } from '../../model/doctor/doctor';
import type { Database } from '../../model/ports';
import { keys } from '../../model/store/store';
import { startApp, type TestApp } from '../support/app';
import { callerOf } from '../support/caller';
import { databaseServers, type FreshServerDatabase } from '../support/databases';
import { buildGroup, buildPad, buildUser, type TestUser } from '../support/factories';

interface Fixture {
  records: Map<string, unknown>;
  owner: TestUser;
  other: TestUser;
  group: string;
  pad: string;
}

/** Creates people, a group and pads, and returns the records that the database then has. */
async function build(): Promise<Fixture> {
  const app = await startApp();
  const [owner, other] = [await buildUser(app), await buildUser(app)];
  const group = await buildGroup(app, owner);
  const pad = await buildPad(app, owner, group);
  const call = callerOf(app, owner.token);
  await call('post', 'userlist', { name: 'List', loginsOrEmails: [other.login] }).expect(200);
  await call('post', 'usermark', { type: 'groups', key: group._id }).expect(200);
  await buildGroup(app, other);
  const { database } = app.ports;
  const found = await database.findKeys('*', null);
  const values = await Promise.all(found.map((key) => database.get(key)));
  await app.close();
  const records = new Map(found.map((key, index) => [key, values[index]]));
  return { records, owner, other, group: group._id, pad: pad._id };
}

/** Every kind of record that we have. Those in one line are damaged at once: other calls read each of them. */
const victims = ({ owner, group, pad }: Fixture): Record<string, string[]> => {
  const session = JSON.parse(Buffer.from(owner.token.split('.')[1] ?? '', 'base64url').toString()).jti;
  const [byLogin, byAddress] = [loginName(owner.login).key, mailName(owner.email).key];
  return {
    'an account': [keys.user(owner.id)],
    'a group': [keys.group(group)],
    'a pad': [keys.pad(pad)],
    'a session': [keys.session(session)],
    'the index of a login, and the list of jobs': [byLogin, keys.jobs],
    'the index of an address, and the removals of an earlier version': [byAddress, keys.pendingJobs],
    'lists of sessions, settings and notes of removals': [
      ...[keys.sessionsOf('user', owner.id), keys.conf('title'), keys.conf('authLdapSettings')],
      ...[keys.deletePad(pad), keys.deleteGroup(group)],
    ],
  };
};

const nobody = { owner: { token: '.e30.', login: '', email: '' }, group: '', pad: '' } as Fixture;
const kindsOfRecords = Object.keys(victims(nobody));

/** Makes usual calls. None may answer with an unexpected error. Returns the statuses that another person gets. */
async function live(app: TestApp, { owner, other, group, pad }: Fixture): Promise<number[]> {
  const call = callerOf(app, owner.token);
  const theirs = callerOf(app, other.token);
  const credentials = ({ login, password }: TestUser) => ({ login, password });
  const admin = await callerOf(app)('post', 'auth/admin/login', { login: 'root', password: 'rootroot' });
  expect(admin.status).to.equal(200);
  const asAdmin = callerOf(app, admin.body.token);
  const newcomer = { login: 'newcomer', password: 'long enough', email: 'newcomer@example.org' };
  const calls: [string, ReturnType<typeof call>][] = [
    ['GET group', call('get', 'group')],
    ['GET group/id', call('get', `group/${group}`)],
    ['GET pad/id', call('get', `pad/${pad}`)],
    ['GET configuration', call('get', 'configuration')],
    ['GET userlist', call('get', 'userlist')],
    ['GET user', asAdmin('get', `user/${owner.login}`)],
    ['search', asAdmin('get', 'search-users/person')],
    ['sign in', callerOf(app)('post', 'auth/login', credentials(owner))],
    [
      'sign in by address',
      callerOf(app)('post', 'auth/login', { ...credentials(owner), login: owner.email }),
    ],
    ['register', callerOf(app)('post', 'user', newcomer)],
    ['change a group', call('put', `group/${group}`, { name: 'Changed' })],
    ['make a pad', call('post', 'pad', { name: 'New', group })],
    ['invite', call('post', 'group/invite', { gid: group, invite: true, loginsOrEmails: [other.login] })],
    ['bookmark', call('post', 'usermark', { type: 'pads', key: pad })],
    ['change a setting', asAdmin('put', 'configuration/title', { value: 'New' })],
    ['sessions', asAdmin('delete', `user/${owner.login}/sessions`)],
  ];
  for (const [what, answer] of calls) expect((await answer).status, what).to.be.below(500);
  await app.model.padAccess.decide(pad, await app.model.padAccess.visitor(owner.entryToken));
  for (const path of [`pad/${pad}`, `group/${group}`]) {
    expect((await call('delete', path)).status, `DELETE ${path}`).to.be.below(500);
  }
  const own = await theirs('get', 'group');
  const again = await callerOf(app)('post', 'auth/login', credentials(other));
  const made = await theirs('post', 'group', { name: 'Another' });
  return [own.status, again.status, made.status];
}

const shapes: [string, unknown][] = [
  ['a text', 'text'],
  ['a number', 7],
  ['true', true],
  ['an empty list', []],
  ['a list of nothing', [null]],
  ['an empty object', {}],
  [
    'fields of other shapes',
    Object.fromEntries(
      [
        '_id login email password groups bookmarks userlists active ids uids pads users admins group visibility',
        'kind owner created lastSeen unlocked vanished people ctime tags title url searched built accounts names',
      ]
        .flatMap((names) => names.split(' '))
        .map((name, index) => [name, [5, 'x', null, {}, [[]], { x: 1 }][index % 6]]),
    ),
  ],
  [
    'fields of objects',
    Object.fromEntries(
      '_id login email password groups ids uids pads users admins group kind owner unlocked vanished people names'
        .split(' ')
        .map((name) => [name, { [name]: null }]),
    ),
  ],
];

describe('a record of an invalid form', () => {
  let fixture: Fixture;
  before(async () => {
    fixture = await build();
  });

  async function withDamage(what: string, value: unknown): Promise<TestApp> {
    const damaged = victims(fixture)[what] ?? [];
    return startApp({
      async prepare(database: Database) {
        for (const [name, record] of fixture.records) await database.set(name, structuredClone(record));
        for (const key of damaged) await database.set(key, value);
      },
    });
  }

  for (const what of kindsOfRecords) {
    for (const [shape, value] of shapes) {
      it(`instead of ${what}: ${shape}`, async () => {
        const app = await withDamage(what, value);
        expect(await live(app, fixture)).to.deep.equal([200, 200, 200]);
        await app.close();
      });
    }
  }
});

for (const [number, kind] of databaseServers.entries()) {
  // Servers differ in how they report a truncated record, not in which record it is: the first has every kind.
  const truncated = number === 0 ? kindsOfRecords : ['an account', 'a pad'];
  describe(`a record that cannot be read, on ${kind.name}`, () => {
    let fixture: Fixture;
    before(async () => {
      fixture = await build();
    });

    /** A database with the records of the fixture, with truncated ones among them. */
    async function withHalf(what: string): Promise<FreshServerDatabase> {
      const fresh = await kind.create();
      const { database, close } = await fresh.connect();
      await Promise.all([...fixture.records].map(([name, record]) => database.set(name, record)));
      await close();
      for (const key of victims(fixture)[what] ?? []) await fresh.writeRaw(key, '{"half":"a record');
      return fresh;
    }

    it('is named by the doctor, which repairs nothing then', async () => {
      const fresh = await withHalf('a group');
      const { database, close } = await fresh.connect();
      const doctor = createDoctor({ database, storedPads: createStoredPads, now: Date.now });
      const { findings } = await doctor.examine();
      expect(findings).to.deep.equal([{ kind: 'unreadable', of: keys.group(fixture.group) }]);
      const kept: string[] = [];
      const keep = async (key: string): Promise<void> => void kept.push(key);
      expect(await doctor.repair({ orphans: true, keep })).to.deep.equal([]);
      expect(kept).to.deep.equal([]);
      expect(await database.get(keys.pad(fixture.pad))).to.be.an('object');
      await close();
      await fresh.drop();
    });

    for (const what of truncated) {
      it(`instead of ${what}`, async () => {
        const fresh = await withHalf(what);
        const app = await startApp({ connect: fresh.connect });
        expect(await live(app, fixture)).to.deep.equal([200, 200, 200]);
        await app.close();
        await fresh.drop();
      });
    }
  });
}
