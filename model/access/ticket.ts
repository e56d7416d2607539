/**
 * Tickets: short-lived codes in the URL of a pad's frame, instead of a token. A ticket opens one pad once, within a
 * minute. Kept in memory: a restart takes longer than their lifetime.
 */
import { randomBytes } from 'node:crypto';
import { lifetimes } from '../limits';

export interface Tickets {
  /**
   * Issues a ticket. `sessionId` is `undefined` for a guest who has proved nothing. `requester`: who asks, for the
   * limit.
   */
  create(sessionId: string | undefined, padId: string, requester?: string): string;
  /** Uses up the ticket. Returns `undefined` when it is unknown, used, expired or for another pad. */
  redeem(ticket: string, padId: string): { sessionId: string | undefined } | undefined;
}

interface Ticket {
  sessionId: string | undefined;
  padId: string;
  expires: number;
  requester: string;
}

/**
 * Maximum of unused tickets. Above it, the oldest ticket of the requester with the most tickets is dropped, so that one
 * requester cannot displace the tickets of others.
 */
const maxTickets = 10_000;

export function createTickets(context: { now: () => number }): Tickets {
  /** In order of creation, the oldest first. */
  const waiting = new Map<string, Ticket>();
  /** Ticket names by requester, the oldest first. */
  const byRequester = new Map<string, Set<string>>();

  function removeTicket(name: string): Ticket | undefined {
    const ticket = waiting.get(name);
    if (ticket === undefined) return undefined;
    waiting.delete(name);
    const others = byRequester.get(ticket.requester);
    others?.delete(name);
    if (others?.size === 0) byRequester.delete(ticket.requester);
    return ticket;
  }

  function makeRoom(): void {
    for (const [name, ticket] of waiting) {
      if (ticket.expires > context.now()) break;
      removeTicket(name);
    }
    if (waiting.size < maxTickets) return;
    let largest = new Set<string>();
    for (const names of byRequester.values()) if (names.size > largest.size) largest = names;
    for (const oldest of largest) {
      removeTicket(oldest);
      return;
    }
  }

  return {
    create(sessionId, padId, requester = '') {
      makeRoom();
      const name = randomBytes(32).toString('base64url');
      waiting.set(name, { sessionId, padId, expires: context.now() + lifetimes.ticket, requester });
      byRequester.set(requester, (byRequester.get(requester) ?? new Set()).add(name));
      return name;
    },
    redeem(name, padId) {
      const ticket = removeTicket(name);
      if (!ticket || ticket.padId !== padId || ticket.expires <= context.now()) return undefined;
      return { sessionId: ticket.sessionId };
    },
  };
}
