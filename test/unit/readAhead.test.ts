import { expect } from 'chai';
import type { Receiver } from '../../cluster/channel';
import { createExchange } from '../../cluster/exchange';
import { ReadAhead } from '../../cluster/readAhead';
import { nameOf } from '../../cluster/topics';
import { createSchedule } from '../../model/schedule';
import { keys } from '../../model/store/store';

describe('records that other processes have written', () => {
  let values: Record<string, unknown>;
  let reads: (readonly string[])[];
  let during: () => void;
  let records: ReadAhead;
  beforeEach(() => {
    values = { a: 1, b: 2, c: 3 };
    reads = [];
    during = () => {};
    records = new ReadAhead(async (keys) => {
      reads.push(keys);
      const found = keys.map((key) => values[key]);
      during();
      return found;
    });
  });

  const take = async (key: string): Promise<unknown> => (await records.take(key))?.value;

  it('are read together', async () => {
    for (const key of ['a', 'b', 'gone']) expect(records.announce(key)).to.equal(true);
    expect([await take('a'), await take('b'), await take('gone')]).to.deep.equal([1, 2, undefined]);
    expect(reads).to.deep.equal([['a', 'b', 'gone']]);
  });

  it('are read fifty at a time', async () => {
    const keys = Array.from({ length: 120 }, (_, number) => `key${number}`);
    for (const key of keys) records.announce(key);
    for (const key of keys) await take(key);
    expect(reads.map(({ length }) => length)).to.deep.equal([50, 50, 20]);
  });

  it('are read once for two messages before the read, and again for one after it', async () => {
    records.announce('a');
    expect(records.announce('a')).to.equal(false);
    records.announce('b');
    during = () => {
      values.b = 'newer';
      expect(records.announce('b')).to.equal(true);
    };
    expect(await take('a')).to.equal(1);
    during = () => {};
    expect([await take('b'), await take('b')]).to.deep.equal([2, 'newer']);
  });

  it('do not replace what this process has written since', async () => {
    records.announce('a');
    records.announce('b');
    during = () => records.written('b');
    expect(await take('a')).to.equal(1);
    expect(await records.take('b')).to.equal(undefined);
    records.announce('b');
    during = () => {};
    expect(await take('b')).to.equal(2);
  });

  it('are read again after a failed read, except the first one, whose error is thrown', async () => {
    for (const key of ['a', 'b', 'c']) records.announce(key);
    during = () => {
      during = () => {};
      records.announce('a');
      throw new Error('no database');
    };
    expect(String(await take('a').catch((error: unknown) => error))).to.contain('no database');
    expect([await take('b'), await take('c'), await take('a')]).to.deep.equal([2, 3, 1]);
    expect(reads).to.have.length(2);
  });
});

describe('a record that this process writes while it is read for a message of another process', () => {
  it('is not replaced in memory by what was read', async () => {
    let receiver: Receiver | undefined;
    const exchange = createExchange({
      publish: () => {},
      subscribe(given) {
        receiver = given;
        return () => {};
      },
      received: () => Promise.resolve(),
      sent: () => undefined,
    });
    const silent = (): void => {};
    const key = keys.group('minutes');
    const seen: unknown[] = [];
    let during = (): void => exchange.recordWritten(key);
    exchange.follow({
      async read() {
        during();
        return [{ name: 'read' }];
      },
      event: silent,
      log: { debug: silent, info: silent, warn: silent, error: silent },
      schedule: createSchedule(),
      written: (_key, value) => seen.push(value),
      peopleSignedIn: silent,
      missed: async () => {},
      unavailable: async () => {},
    });
    const receive = async (): Promise<void> => {
      receiver?.message(nameOf('written'), key);
      await exchange.upToDate();
    };
    await receive();
    expect(seen).to.deep.equal([]);
    during = silent;
    await receive();
    expect(seen).to.deep.equal([{ name: 'read' }]);
  });
});
