import { expect } from 'chai';
import { createTickets, type Tickets } from '../../model/access/ticket';
import { createInProcessCoordination } from '../../model/inProcessCoordination';

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
      Array.from({ length: number }, (_, index) =>
        tickets.create(undefined, 'pad', { requester: requester(index) }),
      ),
    );

  async function usable(names: readonly string[]): Promise<string[]> {
    const redeemed = await Promise.all(names.map((name) => tickets.redeem(name, 'pad')));
    return names.filter((_, index) => redeemed[index] !== undefined);
  }

  it('open one pad once, within a minute', async () => {
    const ticket = await tickets.create('session', 'pad');
    expect(await tickets.redeem(ticket, 'pad')).to.deep.equal({ sessionId: 'session' });
    expect(await tickets.redeem(ticket, 'pad')).to.equal(undefined);
    const other = await tickets.create(undefined, 'pad');
    expect(await tickets.redeem(other, 'other pad')).to.equal(undefined);
    expect(await tickets.redeem(other, 'pad')).to.equal(undefined);
    const late = await tickets.create('session', 'pad');
    now = 60_000;
    expect(await tickets.redeem(late, 'pad')).to.equal(undefined);
    expect(await tickets.redeem('constructor', 'pad')).to.equal(undefined);
  });

  it('stay valid, however many another address requests at once', async () => {
    const own = await tickets.create('session', 'pad', { requester: 'one' });
    const others = await create(many, () => 'other');
    expect(await tickets.redeem(own, 'pad')).to.deep.equal({ sessionId: 'session' });
    const left = await usable(others);
    expect(left, 'the newest tickets of the address that requested so many').to.deep.equal(
      others.slice(-left.length),
    );
    expect(left).to.have.length(9_999);
  });

  it('are kept up to ten thousand unused ones, the newest, from all addresses together (P9)', async () => {
    const made = await create(many, (index) => `place ${index}`);
    expect(await usable(made)).to.deep.equal(made.slice(-10_000));
  });

  it('do not count in this limit when they were used or have expired', async () => {
    const old = await create(5_000, () => '');
    now = 61_000;
    await usable(await create(5_000, () => ''));
    const fresh = await create(10_000, () => '');
    expect(await usable(fresh)).to.deep.equal(fresh);
    expect(await usable(old)).to.deep.equal([]);
  });
});
