import { expect } from 'chai';
import { loginName, mailName } from '../../model/accounts/nameRecords';
import { createStore, keys, type Store } from '../../model/store/store';
import { createTestPorts } from '../support/app';

describe('the store', () => {
  let store: Store;
  let close: () => Promise<void>;
  before(async () => {
    const ports = await createTestPorts();
    store = createStore(ports.database, ports.coordination, { checkLocks: true });
    close = ports.closeDatabase;
  });
  after(() => close());

  it('keeps every one of many changes made to one value at the same moment', async () => {
    const add = (entry: number) =>
      store.update<number[]>('list', async (current) => {
        await new Promise((resolve) => setImmediate(resolve));
        return [...(current ?? []), entry];
      });
    await Promise.all(Array.from({ length: 100 }, (_, entry) => add(entry)));
    expect((await store.get<number[]>('list'))?.length).to.equal(100);
  });

  it('keeps the value when a change returns nothing or throws, and lets the next one run', async () => {
    await store.set('kept', { value: 1 });
    expect(await store.update('kept', () => undefined)).to.deep.equal({ value: 1 });
    const failed = await store
      .update<{ value: number }>('kept', (current) => {
        if (current) current.value = 7;
        throw new Error('no');
      })
      .catch((error: Error) => error.message);
    expect(failed).to.equal('no');
    expect(await store.get('kept')).to.deep.equal({ value: 1 });
    expect(await store.update('kept', () => ({ value: 2 }))).to.deep.equal({ value: 2 });
  });

  it('reads what is missing or null as undefined', async () => {
    await store.set('empty', null);
    expect(await store.get('empty')).to.equal(undefined);
    expect(await store.get('never there')).to.equal(undefined);
  });

  it('reads many values in the order of their keys (B11)', async () => {
    const names = Array.from({ length: 120 }, (_, index) => `many:${index}`);
    await Promise.all(names.filter((_, index) => index !== 60).map((name) => store.set(name, { name })));
    const values = await store.getMany<{ name: string }>(names);
    expect(values.map((value) => value?.name)).to.deep.equal(
      names.map((name, index) => (index === 60 ? undefined : name)),
    );
    expect(await store.getMany([])).to.deep.equal([]);
  });

  it('takes several locks in one order, so that there is no deadlock', async () => {
    const order: string[] = [];
    const work = (name: string) => async () => {
      order.push(`${name} in`);
      await new Promise((resolve) => setImmediate(resolve));
      order.push(`${name} out`);
    };
    await Promise.all([store.locked(['a', 'b'], work('one')), store.locked(['b', 'a'], work('two'))]);
    expect(order).to.deep.equal(['one in', 'one out', 'two in', 'two out']);
  });

  it('refuses a change at once that would wait for itself', async () => {
    const inside = (key: string) => store.locked(['m'], () => store.locked([key], async () => 'done'));
    expect(await inside('n')).to.equal('done');
    for (const key of ['m', 'l']) {
      expect(await inside(key).catch((error: Error) => error.message)).to.match(/requested while holding m/);
    }
    expect(await store.locked(['m'], async () => 'free again')).to.equal('free again');
  });

  it('has keys that every database can store', () => {
    const long = 'x'.repeat(300);
    for (const key of [loginName(long).key, mailName(long).key, keys.sessionsOf('user', long)]) {
      expect(key.length).to.be.at.most(100);
    }
    expect(keys.sessionsOf('user', 'anna-1')).to.equal('mypads:sessions:user:anna-1');
    expect(mailName('A@B.org')).to.deep.equal(mailName('a@b.ORG'));
    expect(mailName('anna')).not.to.deep.equal(loginName('anna'));
  });
});
