import { createExchange } from '../../cluster/exchange';
import { sharePeopleInPads } from '../../cluster/peopleElsewhere';
import { createSchedule } from '../../model/schedule';
import { createNetwork, type Network } from '../support/processes';
import { createTestSchedule } from '../support/schedule';
import { until } from '../support/waiting';

describe('who has pads open in other processes', () => {
  let network: Network;
  const ends: (() => void)[] = [];

  beforeEach(() => {
    network = createNetwork(Date.now);
  });
  afterEach(async () => {
    for (const end of ends.splice(0)) end();
    await network.close();
  });

  async function start() {
    const coordination = createExchange(await network.join());
    const schedule = createTestSchedule(createSchedule());
    const guests = new Map<string, number>();
    const { peopleInPads, close } = sharePeopleInPads({
      coordination,
      schedule,
      peopleInPads: () => [...guests].map(([id, count]) => [id, { people: [], guests: count }]),
    });
    ends.push(close);
    const tell = (): void => schedule.run('tell who has pads open');
    const sees = (padId: string, count: number): Promise<void> =>
      until(`${count} in ${padId}`, () => (new Map(peopleInPads()).get(padId)?.guests ?? 0) === count);
    /** Sets the number of guests here, tells the others, and waits until `other` has it. */
    async function tells(other: { sees: typeof sees }, padId: string, count: number): Promise<void> {
      guests.set(padId, count);
      tell();
      await other.sees(padId, count);
    }
    return { guests, tell, sees, tells };
  }

  it('is known to all, and forgotten when they leave', async () => {
    const [here, there] = [await start(), await start()];
    await here.tells(there, 'pad', 2);
    await here.tells(there, 'pad', 3);
    here.guests.clear();
    here.tell();
    await there.sees('pad', 0);
  });

  it('is still known when the process that had the pad before says later that nobody is there', async () => {
    const [before, after, there] = [await start(), await start(), await start()];
    await before.tells(there, 'pad', 1);
    before.guests.clear();
    await after.tells(there, 'pad', 2);
    // Messages arrive in order, so the one that empties `pad` has arrived with the one about `another`.
    await before.tells(there, 'another', 1);
    await there.sees('pad', 2);
  });
});
