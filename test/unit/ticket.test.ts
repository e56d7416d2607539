import { expect } from 'chai';
import { createTickets, type Tickets } from '../../model/access/ticket';
import { createInProcessCoordination } from '../../model/coordination/inProcess';

describe('tickets', () => {
  const many = 12_000;
  let now = 0;
  let tickets: Tickets;
  beforeEach(() => {
    now = 0;
    tickets = createTickets({ coordination: createInProcessCoordination({ now: () => now }) });
  });

  const create = (number: number, requester: (index: number) => string): Promise<string[]> =>
    Promise.all(
      Array.from({ length: number }, (_, index) => tickets.create(undefined, 'pad', requester(index))),
    );

  async function usable(names: readonly string[]): Promise<string[]> {
    const redeemed = await Promise.all(names.map((name) => tickets.redeem(name, 'pad')));
    return names.filter((_, index) => redeemed[index] !== undefined);
  }

  it('of others stay valid however many one address requests at once', async () => {
    const own = await tickets.create('session', 'pad', 'one');
    const others = await create(many, () => 'other');
    expect(await tickets.redeem(own, 'pad')).to.deep.equal({ sessionId: 'session' });
    const left = await usable(others);
    expect(left, 'the last of whoever asked for so many').to.deep.equal(others.slice(-left.length));
    expect(left).to.have.length(9_999);
  });

  it('that are unused are ten thousand at most, from all addresses together', async () => {
    const made = await create(many, (index) => `place ${index}`);
    expect(await usable(made)).to.deep.equal(made.slice(-10_000));
  });

  it('that were used or have expired do not count', async () => {
    const old = await create(5_000, () => '');
    now = 61_000;
    await usable(await create(5_000, () => ''));
    const fresh = await create(10_000, () => '');
    expect(await usable(fresh)).to.deep.equal(fresh);
    expect(await usable(old)).to.deep.equal([]);
  });
});
