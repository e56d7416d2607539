import { expect } from 'chai';
import { createTurns } from '../../model/turns';

describe('a queue with a pause after each turn', () => {
  function queue() {
    const nextTurn = createTurns();
    const order: string[] = [];
    const wait = (name: string, caller?: string) => nextTurn(1, caller).then(() => void order.push(name));
    return { order, wait };
  }

  it('lets callers alternate, whoever came first', async () => {
    const { order, wait } = queue();
    const flood = Array.from({ length: 20 }, (_, number) => wait(`flood ${number}`, 'flood'));
    await Promise.all([wait('one', '1'), wait('two', '2'), wait('two again', '2')]);
    expect(order).to.deep.equal(['flood 0', 'one', 'two', 'flood 1', 'two again']);
    await wait('late', '3');
    expect(order.slice(5)).to.deep.equal(['flood 2', 'late']);
    await Promise.all(flood);
    expect(order.slice(7)).to.deep.equal(Array.from({ length: 17 }, (_, number) => `flood ${number + 3}`));
    await Promise.all([wait('again', '1'), wait('last', '2')]);
    expect(order.slice(-2)).to.deep.equal(['again', 'last']);
  });

  it('keeps the order of those without a name', async () => {
    const { order, wait } = queue();
    await Promise.all(['1', '2', '3', '4'].map((name) => wait(name)));
    expect(order).to.deep.equal(['1', '2', '3', '4']);
  });
});
