/**
 * An upgrade from ep_mypads 1.7.17 and the way back, in a real Etherpad: backup, first start, a day's work, restore.
 * Before the restore, the records are compared with what 1.7.17 reads. test/database/wayBack.test.ts has all databases.
 */
import { expect } from 'chai';
import * as z from 'zod';
import { temporaryFolder } from '../support/app';
import { type Backup, backupOf } from '../support/backup';
import { databases, type FreshDatabase } from '../support/databases';
import { type RunningEtherpad, startEtherpad } from '../support/etherpad';
import { createFixture, entryCookieOf, type Person, untilAccountsAreIndexed } from '../support/hostFixture';
import {
  legacyGroups,
  legacyPasswords,
  legacyPeople,
  legacyRecords,
  legacyTexts,
  writeLegacyRecords,
} from '../support/legacy';
import { PadClient } from '../support/socketClient';

const text = z.string();
const ids = z.array(z.string());
const visibility = z.enum(['restricted', 'private', 'public']);
/** Newer hashes have another form, which 1.7.17 cannot read: docs/upgrade.md says so. */
const password = z.unknown();

/** What 1.7.17 reads. Records may have more fields, which it ignores. */
const shapes: Record<string, z.ZodType> = {
  user: z.object({
    _id: text,
    login: text,
    email: text,
    password,
    firstname: text,
    lastname: text,
    organization: text,
    color: text,
    padNickname: text.optional(),
    groups: ids,
    bookmarks: z.object({ groups: ids, pads: ids }),
    userlists: z.record(text, z.object({ name: text, uids: ids })),
    active: z.boolean(),
    useLoginAndColorInPads: z.boolean(),
    hideHelp: z.boolean().optional(),
    lang: text,
    ctime: z.number().optional(),
  }),
  group: z.object({
    _id: text,
    name: text,
    description: text.optional(),
    admins: ids,
    users: ids,
    pads: ids,
    visibility,
    password,
    readonly: z.boolean(),
    allowUsersToCreatePads: z.boolean().optional(),
    archived: z.boolean().optional(),
    tags: ids,
    ctime: z.number(),
  }),
  pad: z.object({
    _id: text,
    name: text,
    group: text,
    users: ids,
    visibility: visibility.nullable(),
    password,
    readonly: z.boolean().nullable(),
    ctime: z.number(),
  }),
  'jobqueue:deletePad': text,
};

const kindOf = (value: unknown): string => (Array.isArray(value) ? 'list' : typeof value);

