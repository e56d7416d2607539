/**
 * Tracks the open editors and the access that each was given. When the model reports a change, the access of the
 * affected editors is decided again, and an editor whose access is different now is disconnected.
 */

import type { PeopleInPad } from '../api/services';
import { deny, disconnect, type EditorSocket, sayRemoved, sessionInfos } from '../host/sockets';
import type { Decision, Decisions, Visitor } from '../model/access/padDecisions';
import type { ConfigurationKey } from '../model/settings/definitions';
import { inTurns } from '../model/store/batches';
import { readCookie } from '../web/cookie';
import { entryCookie } from '../web/entryCookie';
import type { Opening } from './packets';
import type { Runtime } from './runtime';

export type Mode = 'read' | 'write';

/** A connection's access to its pad. */
export interface Access {
  /** `undefined`: no access. */
  mode: Mode | undefined;
  /** As in `Decision`. */
  managed: boolean;
}

export interface Connection {
  socket: EditorSocket;
  /** From its first CLIENT_READY: the pad id as the browser sent it, and the identity that the browser claims. */
  opening?: Pick<Opening, 'padId' | 'token' | 'sessionID'>;
  /** Etherpad was asked to open the pad. */
  opened?: true;
  visitor?: Visitor;
  /** The last decision and its pad. */
  lastDecision?: Decision & { padId: string };
  /** The first access that was granted. The editor works with it until its page is reloaded. */
  admitted?: Access;
  /** The records and settings that `lastDecision` depends on. */
  sources?: Source[];
  /** The refusal of this connection was logged already. */
  refusalLogged?: true;
}

/** Milliseconds that events are collected before open editors are checked again. */
const debounceTime = 50;

const connections = new Map<string, Connection>();

/** `undefined` if the connection has not sent anything yet, or has ended. */
export function connectionOf({ id }: EditorSocket): Connection | undefined {
  return connections.get(id);
}

export function registerConnection(connection: Connection): void {
  connections.set(connection.socket.id, connection);
}

export function unregisterConnection({ id }: EditorSocket): void {
  const connection = connections.get(id);
  connections.delete(id);
  if (connection) setSources(connection, []);
}

/** Something that a decision depends on: the pad, its group, the person's role in that group, the session, … */
type Source =
  | `${'pad' | 'group' | 'session' | 'account' | 'setting'}:${string}`
  | `member:${string}:${string}`;

const memberOf = (group: string, user: string): Source => `member:${group}:${user}`;
const setting = (key: ConfigurationKey): Source => `setting:${key}`;

function sourcesOf(padId: string, { session, actor }: Visitor, { group, managed }: Decision): Source[] {
  const sources: Source[] = [`pad:${padId}`];
  // A pad of Etherpad's own has no access rights. Only this setting can close it.
  if (!managed) return [...sources, setting('allowEtherPads')];
  sources.push(setting('allPadsPublicsAuthentifiedOnly'));
  if (group !== undefined) sources.push(`group:${group}`);
  if (session !== undefined) sources.push(`session:${session._id}`);
  if (actor.kind === 'user') {
    sources.push(`account:${actor.id}`);
    if (group !== undefined) sources.push(memberOf(group, actor.id));
  }
  return sources;
}

/** Index: the connections whose last decision depends on a source. */
const bySource = new Map<Source, Set<Connection>>();

