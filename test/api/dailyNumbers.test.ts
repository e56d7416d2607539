/** `admin/numbers`: one small row a day, kept for 400 days. */
import { expect } from 'chai';
import type { AdminNumbersAnswer } from '../../api/admin/schema';
import type { DayNumbers } from '../../model/accounts/dailyNumbers';
import { keys } from '../../model/store/store';
import { useTestAppForEach } from '../support/app';
import { type Call, callerOf } from '../support/caller';
import { buildGroup, buildPad, buildUser, signIn, signInAsAdmin } from '../support/factories';
import { inProcessOnly } from '../support/network';
import { until } from '../support/waiting';

const day = 24 * 3600_000;
const nameOf = (time: number): string => new Date(time).toISOString().slice(0, 10);

describe('the numbers of each day', () => {
  const app = useTestAppForEach();
  let admin: Call;
  beforeEach(async () => {
    admin = callerOf(app, await signInAsAdmin(app));
  });

  async function days(): Promise<DayNumbers[]> {
    admin = callerOf(app, await signInAsAdmin(app));
    let answer = await admin('get', 'admin/numbers');
    while (answer.status === 503) answer = await admin('get', 'admin/numbers');
    expect(answer.status).to.equal(200);
    return (answer.body as AdminNumbersAnswer).days;
  }

  it('end with the current numbers of today', async () => {
    const owner = await buildUser(app);
    const closed = await buildUser(app);
    await admin('put', `user/${closed.login}`, { active: false }).expect(200);
    await buildPad(app, owner, await buildGroup(app, owner));
    const [today] = (await days()).slice(-1);
    expect(today).to.include({ users: 2, active: 1, groups: 1, pads: 1 });
    expect(today?.day).to.equal(nameOf(app.ports.now()));
  });

  inProcessOnly.it('count people who have signed in since the last count, each once', async () => {
    const signedIn = async () => (await days()).at(-1)?.signedIn;
    app.ports.schedule.run('endExpiredSessions');
    await until('people are counted', async () => (await signedIn()) === 0);
    const people = [await buildUser(app), await buildUser(app), await buildUser(app), await buildUser(app)];
    const [first] = people;
    if (!first) throw new Error('nobody');
    const again = callerOf(app, (await signIn(app, first.login, first.password)).token);
    expect(await signedIn()).to.equal(4);
    await again('get', 'auth/logout').expect(200);
    expect(await signedIn(), 'the other session of the same person is still there').to.equal(4);
    await callerOf(app, first.token)('get', 'auth/logout').expect(200);
    expect(await signedIn()).to.equal(3);
    await signIn(app, first.login, first.password);
    expect(await signedIn()).to.equal(4);
    await admin('delete', `user/${first.login}/sessions`).expect(200);
    expect(await signedIn()).to.equal(3);
  });

  inProcessOnly.it('are stored once a day, and stay as they were', async () => {
    const first = nameOf(app.ports.now());
    await app.model.dailyNumbers.record();
    await buildUser(app);
    await app.model.dailyNumbers.record();
    app.ports.advance(3 * day);
    await app.model.dailyNumbers.record();
    await buildUser(app);
    app.ports.advance(day);
    await app.restart();
    expect((await days()).map(({ day: name, users }) => [name, users])).to.deep.equal([
      [first, 0],
      [nameOf(app.ports.now() - day), 1],
      [nameOf(app.ports.now()), 2],
    ]);
  });

  inProcessOnly.it('end with today also if the clock was ahead before', async () => {
    const names = async () => (await days()).map(({ day: name }) => name);
    app.ports.advance(30 * day);
    await app.model.dailyNumbers.record();
    app.ports.advance(-30 * day);
    await app.model.dailyNumbers.record();
    const today = nameOf(app.ports.now());
    expect(await names()).to.deep.equal([today]);
    app.ports.advance(31 * day);
    expect(await names()).to.deep.equal([today, nameOf(app.ports.now() - day), nameOf(app.ports.now())]);
  });

  inProcessOnly.it('are kept for 400 days, and damaged rows are left out', async () => {
    const row = { users: 1, active: 1, signedIn: null, groups: 0, pads: 0 };
    const start = app.ports.now() - 500 * day;
    const old = Array.from({ length: 500 }, (_, index) => ({ day: nameOf(start + index * day), ...row }));
    const nonsense = [null, 'text', { day: 'yesterday', ...row }, { ...old[499], users: '1' }];
    await app.ports.database.set(keys.dailyNumbers, { days: [...old, ...nonsense] });
    await app.model.dailyNumbers.record();
    const stored = (await app.ports.database.get(keys.dailyNumbers)) as { days: DayNumbers[] };
    expect(stored.days).to.have.length(400);
    expect(stored.days.at(-1)?.day).to.equal(nameOf(app.ports.now()));
    expect(stored.days[0]?.day).to.equal(nameOf(start + 101 * day));
    expect((await days()).map(({ day: name }) => name)).to.deep.equal(
      stored.days.map(({ day: name }) => name),
    );
  });

  inProcessOnly.it('are stored later when the database fails', async () => {
    await app.inject({ fault: 'fail', why: 'gone', calls: ['set'], keys: keys.dailyNumbers });
    await app.model.jobs.runNow('storeNumbersOfTheDay');
    await app.said('job failed, retrying later');
    await app.inject({ fault: 'none' });
    // What failed is undone first.
    await until('the numbers are stored', async () => {
      await app.model.jobs.runNow('storeNumbersOfTheDay');
      return Boolean(await app.ports.database.get(keys.dailyNumbers));
    });
    expect((await days()).length).to.equal(1);
  });
});
