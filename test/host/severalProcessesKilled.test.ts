/** One of two Etherpad processes is killed or stands still in the middle of its work. The other one goes on. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import Redis from 'ioredis';
import { namesOf } from '../../model/accounts/nameRecords';
import { temporaryFolder } from '../support/app';
import type { Connection } from '../support/databases';
import { runDoctor } from '../support/doctor';
import { hostApi } from '../support/hostApi';
import { createFixture, type Fixture, type Person, password } from '../support/hostFixture';
import { legacyPeople, legacyRecords } from '../support/legacy';
import {
  missingForSeveral,
  type SeveralEtherpads,
  severalTimes,
  startSeveral,
} from '../support/severalEtherpads';
import { startSmtpServer, type TestSmtpServer } from '../support/smtpServer';
import { PadClient } from '../support/socketClient';
import { until } from '../support/waiting';

/** Milliseconds. Longer than a process that stands still keeps what it had. */
const longerThanLease = severalTimes.lease + 2_000;
const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

type Process = SeveralEtherpads['processes'][0];

/** True if it has its index of accounts. */
async function isReady({ api }: Process): Promise<boolean> {
  const { body } = await api('GET', 'cache/check');
  return (body as { userCacheReady: boolean }).userCacheReady;
}

interface Lists {
  groups: Record<string, { name: string; pads: string[]; admins: string[]; users: string[] }>;
  pads: Record<string, { name: string; group: string }>;
}

