/** The count of groups and pads in the background, when the database fails. */
import { expect } from 'chai';
import { createStatistics } from '../../model/accounts/statistics';
import { createStore, keys } from '../../model/store/store';
import { createTestPorts } from '../support/app';
import { until } from '../support/waiting';

describe('counting the groups and pads', () => {
  it('is retried after a failure, also while a change waits to be saved', async () => {
    const ports = await createTestPorts();
    const zero = { keys: 0, records: 0 };
    await ports.database.set(keys.counts, { format: 2, groups: zero, pads: zero, isIncomplete: false });
    let fail = (_error: Error): void => {};
    ports.database.findKeys = () =>
      new Promise((_resolve, reject) => {
        fail = reject;
      });
    const { schedule, log, now, lines } = ports;
    const store = createStore(ports.database, ports.coordination);
    const directory = { count: async () => 0 };
    const statistics = createStatistics({
      ...{ store, directory, schedule, log, now },
      publish: () => {},
      isLeader: () => true,
    });
    const said = (message: string) => lines.some((line) => line.message === message);
    statistics.start();
    const pad = { _id: 'new', name: 'New', group: 'any' };
    await until('a change is to be saved', () => {
      statistics.recordWritten(keys.pad('new'), undefined, pad);
      return schedule.isPlanned('save the statistics');
    });
    fail(new Error('gone'));
    await until('it has failed', () => said('counting groups and pads failed, retrying in 5 s'));
    expect(schedule.isPlanned('count again')).to.equal(true);
    expect(schedule.isPlanned('save the statistics')).to.equal(true);
    await statistics.close();
    expect(schedule.isPlanned('count again'), 'after the end').to.equal(false);
    await ports.closeDatabase();
  });
});
