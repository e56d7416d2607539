/**
 * Decides who may open a pad, for pages, exports, imports and the websocket alike. If an error is thrown here, the
 * caller must refuse access.
 */
import type { SessionRecord } from '../store/entities';
import {
  actorOf,
  createDecisions,
  createSnapshot,
  type DecisionContext,
  type Decisions,
  loadPad,
  type Visitor,
  visitorOf,
} from './padDecisions';
import { effectiveSettings, type Guarded, guardOf, padPasswordHelps } from './permissions';
import type { Tickets } from './ticket';
import { decodePassword, type Unlocks } from './unlock';

/** A visit of a pad with what its URL says. */
export interface EntryRequest {
  padId: string;
  /** `auth_token` in the URL: a ticket. Other values are ignored. */
  ticket?: string;
  /** `mypadspassword` in the URL: a password in Base64. */
  password?: string;
  visitor: Visitor;
  /** The User-Agent header, for a guest's new session. */
  browser?: string;
}

export interface PadAccessContext extends DecisionContext {
  tickets: Tickets;
  unlocks: Unlocks;
}

/** What an entry request gives. */
export interface Redeemed {
  /** If it is missing, the browser keeps its cookie. */
  entryToken?: string;
  /** The password was needed, and is wrong. Readers may still open the pad. */
  wrongPassword?: true;
}

/** The session that has proved the password; the same session if it is wrong or not needed. */
async function tryPassword(
  context: PadAccessContext,
  { padId, password, browser }: EntryRequest,
  session: SessionRecord | undefined,
): Promise<{ session: SessionRecord | undefined; wrongPassword?: true }> {
  const { sessions, unlocks, policy } = context;
  const { pad, group, removing } = await loadPad(context, padId);
  if (password === undefined || removing || pad === undefined || group === undefined) return { session };
  if (!padPasswordHelps(actorOf(session, sessions), pad, group, policy())) return { session };
  const proof = await unlocks.unlock(guardOf(pad, group), decodePassword(password), { session, browser });
  return proof ? { session: proof.session } : { session, wrongPassword: true };
}

export function createPadAccess(context: PadAccessContext) {
  const { sessions, tickets } = context;
  const { refresh, decide } = createDecisions(context);
  return {
    /** The visitor of an entry cookie. An invalid or missing cookie makes a guest. */
    visitor: async (entryToken: string | undefined): Promise<Visitor> =>
      visitorOf(await sessions.read(entryToken, ['entry']), sessions),
    refresh,
    decide,
    /**
     * For decisions about many editors: reads each pad, group, session and account only once, and does not count as a
     * use of a session. Discard it at the next change of any record.
     */
    snapshot: (): Decisions => createSnapshot(context),
    /** Whose password (pad or group) protects the pad; `undefined` if none does. */
    async guardOf(padId: string): Promise<Guarded | undefined> {
      const { pad, group } = await loadPad(context, padId);
      const asks = pad && group && effectiveSettings(pad, group).passwordOf !== null;
      return asks ? guardOf(pad, group) : undefined;
    },
    /**
     * Exchanges a ticket or password from a URL for an entry cookie. A ticket never replaces the session of another
     * signed-in person, because anybody can send somebody a link.
     */
    async redeem(request: EntryRequest): Promise<Redeemed> {
      const { ticket, padId, visitor } = request;
      const redeemed =
        ticket === undefined ? undefined : await tickets.redeem(ticket, padId, visitor.session?._id);
      const named = redeemed?.sessionId === undefined ? undefined : await sessions.find(redeemed.sessionId);
      const { session: held } = await refresh(visitor);
      const stays = held?.kind === 'user' && held.owner !== named?.owner;
      const { session, ...outcome } = await tryPassword(context, request, stays ? held : (named ?? held));
      if (session === undefined || session._id === visitor.session?._id) return outcome;
      const entryToken = sessions.entryTokenFor(session);
      return entryToken === undefined ? outcome : { ...outcome, entryToken };
    },
  };
}
