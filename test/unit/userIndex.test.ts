/** The index finds accounts that another program has written: an old server, an import, or a database tool. */
import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'chai';
import { createModel, type Model } from '../../model/model';
import { keys } from '../../model/store/store';
import { createTestPorts } from '../support/app';
import { until } from '../support/waiting';

type Ports = Awaited<ReturnType<typeof createTestPorts>>;

const account = (number: number) => ({
  _id: `imported-${number}`,
  login: `imported${number}`,
  email: `Imported${number}@example.org`,
  password: null,
  groups: [],
});

describe('an account that another program wrote', () => {
  let ports: Ports;
  let model: Model;

  beforeEach(async () => {
    ports = await createTestPorts();
    model = await createModel(ports);
    await model.users.ready;
    await model.users.register({ login: 'first', password: null, email: 'first@example.org', active: true });
  });
  afterEach(async () => {
    await model.close();
    await ports.closeDatabase();
  });

  async function restart(): Promise<void> {
    await model.close();
    model = await createModel(ports);
  }

  async function write(count: number): Promise<void> {
    const numbers = Array.from({ length: count }, (_, number) => number);
    await Promise.all(
      numbers.map((number) => ports.database.set(keys.user(`imported-${number}`), account(number))),
    );
  }

  it('is found by login and address after the next start, and not reported as missing before', async () => {
    await write(250);
    await restart();
    expect(model.users.isReady(), 'not before all of them are found').to.equal(false);
    await model.users.ready;
    for (const number of [0, 99, 100, 249]) {
      const { _id, login, email } = account(number);
      expect((await model.users.findByLogin(login))?._id).to.equal(_id);
      expect((await model.users.findByEmail(email))?._id).to.equal(_id);
    }
    expect(ports.lines.some(({ level, facts }) => level === 'warn' && facts.added === 500)).to.equal(true);
  });

  it('is found by its new login after the next start, and no longer by the old one', async () => {
    await write(3);
    await restart();
    await model.users.ready;
    await ports.database.set(keys.user('imported-1'), {
      ...account(1),
      login: 'renamed',
      email: 'new@example.org',
    });
    await restart();
    await model.users.ready;
    await until('it is found', async () => (await model.users.findByEmail('new@example.org')) !== undefined);
    expect((await model.users.findByLogin('renamed'))?._id).to.equal('imported-1');
    expect(await model.users.findByLogin('imported1')).to.equal(undefined);
  });

  it('delays no start when no account is new (P1)', async () => {
    await write(3);
    await restart();
    await model.users.ready;
    await restart();
    await model.users.ready;
    expect((await model.users.findByLogin('imported2'))?._id).to.equal('imported-2');
    expect(ports.lines.filter(({ facts }) => 'added' in facts)).to.have.length(1);
  });

  it('is found without the blanks at the ends of its login, and with them, but not instead of another', async () => {
    await ports.database.set(keys.user('imported-1'), { ...account(1), login: ' anna ' });
    await restart();
    await model.users.ready;
    const found = async (login: string) => (await model.users.findByLogin(login))?._id;
    expect([await found('anna'), await found(' anna ')]).to.deep.equal(['imported-1', 'imported-1']);
    expect([...(await model.users.findByEntries(['anna'])).values()]).to.deep.equal(['imported-1']);
    await ports.database.set(keys.user('imported-2'), { ...account(2), login: 'anna' });
    await restart();
    await model.users.ready;
    expect([await found('anna'), await found(' anna ')]).to.deep.equal(['imported-2', 'imported-1']);
  });

  it('is found soon among hundreds, also when every write takes a tenth of a second', async () => {
    await write(600);
    const { set } = ports.database;
    ports.database.set = async (key, value) => {
      await wait(100);
      await set(key, value);
    };
    await restart();
    await model.users.ready;
    expect((await model.users.findByLogin('imported599'))?._id).to.equal('imported-599');
  });

  it('is found among a thousand names of one call, of which few are looked for at the same time', async () => {
    await write(3);
    await restart();
    await model.users.ready;
    const { get } = ports.database;
    let [underWay, most] = [0, 0];
    ports.database.get = async (key) => {
      underWay += 1;
      most = Math.max(most, underWay);
      try {
        return await get(key);
      } finally {
        underWay -= 1;
      }
    };
    const unknown = Array.from({ length: 1_000 }, (_, number) => `unknown ${number}`);
    const found = await model.users.findByEntries(['imported2', ...unknown, 'Imported0@example.org']);
    ports.database.get = get;
    expect([...found]).to.deep.equal([
      ['imported2', 'imported-2'],
      ['Imported0@example.org', 'imported-0'],
    ]);
    // Otherwise all of the names would be compared in one turn of the event loop.
    expect(most).to.be.within(1, 100);
  });
});
