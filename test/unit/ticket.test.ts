import { expect } from 'chai';
import { createTickets } from '../../model/access/ticket';

describe('tickets', () => {
  const many = 12_000;

  it('of others are good however many somebody asks for at once', () => {
    const tickets = createTickets({ now: () => 0 });
    const own = tickets.create('session', 'pad', 'one');
    const others = Array.from({ length: many }, () => tickets.create(undefined, 'pad', 'other'));
    expect(tickets.redeem(own, 'pad')).to.deep.equal({ sessionId: 'session' });
    expect(tickets.redeem(others[0] ?? '', 'pad'), 'the first of whoever asked for so many').to.equal(
      undefined,
    );
    expect(tickets.redeem(others.at(-1) ?? '', 'pad')).to.deep.equal({ sessionId: undefined });
  });

  it('that wait are no more than ten thousand, from however many places', () => {
    const tickets = createTickets({ now: () => 0 });
    const made = Array.from({ length: many }, (_, number) =>
      tickets.create(undefined, 'pad', `place ${number}`),
    );
    const good = made.filter((ticket) => tickets.redeem(ticket, 'pad') !== undefined);
    expect(good).to.deep.equal(made.slice(-10_000));
  });

  it('that were used or are too old take no place', () => {
    let now = 0;
    const tickets = createTickets({ now: () => now });
    const old = Array.from({ length: 5_000 }, () => tickets.create(undefined, 'pad'));
    now = 61_000;
    const used = Array.from({ length: 5_000 }, () => tickets.create(undefined, 'pad'));
    for (const ticket of used) tickets.redeem(ticket, 'pad');
    const fresh = Array.from({ length: 10_000 }, () => tickets.create(undefined, 'pad'));
    expect(fresh.every((ticket) => tickets.redeem(ticket, 'pad') !== undefined)).to.equal(true);
    expect(tickets.redeem(old[0] ?? '', 'pad')).to.equal(undefined);
  });
});
