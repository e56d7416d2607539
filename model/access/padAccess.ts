/**
 * Decides who may open a pad, for pages, exports, imports and the websocket alike. If an error is thrown here, the
 * caller must refuse access.
 */
import type { Configuration } from '../settings/configuration';
import type { GroupRecord, PadRecord, SessionRecord } from '../store/entities';
import { readGroup, readPad } from '../store/records';
import { keys, type Store } from '../store/store';
import {
  type Actor,
  type Entry,
  effectiveSettings,
  type Guarded,
  guardOf,
  type Policy,
  padEntry,
} from './permissions';
import type { Sessions } from './session';
import type { Tickets } from './ticket';
import { decodePassword, type Unlocks } from './unlock';

/** Somebody who wants to open a pad: their browser's session, if it has one, and the actor that it stands for. */
export interface Visitor {
  session?: SessionRecord;
  actor: Actor;
}

export interface Decision {
  /**
   * The answer of `padEntry`, or `unknown`: not managed, and `allowEtherPads` is off, or `closed`: being removed, or its
   * group or record is missing.
   */
  entry: Entry | 'unknown' | 'closed';
  /** Is the pad being removed? Only with `closed`. */
  removed?: boolean;
  /** The pad's group, if it has one. */
  group?: string;
  /** Does ep_mypads manage the pad? If not, Etherpad alone decides what `write` allows. */
  managed: boolean;
}

export interface Exchange {
  padId: string;
  /** `auth_token` in the URL: a ticket. Other values are ignored. */
  ticket?: string;
  /** `mypadspassword` in the URL: a password in Base64. */
  password?: string;
  visitor: Visitor;
  /** The User-Agent header, for a guest's new session. */
  browser?: string;
}

/** Access decisions from the records in the database. */
export interface Decisions {
  /** Reads the visitor's session again: with passwords proved since, or as a guest if it has ended. */
  refresh(visitor: Visitor): Promise<Visitor>;
  /** `padId`: a real pad id, never a read-only id. Writes nothing. */
  decide(padId: string, visitor: Visitor): Promise<Decision>;
}

export interface PadAccess extends Decisions {
  /** The visitor of an entry cookie. An invalid or missing cookie makes a guest. */
  visitor(entryToken: string | undefined): Promise<Visitor>;
  /**
   * For decisions about many editors: reads each pad, group, session and account only once, and does not count as a use
   * of a session. Discard it at the next change of any record.
   */
  snapshot(): Decisions;
  /** Whose password (pad or group) protects the pad; `undefined` if none does. */
  guardOf(padId: string): Promise<Guarded | undefined>;
  /**
   * Exchanges a ticket or password from a URL for an entry cookie. Without `entryToken` the browser keeps its cookie.
   * A ticket never replaces the session of another signed-in person, because anybody can send somebody a link.
   */
  redeem(exchange: Exchange): Promise<{ entryToken?: string }>;
}

export interface PadAccessContext {
  store: Store;
  configuration: Configuration;
  sessions: Sessions;
  tickets: Tickets;
  unlocks: Unlocks;
  policy: () => Policy;
}

/** The stored records of a pad. */
interface Loaded {
  exists: boolean;
  /** Is its removal pending? */
  removing: boolean;
  pad: PadRecord | undefined;
  group: GroupRecord | undefined;
}

/** Calls `read` only once for each id. */
function memoise<Found>(read: (id: string) => Promise<Found>): (id: string) => Promise<Found> {
  const found = new Map<string, Promise<Found>>();
  return (id) => {
    const earlier = found.get(id);
    if (earlier) return earlier;
    const asked = read(id);
    found.set(id, asked);
    // Failures are not kept, so that the next call tries again.
    asked.catch(() => found.delete(id));
    return asked;
  };
}

