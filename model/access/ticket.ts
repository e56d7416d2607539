/**
 * Tickets: short-lived codes in the URL of a pad's frame, instead of a token. A ticket opens one pad once, within a
 * minute. Tickets are not in the database, because a restart takes about as long as their lifetime.
 */
import { randomBytes } from 'node:crypto';
import { lifetimes } from '../limits';
import type { Coordination } from '../ports';

interface Ticket {
  sessionId?: string;
  padId: string;
  browserSession?: string;
}

/** Visitors choose the name in the address of a pad: it must not reach other things that are kept. */
const nameOf = (ticket: string): string => `ticket:${ticket}`;

export function createTickets({ coordination }: { coordination: Pick<Coordination, 'keep' | 'take'> }) {
  return {
    /**
     * Issues a ticket. `sessionId` is `undefined` for a guest without proved passwords. `requester`: who asks, for the
     * limit. `browserSession`: that of the entry cookie of the request, if any. The ticket then works only with this
     * cookie or with one of its own session, so that nobody else can use a link that they have seen.
     */
    async create(
      sessionId: string | undefined,
      padId: string,
      { requester = '', browserSession }: { requester?: string; browserSession?: string } = {},
    ): Promise<string> {
      const name = randomBytes(32).toString('base64url');
      const ticket: Ticket = { sessionId, padId, browserSession };
      await coordination.keep(nameOf(name), ticket, { milliseconds: lifetimes.ticket, requester });
      return name;
    },
    /**
     * Uses up the ticket. Resolves to `undefined` when it is unknown, used, expired, for another pad, or for another
     * browser. `browserSession`: the session of the visitor's entry cookie.
     */
    async redeem(
      name: string,
      padId: string,
      browserSession?: string,
    ): Promise<{ sessionId: string | undefined } | undefined> {
      const ticket = (await coordination.take(nameOf(name))) as Ticket | undefined;
      if (ticket?.padId !== padId) return undefined;
      const { sessionId, browserSession: bound } = ticket;
      const fits = bound === undefined || [bound, sessionId].includes(browserSession);
      return fits ? { sessionId } : undefined;
    },
  };
}

export type Tickets = ReturnType<typeof createTickets>;
