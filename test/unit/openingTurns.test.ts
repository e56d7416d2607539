import { expect } from 'chai';
import type { Connection } from '../../hooks/openEditors';
import { waitForOpening } from '../../hooks/openingTurns';

describe('the messages that open a pad', () => {
  const connection = (more: Partial<Connection> = {}) =>
    ({ socket: { connected: true }, ...more }) as Connection;

  it('wait for one at a time in each connection, also after it has opened the pad', async () => {
    for (const opened of [undefined, true] as const) {
      const one = connection({ opened });
      const asked = [waitForOpening(one, 'a'), waitForOpening(one, 'a'), waitForOpening(one, 'a')];
      expect(await Promise.all(asked)).to.deep.equal([true, false, false]);
      expect(await waitForOpening(one, 'a')).to.equal(true);
    }
  });

  it('do not wait for connections that ask again and again', async () => {
    const order: string[] = [];
    const wait = (name: string, one: Connection) =>
      waitForOpening(one, 'a').then(() => void order.push(name));
    const again = ['again 1', 'again 2', 'again 3'].map((name) => wait(name, connection({ opened: true })));
    await Promise.all(['new 1', 'new 2'].map((name) => wait(name, connection())));
    expect(order).not.to.include('again 3');
    await Promise.all(again);
    expect(order).to.have.lengthOf(5);
  });

  it('open nothing for a connection that has ended meanwhile', async () => {
    const one = connection();
    const first = waitForOpening(connection(), 'a');
    const asked = waitForOpening(one, 'a');
    one.socket.connected = false;
    expect(await Promise.all([first, asked])).to.deep.equal([true, false]);
  });
});