(missingForSeveral ? describe.skip : describe)('when one of several processes', function () {
  this.timeout(120_000);
  let several: SeveralEtherpads;
  let one: Process;
  let two: Process;
  let fixture: Fixture;
  let killed: Process | undefined;
  let database: Connection['database'];
  let closeDatabase: Connection['close'] | undefined;
  let owner: Person;
  let member: Person;
  let mails: TestSmtpServer;
  let numbers = 0;

  before(async function () {
    this.timeout(180_000);
    several = await startSeveral();
    mails = await startSmtpServer();
    ({ database, close: closeDatabase } = await several.database.connect());
    [one, two] = several.processes;
    fixture = createFixture(one);
    member = await fixture.person('member');
    for (const [key, value] of [
      ['deleteJobQueue', true],
      ['SMTPHost', '127.0.0.1'],
      ['SMTPPort', mails.port],
      ['SMTPTLS', false],
      ['SMTPEmailFrom', 'pads@example.org'],
    ] as const) {
      await fixture.configure(key, value);
    }
  });
  after(async () => {
    await closeDatabase?.();
    await several?.stop();
    await mails?.close();
  });
  // A new one for each test, because nobody may make so many folders in an hour.
  beforeEach(async () => {
    owner = await fixture.person('owner');
  });
  afterEach(async function () {
    if (this.currentTest?.state === 'failed' && process.env.SHOW)
      for (const process of several.processes) console.log(process.log().slice(-4000));
    const restarted = killed;
    killed = undefined;
    if (!restarted) return;
    await restarted.restart();
    await until('accounts can be made', () => isReady(restarted));
  });

  async function kill(process: Process): Promise<void> {
    killed = process;
    await process.kill9();
  }

  /** The process that does the background work, and the other one. */
  async function leaderAndOther(): Promise<[Process, Process]> {
    const pad = await fixture.pad(owner, await fixture.group(owner));
    await one.get(`/p/${pad}/export/txt`, { cookie: owner.cookie });
    const redis = new Redis(several.redis.port);
    try {
      const first = await redis.get(`ep_mypads:pad:${pad}`);
      let leader: string | undefined;
      await until('a process leads that is alive', async () => {
        leader = (await redis.get('ep_mypads:lock:mypads:leader'))?.split(':')[0];
        return (await redis.exists(`ep_mypads:process:${leader}`)) === 1;
      });
      return leader === first ? [one, two] : [two, one];
    } finally {
      redis.disconnect();
    }
  }

  async function listsOf({ token }: Person): Promise<Lists> {
    const answer = await two.api('GET', 'group', { token });
    expect(answer.status).to.equal(200);
    return (answer.body as { value: Lists }).value;
  }

  async function succeed(
    method: string,
    path: string,
    body: unknown,
    { token }: { token?: string },
    on = one,
  ) {
    const answer = await on.api(method, path, { token, body });
    if (answer.status !== 200)
      throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer;
  }

  /** Keys of the database that contain one of these texts. */
  async function keysWith(texts: string[]): Promise<string[]> {
    const found = await Promise.all(texts.map((text) => database.findKeys(`*${text}*`, null)));
    return found.flat();
  }

  type Check = () => unknown;
  /** Makes one change in the process that is killed meanwhile. Returns how to see it in the other one. */
  type Change = (at: Process, number: number) => Promise<Check>;

  /** Two folders of the owner, for pads that are made in one and moved to the other. */
  let folders: [string, string];

  async function without(texts: string[]): Promise<void> {
    await until(`nothing is left of ${texts}`, async () => (await keysWith(texts)).length === 0);
  }

  async function signInFails(login: string): Promise<void> {
    const answer = await two.api('POST', 'auth/login', { body: { login, password } });
    expect(answer.status, login).to.equal(400);
  }

  /** Lists of the owner, in the process that lives. */
  let lists: Lists;
  const changes: Record<string, Change> = {
    async registration(at, number) {
      const { login } = await createFixture(at).person(`person${number}-`);
      return () => createFixture(two).signIn(login);
    },
    async 'sign-in'(at) {
      const { token } = await createFixture(at).signIn(owner.login);
      return async () => expect((await two.api('GET', 'group', { token })).status).to.equal(200);
    },
    async 'new folder'(at, number) {
      const name = `Folder ${number}`;
      const made = await createFixture(at).group(owner, { name });
      return () => expect(lists.groups[made]).to.deep.include({ name, admins: [owner.id] });
    },
    async 'new pad'(at, number) {
      const [group] = folders;
      const pad = await createFixture(at).pad(owner, group, { name: `Pad ${number}` });
      return () => {
        expect(lists.groups[group]?.pads).to.include(pad);
        expect(lists.pads[pad]).to.deep.include({ name: `Pad ${number}`, group });
      };
    },
    async move(at) {
      const [from, to] = folders;
      const pad = await createFixture(at).pad(owner, from);
      await succeed('PUT', `pad/${pad}`, { group: to }, owner, at);
      return () => {
        expect(lists.groups[to]?.pads).to.include(pad);
        expect(lists.groups[from]?.pads).to.not.include(pad);
      };
    },
    async rename(at, number) {
      const name = `Renamed ${number}`;
      const made = await createFixture(at).group(owner);
      await succeed('PUT', `group/${made}`, { name }, owner, at);
      return () => expect(lists.groups[made]).to.deep.include({ name });
    },
    async invitation(at) {
      const [, group] = folders;
      await createFixture(at).invite(owner, group, [member.login]);
      return () => expect(lists.groups[group]?.users).to.deep.equal([member.id]);
    },
    async copy(at) {
      const [group] = folders;
      const pad = await createFixture(at).pad(owner, group);
      const copied = await succeed('POST', `pad/${pad}/duplicate`, { name: 'A copy' }, owner, at);
      const { key } = copied.body as { key: string };
      return async () => {
        expect(lists.groups[group]?.pads).to.include(key);
        await until('the copy can be read', async () => {
          const { status } = await two.get(`/p/${key}/export/txt`, { cookie: owner.cookie });
          return status === 200;
        });
      };
    },
    async 'removal of a pad'(at) {
      const [group] = folders;
      const pad = await createFixture(at).pad(owner, group);
      await succeed('DELETE', `pad/${pad}`, {}, owner, at);
      return () => {
        expect(lists.groups[group]?.pads).to.not.include(pad);
        expect(lists.pads).to.not.have.property(pad);
        return without([pad]);
      };
    },
    async 'removal of a folder'(at) {
      const made = createFixture(at);
      const group = await made.group(owner);
      const pads = [await made.pad(owner, group), await made.pad(owner, group)];
      await succeed('DELETE', `group/${group}`, {}, owner, at);
      return () => {
        expect(lists.groups).to.not.have.property(group);
        return without([group, ...pads]);
      };
    },
    async 'removal of a chat'(at) {
      const pad = await createFixture(at).pad(owner, folders[0]);
      const { authorID } = (await hostApi(at, 'createAuthor', {})) as { authorID: string };
      for (const text of ['one', 'two'])
        await hostApi(at, 'appendChatMessage', { padID: pad, authorID, text });
      await succeed('DELETE', `pad/chathistory/${pad}`, {}, owner, at);
      return () => without([`${pad}:chat:`]);
    },
    async 'removal of an account'(at, number) {
      const { login, id, token } = await createFixture(at).person(`leaving${number}-`);
      await succeed('DELETE', `user/${login}`, { currentPassword: password }, { token }, at);
      return async () => {
        await signInFails(login);
        await without([id]);
      };
    },
    async setting(at, number) {
      await createFixture(at).configure('title', `Title ${number}`);
      return async () => {
        const { body } = await two.api('GET', 'configuration');
        const { title } = (body as { value: { title: string } }).value;
        expect(Number(title.split(' ')[1])).to.be.at.least(number);
      };
    },
    async mail(at, number) {
      const { login } = await createFixture(at).person(`forgetful${number}-`);
      await succeed('POST', 'passrecover', { email: `${login}@example.org` }, {}, at);
      return async () => {
        const letter = mails.letters.find(({ to }) => to.includes(`${login}@example.org`));
        const [, link = ''] = /passrecover\/([0-9a-f]{64})/.exec(letter?.text ?? '') ?? [];
        const body = { password: 'another long password', passwordConfirm: 'another long password' };
        expect((await two.api('PUT', `passrecover/${link}`, { body })).status).to.equal(200);
      };
    },
  };

  /** Makes changes of all kinds until so many of each are confirmed, then kills the process in the middle of them. */
  async function changeUntilKilled(victim: Process, each: number): Promise<[string, Check][]> {
    const confirmed = new Map(Object.keys(changes).map((kind) => [kind, [] as Check[]]));
    const fewest = (): number => Math.min(...[...confirmed.values()].map(({ length }) => length));
    let dead = false;
    await Promise.all(
      Object.entries(changes).map(async ([kind, change]) => {
        while (!dead) {
          // Changes that are fast wait for those that are slow: nobody may make many folders in an hour.
          if ((confirmed.get(kind)?.length ?? 0) > fewest() + 5) {
            await pause(10);
            continue;
          }
          try {
            numbers += 1;
            confirmed.get(kind)?.push(await change(victim, numbers));
          } catch (error) {
            if (!dead) throw error;
          }
          if (!dead && fewest() >= each) {
            dead = true;
            await kill(victim);
          }
        }
      }),
    );
    return [...confirmed].flatMap(([kind, checks]) => checks.map((check): [string, Check] => [kind, check]));
  }

  // The first of them was started first, and does the background work until it is killed.
  for (const [who, each] of [
    ['and does the background work', 1],
    ['and another one does the background work', 3],
  ] as const) {
    it(`is killed while it changes everything ${who}, all that it has confirmed is there, and the other one goes on`, async () => {
      folders = [await fixture.group(owner), await fixture.group(owner)];
      const checks = await changeUntilKilled(one, each);
      const began = Date.now();
      lists = await listsOf(owner);
      const wrong: string[] = [];
      for (const [kind, check] of checks) {
        try {
          await check();
        } catch (error) {
          wrong.push(`${kind}: ${error}`);
        }
      }
      expect(wrong).to.deep.equal([]);
      // The locks of the dead process end.
      for (const group of folders) {
        await until('the folder can be changed', async () => {
          const body = { name: 'After', group };
          return (await two.api('POST', 'pad', { token: owner.token, body })).status === 200;
        });
        await createFixture(two).change(owner, `group/${group}`, { name: 'After the cut' });
      }
      expect(Date.now() - began).to.be.below(45_000);
      const after = await listsOf(owner);
      for (const group of folders)
        for (const id of after.groups[group]?.pads ?? []) expect(after.pads).to.have.property(id);
      await without(['jobqueue:deletePad', 'jobqueue:deleteGroup', 'jobqueue:removedAccounts']);
    });
  }

  describe('is killed in the middle of a removal, the other one finishes', () => {
    /** The process is killed when records of these pads are gone from Etherpad, and others are not. */
    async function killDuring(removal: Promise<unknown>, process: Process): Promise<void> {
      const outcome = removal.catch(() => {});
      const count = async (): Promise<number> =>
        (await database.findKeys('pad:a-removed-*', 'pad:a-removed-*:*')).length;
      const all = await count();
      for (const end = Date.now() + 20_000; (await count()) >= all; ) {
        if (Date.now() > end) expect.fail('the removal does not begin');
      }
      await kill(process);
      await outcome;
      expect(await count(), 'the cut came early enough').to.be.above(0);
    }

    async function folderWithPads(person: Person): Promise<{ group: string; pads: string[] }> {
      const group = await fixture.group(person);
      const pads: string[] = [];
      for (let round = 0; round < 10; round++) {
        const made = Array.from({ length: 20 }, () => fixture.pad(person, group, { name: 'A removed' }));
        pads.push(...(await Promise.all(made)));
      }
      return { group, pads };
    }

    for (const who of ['the leader', 'another process']) {
      it(`that of a folder by ${who}`, async () => {
        const { group, pads } = await folderWithPads(owner);
        const [leader, follower] = await leaderAndOther();
        const [victim, other] = who === 'the leader' ? [leader, follower] : [follower, leader];
        await killDuring(succeed('DELETE', `group/${group}`, {}, owner, victim), victim);
        const { body } = await other.api('GET', 'group', { token: owner.token });
        expect((body as { value: Lists }).value.groups).to.not.have.property(group);
        for (const pad of pads.slice(-5)) {
          const { status } = await other.get(`/p/${pad}/export/txt`, { cookie: owner.cookie });
          expect(status).to.be.oneOf([401, 404]);
        }
        await without(['a-removed']);
        await without([group]);
      });
    }

    it('that of an account', async () => {
      const person = await fixture.person('removed');
      const { group } = await folderWithPads(person);
      const { login, id } = person;
      const [leader, other] = await leaderAndOther();
      const body = { currentPassword: password };
      await killDuring(succeed('DELETE', `user/${login}`, body, person, leader), leader);
      await without(['a-removed']);
      await without([group, id]);
      const answer = await other.api('POST', 'auth/login', { body: { login, password } });
      expect(answer.status).to.equal(400);
      const again = { login, password, email: 'somebody.else@example.org' };
      expect((await other.api('POST', 'user', { body: again })).status).to.equal(200);
    });
  });

  it('stands still for longer than its lease, it writes nothing afterwards and lets go of its editors', async () => {
    const group = await fixture.group(owner);
    const member = await fixture.person('member');
    await fixture.invite(owner, group, [member.login]);
    const pad = await fixture.pad(owner, group);
    const editor = await PadClient.connect(one, owner.cookie);
    const theirs = await PadClient.connect(one, member.cookie);
    for (const client of [editor, theirs]) expect(await client.join(pad)).to.equal('write');
    await editor.write('before ');
    const calls = Array.from({ length: 20 }, (_, number) =>
      fixture.pad(owner, group, { name: `Frozen ${number}` }).catch(() => undefined),
    );
    await pause(40);
    process.kill(one.pid(), 'SIGSTOP');
    editor.sendChange('too late ');
    const began = Date.now();
    const there = await PadClient.enter(two, owner.cookie, pad);
    expect(there.text).to.include('before');
    await there.write('there ');
    const made: string[] = [];
    const fixtureThere = createFixture(two);
    await until('the folder can be changed', () =>
      fixtureThere.pad(owner, group, { name: 'There' }).then(
        (id) => made.push(id) > 0,
        () => false,
      ),
    );
    await fixtureThere.invite(owner, group, []);
    await pause(Math.max(0, longerThanLease - (Date.now() - began)));
    process.kill(one.pid(), 'SIGCONT');
    await Promise.all([editor.gone(), theirs.gone()]);
    const confirmed = (await Promise.all(calls)).filter((id) => id !== undefined);
    await there.write('still there ');
    await until('both agree', async () => {
      const answers = await Promise.all(
        [one, two].map(({ api }) => api('GET', `group/${group}`, { token: owner.token })),
      );
      const lists = answers.map(({ body }) => (body as { value: Lists['groups'][string] }).value);
      return JSON.stringify(lists[0]) === JSON.stringify(lists[1]);
    });
    const { groups } = await listsOf(owner);
    expect(groups[group]?.users).to.deep.equal([]);
    expect(groups[group]?.pads).to.include.members([...made, ...confirmed]);
    const { body } = await two.get(`/p/${pad}/export/txt`, { cookie: owner.cookie });
    expect(String(body)).to.include('still there there before').and.not.include('too late');
    there.close();
    const back = await PadClient.enter(one, owner.cookie, pad);
    expect(back.text).to.include('still there there before').and.not.include('too late');
    back.close();
  });

  it('stands still while people write, it overwrites nothing that the other one has written in their pads since', async () => {
    const group = await fixture.group(owner);
    const pads = await Promise.all(Array.from({ length: 12 }, () => fixture.pad(owner, group)));
    let stopped = false;
    // Etherpad makes an author of each of the first editors of somebody that open at once, and refuses all but one.
    (await PadClient.enter(one, owner.cookie, pads[0] ?? '')).close();
    const all = await Promise.all(
      pads.map(async (pad) => {
        const editor = await PadClient.connect(one, owner.cookie);
        expect(await editor.join(pad)).to.equal('write');
        return { pad, editor, words: [] as string[] };
      }),
    );
    const typing = all.map(async ({ editor, words }) => {
      while (!stopped) {
        const word = `here ${words.length} `;
        await editor.write(word);
        words.push(word);
      }
    });
    await Promise.race([
      until('all of them write', () => all.every(({ words }) => words.length > 3)),
      Promise.all(typing),
    ]);
    // Etherpad has the next changes, and writes them 100 ms after the last ones.
    await pause(50);
    process.kill(one.pid(), 'SIGSTOP');
    stopped = true;
    const there = await Promise.all(pads.map((pad) => PadClient.enter(two, owner.cookie, pad, 40_000)));
    for (const word of ['there 1 ', 'there 2 ']) await Promise.all(there.map((editor) => editor.write(word)));
    process.kill(one.pid(), 'SIGCONT');
    await Promise.all(all.map(({ editor }) => editor.gone()));
    await Promise.allSettled(typing);
    await until('it works again', async () => {
      const { status } = await one.api('GET', 'group', { token: owner.token });
      return status === 200;
    });
    for (const editor of there) editor.close();
    const wrong: string[] = [];
    for (const { pad, words } of all) {
      const back = await PadClient.enter(one, owner.cookie, pad, 40_000);
      // The last word was perhaps stored and not confirmed.
      const expected = ['there 2 ', 'there 1 ', ...words.toReversed()].join('').trim();
      const found = back.text.replace(`here ${words.length} `, '');
      if (!found.startsWith(expected)) wrong.push(`${pad}: ${expected} is now ${back.text.slice(0, 80)}`);
      // Its history leads to the same text.
      const { body } = await one.get(`/p/${pad}/${back.lastRevision}/export/txt`, { cookie: owner.cookie });
      if (String(body).trim() !== back.text.trim()) wrong.push(`${pad}: ${String(body).slice(0, 80)}`);
      back.close();
    }
    expect(wrong).to.deep.equal([]);
  });
});

