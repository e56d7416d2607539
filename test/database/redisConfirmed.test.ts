/** Answers of two processes on one database, over a real Redis, after one of them has confirmed a change. */
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import supertest, { type Agent } from 'supertest';
import { createApp } from '../../api/app';
import { createCoordination } from '../../cluster/exchange';
import { keys } from '../../model/store/store';
import { createLimits } from '../../web/rateLimit';
import { type RedisServer, startRedis } from '../support/redisServer';
import { type ModelProcess, registerIn, startTwoModels, type TwoModels } from '../support/twoModels';
import { heldWork, until } from '../support/waiting';

describe('a change that one of two processes has confirmed', () => {
  let redis: RedisServer;
  let two: TwoModels;
  let one: ModelProcess;
  let other: ModelProcess;

  before(async () => {
    redis = await startRedis();
  });
  after(() => redis.close());

  const agents = new Map<ModelProcess, Agent>();
  let token: string;
  let id: string;
  beforeEach(async () => {
    two = await startTwoModels(redis);
    ({ one, other } = two);
    const folder = join(tmpdir(), 'no-such-folder');
    for (const process of [one, other]) {
      const { model, member } = process;
      const limits = createLimits(createCoordination(member), 1_000);
      agents.set(process, supertest(createApp({ model, limits, staticRoot: folder, templateRoot: folder })));
    }
    const ada = await registerIn(one, 'ada');
    ({ token } = await one.model.sessions.create({ kind: 'user', owner: ada._id, browser: undefined }));
    ({ _id: id } = await one.model.groups.create(ada._id, { name: 'Before' }));
    await until(
      'both list it',
      async () => (await listed(one)) === 'Before' && (await listed(other)) === 'Before',
    );
  });

  afterEach(() => two.stop());

  const call = (process: ModelProcess, method: 'get' | 'put', path: string) =>
    (agents.get(process) as Agent)
      [method](`/api/${path}`)
      .set('authorization', `Bearer ${token}`)
      .expect(200);
  const listed = async (process: ModelProcess): Promise<string> =>
    (await call(process, 'get', 'group')).body.value.groups[id].name;
  const rename = (process: ModelProcess, name: string) => call(process, 'put', `group/${id}`).send({ name });
  const title = async (process: ModelProcess): Promise<string> =>
    (await call(process, 'get', 'configuration')).body.value.title;

  /** `there` reads what it has been told of only when `work` has begun to wait. */
  async function readLate<Result>(
    there: ModelProcess,
    key: string,
    change: () => Promise<unknown>,
    work: () => Promise<Result>,
  ): Promise<Result> {
    there.faults.inject({ fault: 'block', calls: ['get'], keys: key });
    await change();
    const result = work();
    // Long enough to answer with what it has. Nothing shows that it waits.
    await pause(50);
    there.faults.inject({ fault: 'none' });
    return result;
  }

  it('is in the answers of the other', async () => {
    for (const [here, there] of [
      [one, other],
      [other, one],
    ] as const) {
      for (const name of ['One name', 'Another name']) {
        const renamed = () => rename(here, name);
        expect(await readLate(there, keys.group(id), renamed, () => listed(there))).to.equal(name);
        const configure = async () => {
          await here.model.configuration.set('title', name);
          await here.model.published();
        };
        expect(await readLate(there, keys.conf('title'), configure, () => title(there))).to.equal(name);
      }
    }
  });

  it('is known to the other', async () => {
    const { held: sent, release: send } = heldWork();
    one.member.sent = () => sent;
    let isConfirmed = false;
    const renamed = rename(one, 'After').then(() => {
      isConfirmed = true;
    });
    await until('it is stored', async () => (await listed(other)) === 'After');
    // Long enough to answer. Nothing shows that it waits.
    await pause(50);
    expect(isConfirmed).to.equal(false);
    send();
    await renamed;
  });

  it('does not hold up the other when that cannot read it', async () => {
    other.faults.inject({ fault: 'block', calls: ['get'], keys: keys.conf('title') });
    await one.model.configuration.set('title', 'After');
    await one.model.published();
    for (let round = 0; round < 2; round += 1) expect(await title(other)).not.to.equal('After');
    other.faults.inject({ fault: 'none' });
    await until('it has caught up', async () => (await title(other)) === 'After');
  });

  it('may be missing in the answers of the other while that is cut off', async () => {
    await other.member.cutOff();
    await rename(one, 'After');
    expect(await listed(other)).to.be.oneOf(['Before', 'After']);
    await other.member.comeBack();
    await until('it has caught up', async () => (await listed(other)) === 'After');
  });
});
