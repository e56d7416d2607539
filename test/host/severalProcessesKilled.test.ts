/** One of two Etherpad processes is killed while it changes records. The other one goes on. */
import { randomInt } from 'node:crypto';
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import Redis from 'ioredis';
import { namesOf } from '../../model/accounts/nameRecords';
import { temporaryFolder } from '../support/app';
import { runDoctor } from '../support/doctor';
import type { RunningEtherpad } from '../support/etherpad';
import { hostApi } from '../support/hostApi';
import { createFixture, type Person, password } from '../support/hostFixture';
import { exportFilesOf, exportSteps } from '../support/interrupted/exports';
import { ImportingPerson } from '../support/interrupted/imports';
import { interrupt, type Place } from '../support/interrupted/steps';
import { interruptTexts, textFilesOf } from '../support/interrupted/texts';
import { interruptBeforeJobsEnd, interruptTransfers, interruptTrash } from '../support/interrupted/work';
import { legacyPeople, legacyRecords } from '../support/legacy';
import {
  command,
  missingForSeveral,
  moveClock,
  runTimers,
  type SeveralEtherpads,
  startSeveral,
  tellNothing,
  untilHeld,
} from '../support/severalEtherpads';
import { isReady, type Lists, useTwoProcesses } from '../support/twoProcesses';
import { until } from '../support/waiting';

