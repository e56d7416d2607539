import { setImmediate as turn } from 'node:timers/promises';
import { expect } from 'chai';
import { MyPadsError } from '../../model/errors';
import { asPasswordCaller, FairQueue, type PasswordCaller } from '../../model/fairQueue';

const right = false;
const wrong = true;

/** A queue whose checks last until the test ends them. `order`: the names of the checks that have begun. */
function heldQueue(size: number, limit = 100) {
  const queue = new FairQueue({ size, limit });
  const order: string[] = [];
  const running = new Map<string, (failed: boolean) => void>();
  function add(name: string, keys: string[], more: Partial<PasswordCaller> = {}): Promise<boolean> {
    const work = (): Promise<boolean> =>
      new Promise((resolve) => {
        order.push(name);
        running.set(name, resolve);
      });
    const caller = { keys, ...more };
    return asPasswordCaller(caller, () => queue.run(work, (failed) => failed));
  }
  /** Ends this check, or the one that has begun first. */
  async function end(failed: boolean, name = [...running.keys()][0] ?? ''): Promise<void> {
    running.get(name)?.(failed);
    running.delete(name);
    await turn();
  }
  /** Adds a check that fails. */
  async function fail(...keys: string[]): Promise<void> {
    const done = add('failure', keys);
    await turn();
    await end(wrong, 'failure');
    await done;
    order.length = 0;
  }
  async function endAll(): Promise<void> {
    await turn();
    while (running.size > 0) await end(right);
  }
  return { queue, order, running, add, end, fail, endAll };
}

describe('checks of passwords', () => {
  it('take turns: one from another address is before the others of an address with many', async () => {
    const { add, endAll, order } = heldQueue(1);
    for (const name of ['a1', 'a2', 'a3', 'a4']) void add(name, ['a']);
    await turn();
    void add('b', ['b']);
    await endAll();
    expect(order).to.deep.equal(['a1', 'b', 'a2', 'a3', 'a4']);
  });

  it('take turns by account too', async () => {
    const { add, endAll, order } = heldQueue(1);
    for (const name of ['a', 'b', 'c']) void add(name, [name, 'account']);
    await turn();
    void add('d', ['d', 'other account']);
    await endAll();
    expect(order).to.deep.equal(['a', 'd', 'b', 'c']);
  });

  it('of addresses with wrong passwords are after the others, until a right one takes the failure away', async () => {
    const { add, end, endAll, fail, order } = heldQueue(1);
    await fail('a');
    void add('first', ['other']);
    for (const name of ['a', 'b']) void add(name, [name]);
    await endAll();
    expect(order).to.deep.equal(['first', 'b', 'a']);
    order.length = 0;
    void add('first', ['other']);
    for (const name of ['a', 'b']) void add(name, [name]);
    await end(right);
    await endAll();
    expect(order).to.deep.equal(['first', 'a', 'b']);
  });

  it('of addresses with wrong passwords leave a worker free', async () => {
    const { add, endAll, fail, order } = heldQueue(2);
    await fail('a');
    for (const name of ['a1', 'a2']) void add(name, ['a']);
    await turn();
    expect(order).to.deep.equal(['a1']);
    void add('b', ['b']);
    await turn();
    expect(order).to.deep.equal(['a1', 'b']);
    await endAll();
  });

  it('of known browsers are before those of strangers', async () => {
    const { add, endAll, order } = heldQueue(1);
    for (const name of ['a', 'b', 'c']) void add(name, [name]);
    void add('known', ['browser'], { known: true });
    await endAll();
    expect(order).to.deep.equal(['a', 'known', 'b', 'c']);
  });

  it('all get a turn: every fourth is the one that has waited longest', async () => {
    const { add, end, endAll, fail, order } = heldQueue(1);
    await fail('a');
    void add('b0', ['b0']);
    void add('a', ['a']);
    for (let number = 1; number < 6; number += 1) {
      void add(`b${number}`, [`b${number}`]);
      await turn();
      await end(right);
    }
    await endAll();
    expect(order.indexOf('a'), order.join()).to.be.within(1, 4);
  });

  it('above the limit, the last in order is refused, which is not the newest of another address', async () => {
    const { add, endAll, order } = heldQueue(1, 3);
    const outcomes = ['a1', 'a2', 'a3', 'a4'].map((name) =>
      add(name, ['a']).then(
        () => name,
        (error: unknown) => (error as MyPadsError).key,
      ),
    );
    await turn();
    const other = add('b', ['b']);
    await endAll();
    expect(await other).to.equal(right);
    expect(await Promise.all(outcomes)).to.deep.equal(['a1', 'a2', 'a3', 'BACKEND.ERROR.SERVER.BUSY']);
    expect(order).to.deep.equal(['a1', 'b', 'a2', 'a3']);
  });

  it('that throw let the next one begin', async () => {
    const queue = new FairQueue({ size: 1, limit: 10 });
    const broken = queue.run(
      async () => {
        throw new MyPadsError('BACKEND.ERROR.SERVER.BUSY');
      },
      () => undefined,
    );
    const next = queue.run(
      async () => 'done',
      () => undefined,
    );
    expect((await Promise.allSettled([broken, next])).map(({ status }) => status)).to.deep.equal([
      'rejected',
      'fulfilled',
    ]);
    expect(queue.waiting).to.equal(0);
  });
});