const [alice] = legacyPeople;

/** Accounts of ep_mypads 1.x with the password of Alice, in the `dirty` format. */
function manyAccounts(count: number): string {
  const record = legacyRecords().get(`mypads:user:${alice?.id}`) as object;
  const lines = Array.from({ length: count }, (_, number) => {
    const login = `person${number}`;
    const own = { _id: login, login, email: `${login}@example.org` };
    const val = { ...record, ...own, groups: [], bookmarks: { groups: [], pads: [] }, userlists: {} };
    return JSON.stringify({ key: `mypads:user:${login}`, val });
  });
  return `${lines.join('\n')}\n`;
}

(missingForSeveral ? describe.skip : describe)(
  'a process that is killed while it makes the first index',
  function () {
    this.timeout(180_000);
    const count = 300;
    const folder = temporaryFolder();
    let several: SeveralEtherpads | undefined;
    after(async () => {
      await several?.stop();
      folder.remove();
    });

    it('leaves accounts that the next one can complete', async () => {
      const database = path.join(folder.path, 'accounts.db');
      writeFileSync(database, manyAccounts(count));
      // The first record of the index is written when nobody has its lock any more.
      const names = Array.from({ length: count }, (_, number) =>
        namesOf({ login: `person${number}`, email: '' }),
      );
      const [first = ''] = names.map(([name]) => name?.key ?? '').sort();
      const held = { [`ep_mypads:lock:${first}`]: 'test:1', 'ep_mypads:process:test': '1' };
      several = await startSeveral({ database, redisContent: held, inOrder: true });
      const [one, two] = several.processes;
      expect(await isReady(one)).to.equal(false);
      await one.kill9();
      const redis = new Redis(several.redis.port);
      await redis.del(Object.keys(held));
      redis.disconnect();
      await until('the index is complete', () => isReady(two));
      for (const number of [0, 1, count - 1]) {
        const body = { login: `person${number}`, password: alice?.password };
        expect((await two.api('POST', 'auth/login', { body })).status).to.equal(200);
      }
      const taken = { login: 'other', password: 'a long password', email: `person${count / 2}@example.org` };
      expect((await two.api('POST', 'user', { body: taken })).status).to.equal(400);
      await two.halt();
      expect(runDoctor(two.folder, two.settingsFile, []).said).to.contain('Nothing is damaged.');
    });
  },
);
