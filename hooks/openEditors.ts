/** The connections of open editors, and an index of what the access of each depends on. */

import { type EditorSocket, sessionInfos } from '../host/sockets';
import type { Decision, Visitor } from '../model/access/padDecisions';
import type { Editor } from '../model/folders/padTimes';
import type { PeopleInPad } from '../model/ports';
import type { ConfigurationKey } from '../model/settings/definitions';
import type { NamedGuest } from '../model/store/entities';
import type { OpenEditors } from '../web/metrics';
import type { Opening } from './packets';
import type { PlacedPage } from './padPage';

export type Mode = 'read' | 'write';

/** A connection's access to its pad. */
export interface Access {
  /** `undefined`: no access. */
  mode: Mode | undefined;
  /** The account of the person, whose author the editor is. `undefined`: a guest. */
  person?: string;
  /** As in `Decision`. */
  managed: boolean;
}

/** An access that was decided. */
export interface KeptAccess {
  padId: string;
  access: Access;
  /** When, as of `performance.now()`. */
  at: number;
  health: number;
  /** Etherpad has this pad. See `forgetPad`. */
  isThere?: true;
}

export interface Connection {
  socket: EditorSocket;
  /** From its first CLIENT_READY: the pad id as the browser sent it, and the identity that the browser claims. */
  opening?: Pick<Opening, 'padId' | 'token' | 'sessionID'>;
  /** The editor had another connection before. It may still show the access that it had then. */
  reconnected?: true;
  /** Etherpad was asked to open the pad. */
  opened?: true;
  visitor?: Visitor;
  lastDecision?: Decision & { padId: string };
  /** The last access, until something that it depends on may have changed. See `currentAccess`. */
  kept?: KeptAccess | undefined;
  /** The first access that was granted. The editor works with it until its page is reloaded. */
  admitted?: Access;
  /** Stops waiting for the end of a link by which the person has come in. */
  cancelEnd?: (() => void) | undefined;
  /** The records and settings that `lastDecision` depends on. */
  sources?: Source[];
  /** What the page was told last about the pad. `undefined` in pads that are not managed. */
  placed?: PlacedPage;
  /** Which author of the account Etherpad was given, see authorTokens.ts. `undefined` for guests. */
  author?: number;
  /** Etherpad uses the author of a program's session, so the account gives neither name nor colour. */
  programAuthor?: boolean;
  /** The refusal of this connection was logged already. */
  refusalLogged?: true;
  /** In a namespace of another plugin, beside the editor. */
  plugin?: true;
}

const connections = new Map<string, Connection>();

/** `undefined` if the connection has not sent anything yet, or has ended. */
export function findConnection({ id }: EditorSocket): Connection | undefined {
  return connections.get(id);
}

export function registerConnection(connection: Connection): void {
  connections.set(connection.socket.id, connection);
}

export function unregisterConnection({ id }: EditorSocket): void {
  const connection = connections.get(id);
  connections.delete(id);
  connection?.cancelEnd?.();
  if (connection) setSources(connection, []);
}

/** Something that a decision depends on: the pad, its group, the person's role in that group, the session, … */
export type Source =
  | `${'pad' | 'group' | 'session' | 'account' | 'setting'}:${string}`
  | `member:${string}:${string}`;

/** The role of a person in a group. */
export const memberOf = (group: string, user: string): Source => `member:${group}:${user}`;
export const setting = (key: ConfigurationKey): Source => `setting:${key}`;

/** Index: the connections whose last decision depends on a source. */
const bySource = new Map<Source, Set<Connection>>();

/** Replaces what the access of a connection depends on. */
export function setSources(connection: Connection, sources: Source[]): void {
  const before = connection.sources ?? [];
  // After most changes, 2,000 editors depend on the same as before: new entries would only be garbage.
  if (sources.length === before.length && sources.every((source, index) => source === before[index])) return;
  for (const source of before) {
    const dependents = bySource.get(source);
    dependents?.delete(connection);
    if (dependents?.size === 0) bySource.delete(source);
  }
  connection.sources = sources;
  for (const source of sources) {
    const dependents = bySource.get(source);
    if (dependents) dependents.add(connection);
    else bySource.set(source, new Set([connection]));
  }
}

/** The connections whose last decision depends on one of these sources. May name a connection twice. */
export function* dependentsOf(sources: Iterable<Source>): Iterable<Connection> {
  for (const source of sources) yield* bySource.get(source) ?? [];
}

/** The connections of a pad, also those that may not enter it. */
export function connectionsOf(padId: string): Connection[] {
  return [...(bySource.get(`pad:${padId}`) ?? [])];
}

/** Etherpad has removed a pad. Its open editors must ask for it again, or one of them could create it again. */
export function forgetPad(padId: string): void {
  for (const connection of connectionsOf(padId)) connection.kept = undefined;
}

/** The pads that have connections, also of people who may not enter them. */
function* openPads(): Iterable<string> {
  for (const source of bySource.keys()) if (source.startsWith('pad:')) yield source.slice('pad:'.length);
}

/** Everything that at least one open editor depends on. */
export function allSources(): Source[] {
  return [...bySource.keys()];
}

/** The editors that are open now in pads of folders, for monitoring. */
export function countOpenEditors(): OpenEditors[] {
  const counts = new Map<string, OpenEditors>();
  for (const { admitted, visitor, plugin } of connections.values()) {
    if (plugin || !admitted?.managed || admitted.mode === undefined) continue;
    const who = visitor?.actor.kind === 'user' ? 'person' : 'guest';
    const name = `${who} ${admitted.mode}`;
    const known = counts.get(name) ?? { who, mode: admitted.mode, count: 0 };
    counts.set(name, { ...known, count: known.count + 1 });
  }
  return [...counts.values()];
}

/** The pads that people have open now, and who they are. */
export function* peopleInPads(): Iterable<[string, PeopleInPad]> {
  for (const padId of openPads()) {
    const found = peopleInPad(padId);
    if (found.people.length + found.guests > 0) yield [padId, found];
  }
}

/** Who has the pad open now, without connections for which Etherpad has not opened the pad yet. */
function peopleInPad(padId: string): PeopleInPad {
  const people = new Set<string>();
  const guests = new Set<string>();
  const named = new Map<string, NamedGuest>();
  const inside = bySource.get(`pad:${padId}`);
  if (inside === undefined) return { people: [], guests: 0 };
  const infos = sessionInfos();
  for (const { admitted, socket, visitor } of inside) {
    const author = infos[socket.id]?.author;
    if (admitted === undefined || author === undefined) continue;
    if (visitor?.actor.kind === 'user') people.add(visitor.actor.id);
    else {
      guests.add(author);
      const guest = visitor?.session?.guest;
      if (guest) named.set(author, guest);
    }
  }
  const names = named.size === 0 ? {} : { named: [...named.values()] };
  return { people: [...people], guests: guests.size, ...names };
}

/**
 * Who made a change of a pad: the person behind the author whom Etherpad names, see `Editor`. Fast, because it is
 * called for every change.
 */
export function editorOf(padId: string, author: string | undefined): Editor {
  const infos = sessionInfos();
  let editor: Editor;
  for (const { socket, visitor } of bySource.get(`pad:${padId}`) ?? []) {
    if (author === undefined || infos[socket.id]?.author !== author) continue;
    if (visitor?.actor.kind === 'user') return visitor.actor.id;
    editor = null;
  }
  return editor;
}
