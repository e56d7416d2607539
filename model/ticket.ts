/**
 * Tickets: what a frame's URL carries instead of a token. Good once, for one pad, for a minute; kept in memory, because a minute is
 * shorter than a restart.
 */
import { randomBytes } from 'node:crypto';
import { lifetimes } from './limits';

export interface Tickets {
  /** `sessionId` is `undefined` for a guest who has proved nothing. */
  create(sessionId: string | undefined, padId: string): string;
  /** Uses the ticket up. `undefined` when it is unknown, used, too old or for another pad. */
  redeem(ticket: string, padId: string): { sessionId: string | undefined } | undefined;
}

interface Ticket {
  sessionId: string | undefined;
  padId: string;
  expires: number;
}

/** Tickets that may wait at the same moment; beyond, the oldest go. */
const most = 10_000;

export function createTickets(context: { now: () => number }): Tickets {
  const waiting = new Map<string, Ticket>();

  /** A Map keeps the order of insertion: the oldest come first. */
  function clearOld(): void {
    for (const [name, ticket] of waiting) {
      if (ticket.expires > context.now() && waiting.size < most) return;
      waiting.delete(name);
    }
  }

  return {
    create(sessionId, padId) {
      clearOld();
      const name = randomBytes(32).toString('base64url');
      waiting.set(name, { sessionId, padId, expires: context.now() + lifetimes.ticket });
      return name;
    },
    redeem(name, padId) {
      const ticket = waiting.get(name);
      waiting.delete(name);
      if (!ticket || ticket.padId !== padId || ticket.expires <= context.now()) return undefined;
      return { sessionId: ticket.sessionId };
    },
  };
}