function setSources(connection: Connection, sources: Source[]): void {
  for (const source of connection.sources ?? []) {
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

/** Who has the pad open now. Editors that Etherpad has not opened yet are not counted. */
export function peopleInPad(padId: string): PeopleInPad {
  const people = new Set<string>();
  const guests = new Set<string>();
  const inside = bySource.get(`pad:${padId}`);
  if (inside === undefined) return { people: [], guests: 0 };
  const infos = sessionInfos();
  for (const { admitted, socket, visitor } of inside) {
    const author = infos[socket.id]?.author;
    if (admitted === undefined || author === undefined) continue;
    if (visitor?.actor.kind === 'user') people.add(visitor.actor.id);
    else guests.add(author);
  }
  return { people: [...people], guests: guests.size };
}

/** For each running decision: the changes since it began. */
const runningDecisions = new Set<ReadonlySet<Source>[]>();
const maxAttempts = 20;

/** Decides a connection's access now. If one of its sources changes meanwhile, the decision is made again. */
export async function decideAccess(
  runtime: Runtime,
  connection: Connection,
  padId: string,
  decisions: () => Decisions = () => runtime.model.padAccess,
): Promise<Access> {
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const changes: ReadonlySet<Source>[] = [];
    runningDecisions.add(changes);
    try {
      const { refresh, decide: decideNow } = decisions();
      const visitor = connection.visitor
        ? await refresh(connection.visitor)
        : await runtime.model.padAccess.visitor(
            readCookie(connection.socket.client.request.headers.cookie, entryCookie),
          );
      const decision = await decideNow(padId, visitor);
      const sources = sourcesOf(padId, visitor, decision);
      if (sources.some((source) => changes.some((changed) => changed.has(source)))) continue;
      return storeDecision(runtime, connection, { padId, visitor, decision, sources });
    } finally {
      runningDecisions.delete(changes);
    }
  }
  throw new Error('access check failed: its data changed during every attempt');
}

interface Outcome {
  padId: string;
  visitor: Visitor;
  decision: Decision;
  sources: Source[];
}

/** Stores a decision. Must be synchronous, so that the next change finds the connection in the index. */
function storeDecision(
  { padIds }: Runtime,
  connection: Connection,
  { padId, visitor, decision, sources }: Outcome,
): Access {
  connection.visitor = visitor;
  connection.lastDecision = { ...decision, padId };
  const { socket, opening } = connection;
  if (connections.get(socket.id) === connection) setSources(connection, sources);
  const { entry, managed } = decision;
  if (entry !== 'read' && entry !== 'write') return { mode: undefined, managed };
  const mode = managed && padIds.isReadOnlyId(opening?.padId ?? '') ? 'read' : entry;
  connection.admitted ??= { mode, managed };
  return { mode, managed };
}

export function accessDiffers(before: Access, now: Access): boolean {
  return before.mode !== now.mode || before.managed !== now.managed;
}

/**
 * Disconnects an editor whose access has changed. The message EP_MYPADS_ACCESS_CHANGED makes it reload its page, and
 * the gate decides again. If the pad was removed, Etherpad's own message about that is sent instead, because reloading
 * the page could create a new pad.
 */
export function endConnection(
  { socket, lastDecision, admitted }: Connection,
  { mode, managed }: Access,
): void {
  const removed = lastDecision?.removed === true || (admitted?.managed === true && !managed);
  const gone = removed || lastDecision?.entry === 'closed' || managed !== admitted?.managed;
  if (!gone) {
    socket.emit('message', { type: 'COLLABROOM', data: { type: 'EP_MYPADS_ACCESS_CHANGED', payload: {} } });
  }
  if (removed) sayRemoved(socket);
  else if (gone || mode === undefined) deny(socket);
  disconnect(socket);
}

/**
 * Groups connections by pad. Etherpad tells everybody in a pad about each editor that leaves it. When all editors of a
 * pad are disconnected one after another, those that are already disconnected get no such message.
 */
function padByPad(some: ReadonlySet<Connection>): Set<Connection> {
  const byPad = new Map<string | undefined, Connection[]>();
  for (const connection of some) {
    const same = byPad.get(connection.lastDecision?.padId);
    if (same) same.push(connection);
    else byPad.set(connection.lastDecision?.padId, [connection]);
  }
  return new Set([...byPad.values()].flat());
}

async function recheckAccess(
  runtime: Runtime,
  connection: Connection,
  decisions: () => Decisions,
): Promise<void> {
  const { admitted, lastDecision, socket } = connection;
  if (!admitted || !lastDecision || !socket.connected) return;
  let access: Access = { mode: undefined, managed: admitted.managed };
  try {
    access = await decideAccess(runtime, connection, lastDecision.padId, decisions);
  } catch (error) {
    runtime.log.error('access check of an open editor failed, editor disconnected', { error: String(error) });
  }
  try {
    if (accessDiffers(admitted, access)) endConnection(connection, access);
  } catch (error) {
    runtime.log.error('disconnecting an editor failed', { error: String(error) });
  }
}

/** Checks the access of open editors again after every change that may affect it. Call it once per runtime. */
export function watchAccessChanges(runtime: Runtime): void {
  const { events, padAccess } = runtime.model;
  /** The connections to check in the next round. */
  let waiting = new Set<Connection>();
  /** The connections of the running round that are not checked yet. */
  let round = new Set<Connection>();
  let snapshot: Decisions | undefined;
  let scheduled = false;

  const decisions = (): Decisions => {
    snapshot ??= padAccess.snapshot();
    return snapshot;
  };

  async function runRound(): Promise<void> {
    [round, waiting] = [padByPad(waiting), new Set()];
    snapshot = undefined;
    await inTurns(round, (connection) => recheckAccess(runtime, connection, decisions));
    scheduled = false;
    if (waiting.size > 0) schedule();
  }

  function schedule(): void {
    if (scheduled) return;
    scheduled = true;
    setTimeout(() => void runRound(), debounceTime);
  }

  function onChanged(sources: readonly Source[]): void {
    const changed: ReadonlySet<Source> = new Set(sources);
    if (changed.size === 0) return;
    for (const changes of runningDecisions) changes.push(changed);
    snapshot = undefined;
    for (const source of changed) {
      for (const connection of bySource.get(source) ?? []) {
        if (!round.has(connection)) waiting.add(connection);
      }
    }
    if (waiting.size > 0) schedule();
  }

  events.on('configuration', ({ key, access }) => access && onChanged([setting(key)]));
  events.on('group', ({ id, access: { everybody, people } }) =>
    onChanged(everybody ? [`group:${id}`] : people.map((person) => memberOf(id, person))),
  );
  events.on('pad', ({ id, access }) => access && onChanged([`pad:${id}`]));
  events.on('session', ({ id }) => onChanged([`session:${id}`]));
  events.on('user', ({ id, access }) => access && onChanged([`account:${id}`]));
  events.onMissed(() => onChanged([...bySource.keys()]));
}
