/** Work that is done at regular times: after a start, every so often, each night, and by whichever process leads. */
import { expect } from 'chai';
import { lastNight, nightlyTimes, untilNight } from '../../model/composition/background';
import type { Jobs } from '../../model/jobs/types';
import { JobClock, JobServer } from '../support/jobServer';

describe('regular work', () => {
  const minute = 60_000;
  const hour = 60 * minute;
  const day = 24 * hour;
  let server: JobServer;
  let clock: JobClock;
  let jobs: Jobs;
  /** When it has run. */
  let ran: number[];
  const work = async (): Promise<void> => void ran.push(server.time);

  beforeEach(() => {
    ran = [];
    server = new JobServer();
    clock = new JobClock(server);
    jobs = server.start(clock);
  });
  afterEach(() => server.stop());

  it('runs some time after the start, and then every so often', async () => {
    const start = server.time;
    jobs.regularly('clean', { first: 3 * minute, every: hour }, work);
    await clock.waitUntil(start + 3 * hour);
    expect(ran.map((at) => (at - start) / minute)).to.deep.equal([3, 63, 123]);
  });

  it('runs at its time also after it has failed, and in a process that leads only later', async () => {
    const start = server.time;
    jobs.regularly('clean', { first: 10 * minute, every: hour }, async () => {
      await work();
      if (ran.length === 1) throw new Error('unreadable');
    });
    await clock.waitUntil(start + hour);
    // At its time, and a minute after the failure.
    expect(ran.map((at) => (at - start) / minute)).to.deep.equal([10, 11]);
    server.isLeader = false;
    await clock.waitUntil(start + 2 * hour);
    expect(ran).to.have.length(2);
    server.isLeader = true;
    await clock.waitUntil(start + 3 * hour);
    expect(ran.slice(2).map((at) => (at - start) / minute)).to.deep.equal([130]);
  });

  it('of each day runs within an hour in a process that leads only later', async () => {
    const start = server.time;
    server.isLeader = false;
    jobs.regularly('count', { first: minute, every: day }, work);
    await clock.waitUntil(start + 10 * minute);
    server.isLeader = true;
    await clock.waitUntil(start + 3 * day);
    const after = ran.map((at) => (at - start) / minute);
    expect(after).to.deep.equal([61, 61 + 24 * 60, 61 + 48 * 60]);
  });

  it('does not run after the server has stopped', async () => {
    jobs.regularly('clean', { first: minute, every: hour }, work);
    await clock.waitUntil(server.time + 2 * minute);
    await jobs.stop();
    await clock.waitUntil(server.time + day);
    expect(ran).to.have.length(1);
  });

  it('of the night runs at three each night, also when the clocks change', async () => {
    const zone = process.env.TZ;
    process.env.TZ = 'Europe/Berlin';
    try {
      for (const start of ['2026-03-27T14:00', '2026-10-23T14:00', '2026-06-01T03:00', '2026-06-01T02:59']) {
        ran = [];
        server.time = new Date(start).getTime();
        const own = server.start(clock);
        own.regularly('sync', () => untilNight(server.time), work);
        await clock.waitUntil(server.time + 4 * day);
        await own.stop();
        const hours = ran.map((at) => new Date(at).toTimeString().slice(0, 8));
        expect(new Set(hours), start).to.deep.equal(new Set(['03:00:00']));
        expect(new Set(ran.map((at) => new Date(at).getDate())).size, start).to.equal(ran.length);
        expect(ran, start).to.have.length(4);
      }
    } finally {
      if (zone === undefined) delete process.env.TZ;
      else process.env.TZ = zone;
    }
  });

  it('of the night is tried some minutes after a start, and twice a night', async () => {
    server.time = new Date('2026-06-01T03:05').getTime();
    const begun = server.time;
    const own = server.start(clock);
    own.regularly(
      'sync',
      nightlyTimes(() => server.time),
      work,
    );
    await clock.waitUntil(begun + day);
    await own.stop();
    const hours = ran.map((at) => new Date(at).toTimeString().slice(0, 8));
    expect(hours).to.deep.equal(['03:08:30', '03:15:00', '03:00:00']);
    expect(ran.map((at) => lastNight(at) < begun)).to.deep.equal([true, true, false]);
  });

  it('of the night runs once a night when its timer ends a moment early', () => {
    const night = new Date('2026-06-01T03:00').getTime();
    expect(untilNight(night - 1)).to.equal(day + 1);
    expect(untilNight(night)).to.equal(day);
    expect(untilNight(night - minute)).to.equal(minute);
  });
});
