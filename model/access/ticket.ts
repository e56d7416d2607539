/**
 * Tickets: short-lived codes in the URL of a pad's frame, instead of a token. A ticket opens one pad once, within a
 * minute. Tickets are not in the database, because a restart takes about as long as their lifetime.
 */
import { randomBytes } from 'node:crypto';
import { lifetimes } from '../limits';
import type { Coordination } from '../ports';

export interface Tickets {
  /**
   * Issues a ticket. `sessionId` is `undefined` for a guest without proved passwords. `requester`: who asks, for the
   * limit.
   */
  create(sessionId: string | undefined, padId: string, requester?: string): Promise<string>;
  /** Uses up the ticket. Resolves to `undefined` when it is unknown, used, expired or for another pad. */
  redeem(ticket: string, padId: string): Promise<{ sessionId: string | undefined } | undefined>;
}

interface Ticket {
  sessionId?: string;
  padId: string;
}

export function createTickets({
  coordination,
}: {
  coordination: Pick<Coordination, 'keep' | 'take'>;
}): Tickets {
  return {
    async create(sessionId, padId, requester = '') {
      const name = randomBytes(32).toString('base64url');
      const ticket: Ticket = { sessionId, padId };
      await coordination.keep(name, ticket, { milliseconds: lifetimes.ticket, requester });
      return name;
    },
    async redeem(name, padId) {
      const ticket = (await coordination.take(name)) as Ticket | undefined;
      return ticket?.padId === padId ? { sessionId: ticket.sessionId } : undefined;
    },
  };
}
