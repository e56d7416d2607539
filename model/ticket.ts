/**
 * Tickets: what a frame's URL carries instead of a token. Good once, for one pad, for a minute; kept in memory, because a minute is
 * shorter than a restart.
 */
import { randomBytes } from 'node:crypto';
import { lifetimes } from './limits';

export interface Tickets {
  /** `sessionId` is `undefined` for a guest who has proved nothing; `place` is where it is asked for. */
  create(sessionId: string | undefined, padId: string, place?: string): string;
  /** Uses the ticket up. `undefined` when it is unknown, used, too old or for another pad. */
  redeem(ticket: string, padId: string): { sessionId: string | undefined } | undefined;
}

interface Ticket {
  sessionId: string | undefined;
  padId: string;
  expires: number;
  place: string;
}

/** Tickets that may wait at the same moment. Beyond, the oldest goes of the place that has most: nobody pushes out those of others. */
const most = 10_000;

export function createTickets(context: { now: () => number }): Tickets {
  /** A Map keeps the order of insertion: the oldest come first. */
  const waiting = new Map<string, Ticket>();
  /** Their names by place, the oldest first. */
  const places = new Map<string, Set<string>>();

  function take(name: string): Ticket | undefined {
    const ticket = waiting.get(name);
    if (ticket === undefined) return undefined;
    waiting.delete(name);
    const others = places.get(ticket.place);
    others?.delete(name);
    if (others?.size === 0) places.delete(ticket.place);
    return ticket;
  }

  function makeRoom(): void {
    for (const [name, ticket] of waiting) {
      if (ticket.expires > context.now()) break;
      take(name);
    }
    if (waiting.size < most) return;
    let longest = new Set<string>();
    for (const names of places.values()) if (names.size > longest.size) longest = names;
    for (const oldest of longest) {
      take(oldest);
      return;
    }
  }

  return {
    create(sessionId, padId, place = '') {
      makeRoom();
      const name = randomBytes(32).toString('base64url');
      waiting.set(name, { sessionId, padId, expires: context.now() + lifetimes.ticket, place });
      places.set(place, (places.get(place) ?? new Set()).add(name));
      return name;
    },
    redeem(name, padId) {
      const ticket = take(name);
      if (!ticket || ticket.padId !== padId || ticket.expires <= context.now()) return undefined;
      return { sessionId: ticket.sessionId };
    },
  };
}