describe('the way back from an upgrade', function () {
  this.timeout(300_000);
  const folder = temporaryFolder();
  let fresh: FreshDatabase;
  let backup: Backup;
  let etherpad: RunningEtherpad;
  let original: Record<string, unknown>;
  let changed: Record<string, unknown>;

  /** Every record, while Etherpad is stopped. */
  async function everything(): Promise<Record<string, unknown>> {
    const { database, close } = await fresh.connect();
    const keys = await database.findKeys('*', null);
    const found = await Promise.all(keys.map(async (key) => [key, await database.get(key)] as const));
    await close();
    return Object.fromEntries(found.filter(([, value]) => value !== null && value !== undefined));
  }

  async function signIn(login: string): Promise<Person> {
    const person = legacyPeople.find((one) => one.login === login);
    const body = { login, password: person?.password };
    const answer = await etherpad.api('POST', 'auth/login', { body });
    expect(answer.status, login).to.equal(200);
    const { token } = answer.body as { token: string };
    return { login, id: person?.id ?? '', token, cookie: entryCookieOf(answer) ?? '' };
  }

  async function call(method: string, place: string, { token }: Person, body?: object): Promise<void> {
    const answer = await etherpad.api(method, place, { token, body });
    expect(answer.status, `${method} ${place}: ${JSON.stringify(answer.body)}`).to.equal(200);
  }

  /** Changes old records of each kind, and makes new ones. */
  async function work(): Promise<void> {
    const fixture = createFixture(etherpad);
    const [alice, gina] = [await signIn('alice'), await signIn('gina')];
    const editor = await PadClient.enter(etherpad, alice.cookie, 'cours-d-histoire-y5xgdbg');
    await editor.write('Written after the upgrade. ');
    editor.close();
    await fixture.change(alice, `group/${legacyGroups.class}`, { name: 'Renamed', visibility: 'public' });
    await fixture.change(alice, 'pad/devoirs-y7ygd3p', { visibility: 'private', password: 'a new secret' });
    await fixture.change(alice, 'pad/moved-pad-141fgdaw', { group: legacyGroups.class });
    await fixture.change(alice, 'user/alice', { organization: '', lang: 'de', color: '' });
    await call('DELETE', 'pad/welcome-z414gdv4?permanent=true', alice);
    await call('POST', 'usermark', gina, { type: 'groups', key: legacyGroups.japanese });
    await call('POST', 'userlist', gina, { name: 'Class', loginsOrEmails: ['bob'] });
    await call('DELETE', 'user/frank', await signIn('frank'), { currentPassword: 'frank-password' });
    const zoe = await fixture.person('zoe');
    const group = await fixture.group(zoe, { visibility: 'private', password: 'a folder secret' });
    await fixture.invite(zoe, group, ['bob']);
    await fixture.pad(zoe, group);
    await fixture.pad(zoe, group, { visibility: 'restricted', readonly: true });
    await fixture.configure('title', 'After the upgrade');
    await fixture.configure('passwordMin', 11);
  }

  before(async () => {
    const kind = databases.find(({ name }) => name === 'PostgreSQL') ?? databases[0];
    fresh = await (kind as (typeof databases)[0]).create();
    backup = backupOf(fresh, folder.path);
    const { database, close } = await fresh.connect();
    await writeLegacyRecords(database);
    await close();
    original = await everything();
    await backup.save();
    etherpad = await startEtherpad({ settings: fresh.hostSettings() });
    await untilAccountsAreIndexed(etherpad);
    await work();
    await etherpad.halt();
    changed = await everything();
  });
  after(async () => {
    await etherpad?.stop();
    await fresh?.drop();
    folder.remove();
  });

  it('meets records that 1.7.17 can read, except passwords, and no others under its keys', () => {
    for (const [key, value] of Object.entries(changed)) {
      const [, kind = '', id] = /^mypads:(user|group|pad|jobqueue:deletePad):(.*)$/.exec(key) ?? [];
      if (kind !== '') {
        const result = (shapes[kind] as z.ZodType).safeParse(value);
        expect(result.success, `${key}: ${result.error && z.prettifyError(result.error)}`).to.equal(true);
        if (kind !== 'jobqueue:deletePad') expect(value, key).to.have.property('_id', id);
      }
      if (key.startsWith('mypads:conf:') && key in original)
        expect(kindOf(value), key).to.equal(kindOf(original[key]));
    }
    const count = (records: object, kind: string) =>
      Object.keys(records).filter((key) => key.startsWith(`mypads:${kind}:`)).length;
    expect(count(changed, 'user'), 'one left, one came').to.equal(count(original, 'user'));
    expect(count(changed, 'group')).to.equal(count(original, 'group'));
    expect(changed['mypads:conf:title']).to.equal('After the upgrade');
  });

  it('leads to the database that 1.7.17 has written, key by key', async () => {
    for (const key of ['mypads:user:frank-vs8gdak', 'pad:welcome-z414gdv4', 'mypads:pad:welcome-z414gdv4'])
      expect(changed, key).not.to.have.property(key);
    await backup.restore();
    const restored = await everything();
    for (const key of new Set([...Object.keys(original), ...Object.keys(restored)]))
      expect(restored[key], key).to.deep.equal(original[key]);
    for (const [key, value] of legacyRecords()) expect(restored[key], key).to.deep.equal(value);
  });

  it('leaves a database that the plugin opens again, with its old people, pads and texts', async () => {
    await etherpad.restart();
    await untilAccountsAreIndexed(etherpad);
    const people = await Promise.all(legacyPeople.map(({ login }) => signIn(login)));
    const fixture = createFixture(etherpad);
    const keys: { cookie?: string }[] = [...people];
    for (const id of ['notes-privees-yhzgd9o', 'answers-zs17gdzd'] as const)
      keys.push(await fixture.unlock(`pad/${id}`, legacyPasswords[id]));
    await Promise.all(
      Object.entries(legacyTexts).map(async ([id, old]) => {
        const read = ({ cookie }: { cookie?: string }) => etherpad.get(`/p/${id}/export/txt`, { cookie });
        const answers = await Promise.all(keys.map(read));
        const texts = answers.filter(({ status }) => status === 200).map(({ body }) => body);
        expect([...new Set(texts)], id).to.deep.equal([old]);
      }),
    );
    const { body } = await etherpad.api('GET', 'configuration');
    expect((body as { value: object }).value).to.deep.include({ title: 'Les pads du collège Jean-Moulin' });
  });
});
