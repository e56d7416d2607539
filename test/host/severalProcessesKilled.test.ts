/** One of two Etherpad processes is killed or stands still in the middle of its work. The other one goes on. */
import { expect } from 'chai';
import Redis from 'ioredis';
import type { Connection } from '../support/databases';
import { createFixture, type Fixture, type Person, password } from '../support/hostFixture';
import { missingForSeveral, type SeveralEtherpads, startSeveral } from '../support/severalEtherpads';
import { PadClient } from '../support/socketClient';
import { until } from '../support/waiting';

/** Milliseconds. Longer than a process that stands still keeps what it had. */
const longerThanLease = 17_000;
const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

type Process = SeveralEtherpads['processes'][0];

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

  before(async function () {
    this.timeout(180_000);
    several = await startSeveral();
    ({ database, close: closeDatabase } = await several.database.connect());
    [one, two] = several.processes;
    fixture = createFixture(one);
    owner = await fixture.person('owner');
    await fixture.configure('deleteJobQueue', true);
  });
  after(async () => {
    await closeDatabase?.();
    await several?.stop();
  });
  afterEach(async function () {
    if (this.currentTest?.state === 'failed' && process.env.SHOW)
      for (const process of several.processes) console.log(process.log().slice(-4000));
    await killed?.restart();
    killed = undefined;
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
    { token }: { token: string },
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

  it('is killed while it writes, everything that it has confirmed is there, and the other one goes on', async () => {
    const group = await fixture.group(owner);
    const source = await fixture.group(owner);
    const moved = await Promise.all(Array.from({ length: 60 }, () => fixture.pad(owner, source)));
    const people: Person[] = [];
    const confirmed: ((lists: Lists) => void)[] = [];
    let dead = false;
    const kinds: ((number: number) => Promise<(lists: Lists) => void>)[] = [
      async (number) => {
        people.push(await fixture.person(`person${number}`));
        return () => {};
      },
      async (number) => {
        const name = `Group ${number}`;
        const made = await fixture.group(owner, { name });
        return ({ groups }) => expect(groups[made]).to.deep.include({ name, admins: [owner.id] });
      },
      async (number) => {
        const pad = await fixture.pad(owner, group, { name: `Pad ${number}` });
        return ({ groups, pads }) => {
          expect(groups[group]?.pads).to.include(pad);
          expect(pads[pad]).to.deep.include({ name: `Pad ${number}`, group });
        };
      },
      async () => {
        const pad = moved.pop();
        if (!pad) return () => {};
        await succeed('PUT', `pad/${pad}`, { group }, owner);
        return ({ groups }) => {
          expect(groups[group]?.pads).to.include(pad);
          expect(groups[source]?.pads).to.not.include(pad);
        };
      },
      async (number) => {
        const name = `Renamed ${number}`;
        const made = await fixture.group(owner);
        await succeed('PUT', `group/${made}`, { name }, owner);
        return ({ groups }) => expect(groups[made]).to.deep.include({ name });
      },
      async () => {
        const pad = await fixture.pad(owner, group);
        await succeed('DELETE', `pad/${pad}`, {}, owner);
        return ({ groups, pads }) => {
          expect(groups[group]?.pads).to.not.include(pad);
          expect(pads).to.not.have.property(pad);
        };
      },
    ];
    const worker = async (_: unknown, index: number): Promise<void> => {
      for (let number = index; !dead; number += 12) {
        try {
          confirmed.push(await (kinds[index % kinds.length] as (typeof kinds)[0])(number));
        } catch (error) {
          if (!dead) throw error;
        }
        if (confirmed.length >= 60 && !dead) {
          dead = true;
          await kill(one);
        }
      }
    };
    await Promise.all(Array.from({ length: 12 }, worker));
    const began = Date.now();
    // At once.
    const lists = await listsOf(owner);
    for (const check of confirmed) check(lists);
    expect(people.length).to.be.above(0);
    for (const { login } of people) {
      const answer = await two.api('POST', 'auth/login', { body: { login, password } });
      expect(answer.status, login).to.equal(200);
    }
    // The locks of the dead process end.
    const there = createFixture(two);
    await until('the group can be changed', async () => {
      const made = await two.api('POST', 'pad', { token: owner.token, body: { name: 'After', group } });
      return made.status === 200;
    });
    await there.change(owner, `group/${group}`, { name: 'After the cut' });
    expect(Date.now() - began).to.be.below(20_000);
    const after = await listsOf(owner);
    for (const id of after.groups[group]?.pads ?? []) expect(after.pads).to.have.property(id);
  });

  describe('is killed in the middle of a removal, the other one finishes', () => {
    /** The leader is killed when records of these pads are gone from Etherpad, and others are not. */
    async function killDuring(removal: Promise<unknown>, leader: Process): Promise<void> {
      const outcome = removal.catch(() => {});
      const count = async (): Promise<number> =>
        (await database.findKeys('pad:a-removed-*', 'pad:a-removed-*:*')).length;
      const all = await count();
      for (const end = Date.now() + 20_000; (await count()) >= all; ) {
        if (Date.now() > end) expect.fail('the removal does not begin');
      }
      await kill(leader);
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

    it('that of a folder', async () => {
      const { group, pads } = await folderWithPads(owner);
      const [leader, other] = await leaderAndOther();
      await killDuring(succeed('DELETE', `group/${group}`, {}, owner, leader), leader);
      const { body } = await other.api('GET', 'group', { token: owner.token });
      expect((body as { value: Lists }).value.groups).to.not.have.property(group);
      for (const pad of pads.slice(-5)) {
        const { status } = await other.get(`/p/${pad}/export/txt`, { cookie: owner.cookie });
        expect(status).to.be.oneOf([401, 404]);
      }
      await until('nothing of the pads is left', async () => (await keysWith(['a-removed'])).length === 0);
      await until('no record is left', async () => (await keysWith([group])).length === 0);
    });

    it('that of an account', async () => {
      const person = await fixture.person('removed');
      const { group } = await folderWithPads(person);
      const { login, id } = person;
      const [leader, other] = await leaderAndOther();
      const body = { currentPassword: password };
      await killDuring(succeed('DELETE', `user/${login}`, body, person, leader), leader);
      await until('nothing of the pads is left', async () => (await keysWith(['a-removed'])).length === 0);
      await until('no record is left', async () => (await keysWith([group, id])).length === 0);
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
});
