/** Many calls of one caller at the same time must not delay other people. */
import { expect } from 'chai';
import type { Response } from 'supertest';
import { useTestApp } from '../support/app';
import { encodePassword } from '../support/caller';
import { buildGroup, buildPad } from '../support/factories';
import { inProcessOnly } from '../support/network';
import { usePerson } from '../support/people';
import { until } from '../support/waiting';

const busy = { error: 'BACKEND.ERROR.SERVER.BUSY' };

// In the process only: it counts which calls have begun, by what they read from the database.
inProcessOnly.describe('hundreds of calls of one caller at once', () => {
  const app = useTestApp({ trustProxy: () => true });
  const { user: greedy } = usePerson(app, before);
  const { user: other } = usePerson(app, before);
  let pad: string;

  before(async () => {
    const group = await buildGroup(app, greedy, { visibility: 'public' });
    pad = (await buildPad(app, greedy, group))._id;
  });
  afterEach(() => app.inject({ fault: 'none' }));

  const get = (path: string, from: string, token = '') => {
    const request = app.agent.get(`/api/${path}`).set('X-Forwarded-For', from);
    return token ? request.set('Authorization', `Bearer ${token}`) : request;
  };

  /** Calls whose reading of the database does not end. Returns their answers, those of refused calls at once. */
  async function startCalls(count: number, from: (number: number) => string, token?: string, query = '') {
    await app.inject({ fault: 'block', calls: ['get'], keys: 'mypads:pad:' });
    await app.operations();
    readings = 0;
    const answers: Response[] = [];
    const all = Promise.all(
      Array.from({ length: count }, async (_, number) => {
        answers.push(await get(`pad/${pad}${query}`, from(number), token));
      }),
    );
    const finish = async (): Promise<number> => {
      await app.inject({ fault: 'none' });
      await all;
      return answers.filter(({ status }) => status === 200).length;
    };
    return { answers, finish };
  }

  let readings = 0;
  /** Calls that have begun to read the pad, since `startCalls`. */
  async function begun(): Promise<number> {
    const reads = (await app.operations()).filter(({ what, key }: { what: string; key?: string }) => {
      return what === 'get' && key?.startsWith('mypads:pad:');
    });
    readings += reads.length;
    return readings;
  }

  it('of a person wait until earlier ones are answered, and too many are refused', async () => {
    const { answers, finish } = await startCalls(550, (number) => `192.0.2.${number % 250}`, greedy.token);
    await until('some are refused', () => answers.length === 44);
    expect(await begun()).to.equal(6);
    for (const { body, headers } of answers) {
      expect(body).to.deep.equal(busy);
      expect(headers['retry-after']).to.equal('1');
    }
    expect((await get('group', '192.0.2.1', other.token)).status).to.equal(200);
    expect(await finish()).to.equal(506);
  });

  it('do not jump the queue with a password that nobody has asked for', async () => {
    const password = `?password=${encodePassword('any')}`;
    const ofPerson = await startCalls(30, () => '192.0.2.1', greedy.token, password);
    await until('some have begun', async () => (await begun()) >= 6);
    expect((await get('group', '192.0.2.1', other.token)).status).to.equal(200);
    expect(await begun()).to.equal(6);
    expect(await ofPerson.finish()).to.equal(30);
    const ofGuests = await startCalls(60, () => '192.0.2.66', undefined, password);
    await until('some have begun', async () => (await begun()) >= 16);
    expect((await get('group', '192.0.2.66', other.token)).status).to.equal(200);
    expect(await begun()).to.equal(16);
    expect(await ofGuests.finish()).to.equal(60);
  });

  it('with guesses of passwords do not hold up a browser at their address that has proved one before', async () => {
    const unlock = (path: string, password: string, cookie = '') =>
      app.agent
        .post(`/api/${path}/unlock`)
        .set({ 'X-Forwarded-For': '192.0.2.99', Cookie: cookie })
        .send({ password });
    const { _id } = await buildGroup(app, greedy, { visibility: 'private', password: 'sesame' });
    const cookies = String((await unlock(`group/${_id}`, 'sesame')).headers['set-cookie']);
    const device = /mypads_device=[^;]+/.exec(cookies)?.[0] ?? '';
    await app.inject({ fault: 'block', calls: ['get'], keys: `mypads:pad:${pad}` });
    await app.operations();
    readings = 0;
    const guesses = Promise.all(
      Array.from({ length: 40 }, async () => await unlock(`pad/${pad}`, 'a guess')),
    );
    await until('some have begun', async () => (await begun()) >= 16);
    expect((await unlock(`group/${_id}`, 'sesame', device)).status).to.equal(200);
    await app.inject({ fault: 'none' });
    await guesses;
  });

  it('of guests at one address wait too, and not those of others', async () => {
    const { answers, finish } = await startCalls(60, () => '192.0.2.66');
    await until('some have begun', async () => (await begun()) >= 16);
    expect((await get('group', '192.0.2.1', other.token)).status).to.equal(200);
    expect((await get('group', '192.0.2.66', other.token)).status).to.equal(200);
    expect(await begun()).to.equal(16);
    expect(answers.length).to.equal(0);
    expect(await finish()).to.equal(60);
  });
});
