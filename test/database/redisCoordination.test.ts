/** Processes that share locks, messages and limits over a real Redis. */
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import Redis from 'ioredis';
import { leaseTimes } from '../../cluster/redis/lease';
import { lockTimes } from '../../cluster/redis/locks';
import type { MyPadsError } from '../../model/errors';
import { createRedisNetwork, type RedisMember, type RedisNetwork } from '../support/redisNetwork';
import { type RedisServer, startRedis } from '../support/redisServer';
import { until } from '../support/waiting';

let redis: RedisServer;
before(async () => {
  redis = await startRedis();
});
after(() => redis.close());

const keyOf = (error: unknown): string => (error as MyPadsError).key;
const unavailable = 'BACKEND.ERROR.SERVER.DATABASE_UNAVAILABLE';
const busy = 'BACKEND.ERROR.SERVER.BUSY';
/** A listener that does nothing. */
const silent = { message: () => {}, missed: () => {}, unavailable: () => {} };

describe('processes that share a Redis', () => {
  let network: RedisNetwork;
  let one: RedisMember;
  let other: RedisMember;
  let admin: Redis;
  const usualTimes = { ...leaseTimes };
  const { wait: usualWait } = lockTimes;

  beforeEach(async () => {
    // Short times, so that tests do not wait for fifteen seconds.
    Object.assign(leaseTimes, { expiry: 1_500, renewEvery: 200, margin: 300 });
    network = createRedisNetwork(redis, Date.now);
    one = await network.join();
    other = await network.join();
    admin = new Redis(redis.port);
    admin.on('error', () => {});
  });
  afterEach(async () => {
    Object.assign(leaseTimes, usualTimes);
    await network.close();
    admin.disconnect();
  });

  it('hold a lock one at a time, and each gets its turn', async () => {
    const order: string[] = [];
    let inside = 0;
    let most = 0;
    const work = async (name: string, { lock }: RedisMember): Promise<void> => {
      const release = await lock('key');
      inside += 1;
      most = Math.max(most, inside);
      order.push(name);
      await pause(1);
      inside -= 1;
      release();
    };
    const turns = Array.from({ length: 40 }, (_, number) =>
      number % 2 === 0 ? work('a', one) : work('b', other),
    );
    await Promise.all(turns);
    expect(most).to.equal(1);
    expect(order).to.have.length(40);
    // The two processes take turns: neither waits until the other has finished.
    expect(order.slice(0, 20)).to.include('a').and.include('b');
  });

  it('know when a message is sent, and when all that were sent have arrived', async () => {
    const heard: unknown[] = [];
    const message = (_topic: string, content: unknown) => void heard.push(content);
    other.subscribe({ ...silent, message });
    expect(one.sent()).to.equal(undefined);
    for (let number = 1; number <= 300; number += 1) {
      one.publish('topic', number);
      await one.sent();
      expect(one.sent()).to.equal(undefined);
      // Those who ask at the same time share an answer.
      await Promise.all([other.received(), other.received(), other.received()]);
      expect(heard).to.have.length(number);
    }
  });

  it('wait for no message while Redis is down', async () => {
    redis.freeze();
    one.publish('topic', 1);
    const [sent, received] = [one.sent(), one.received()];
    expect(await Promise.race([sent, received, pause(50, 'nothing')])).to.equal('nothing');
    await redis.stop();
    await until('both have noticed', () => !one.isConnected() && !other.isConnected());
    await sent;
    await received?.catch(() => {});
    expect(one.received()).to.equal(undefined);
    one.publish('topic', 2);
    await one.sent();
    await redis.start();
    await until('both are back', () => one.isConnected() && other.isConnected());
    const heard: unknown[] = [];
    const message = (_topic: string, content: unknown) => void heard.push(content);
    other.subscribe({ ...silent, message });
    one.publish('topic', 3);
    await one.sent();
    await other.received();
    expect(heard).to.include(3);
  });

  it('do not wait with tryLock', async () => {
    const release = await one.tryLock('key');
    expect(await other.tryLock('key')).to.equal(undefined);
    release?.();
    await until('it is free', async () => {
      const taken = await other.tryLock('key');
      taken?.();
      return taken !== undefined;
    });
  });

  it('take over the locks of a process that has ended, at once or when its lease expires', async () => {
    await one.lock('key');
    const waiting = other.lock('key');
    await one.leave();
    (await waiting)();
    const third = await network.join();
    await third.lock('second key');
    await third.cutOff();
    const release = await other.lock('second key');
    release();
  });

  it('do not write after another process may have taken their lock, until that work has ended', async () => {
    const release = await one.lock('key');
    await one.cutOff();
    const taken = await other.lock('key');
    await one.restore();
    await until('it can lock again', () =>
      one.tryLock('another key').then(
        (unlock) => Boolean(unlock),
        () => false,
      ),
    );
    expect(one.isConnected()).to.equal(false);
    release();
    expect(one.isConnected()).to.equal(true);
    taken();
  });

  it('are told which locks others have taken, also if these have released them already', async () => {
    const told: string[] = [];
    one.onTaken?.((key) => told.push(key));
    const releases = [await one.lock('mypads:job:first'), await one.lock('mypads:job:second')];
    releases.push(await one.lock('mypads:job:third'));
    await one.cutOff();
    const taken = await other.lock('mypads:job:first');
    (await other.lock('mypads:job:second'))();
    await one.comeBack();
    expect(told).to.deep.equal(['mypads:job:first', 'mypads:job:second']);
    expect(one.isConnected()).to.equal(true);
    taken();
    for (const release of releases) release();
  });

  it('keep the locks of their long work when Redis has lost its data, unless others have them by now', async () => {
    const told: string[] = [];
    one.onTaken?.((key) => told.push(key));
    const kept = ['mypads:job:first', 'mypads:removal:pad:large'];
    const releases = await Promise.all([...kept, 'mypads:job:second'].map((key) => one.lock(key)));
    await one.cutOff();
    await redis.stop();
    await redis.start();
    await until('the other is back', () => other.isConnected());
    expect(await other.tryLock('mypads:job:second'), 'before others can have claimed it').to.equal(undefined);
    let theirs: (() => void) | undefined;
    await until('it can be taken', async () => {
      theirs = await other.tryLock('mypads:job:second');
      return theirs !== undefined;
    });
    await one.comeBack();
    expect(told).to.deep.equal(['mypads:job:second']);
    for (const key of kept) expect(await other.tryLock(key), key).to.equal(undefined);
    for (const release of releases) release();
    theirs?.();
    for (const key of kept) (await other.lock(key))();
  });

  it('leave a lock with the process that has it now when the one before releases it twice or too late', async () => {
    const third = await network.join();
    const release = await one.lock('key');
    const waiting = other.lock('key');
    release();
    const theirs = await waiting;
    release();
    // Redis executes the commands of a connection in order.
    await one.take('nothing');
    expect(await third.tryLock('key')).to.equal(undefined);
    theirs();
    const releaseLate = await one.lock('key');
    await one.cutOff();
    const taken = await other.lock('key');
    await one.restore();
    await until('it is back', async () => (await third.processes.count()) === 3);
    releaseLate();
    await until('it can lock again', () => one.isConnected());
    await one.take('nothing');
    expect(await third.tryLock('key')).to.equal(undefined);
    taken();
    (await third.lock('key'))();
  });

  it('take and give up nothing by commands that Redis receives late, when they have failed long ago', async () => {
    await one.pads.claim('kept');
    const deliver = one.holdRequests();
    const failed = [
      one.lock('key').catch(keyOf),
      one.pads.claim('pad').catch(() => unavailable),
      one.pads.release('kept').catch(() => unavailable),
    ];
    expect(await Promise.all(failed)).to.deep.equal([unavailable, unavailable, unavailable]);
    const lease = `${network.prefix}:process:${one.process}`;
    await until('its lease is renewed over a new connection', async () => (await admin.get(lease)) !== '1');
    await deliver();
    expect(await admin.get(`${network.prefix}:lock:key`)).to.equal(null);
    expect(await other.pads.claim('kept')).to.equal(one.process);
    expect(await other.pads.claim('pad')).to.equal(undefined);
  });

  it('wait for a lock for a limited time, also behind another call of their own', async () => {
    lockTimes.wait = 600;
    try {
      const release = await one.lock('key');
      const busy = 'BACKEND.ERROR.SERVER.BUSY';
      const waiting = [other, other, one].map((member) => member.lock('key').catch(keyOf));
      expect(await Promise.all(waiting)).to.deep.equal([busy, busy, busy]);
      release();
      for (const member of [other, one]) (await member.lock('key'))();
    } finally {
      lockTimes.wait = usualWait;
    }
  });

  it('leave a pad with the process that has it when another one lets go of it', async () => {
    await one.pads.claim('pad');
    await other.pads.release('pad');
    expect(await other.pads.claim('pad')).to.equal(one.process);
  });

  it('release a lock later when Redis has refused it for a moment', async () => {
    const release = await one.lock('key');
    await admin.call('ACL', 'SETUSER', 'default', '-lrem');
    release?.();
    // Redis executes the commands of a connection in order.
    await one.take('nothing');
    await admin.call('ACL', 'SETUSER', 'default', '+lrem');
    (await other.lock('key'))();
  });

  it('lead without a break, and continue the work of each process that has ended', async () => {
    leaseTimes.checkEvery = 0;
    let [begun, begunByOther] = [0, 0];
    await one.lead(async () => {
      begun += 1;
    });
    await other.lead(async () => {
      begunByOther += 1;
    });
    const leader = `${network.prefix}:lock:mypads:leader`;
    for (let count = 0; count < 2; count++) {
      await admin.pexpire(leader, 60_000);
      await until('everything that is held was checked', async () => (await admin.pttl(leader)) > 60_000);
    }
    expect([begun, begunByOther]).to.deep.equal([1, 0]);
    const third = await network.join();
    await third.cutOff();
    await until('its work is continued', () => begun === 2);
    await third.restore();
    const fourth = await network.join();
    await fourth.leave();
    await until('its work is continued', () => begun === 3);
    await one.leave();
    await until('the other one leads', () => begunByOther === 1);
    expect(other.isLeader()).to.equal(true);
  });

  it('have one leader again, which can write, when Redis has lost the lock of the leader', async () => {
    for (const member of [one, other]) await member.lead(async () => {});
    expect([one.isLeader(), other.isLeader()]).to.deep.equal([true, false]);
    const lock = `${network.prefix}:lock:mypads:leader`;
    await admin.del(lock);
    await until('one of them has taken it', async () => (await admin.exists(lock)) === 1);
    await until('only that one leads', () => one.isLeader() !== other.isLeader());
    leaseTimes.checkEvery = 0;
    await admin.pexpire(lock, 60_000);
    await until('everything that is held was checked', async () => (await admin.pttl(lock)) > 60_000);
    expect([one.isConnected(), other.isConnected()]).to.deep.equal([true, true]);
  });

  it('read everything again when one of them has ended that may not have told what it has written', async () => {
    const missed = { one: 0, other: 0 };
    for (const [name, member] of Object.entries({ one, other })) {
      member.subscribe({ ...silent, missed: () => missed[name as 'one' | 'other']++ });
    }
    let begun = 0;
    await one.lead(async () => {
      begun += 1;
    });
    const third = await network.join();
    await third.cutOff();
    await until('both read again', () => missed.one === 1 && missed.other === 1);
    const fourth = await network.join();
    fourth.publish('last', {});
    await fourth.leave();
    await until('its end is noticed', () => begun === 3);
    expect(missed).to.deep.equal({ one: 1, other: 1 });
  });

  it('notice that their machine was suspended, though the clock of the process has stood still too', async () => {
    await one.pads.claim('pad');
    expect([one.isConnected(), one.pads.has('pad')]).to.deep.equal([true, true]);
    const { now } = Date;
    Date.now = () => now() + leaseTimes.expiry;
    try {
      expect([one.isConnected(), one.pads.has('pad')]).to.deep.equal([false, false]);
      await until('it has found out what it has lost', () => one.isConnected() && one.pads.has('pad'));
    } finally {
      Date.now = now;
    }
  });

  it('renew their lease at once when the clock of the machine jumps, and not at the next regular time', async () => {
    Object.assign(leaseTimes, { expiry: 60_000, renewEvery: 40_000, margin: 1_000 });
    const third = await network.join();
    await third.pads.claim('pad');
    const { now } = Date;
    Date.now = () => now() + 5 * 60_000;
    try {
      expect([third.isConnected(), third.pads.has('pad')]).to.deep.equal([false, false]);
      await until('it has checked what it has', () => third.isConnected() && third.pads.has('pad'));
    } finally {
      Date.now = now;
    }
  });

  it('refuse locks while Redis is stopped or frozen, and go on after it', async () => {
    for (const [away, back] of [
      [() => redis.stop(), () => redis.start()],
      [async () => redis.freeze(), async () => redis.thaw()],
    ] as const) {
      await away();
      expect(await one.lock('key').catch(keyOf)).to.equal(unavailable);
      await until('it is noticed', () => !one.isConnected());
      await back();
      await until('it is back', () => one.isConnected() && other.isConnected());
      (await one.lock('key'))();
      (await other.lock('key'))();
    }
  });

  it('are back at once after a failure of Redis in which many locks were refused', async () => {
    await one.pads.claim('pad');
    await one.cutOff();
    for (let round = 0; round < 20; round += 1) {
      const refused = await Promise.all(
        Array.from({ length: 1_000 }, (_, index) => one.lock(`key ${index}`).catch(keyOf)),
      );
      expect(new Set(refused)).to.deep.equal(new Set([unavailable]));
    }
    await admin.config('RESETSTAT');
    await one.comeBack();
    const commands = Number(/^total_commands_processed:(\d+)/m.exec(await admin.info('stats'))?.[1]);
    expect(commands).to.be.below(1_000);
  });

  it('notice each message that was lost', async () => {
    const heard: string[] = [];
    const message = (topic: string) => void heard.push(topic);
    other.subscribe({ ...silent, message, missed: () => heard.push('missed') });
    one.publish('first', {});
    await until('it has arrived', () => heard.length === 1);
    await other.cutOff();
    one.publish('second', {});
    await other.comeBack();
    one.publish('third', {});
    await until('it has arrived', () => heard.includes('third'));
    expect(heard).to.deep.equal(['first', 'missed', 'third']);
  });

  it('receive a message once that is sent again, because its answer was lost', async () => {
    const heard: unknown[] = [];
    other.subscribe({ ...silent, message: (_topic, content) => heard.push(content) });
    one.publish('counted', 1);
    await one.sent();
    one.dropAnswers();
    one.publish('counted', 2);
    await until('it has arrived', () => heard.includes(2));
    await until('its connection is lost', () => !one.isConnected());
    await until('it is back', () => one.isConnected());
    one.publish('counted', 3);
    await until('the last one has arrived', () => heard.includes(3));
    expect(heard).to.deep.equal([1, 2, 3]);
  });

  it('notice lost messages when Redis has lost its data and as many messages were sent since', async () => {
    let missed = 0;
    other.subscribe({ ...silent, missed: () => missed++ });
    for (const number of [1, 2]) one.publish('before', number);
    await one.sent();
    await other.received();
    await other.cutOff();
    await admin.flushdb();
    for (const number of [1, 2]) one.publish('after', number);
    await one.sent();
    await other.comeBack();
    expect(missed).to.equal(1);
  });

  it('send what they could not send while they were cut off', async () => {
    const heard: string[] = [];
    other.subscribe({ ...silent, message: (topic) => heard.push(topic) });
    await one.cutOff();
    one.publish('first', {});
    one.publish('second', {});
    await one.comeBack();
    await until('both have arrived', () => heard.length >= 2);
    expect(heard).to.deep.equal(['first', 'second']);
  });

  it('say every moment that messages cannot be received', async () => {
    let times = 0;
    other.subscribe({ ...silent, unavailable: () => times++ });
    await other.cutOff();
    await until('it was said often', () => times >= 3);
    await other.comeBack();
  });

  it('answer each other', async () => {
    other.answerWith(async (topic, content) => {
      if (topic === 'fail') throw new Error('not today');
      return [topic, content];
    });
    expect(await one.ask(other.process, 'topic', { a: 1 }, 1_000)).to.deep.equal(['topic', { a: 1 }]);
    const reason = (topic: string, process: string): Promise<unknown> =>
      one.ask(process, topic, {}, 300).catch((error: Error) => error.message);
    expect(await reason('fail', other.process)).to.equal('not today');
    expect(await reason('topic', 'gone')).to.equal(busy);
  });

  it('wait for an answer while another one works on it, and not if it is suspended', async () => {
    const gives = pause(2_500, 'at last');
    other.answerWith(() => gives);
    expect(await one.ask(other.process, 'topic', {}, 60_000)).to.equal('at last');
    other.holdRequests();
    const asked = one.ask(other.process, 'topic', {}, 60_000).catch(keyOf);
    expect(await asked).to.equal(busy);
  });

  it('give a pad to one process only', async () => {
    expect(await one.pads.claim('pad')).to.equal(undefined);
    expect(await one.pads.claim('pad')).to.equal(undefined);
    expect(await other.pads.claim('pad')).to.equal(one.process);
    expect(await other.pads.holderOf('pad')).to.equal(one.process);
    await one.pads.release('pad');
    expect(await other.pads.holderOf('pad')).to.equal(undefined);
    expect(await other.pads.claim('pad')).to.equal(undefined);
  });

  it('let go of a pad later when Redis was away, and of one whose claim was not answered', async () => {
    await one.pads.claim('pad');
    await one.cutOff();
    expect(await one.pads.release('pad').catch(() => 'failed')).to.equal('failed');
    expect(one.pads.held()).to.deep.equal(['pad']);
    await one.comeBack();
    await one.pads.release('pad');
    expect(await other.pads.claim('pad')).to.equal(undefined);
    await admin.set(`${network.prefix}:pad:unanswered`, one.process);
    expect(await other.pads.claim('unanswered')).to.equal(one.process);
    await one.pads.release('unanswered');
    expect(await other.pads.claim('unanswered')).to.equal(undefined);
  });

  it('have a pad that they claim twice at the same moment', async () => {
    const claims = [one.pads.claim('pad'), one.pads.claim('pad')];
    expect(await Promise.all(claims)).to.deep.equal([undefined, undefined]);
  });

  it('remember a thousand pads whose requests reach several of them', async () => {
    const reported = Array.from({ length: 1_002 }, (_, number) => one.pads.reportMisrouted(`pad ${number}`));
    await Promise.all(reported);
    expect(await other.processes.misroutedPads()).to.equal(1_000);
  });

  it('count each other, and the pads whose requests reach several of them', async () => {
    expect(await one.processes.count()).to.equal(2);
    for (const padId of ['a', 'b', 'a']) await one.pads.reportMisrouted(padId);
    expect(await other.processes.misroutedPads()).to.equal(2);
    await other.leave();
    expect(await one.processes.count()).to.equal(1);
  });

  it('keep their pads when Redis has lost its data, also one that reaches it later than others', async () => {
    const lost: string[] = [];
    one.pads.onLost((padId) => lost.push(padId));
    await one.pads.claim('pad');
    await one.cutOff();
    await redis.stop();
    await redis.start();
    await until('the other one is back', () => other.isConnected());
    expect(await other.pads.claim('pad').catch(keyOf)).to.equal(unavailable);
    await one.comeBack();
    expect(await other.pads.claim('pad')).to.equal(one.process);
    await until('others can be claimed', () =>
      other.pads.claim('another pad').then(
        (holder) => holder === undefined,
        () => false,
      ),
    );
    expect([one.pads.has('pad'), lost]).to.deep.equal([true, []]);
  });

  it('claim no pad before they know that Redis has lost its data', async () => {
    await one.pads.claim('pad');
    await admin.flushdb();
    expect(await other.pads.claim('pad').catch(keyOf)).to.equal(unavailable);
    await until('one has claimed it again', async () => (await one.pads.holderOf('pad')) === one.process);
    await until('the other one knows', () =>
      other.pads.claim('pad').then(
        (holder) => holder === one.process,
        () => false,
      ),
    );
  });

  it('claim pads at once in a new Redis', async () => {
    await admin.flushdb();
    await one.leave();
    await other.leave();
    await admin.flushdb();
    const third = await network.join();
    expect(await third.pads.claim('pad')).to.equal(undefined);
  });

  it('keep their pads while they cannot reach Redis, because the database shows that they are alive', async () => {
    const lost: string[] = [];
    one.pads.onLost((padId) => lost.push(padId));
    await one.pads.claim('pad');
    await one.cutOff();
    const end = Date.now() + 2 * leaseTimes.expiry;
    while (Date.now() < end) {
      expect(await other.pads.claim('pad')).to.equal(one.process);
      expect(one.pads.has('pad')).to.equal(true);
      await pause(50);
    }
    await one.comeBack();
    expect(lost).to.deep.equal([]);
    expect(await other.pads.claim('pad')).to.equal(one.process);
  });

  it('lose pads that another process takes while they reach neither Redis nor the database', async () => {
    const lost: string[] = [];
    const third = await network.join({ withoutDatabase: true });
    third.pads.onLost((padId) => lost.push(padId));
    await third.pads.claim('pad');
    await third.pads.claim('taken');
    await third.cutOff();
    await until('it can be taken', async () => (await other.pads.claim('taken')) === undefined);
    expect([third.pads.has('pad'), third.pads.has('taken')]).to.deep.equal([false, false]);
    await third.comeBack();
    expect(lost).to.deep.equal(['taken']);
    expect([third.pads.has('pad'), third.pads.has('taken')]).to.deep.equal([true, false]);
    expect(await other.pads.claim('pad')).to.equal(third.process);
  });

  it('take the pads of a process that has ended while it could not reach Redis', async () => {
    await one.pads.claim('pad');
    await one.cutOff();
    // At each renewal that fails, the process writes a sign of life, which no event announces.
    await pause(2 * leaseTimes.renewEvery);
    await one.leave();
    await until('it can be taken', async () => (await other.pads.claim('pad')) === undefined);
  }).timeout(30_000);
});
