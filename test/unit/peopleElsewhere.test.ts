import { expect } from 'chai';
import { sharePeopleInPads } from '../../cluster/peopleElsewhere';
import type { Coordination, Messages } from '../../model/ports';
import { createSchedule } from '../../model/schedule';
import { createTestSchedule } from '../support/schedule';

type Report = Messages['peopleInPads'];

describe('who has pads open in other processes', () => {
  const listeners = new Set<(report: Report) => void>();
  const ends: (() => void)[] = [];
  afterEach(() => {
    for (const end of ends.splice(0)) end();
    listeners.clear();
  });

  /** A process, whose messages the others get at once. */
  function start() {
    const schedule = createTestSchedule(createSchedule());
    const guests = new Map<string, number>();
    let own: ((report: Report) => void) | undefined;
    const coordination = {
      publish: (_name: string, report: Report) => {
        for (const listener of listeners) if (listener !== own) listener(report);
      },
      onMessage: (_name: string, listener: (report: Report) => void) => {
        own = listener;
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
    } as Pick<Coordination, 'publish' | 'onMessage'>;
    const { peopleInPads, close } = sharePeopleInPads({
      coordination,
      schedule,
      peopleInPads: () => [...guests].map(([id, count]) => [id, { people: [], guests: count }]),
    });
    ends.push(close);
    return {
      sees: (padId: string) => new Map(peopleInPads()).get(padId)?.guests ?? 0,
      /** Has so many guests from now on, and tells the others. */
      tell(now: Record<string, number>) {
        guests.clear();
        for (const [id, count] of Object.entries(now)) guests.set(id, count);
        schedule.run('tell who has pads open');
      },
    };
  }

  it('is known to all, and forgotten when they leave', () => {
    const [here, there] = [start(), start()];
    for (const guests of [2, 3]) {
      here.tell({ pad: guests });
      expect(there.sees('pad')).to.equal(guests);
    }
    here.tell({});
    expect(there.sees('pad')).to.equal(0);
  });

  it('is still known when the process that had the pad before says later that nobody is there', () => {
    const [before, after, there] = [start(), start(), start()];
    before.tell({ pad: 1 });
    after.tell({ pad: 2 });
    before.tell({});
    expect(there.sees('pad')).to.equal(2);
  });
});
