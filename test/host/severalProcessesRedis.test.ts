/** Etherpad processes on one database whose Redis is away, loses its data, or cannot be reached by one of them. */
import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'chai';
import { createFixture, type Fixture, type Person } from '../support/hostFixture';
import {
  missingForSeveral,
  type SeveralEtherpads,
  severalTimes,
  sharedPair,
} from '../support/severalEtherpads';
import { PadClient } from '../support/socketClient';
import { until } from '../support/waiting';

const unavailable = 'BACKEND.ERROR.SERVER.DATABASE_UNAVAILABLE';

interface Fault {
  begin(): unknown;
  end(): unknown;
  /** Whether the second process cannot reach Redis either. */
  forAll: boolean;
}

(missingForSeveral ? describe.skip : describe)('several processes', function () {
  this.timeout(300_000);
  let several: SeveralEtherpads;
  let one: SeveralEtherpads['processes'][0];
  let two: SeveralEtherpads['processes'][0];
  let fixture: Fixture;
  let owner: Person;
  let friend: Person;

  before(async function () {
    this.timeout(300_000);
    several = await sharedPair();
    [one, two] = several.processes;
    fixture = createFixture(one);
    owner = await fixture.person('owner');
    friend = await fixture.person('friend');
  });
  afterEach(function () {
    if (this.currentTest?.state !== 'failed' || !process.env.SHOW) return;
    for (const process of several.processes) console.log(process.log().slice(-4000));
  });

  const faults: Record<string, Fault> = {
    'is stopped, and started again empty': {
      begin: () => several.redis.stop(),
      end: () => several.redis.start(),
      forAll: true,
    },
    'answers nothing for a while': {
      begin: () => several.redis.freeze(),
      end: () => several.redis.thaw(),
      forAll: true,
    },
    'refuses the connections of one of them': {
      begin: () => several.redisNetworks[0]?.cut(),
      end: () => several.redisNetworks[0]?.restore(),
      forAll: false,
    },
    'cannot be heard by one of them': {
      begin: () => several.redisNetworks[0]?.freeze(),
      end: () => several.redisNetworks[0]?.restore(),
      forAll: false,
    },
  };

  beforeEach(async () => {
    const { token } = owner;
    const statuses = (path: string, body: object): Promise<number[]> =>
      Promise.all([one, two].map(async ({ api }) => (await api('POST', path, { token, body })).status));
    const isDone = (all: number[]): boolean => all.every((status) => status === 200);
    await until('all of them make folders', async () => isDone(await statuses('group', { name: 'Ready' })));
    const group = await fixture.group(owner);
    // If Redis has lost its data, pads can be created a little later than folders.
    await until('all of them make pads', async () => isDone(await statuses('pad', { name: 'Ready', group })));
  });

  /** Makes a pad in each process. Resolves when each lists both. */
  async function untilWorking(group: string): Promise<void> {
    const made: string[] = [];
    for (const { api } of [one, two]) {
      const body = { name: 'A pad', group };
      await until('a pad can be made', async () => {
        const answer = await api('POST', 'pad', { token: owner.token, body });
        if (answer.status === 200) made.push((answer.body as { key: string }).key);
        return answer.status === 200;
      });
    }
    for (const { api } of [one, two]) {
      await until('both pads are listed', async () => {
        const { body } = await api('GET', `group/${group}`, { token: owner.token });
        const { pads } = (body as { value: { pads: string[] } }).value;
        return made.every((pad) => pads.includes(pad));
      });
    }
  }

  /** Removes the right to the pad; directly in the database if no process can write. */
  async function revoke(group: string, forAll: boolean): Promise<void> {
    if (!forAll) return createFixture(two).invite(owner, group, []);
    const { database, close } = await several.database.connect();
    const record = (await database.get(`mypads:group:${group}`)) as object;
    await database.set(`mypads:group:${group}`, { ...record, users: [] });
    await close();
  }

  for (const [title, { begin, end, forAll }] of Object.entries(faults)) {
    it(`keep what they can while their Redis ${title}`, async () => {
      const member = await fixture.person('member');
      const group = await fixture.group(owner);
      await fixture.invite(owner, group, [owner.login, friend.login], false);
      await fixture.invite(owner, group, [member.login]);
      const pad = await fixture.pad(owner, group);
      const [writer, reader, theirs] = [
        await PadClient.connect(one, owner.cookie),
        await PadClient.connect(one, friend.cookie),
        await PadClient.connect(one, member.cookie),
      ] as const;
      for (const editor of [writer, reader, theirs]) expect(await editor.join(pad)).to.equal('write');
      await begin();
      try {
        await writer.write('while it is away ');
        await reader.sees('while it is away');
        const list = await one.api('GET', 'group', { token: owner.token });
        expect(list.status).to.equal(200);
        const text = await one.get(`/p/${pad}/export/txt`, { cookie: owner.cookie });
        expect([text.status, String(text.body).includes('while it is away')]).to.deep.equal([200, true]);
        for (const { api } of forAll ? [one, two] : [one]) {
          const body = { name: 'A pad', group };
          const refused = await api('POST', 'pad', { token: owner.token, body });
          expect([refused.status, (refused.body as { error: string }).error]).to.deep.equal([
            503,
            unavailable,
          ]);
        }
        await revoke(group, forAll);
        await theirs.gone();
      } finally {
        await end();
      }
      await untilWorking(group);
      // The pad has stayed in its process.
      expect([writer.closed, reader.closed]).to.deep.equal([false, false]);
      await reader.write('and afterwards ');
      await writer.sees('and afterwards');
      const late = await PadClient.connect(two, owner.cookie);
      expect(await late.tryJoin(pad)).to.equal('disconnected');
      for (const editor of [writer, reader]) editor.close();
      const moved = await PadClient.enter(two, owner.cookie, pad);
      expect(moved.text).to.include('and afterwards while it is away');
      moved.close();
    });
  }

  it('refuse also the first changes after their Redis has stopped answering', async () => {
    const group = await fixture.group(owner);
    const { token } = owner;
    several.redis.freeze();
    try {
      const answers = await Promise.all(
        [one, two].map(({ api }) => api('POST', 'pad', { token, body: { name: 'A pad', group } })),
      );
      expect(answers.map(({ status }) => status)).to.deep.equal([503, 503]);
    } finally {
      several.redis.thaw();
    }
  });

  it('keep their pads when their Redis loses its data', async () => {
    const pad = await fixture.pad(owner, await fixture.group(owner));
    const editor = await PadClient.writer(one, owner.cookie, pad);
    await several.redis.stop();
    await several.redis.start();
    await until('the pad is claimed again', async () => {
      const late = await PadClient.connect(two, owner.cookie);
      const standing = await late.tryJoin(pad);
      late.close();
      expect(standing).to.equal('disconnected');
      return several.processes.every((process) => process.log().includes('connection to Redis restored'));
    });
    await editor.write('still here');
    editor.close();
  });

  it('keep a pad that people have open while only their process is cut off: nothing confirmed is lost', async () => {
    const pad = await fixture.pad(owner, await fixture.group(owner));
    const editor = await PadClient.writer(one, owner.cookie, pad);
    await several.redisNetworks[0]?.cut();
    let confirmed = '';
    try {
      // Longer than the lease of the first process, and longer than the second one waits for a sign of life.
      for (const end = Date.now() + (severalTimes.lease * 5) / 3; Date.now() < end; ) {
        const word = `at ${Date.now()} `;
        await editor.write(word);
        confirmed = word + confirmed;
        const late = await PadClient.connect(two, owner.cookie);
        expect(await late.tryJoin(pad)).to.equal('disconnected');
        late.close();
        await wait(500);
      }
    } finally {
      await several.redisNetworks[0]?.restore();
    }
    await until(
      'it can be used',
      async () => (await one.api('GET', 'user', { token: owner.token })).status < 500,
    );
    await editor.write('after the cut ');
    editor.close();
    const there = await PadClient.enter(two, owner.cookie, pad);
    expect(there.text).to.include(`after the cut ${confirmed.trim()}`);
    there.close();
  });
});
