/** The index of texts reads all of them again after its file was lost, and after something was restored meanwhile. */
import { expect } from 'chai';
import { createEvents } from '../../model/events';
import type { IndexFile } from '../../model/ports';
import { createSchedule } from '../../model/schedule';
import { TextIndex } from '../../model/texts/textIndex';
import { openIndexInMemory } from '../support/ports';

const minute = 60_000;

describe('the index of texts', () => {
  let now = 10_000 * minute;
  /** By pad, when it was changed. */
  let pads: Map<string, number>;
  let failing = false;
  let failure = 'disk I/O error';
  let edition = '';
  let isOn = true;
  /** How many files were opened, and the most statements of one write since. */
  let opened = 0;
  let mostWritten = 0;
  let index: TextIndex;

  function start(): void {
    const log = { debug() {}, info() {}, warn() {}, error() {} };
    const events = createEvents({ log, now: () => now, publish() {} });
    index = new TextIndex({
      databaseId: 'test',
      events,
      schedule: createSchedule(),
      log,
      now: () => now,
      isOn: () => isOn,
      pads: { text: async (id) => `words of ${id} ${edition}` },
      recordIndex: {
        changedPads: async (last, until, limit) =>
          [...pads]
            .map(([id, changed]) => ({ id, changed }))
            .filter(({ id, changed }) => changed > last.changed || (changed === last.changed && id > last.id))
            .filter(({ changed }) => changed <= until)
            .sort((one, other) => one.changed - other.changed || (one.id < other.id ? -1 : 1))
            .slice(0, limit),
        existingPads: async (ids) => ids.filter((id) => pads.has(id)),
      },
      async openIndex(options) {
        const file = await openIndexInMemory(options);
        [opened, mostWritten] = [opened + 1, 0];
        const write: IndexFile['write'] = async (statements) => {
          mostWritten = Math.max(mostWritten, statements.length);
          if (!failing) return file.write(statements);
          failing = false;
          throw new Error(failure);
        };
        return { ...file, read: (...asked) => file.read(...asked), write, close: () => file.close() };
      },
    });
  }

  beforeEach(() => {
    pads = new Map(Array.from({ length: 50 }, (_, number) => [`pad${number}`, now - 300 * minute + number]));
    [opened, isOn, failure] = [0, true, 'disk I/O error'];
    start();
  });
  afterEach(() => index.close());

  const found = async (): Promise<number> =>
    (await index.find('"words"', new Map([...pads.keys()].map((id) => [id, id])))).length;

  it('finds all of them again in the round after a failed write, whatever was changed lately', async () => {
    await index.update();
    expect([await found(), index.isComplete()]).to.deep.equal([50, true]);
    now += 15 * minute;
    pads.set('pad3', now - 2 * minute);
    failing = true;
    await index.update();
    await index.update();
    expect([await found(), index.isComplete()]).to.deep.equal([50, true]);
  });

  it('gives the space on a full disk back, and does not fill it again before an hour is over', async () => {
    await index.update();
    now += 2 * minute;
    pads.set('pad3', now - minute);
    [failing, failure] = [true, 'database or disk is full'];
    await index.update();
    await index.update();
    now += 15 * minute;
    await index.update();
    expect([await found(), index.isComplete(), opened, mostWritten]).to.deep.equal([0, false, 2, 0]);
    now += 46 * minute;
    await index.update();
    expect([await found(), index.isComplete(), opened]).to.deep.equal([50, true, 2]);
  });

  it('finds what a restored backup says, and not what was written after it', async () => {
    const backup = new Map(pads);
    edition = 'later';
    pads.set('pad3', now - 2 * minute);
    await index.update();
    pads = backup;
    edition = 'restored';
    // As after a start, it looks at all pads.
    now += 61 * minute;
    await index.update();
    const find = (word: string) => index.find(`"${word}"`, new Map([['pad3', 'pad3']]));
    expect([await find('restored'), await find('later')]).to.deep.equal([['pad3'], []]);
  });

  it('finds what is written after the clock was put back by days', async () => {
    now += 5 * 24 * 60 * minute;
    pads.set('pad4', now - 2 * minute);
    await index.update();
    now -= 5 * 24 * 60 * minute;
    edition = 'later';
    pads.set('pad3', now - 2 * minute);
    await index.update();
    expect(await index.find('"later"', new Map([['pad3', 'pad3']]))).to.deep.equal(['pad3']);
  });

  it('takes few texts of deleted pads out of the file at a time, because others wait meanwhile', async () => {
    await index.update();
    pads = new Map([...pads].slice(0, 10));
    now += 61 * minute;
    mostWritten = 0;
    await index.update();
    expect(
      await index.find(
        '"words"',
        new Map([
          ['pad3', 3],
          ['pad30', 30],
        ]),
      ),
    ).to.deep.equal([3]);
    expect(mostWritten).to.be.within(1, 5);
  });

  it('begins another file when the search is switched off, because all texts are taken out', async () => {
    await index.update();
    isOn = false;
    await index.update();
    await index.update();
    expect([await found(), index.isComplete(), opened, mostWritten]).to.deep.equal([0, false, 2, 0]);
    isOn = true;
    await index.update();
    expect([await found(), index.isComplete(), opened]).to.deep.equal([50, true, 2]);
  });
});