export function createPadAccess({
  store,
  configuration,
  sessions,
  tickets,
  unlocks,
  policy,
}: PadAccessContext): PadAccess {
  function visitorOf(session: SessionRecord | undefined): Visitor {
    const actor = actorOf(session, sessions);
    return session === undefined ? { actor } : { session, actor };
  }

  async function refresh({ session }: Visitor): Promise<Visitor> {
    return visitorOf(session && (await sessions.find(session._id)));
  }

  async function loadPad(padId: string) {
    const [stored, job] = await store.getMany<unknown>([keys.pad(padId), keys.deletePad(padId)]);
    return { exists: stored !== undefined, removing: job !== undefined, pad: readPad(padId, stored) };
  }

  async function loadGroup(id: string): Promise<GroupRecord | undefined> {
    return readGroup(id, await store.get<unknown>(keys.group(id)));
  }

  async function load(padId: string) {
    const found = await loadPad(padId);
    return { ...found, group: found.pad && (await loadGroup(found.pad.group)) };
  }

  function decisionOf(visitor: Visitor, { exists, removing, pad, group }: Loaded): Decision {
    if (!exists && !removing) {
      return { entry: configuration.get('allowEtherPads') ? 'write' : 'unknown', managed: false };
    }
    if (removing || pad === undefined || group === undefined) {
      return { entry: 'closed', managed: true, removed: removing, ...(pad && { group: pad.group }) };
    }
    return { entry: padEntry(visitor.actor, pad, group, policy()), group: group._id, managed: true };
  }

  function snapshot(): Decisions {
    const pad = memoise(loadPad);
    const group = memoise(loadGroup);
    const isActive = memoise(sessions.isActive);
    const session = memoise((id) => sessions.check(id, isActive));
    return {
      refresh: async (visitor) => visitorOf(visitor.session && (await session(visitor.session._id))),
      async decide(padId, visitor) {
        const found = await pad(padId);
        return decisionOf(visitor, { ...found, group: found.pad && (await group(found.pad.group)) });
      },
    };
  }

  /** The session that has proved the password; the same session if it is wrong or not needed. */
  async function tryPassword(
    { padId, password, browser }: Exchange,
    session: SessionRecord | undefined,
  ): Promise<SessionRecord | undefined> {
    const { pad, group, removing } = await load(padId);
    if (password === undefined || removing || pad === undefined || group === undefined) return session;
    if (padEntry(actorOf(session, sessions), pad, group, policy()) !== 'password') return session;
    const proof = await unlocks.unlock(guardOf(pad, group), decodePassword(password), { session, browser });
    return proof?.session ?? session;
  }

  return {
    visitor: async (entryToken) => visitorOf(await sessions.read(entryToken, ['entry'])),
    refresh,
    decide: async (padId, visitor) => decisionOf(visitor, await load(padId)),
    snapshot,
    async guardOf(padId) {
      const { pad, group } = await load(padId);
      const asks = pad && group && effectiveSettings(pad, group).passwordOf !== null;
      return asks ? guardOf(pad, group) : undefined;
    },
    async redeem(exchange) {
      const { ticket, padId, visitor } = exchange;
      const redeemed = ticket === undefined ? undefined : await tickets.redeem(ticket, padId);
      const named = redeemed?.sessionId === undefined ? undefined : await sessions.find(redeemed.sessionId);
      const { session: held } = await refresh(visitor);
      const stays = held?.kind === 'user' && held.owner !== named?.owner;
      const session = await tryPassword(exchange, stays ? held : (named ?? held));
      if (session === undefined || session._id === visitor.session?._id) return {};
      const entryToken = sessions.entryTokenFor(session);
      return entryToken === undefined ? {} : { entryToken };
    },
  };
}

/** The actor of a session, for the checks of permissions.ts. */
export function actorOf(session: SessionRecord | undefined, sessions: Pick<Sessions, 'unlockedOf'>): Actor {
  if (session?.kind === 'admin') return { kind: 'admin' };
  const unlocked = sessions.unlockedOf(session);
  return session?.kind === 'user'
    ? { kind: 'user', id: session.owner, unlocked }
    : { kind: 'guest', unlocked };
}
