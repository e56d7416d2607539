/** A process that hears nothing of the others reads what they may have changed, however often it is told. */
import { expect } from 'chai';
import type { Channel, Receiver } from '../../cluster/channel';
import { createExchange } from '../../cluster/exchange';
import { createSchedule } from '../../model/schedule';
import { heldWork, until } from '../support/waiting';

describe('what a process hears of others', () => {
  it('is read once, and not for each failure of Redis in which the database did not answer either', async () => {
    let receiver: Receiver | undefined;
    const channel: Channel = {
      publish: () => {},
      subscribe(given) {
        receiver = given;
        return () => {};
      },
      received: async () => {},
      sent: () => undefined,
    };
    const done: string[] = [];
    const { held: answered, release: answer } = heldWork();
    const note = (what: string) => async (): Promise<void> => {
      done.push(what);
      await answered;
    };
    const silent = (): void => {};
    const end = createExchange(channel).follow({
      read: async (keys) => keys.map(() => undefined),
      log: { debug: silent, info: silent, warn: silent, error: silent },
      schedule: createSchedule(),
      written: silent,
      event: silent,
      peopleSignedIn: silent,
      unavailable: note('unavailable'),
      missed: note('missed'),
    });
    receiver?.unavailable();
    await until('it has begun', () => done.length === 1);
    for (let time = 0; time < 200; time += 1) receiver?.unavailable();
    receiver?.missed();
    receiver?.missed();
    answer();
    await until('everything is read', () => done.includes('missed'));
    await new Promise((resolve) => setImmediate(resolve));
    expect(done).to.deep.equal(['unavailable', 'unavailable', 'missed']);
    end();
  });
});
