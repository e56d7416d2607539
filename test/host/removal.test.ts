/** Removal of pads in a real Etherpad: of all their records, while others go on writing, and across a restart. */
import { appendFileSync, readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'chai';
import { readJobs } from '../../model/jobs/jobList';
import { keys } from '../../model/store/store';
import { temporaryFolder } from '../support/app';
import { type RunningEtherpad, startEtherpad } from '../support/etherpad';
import { createFixture, entryCookieOf, untilAccountsAreIndexed } from '../support/hostFixture';
import { legacyGroups, readDirty } from '../support/legacy';
import { databaseWithLongPads, tracesOf } from '../support/longPads';
import { PadClient } from '../support/socketClient';
import { until } from '../support/waiting';

const pads = ['long-one', 'long-two', 'long-three', 'long-four', 'long-five'];

describe('removing pads with a long history', function () {
  this.timeout(300_000);
  const folder = temporaryFolder();
  let etherpad: RunningEtherpad;
  let alice: { token: string; cookie: string };

  before(async () => {
    const database = databaseWithLongPads(folder.path, { ids: pads, revisions: 3_000, chat: 3_000 });
    // Etherpad 2.7.3 and newer store this. An older one, which a backup was moved to, does not know it.
    const token = { key: `pad:${pads[0]}:deletionToken`, val: { hash: '0'.repeat(64) } };
    appendFileSync(database, `${JSON.stringify(token)}\n`);
    etherpad = await startEtherpad({ database });
    await untilAccountsAreIndexed(etherpad);
    const body = { login: 'alice', password: 'alice-password-1' };
    const answer = await etherpad.api('POST', 'auth/login', { body });
    alice = { token: (answer.body as { token: string }).token, cookie: entryCookieOf(answer) ?? '' };
  });
  after(async () => {
    await etherpad?.stop();
    folder.remove();
  });

  const traces = (id: string): string[] => tracesOf(id, readDirty(etherpad.databaseFile));

  const untilGone = (id: string): Promise<void> =>
    until(`nothing is left of ${id}`, () => traces(id).length === 0);

  const listed = async (): Promise<string[]> => {
    const { body } = await etherpad.api('GET', `group/${legacyGroups.class}`, { token: alice.token });
    return (body as { value: { pads: string[] } }).value.pads;
  };

  it('removes text, revisions, chat and read-only address before it answers', async () => {
    const [id = ''] = pads;
    expect((await etherpad.get(`/p/${id}/export/txt`, { cookie: alice.cookie })).status).to.equal(200);
    const { status } = await etherpad.api('DELETE', `pad/${id}?permanent=true`, { token: alice.token });
    expect(status).to.equal(200);
    await untilGone(id);
    expect(await listed()).to.not.include(id);
  });

  it('answers at once where removals are queued, with the pad and its open editors closed (P8)', async () => {
    const [, id = ''] = pads;
    await createFixture(etherpad).configure('deleteJobQueue', true);
    const reader = await PadClient.writer(etherpad, alice.cookie, id);
    const gone = reader.gone();
    expect(
      (await etherpad.api('DELETE', `pad/${id}?permanent=true`, { token: alice.token })).status,
    ).to.equal(200);
    await gone;
    for (const place of [`/p/${id}`, `/p/${id}/export/txt`, `/p/r.${id}`]) {
      expect((await etherpad.get(place, { cookie: alice.cookie })).status, place).to.be.oneOf([401, 404]);
    }
    await untilGone(id);
  });

  it('does not let an open history create the pad again, which connects again by itself', async () => {
    const fixture = createFixture(etherpad);
    const owner = await fixture.person('owner');
    const [id, kept] = await Promise.all([
      fixture.pad(owner, await fixture.group(owner)),
      fixture.pad(owner, await fixture.group(owner)),
    ]);
    const reader = await PadClient.writer(etherpad, owner.cookie, id);
    const gone = reader.gone();
    await etherpad.api('DELETE', `pad/${id}?permanent=true`, { token: owner.token });
    await gone;
    for (const cookie of [owner.cookie, '']) {
      const again = await PadClient.connect(etherpad, cookie);
      expect(await again.join(id)).to.equal('refused');
      again.close();
    }
    expect((await etherpad.get(`/p/${id}/export/txt`)).status).to.equal(404);
    for (const open of [kept, 'not-of-a-folder']) {
      const other = await PadClient.writer(etherpad, owner.cookie, open);
      other.close();
    }
  });

  it('continues after a power cut in the middle', async () => {
    const [, , id = ''] = pads;
    expect(
      (await etherpad.api('DELETE', `pad/${id}?permanent=true`, { token: alice.token })).status,
    ).to.equal(200);
    await etherpad.kill9();
    expect(traces(id).length, 'the cut came early enough').to.be.greaterThan(10);
    await etherpad.restart();
    await untilGone(id);
    expect(await listed()).to.not.include(id);
  });

  it('continues after a stop in the middle, which does not wait for it', async () => {
    const [, , , id = ''] = pads;
    expect(
      (await etherpad.api('DELETE', `pad/${id}?permanent=true`, { token: alice.token })).status,
    ).to.equal(200);
    await etherpad.restart();
    await untilGone(id);
  });

  it('removes the record of a pad that Etherpad removed, also when the server dies at that moment', async () => {
    const fixture = createFixture(etherpad);
    const owner = await fixture.person('owner');
    const group = await fixture.group(owner);
    const id = await fixture.pad(owner, group);
    expect(await etherpad.removeAsHost(id)).to.equal(true);
    await until('the removal is noted', () => {
      const jobs = readJobs(readDirty(etherpad.databaseFile).get(keys.jobs));
      return (jobs.vanishedPads?.facts as { pads: string[] } | undefined)?.pads.includes(id) === true;
    });
    await etherpad.kill9();
    await etherpad.restart();
    await untilGone(id);
    const { body } = await etherpad.api('GET', `group/${group}`, { token: owner.token });
    expect((body as { value: { pads: string[] } }).value.pads).to.deep.equal([]);
  });

  it('clears the chat of an open pad, and later messages stay (B4)', async () => {
    const fixture = createFixture(etherpad);
    const owner = await fixture.person('talker');
    const pad = await fixture.pad(owner, await fixture.group(owner));
    const client = await PadClient.writer(etherpad, owner.cookie, pad);
    for (const text of ['one', 'two', 'three']) await client.say(`before ${text}`);
    const { status } = await etherpad.api('DELETE', `pad/chathistory/${pad}`, { token: owner.token });
    expect(status).to.equal(200);
    await client.say('afterwards');
    const kept = (): unknown[] =>
      [...readDirty(etherpad.databaseFile)]
        .filter(([key]) => key.startsWith(`pad:${pad}:chat:`))
        .map(([key, value]) => [key.split(':').at(-1), (value as { text: string }).text]);
    const record = () => readDirty(etherpad.databaseFile).get(`pad:${pad}`) as { chatHead: number };
    // Etherpad sends a chat message to everybody before it stores it.
    await until('the line is stored', () => kept().length > 0);
    expect(kept()).to.deep.equal([['0', 'afterwards']]);
    expect(record().chatHead).to.equal(0);
    client.close();
  });

  it('continues with a chat history after a power cut in the middle', async () => {
    const [, , , , id = ''] = pads;
    const messages = (): number => traces(id).filter((key) => key.startsWith(`pad:${id}:chat:`)).length;
    const { status } = await etherpad.api('DELETE', `pad/chathistory/${id}`, { token: alice.token });
    expect(status).to.equal(200);
    await etherpad.kill9();
    expect(messages(), 'the cut came early enough').to.be.greaterThan(10);
    await etherpad.restart();
    await until('no message is left', () => messages() === 0);
    const text = await etherpad.get(`/p/${id}/export/txt`, { cookie: alice.cookie });
    expect([text.status, text.body]).to.deep.equal([200, 'A long history.\n']);
  });

  it('completes the removal of an account after a power cut in the middle, with everything that only it has', async () => {
    const [, , , , id = ''] = pads;
    await createFixture(etherpad).configure('deleteJobQueue', false);
    const body = { currentPassword: 'alice-password-1' };
    const cut = etherpad.api('DELETE', 'user/alice', { token: alice.token, body }).then(
      ({ status }) => status,
      () => 'cut',
    );
    const records = () => readDirty(etherpad.databaseFile);
    const noted = (): boolean => readFileSync(etherpad.databaseFile, 'utf8').includes('removeAccount:');
    // Looks every millisecond, because the cut must come before the removal ends.
    for (let tries = 0; !noted(); tries++) {
      if (tries === 2_000) expect.fail(`the removal does not begin, but is answered ${await cut}`);
      await wait(1);
    }
    await etherpad.kill9();
    expect(await cut).to.equal('cut');
    expect(records().has('mypads:user:alice-v42gdz3'), 'the cut came early enough').to.equal(true);
    await etherpad.restart();
    const left = (): string[] =>
      [...records()]
        .filter(([key, value]) => `${key} ${JSON.stringify(value)}`.includes('alice-v42gdz3'))
        .map(([key]) => key);
    await until('nothing is left of the account', () => left().length + traces(id).length === 0);
    const login = { login: 'alice', password: 'alice-password-1' };
    expect((await etherpad.api('POST', 'auth/login', { body: login })).status).to.equal(400);
    const remaining = [...records().keys()].filter((key) => key.startsWith('mypads:group:'));
    expect(remaining).to.not.include(`mypads:group:${legacyGroups.class}`);
    expect(records().get(`mypads:group:${legacyGroups.council}`)).to.deep.include({
      admins: ['helene-lefevre-ve4gdoq'],
    });
  });

  it('continues at the start with what a kill has left of a pad at the very end, and of an account that waits for its pads', async () => {
    const fixture = createFixture(etherpad);
    await fixture.configure('deleteJobQueue', false);
    const person = await fixture.person('leaver');
    const group = await fixture.group(person);
    const pad = await fixture.pad(person, group);
    const records = () => readDirty(etherpad.databaseFile);
    await etherpad.halt();
    const pending = records().get('mypads:jobqueue:pending') as object;
    const account = records().get(`mypads:user:${person.id}`) as { login: string; email: string };
    const { login, email } = account;
    const job = { type: 'removeAccount', facts: { _id: person.id, login, email, authors: [] } };
    const time = Date.now();
    const left: [string, unknown][] = [
      ['mypads:jobqueue:pending', { ...pending, pads: ['half'] }],
      ['mypads:jobqueue:deletePad:half', { pad: 'half' }],
      ...[0, 1, 2].map((number): [string, unknown] => [`pad:half:revs:${number}`, { changeset: 'Z:1>0$' }]),
      ['pad:half:chat:0', { text: 'left' }],
      ['pad:half:deletionToken', { hash: '0'.repeat(64) }],
      ['pad2readonly:half', 'r.half'],
      ['readonly2pad:r.half', 'half'],
      // As a kill leaves it that comes after the account was closed, and before its folder is removed.
      [`mypads:user:${person.id}`, { ...account, closed: true }],
      ['mypads:jobs', { [`removeAccount:${person.id}`]: { ...job, begun: time, next: time, attempts: 0 } }],
    ];
    appendFileSync(
      etherpad.databaseFile,
      left.map(([key, val]) => `${JSON.stringify({ key, val })}\n`).join(''),
    );
    expect(traces('half')).to.have.length(8);
    await etherpad.restart();
    await untilGone('half');
    await until('account, folder and pad are removed', () => {
      const keys = [...records().keys()];
      return traces(pad).length === 0 && !keys.some((key) => key.includes(person.id) || key.includes(group));
    });
  });
});
