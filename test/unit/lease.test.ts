import { EventEmitter } from 'node:events';
import { expect } from 'chai';
import { Lease, type LeaseContext, leaseTimes } from '../../cluster/redis/lease';
import type { Link } from '../../cluster/redis/link';
import { createNames } from '../../cluster/redis/names';
import { createSchedule } from '../../model/schedule';
import { until } from '../support/waiting';

describe('the lease of a process', () => {
  const usual = { ...leaseTimes };
  before(() => Object.assign(leaseTimes, { expiry: 300, renewEvery: 100, margin: 100 }));
  after(() => Object.assign(leaseTimes, usual));

  it('is over for the process itself before it is over for others, when Redis stops answering', async () => {
    let answers = true;
    const client = () => Object.assign(new EventEmitter(), { status: 'ready', ping: async () => 'PONG' });
    const commands = Object.assign(client(), {
      renewLease: () => (answers ? Promise.resolve([1, 0, 'data']) : new Promise(() => {})),
    });
    const nothing = async (): Promise<void> => {};
    const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
    const lease = new Lease({
      link: {
        commands,
        subscriber: client(),
        epoch: () => 1,
        reconnect: () => {},
        close: () => {},
      } as unknown as Link,
      names: createNames('test'),
      log,
      schedule: createSchedule(),
      verify: nothing,
      renewed: nothing,
      shownAt: () => undefined,
      listen: nothing,
      unavailable: () => {},
      restored: () => {},
    } satisfies LeaseContext);
    const renewed = performance.now();
    await lease.renew();
    expect(lease.isValid()).to.equal(true);
    answers = false;
    let lastValid = 0;
    await until('the lease is over', () => {
      const asked = performance.now();
      if (lease.isValid()) lastValid = asked;
      return lastValid !== asked;
    });
    expect(lastValid - renewed).to.be.below(leaseTimes.expiry);
  });
});