(missingForSeveral ? describe.skip : describe)('when one of several processes', function () {
  this.timeout(300_000);
  const both = useTwoProcesses();
  const { keysWith, kill, listsOf, succeed, without } = both;
  let member: Person;
  let numbers = 0;

  before(async () => {
    member = await both.fixture.person('member');
  });

  type Check = () => unknown;
  /** Makes one change in the process that is killed meanwhile. Returns a check that the other one shows the change. */
  type Change = (at: RunningEtherpad, number: number) => Promise<Check>;

  /** Two folders of `both.owner`, for pads that are created in one and moved to the other. */
  let folders: [string, string];

  async function signInFails(login: string): Promise<void> {
    const answer = await both.two.api('POST', 'auth/login', { body: { login, password } });
    expect(answer.status, login).to.equal(400);
  }

  /** What is in the trash of `both.owner`, in the process that stays alive. */
  async function trashed(): Promise<string[]> {
    const { body } = await both.two.api('GET', 'trash?limit=500', { token: both.owner.token });
    return (body as { entries: { _id: string }[] }).entries.map(({ _id }) => _id);
  }

  /** The lists of `both.owner`, in the process that stays alive. */
  let lists: Lists;
  const changes: Record<string, Change> = {
    async registration(at, number) {
      const { login } = await createFixture(at).person(`person${number}-`);
      return () => createFixture(both.two).signIn(login);
    },
    async 'sign-in'(at) {
      const { token } = await createFixture(at).signIn(both.owner.login);
      return async () => expect((await both.two.api('GET', 'group', { token })).status).to.equal(200);
    },
    async 'new folder'(at, number) {
      const name = `Folder ${number}`;
      const made = await createFixture(at).group(both.owner, { name });
      return () => expect(lists.groups[made]).to.deep.include({ name, admins: [both.owner.id] });
    },
    async 'new pad'(at, number) {
      const [group] = folders;
      const pad = await createFixture(at).pad(both.owner, group, { name: `Pad ${number}` });
      return () => {
        expect(lists.groups[group]?.pads).to.include(pad);
        expect(lists.pads[pad]).to.deep.include({ name: `Pad ${number}`, group });
      };
    },
    async move(at) {
      const [from, to] = folders;
      const pad = await createFixture(at).pad(both.owner, from);
      await succeed('PUT', `pad/${pad}`, { group: to }, both.owner, at);
      return () => {
        expect(lists.groups[to]?.pads).to.include(pad);
        expect(lists.groups[from]?.pads).to.not.include(pad);
      };
    },
    async rename(at, number) {
      const name = `Renamed ${number}`;
      const made = await createFixture(at).group(both.owner);
      await succeed('PUT', `group/${made}`, { name }, both.owner, at);
      return () => expect(lists.groups[made]).to.deep.include({ name });
    },
    async invitation(at) {
      const [, group] = folders;
      await createFixture(at).invite(both.owner, group, [member.login]);
      return () => expect(lists.groups[group]?.users).to.deep.equal([member.id]);
    },
    async copy(at) {
      const [group] = folders;
      const pad = await createFixture(at).pad(both.owner, group);
      const copied = await succeed('POST', `pad/${pad}/duplicate`, { name: 'A copy' }, both.owner, at);
      const { key } = copied.body as { key: string };
      return async () => {
        expect(lists.groups[group]?.pads).to.include(key);
        await until('the copy can be read', async () => {
          const { status } = await both.two.get(`/p/${key}/export/txt`, { cookie: both.owner.cookie });
          return status === 200;
        });
      };
    },
    async import(at, number) {
      const pad = await createFixture(at).pad(both.owner, folders[0]);
      const form = new FormData();
      form.append('file', new Blob([`Imported as ${number}\n`], { type: 'text/plain' }), 'text.txt');
      const { cookie } = both.owner;
      const { status } = await at.get(`/p/${pad}/import`, { method: 'POST', form, cookie });
      expect(status).to.equal(200);
      // The text belongs to the pad, which the other process may open when the killed one has lost it.
      return () =>
        until('the other one has the imported text', async () => {
          const { body } = await both.two.get(`/p/${pad}/export/txt`, { cookie });
          return String(body).startsWith(`Imported as ${number}\n`);
        });
    },
    async 'removal of a pad'(at) {
      const [group] = folders;
      const pad = await createFixture(at).pad(both.owner, group);
      await succeed('DELETE', `pad/${pad}?permanent=true`, {}, both.owner, at);
      return () => {
        expect(lists.groups[group]?.pads).to.not.include(pad);
        expect(lists.pads).to.not.have.property(pad);
        return without([pad]);
      };
    },
    async 'removal of a folder'(at) {
      const made = createFixture(at);
      const group = await made.group(both.owner);
      const pads = [await made.pad(both.owner, group), await made.pad(both.owner, group)];
      await succeed('DELETE', `group/${group}?permanent=true`, {}, both.owner, at);
      return () => {
        expect(lists.groups).to.not.have.property(group);
        return without([group, ...pads]);
      };
    },
    async 'removal of a chat'(at) {
      const pad = await createFixture(at).pad(both.owner, folders[0]);
      const { authorID } = (await hostApi(at, 'createAuthor', {})) as { authorID: string };
      for (const text of ['one', 'two'])
        await hostApi(at, 'appendChatMessage', { padID: pad, authorID, text });
      await succeed('DELETE', `pad/chathistory/${pad}`, {}, both.owner, at);
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
    async 'pad in the trash'(at) {
      const pad = await createFixture(at).pad(both.owner, folders[0]);
      await succeed('DELETE', `pad/${pad}`, {}, both.owner, at);
      return async () => {
        expect(lists.pads).to.not.have.property(pad);
        expect(await trashed()).to.include(pad);
        const { status } = await both.two.get(`/p/${pad}/export/txt`, { cookie: both.owner.cookie });
        expect(status).to.equal(404);
      };
    },
    async 'restored pad'(at) {
      const [from, to] = folders;
      const pad = await createFixture(at).pad(both.owner, from);
      await succeed('DELETE', `pad/${pad}`, {}, both.owner, at);
      await succeed('POST', `trash/${pad}/restore`, { group: to }, both.owner, at);
      return async () => {
        expect(lists.groups[to]?.pads).to.include(pad);
        expect(await trashed()).to.not.include(pad);
      };
    },
    async 'folder in the trash, restored and deleted again'(at) {
      const group = await createFixture(at).group(both.owner);
      await succeed('DELETE', `group/${group}`, {}, both.owner, at);
      await succeed('POST', `trash/${group}/restore`, {}, both.owner, at);
      await succeed('DELETE', `group/${group}`, {}, both.owner, at);
      return async () => {
        expect(lists.groups).to.not.have.property(group);
        expect(await trashed()).to.include(group);
      };
    },
    async 'pad deleted for good from the trash'(at) {
      const pad = await createFixture(at).pad(both.owner, folders[0]);
      await succeed('DELETE', `pad/${pad}`, {}, both.owner, at);
      await succeed('DELETE', `trash/${pad}`, {}, both.owner, at);
      return () => without([pad]);
    },
    async setting(at, number) {
      await createFixture(at).configure('title', `Title ${number}`);
      return async () => {
        const { body } = await both.two.api('GET', 'configuration');
        const { title } = (body as { value: { title: string } }).value;
        expect(Number(title.split(' ')[1])).to.be.at.least(number);
      };
    },
    async mail(at, number) {
      const { login } = await createFixture(at).person(`forgetful${number}-`);
      await succeed('POST', 'passrecover', { email: `${login}@example.org` }, {}, at);
      const received = () => both.mails.received.find(({ to }) => to.includes(`${login}@example.org`));
      await until('the mail is sent', async () => {
        // Mails are queued in the process. If it has ended, none comes, and this call throws.
        await at.get('/mypads/api/cache/check');
        return received() !== undefined;
      });
      return async () => {
        const [, link = ''] = /passrecover\/([0-9a-f]{64})/.exec(received()?.text ?? '') ?? [];
        const body = { password: 'another long password', passwordConfirm: 'another long password' };
        expect((await both.two.api('PUT', `passrecover/${link}`, { body })).status).to.equal(200);
      };
    },
  };

  /** Makes changes of all kinds until so many of each are confirmed, then kills the process in the middle of them. */
  async function changeUntilKilled(victim: RunningEtherpad, each: number): Promise<[string, Check][]> {
    const confirmed = new Map(Object.keys(changes).map((kind) => [kind, [] as Check[]]));
    const fewest = (): number => Math.min(...[...confirmed.values()].map(({ length }) => length));
    let dead = false;
    await Promise.all(
      Object.entries(changes).map(async ([kind, change]) => {
        while (!dead) {
          // Fast kinds of changes wait for slow ones, because a person may create only some folders in an hour.
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

  // The first process was started first, so it does the background work until it is killed.
  for (const [who, each] of [
    ['and does the background work', 1],
    ['and another one does the background work', 3],
  ] as const) {
    it(`is killed while it makes changes ${who}: every confirmed change is stored, and the other one goes on`, async () => {
      folders = [await both.fixture.group(both.owner), await both.fixture.group(both.owner)];
      const checks = await changeUntilKilled(both.one, each);
      lists = await listsOf(both.owner);
      const wrong: string[] = [];
      for (const [kind, check] of checks) {
        try {
          await check();
        } catch (error) {
          wrong.push(`${kind}: ${error}`);
        }
      }
      expect(wrong).to.deep.equal([]);
      // Waits until the locks of the killed process have expired.
      for (const group of folders) {
        await until('the folder can be changed', async () => {
          const body = { name: 'After', group };
          return (await both.two.api('POST', 'pad', { token: both.owner.token, body })).status === 200;
        });
        await createFixture(both.two).change(both.owner, `group/${group}`, { name: 'After the cut' });
      }
      const after = await listsOf(both.owner);
      for (const group of folders)
        for (const id of after.groups[group]?.pads ?? []) expect(after.pads).to.have.property(id);
      await without(['mypads:jobs']);
      // What is in the trash has such a record. None is left of work that was not finished.
      const notes = await keysWith(['jobqueue:deletePad', 'jobqueue:deleteGroup']);
      const unfinished: string[] = [];
      for (const key of notes) {
        const note = (await both.database.get(key)) as { trashed?: unknown } | null;
        if (note?.trashed === undefined) unfinished.push(key);
      }
      expect(unfinished).to.deep.equal([]);
    });
  }

  /** The writes of a move in their order. `keyOf`: what a move to `to` writes. */
  const cuts: { title: string; keyOf(move: { pad: string; from: string; to: string }): string }[] = [
    { title: 'before it is listed in its new folder', keyOf: ({ to }) => `mypads:group:${to}` },
    { title: 'before its record names the new folder', keyOf: ({ pad }) => `mypads:pad:${pad}` },
    { title: 'before it is not listed in the old folder', keyOf: ({ from }) => `mypads:group:${from}` },
  ];

  for (const end of ['goes on', 'is killed'] as const) {
    it(`moves pads that the other one removes, and others, and ${end}: each pad is in one folder, or gone`, async () => {
      const { one, two, fixture, owner } = both;
      const { token } = owner;
      const moves = await Promise.all(
        cuts.flatMap((cut) =>
          [false, true].map(async (isRemoved) => {
            const [from, to] = [await fixture.group(owner), await fixture.group(owner)];
            const move = { pad: await fixture.pad(owner, from), from, to };
            return { ...move, isRemoved, title: cut.title, key: cut.keyOf(move) };
          }),
        ),
      );
      await command(one, { do: 'holdWrites', keys: moves.map(({ key }) => key) });
      const moved = moves.map(({ pad, to }) =>
        one.api('PUT', `pad/${pad}`, { token, body: { group: to } }).then(
          ({ status }) => status,
          () => 'killed',
        ),
      );
      await until('all have reached their place', () =>
        command(one, { do: 'heldWrites', count: moves.length }),
      );
      const removed = moves
        .filter(({ isRemoved }) => isRemoved)
        .map(async ({ pad }) => [
          pad,
          (await two.api('DELETE', `pad/${pad}?permanent=true`, { token })).status,
        ]);
      const notes = moves.map(({ pad }) => `jobqueue:deletePad:${pad}`);
      await until('the removals have begun', async () => (await keysWith(notes)).length === removed.length);
      if (end === 'is killed') await kill(one);
      else await command(one, { do: 'endWrites' });
      expect(await Promise.all(moved)).to.deep.equal(moves.map(() => (end === 'is killed' ? 'killed' : 200)));
      for (const removal of removed) expect((await removal)[1]).to.equal(200);
      for (const { pad, from, to, isRemoved, title } of moves) {
        const found = await listsOf(owner);
        const listing = [from, to].filter((group) => found.groups[group]?.pads.includes(pad));
        if (isRemoved) {
          expect(listing, title).to.deep.equal([]);
          await without([pad]);
          continue;
        }
        const wasMoved = end === 'goes on' || title === cuts[2]?.title;
        expect(listing, title).to.deep.equal([wasMoved ? to : from]);
        const { status } = await two.get(`/p/${pad}/export/txt`, { cookie: owner.cookie });
        expect(status, title).to.equal(200);
        // Whatever the interrupted move has left, another one works.
        for (const group of [from, to]) await succeed('PUT', `pad/${pad}`, { group }, owner, two);
        const again = await listsOf(owner);
        const now = [from, to].filter((group) => again.groups[group]?.pads.includes(pad));
        expect(now, title).to.deep.equal([to]);
        const left = (await both.database.get(`mypads:group:${from}`)) as { pads: string[] };
        expect(left.pads, title).to.deep.equal([]);
      }
    });
  }

  /** Work that the leader does, and the other process looks at, or the other way round. */
  async function placeOf(who: 'leader' | 'other'): Promise<Place> {
    const [leader, other] = await both.leaderAndOther();
    const [victim, after] = who === 'leader' ? [leader, other] : [other, leader];
    return { victim, after, keysWith, kill: () => kill(victim) };
  }

  for (const [title, work] of [
    ['works at the trash', interruptTrash],
    ['exports and imports', interruptTransfers],
    ['has not yet noted what it has done', interruptBeforeJobsEnd],
  ] as const) {
    it(`${title} and is killed, the other one has each piece of work complete or not begun`, async () => {
      await both.several.redis.removeKeys('ep_mypads:limit:*');
      await work(await placeOf('leader'));
      await without(['mypads:jobs']);
    });
  }

  const seed = Number(process.env.SEED ?? randomInt(1_000_000));
  it(`reads texts for the search and is killed, both find all of them and none of a deleted pad (SEED=${seed})`, async () => {
    await interruptTexts(await placeOf('other'), seed, 1);
  });

  it('is killed and not started again, the other one removes its files with texts after a day', async () => {
    const { victim, after } = await placeOf('other');
    for (const one of [victim, after]) {
      await runTimers(one, ['read changed texts']);
      await until('it has its files', () => textFilesOf(one).length > 0);
    }
    const [left, own] = [textFilesOf(victim), textFilesOf(after)];
    const missing = (files: string[]) => files.filter((file) => file.endsWith('.db') && !existsSync(file));
    await kill(victim);
    // The clock is read at the end of the clean-up, so it is put back only when the files are gone.
    const clean = async (hours: number): Promise<void> => {
      await moveClock(after, hours * 3600_000);
      await runTimers(after, ['remove files of ended processes']);
    };
    await clean(23);
    expect(missing(left)).to.deep.equal([]);
    await clean(25);
    await until('its files are gone', () => !left.some((file) => existsSync(file)));
    await moveClock(after, 0);
    expect(missing(own)).to.deep.equal([]);
  });

  it('exports beside the leader and is killed, its files are gone when it has been started again', async () => {
    await both.several.redis.removeKeys('ep_mypads:limit:*');
    const place = await placeOf('other');
    const pid = place.victim.pid();
    await interrupt(place, await exportSteps(place));
    await place.victim.restart();
    await until('the files are gone', () => exportFilesOf(place.victim, pid).length === 0);
  });

  it('imports a file that only it has and is killed, the other one says that the import was interrupted', async () => {
    const place = await placeOf('other');
    const importing = await ImportingPerson.make(place);
    const held = `mypads:group:${importing.name}-b`;
    await command(place.victim, { do: 'holdWrites', keys: [held] });
    expect(await importing.send()).to.equal(200);
    await untilHeld(place.victim, held);
    const { state } = await importing.progress();
    expect(state, 'as the other process says').to.equal('running');
    await kill(place.victim);
    // As on another machine, which does not have the file.
    const uploads = path.join(place.after.folder.root, 'var', 'ep_mypads', 'uploads');
    for (const name of readdirSync(uploads)) rmSync(path.join(uploads, name));
    const ended = await importing.untilEnded();
    expect(ended.state).to.equal('interrupted');
    const made = [`${importing.name}-a-one`, `${importing.name}-a-two`];
    // What was made in the last second may be missing in the answer.
    expect(made).to.include.members(ended.pads.map(({ name }) => name));
    expect(ended.groups.map(({ name }) => name)).to.deep.equal([`${importing.name}-a`]);
    expect(Object.keys(await importing.pads())).to.have.members(made);
    // It is a new import, which knows nothing of the first: the page says to import the other files only.
    expect(await importing.send(place.after)).to.equal(200);
    expect((await importing.untilEnded()).state).to.equal('done');
    const all = await importing.pads();
    expect(Object.entries(all).map(([name, texts]) => [name, texts.length])).to.have.deep.members([
      [`${importing.name}-a-one`, 2],
      [`${importing.name}-a-two`, 2],
      [`${importing.name}-b-one`, 1],
      [`${importing.name}-b-two`, 1],
    ]);
  });

  for (const who of ['does the background work', 'does not do the background work'] as const) {
    it(`${who} and dies before it has told what it has written, the other one finds out by itself`, async () => {
      const [leader, other] = await both.leaderAndOther();
      const [victim, reader] = who === 'does the background work' ? [leader, other] : [other, leader];
      const { token } = both.owner;
      const group = await createFixture(victim).group(both.owner, { name: 'Before' });
      const shown = async (): Promise<unknown[]> => {
        const [folder, settings] = await Promise.all([
          reader.api('GET', `group/${group}`, { token }),
          reader.api('GET', 'configuration'),
        ]);
        const { name } = (folder.body as { value: { name: string } }).value;
        return [name, (settings.body as { value: { title: string } }).value.title];
      };
      expect((await shown())[0]).to.equal('Before');
      await tellNothing(victim);
      // Confirmed, but nobody else is told.
      await succeed('PUT', `group/${group}`, { name: 'After' }, both.owner, victim);
      const title = `Changed by the one that ${who}`;
      // Never confirmed: the process ends when the setting is stored.
      await createFixture(victim)
        .configure('title', title)
        .catch(() => {});
      await kill(victim);
      await until('the other one shows both', async () => {
        const [name, found] = await shown();
        return name === 'After' && found === title;
      });
    });
  }
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
    this.timeout(300_000);
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
      // The lock of the first index record is held, so building the index waits there until the lock is released.
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
      expect(runDoctor(two.folder, two.settingsFile, []).stdout).to.contain('Nothing is damaged.');
    });
  },
);
