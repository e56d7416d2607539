/**
 * The doors of the pads: who stands there, and may they enter? The gate on pages, exports and imports and the gate on the websocket
 * ask the same question here. An error means no: it passes through, and whoever catches it keeps the door shut.
 */
import type { Configuration } from './configuration';
import type { GroupRecord, PadRecord, SessionRecord } from './entities';
import { type Actor, type Entry, effectiveSettings, type Policy, padEntry } from './permissions';
import { readGroup, readPad } from './records';
import type { Sessions } from './session';
import { keys, type Store } from './store';
import type { Tickets } from './ticket';
import { decodePassword, type Guarded, type Unlocks } from './unlock';

/** Whoever stands at a door: a browser with its session, if it has one. */
export interface Visitor {
  session?: SessionRecord;
  actor: Actor;
}

export interface Decision {
  /** As `padEntry`; `unknown`: no pad of ours, and the host's own pads are switched off; `closed`: to everybody, for good. */
  entry: Entry | 'unknown' | 'closed';
  /** The pad's group, where it has one. */
  group?: string;
  /** Is it a pad of ours? Where it is not, `write` leaves everything to the host. */
  known: boolean;
}

export interface Exchange {
  padId: string;
  /** The `auth_token` of a frame's URL: a ticket. Anything else is passed over. */
  ticket?: string;
  /** The `mypadspassword` of a frame's URL: Base64 of a password. */
  password?: string;
  visitor: Visitor;
  /** The browser's description of itself, for a guest's new session. */
  browser?: string;
}

export interface Door {
  /** Who holds this entry cookie. Anything but a good one is a guest. */
  visitor(entryToken: string | undefined): Promise<Visitor>;
  /** The same visitor now: what the session has proved since, or a guest when it has ended. */
  refresh(visitor: Visitor): Promise<Visitor>;
  /** Takes a real pad id, never a read-only id. Refused or not, nothing is created. */
  decide(padId: string, visitor: Visitor): Promise<Decision>;
  /** Whose password a frame's URL would be tried at; `undefined` where no pad of ours asks for one. */
  guardOf(padId: string): Promise<Guarded | undefined>;
  /**
   * Exchanges what a frame's URL carries for the value of the entry cookie. Without `entryToken` the browser keeps the cookie that it
   * has. A ticket never turns somebody who is signed in into somebody else: links can be made by others.
   */
  redeem(exchange: Exchange): Promise<{ entryToken?: string }>;
}

export interface DoorContext {
  store: Store;
  configuration: Configuration;
  sessions: Sessions;
  tickets: Tickets;
  unlocks: Unlocks;
  policy: () => Policy;
}

export function createDoor({ store, configuration, sessions, tickets, unlocks, policy }: DoorContext): Door {
  function visitorOf(session: SessionRecord | undefined): Visitor {
    const actor = actorOf(session, sessions);
    return session === undefined ? { actor } : { session, actor };
  }

  async function refresh({ session }: Visitor): Promise<Visitor> {
    return visitorOf(session && (await sessions.find(session._id)));
  }

  async function load(padId: string) {
    const [stored, job] = await store.getMany<unknown>([keys.pad(padId), keys.deletePad(padId)]);
    const pad = readPad(padId, stored);
    const group =
      pad === undefined ? undefined : readGroup(pad.group, await store.get<unknown>(keys.group(pad.group)));
    return { exists: stored !== undefined, removing: job !== undefined, pad, group };
  }

  async function decide(padId: string, visitor: Visitor): Promise<Decision> {
    const { exists, removing, pad, group } = await load(padId);
    if (!exists && !removing) {
      return { entry: configuration.get('allowEtherPads') ? 'write' : 'unknown', known: false };
    }
    if (removing || pad === undefined || group === undefined) {
      return { entry: 'closed', known: true, ...(pad && { group: pad.group }) };
    }
    return { entry: padEntry(visitor.actor, pad, group, policy()), group: group._id, known: true };
  }

  /** The session after a password was tried; as before when it was wrong or nothing asks for one. */
  async function tryPassword(
    { padId, password, browser }: Exchange,
    session: SessionRecord | undefined,
  ): Promise<SessionRecord | undefined> {
    const { pad, group, removing } = await load(padId);
    if (password === undefined || removing || pad === undefined || group === undefined) return session;
    if (padEntry(actorOf(session, sessions), pad, group, policy()) !== 'password') return session;
    const proof = await unlocks.unlock(guarded(pad, group), decodePassword(password), { session, browser });
    return proof?.session ?? session;
  }

  return {
    visitor: async (entryToken) => visitorOf(await sessions.read(entryToken, ['entry'])),
    refresh,
    decide,
    async guardOf(padId) {
      const { pad, group } = await load(padId);
      const asks = pad && group && effectiveSettings(pad, group).passwordOf !== null;
      return asks ? guarded(pad, group) : undefined;
    },
    async redeem(exchange) {
      const { ticket, padId, visitor } = exchange;
      const redeemed = ticket === undefined ? undefined : tickets.redeem(ticket, padId);
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

function guarded(pad: PadRecord, group: GroupRecord): Guarded {
  return effectiveSettings(pad, group).passwordOf === 'pad'
    ? { what: 'pad', id: pad._id }
    : { what: 'group', id: group._id };
}

/** Who a session makes its holder, for the permissions. */
export function actorOf(session: SessionRecord | undefined, sessions: Pick<Sessions, 'unlockedOf'>): Actor {
  if (session?.kind === 'admin') return { kind: 'admin' };
  const unlocked = sessions.unlockedOf(session);
  return session?.kind === 'user'
    ? { kind: 'user', id: session.owner, unlocked }
    : { kind: 'guest', unlocked };
}
