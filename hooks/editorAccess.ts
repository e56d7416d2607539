/** Decides the access of an open editor, and disconnects it when its access has changed. */

import { deny, disconnect, letReconnect, notifyRemoved, sessionInfos } from '../host/sockets';
import type { Decision, Decisions, Visitor } from '../model/access/padDecisions';
import { isOpen } from '../model/access/permissions';
import { visitorOf } from '../web/proxyHeaders';
import {
  type Access,
  type Connection,
  connectionsOf,
  dependentsOf,
  findConnection,
  type KeptAccess,
  memberOf,
  type Source,
  setSources,
  setting,
} from './openEditors';
import type { PadVisit } from './padPage';
import { logRefusedAccess, refusals } from './refusal';
import type { Runtime } from './runtime';

function sourcesOf(padId: string, { session, actor }: Visitor, { group, managed }: Decision): Source[] {
  // In a pad that is not managed nobody needs a right, but the author is that of the account there too.
  const sources: Source[] = [
    `pad:${padId}`,
    setting(managed ? 'allPadsPublicsAuthentifiedOnly' : 'allowEtherPads'),
  ];
  if (group !== undefined) sources.push(`group:${group}`);
  if (session !== undefined) sources.push(`session:${session._id}`);
  if (actor.kind === 'user') {
    sources.push(`account:${actor.id}`);
    if (group !== undefined) sources.push(memberOf(group, actor.id));
  }
  return sources;
}

/** The running decisions; for each, the changes since it began. */
const runningDecisions = new Set<ReadonlySet<Source>[]>();
const maxAttempts = 20;

/** Call it when sources have changed: decisions that depend on one of them are made again, also running ones. */
export function noteChanged(changed: ReadonlySet<Source>): void {
  for (const changes of runningDecisions) changes.push(changed);
  for (const connection of dependentsOf(changed)) connection.kept = undefined;
}

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
      const { refresh, decide } = decisions();
      const visitor = connection.visitor
        ? await refresh(connection.visitor)
        : await visitorOf(runtime.model, connection.socket.client.request);
      const decision = await decide(padId, visitor);
      const sources = sourcesOf(padId, visitor, decision);
      if (sources.some((source) => changes.some((changed) => changed.has(source)))) continue;
      return storeDecision(runtime, connection, { padId, visitor, decision, sources });
    } finally {
      runningDecisions.delete(changes);
    }
  }
  throw new Error('access check failed: its data changed during every attempt');
}

/** Milliseconds that a decision is used. Sessions expire, and another program may have written to the database. */
const keptFor = 30_000;

/** The last decision of a connection, while it can be used. With several processes, see `currentAccess`. */
function keptAccess({ model }: Runtime, { kept }: Connection, padId?: string): KeptAccess | undefined {
  if (!kept || kept.padId !== padId || performance.now() - kept.at >= keptFor) return undefined;
  return kept.health === model.databaseHealth() ? kept : undefined;
}

/**
 * The pad and the access of a connection, if both are known without waiting: no event has changed them, and Etherpad
 * still uses the pad that they were decided for. `undefined`: they must be read, and always with several processes.
 */
export function knownAccess(runtime: Runtime, connection: Connection): KeptAccess | undefined {
  const info = sessionInfos()[connection.socket.id];
  if (runtime.padSharing !== undefined || info?.auth?.padID !== connection.opening?.padId) return undefined;
  return keptAccess(runtime, connection, info?.padId);
}

/**
 * The access of a connection, from its last decision until an event may have changed it, or the database fails or does
 * not answer for a second. With several processes it is used only after the events of the others have been handled.
 */
export async function currentAccess(
  runtime: Runtime,
  connection: Connection,
  padId: string,
): Promise<Access> {
  const kept = keptAccess(runtime, connection, padId);
  if (kept && runtime.padSharing === undefined) return kept.access;
  const isCertain = kept !== undefined && (await runtime.model.isUpToDate());
  const known = isCertain ? keptAccess(runtime, connection, padId) : undefined;
  return known?.access ?? decideAccess(runtime, connection, padId);
}

interface Outcome {
  padId: string;
  visitor: Visitor;
  decision: Decision;
  sources: Source[];
}

type Until = Pick<Decision, 'until'> & Pick<Visitor, 'session'>;

/** Decides again when a link ends by which the person may have come in. */
function watchEndOfLink(
  { model, schedule }: Runtime,
  connection: Connection,
  { until, session }: Until,
): void {
  connection.cancelEnd?.();
  connection.cancelEnd = undefined;
  if (until === undefined || session === undefined) return;
  const id = session._id;
  const wait = Math.max(until - model.now(), 0);
  connection.cancelEnd = schedule.later('end of a link', wait, () =>
    model.events.receive({ about: 'session', what: 'linkEnded', id }),
  );
}

/** Stores a decision. Must be synchronous, so that the next change finds the connection in the index. */
function storeDecision(
  runtime: Runtime,
  connection: Connection,
  { padId, visitor, decision, sources }: Outcome,
): Access {
  const { padIds, model } = runtime;
  connection.visitor = visitor;
  connection.lastDecision = { ...decision, padId };
  const { entry, managed } = decision;
  const person = visitor.actor.kind === 'user' ? visitor.actor.id : undefined;
  const entered = isOpen(entry) ? entry : undefined;
  const byReadOnlyId = managed && padIds.isReadOnlyId(connection.opening?.padId ?? '');
  const access: Access = { mode: entered && byReadOnlyId ? 'read' : entered, managed, person };
  if (entered) connection.admitted ??= access;
  if (findConnection(connection.socket) === connection) {
    setSources(connection, sources);
    watchEndOfLink(runtime, connection, { until: decision.until, session: visitor.session });
    const health = model.databaseHealth();
    connection.kept = health === undefined ? undefined : { padId, access, at: performance.now(), health };
  }
  return access;
}

/** What the page of a connection is about. `undefined` if it has no access to a managed pad. */
export function visitOf({ padIds }: Runtime, connection: Connection): PadVisit | undefined {
  const { admitted, lastDecision, opening, visitor } = connection;
  if (!admitted?.managed || admitted.mode === undefined || !lastDecision || !opening || !visitor)
    return undefined;
  const { padId } = lastDecision;
  return {
    padId,
    openedAs: padIds.isReadOnlyId(opening.padId) ? opening.padId : padId,
    actor: visitor.actor,
  };
}

/** Signing out counts as a change too: otherwise the editor would go on writing in the name of the account. */
export function accessDiffers(before: Access, now: Access): boolean {
  return before.mode !== now.mode || before.managed !== now.managed || before.person !== now.person;
}

/**
 * Disconnects an editor whose access has changed. The message EP_MYPADS_ACCESS_CHANGED makes it reload its page, where
 * the pad gate decides again. If the pad was removed or is closed, Etherpad's own messages are sent instead: reloading
 * the page could create a new pad.
 */
export function endConnection(
  { socket, lastDecision, admitted }: Connection,
  { mode, managed }: Access,
): void {
  const removed = lastDecision?.removed === true || (admitted?.managed === true && !managed);
  const mayReload = !removed && lastDecision?.entry !== 'closed' && managed === admitted?.managed;
  if (mayReload) {
    socket.emit('message', { type: 'COLLABROOM', data: { type: 'EP_MYPADS_ACCESS_CHANGED', payload: {} } });
  }
  if (removed) notifyRemoved(socket);
  else if (!mayReload || mode === undefined) deny(socket);
  disconnect(socket);
}

/** Makes the editors of a pad load their page again, but for that of an author (`except`). */
export function reloadEditors(padId: string, except?: string): void {
  for (const connection of connectionsOf(padId)) {
    const { admitted, socket } = connection;
    const isExcepted = except !== undefined && sessionInfos()[socket.id]?.author === except;
    if (admitted && !isExcepted) endConnection(connection, admitted);
  }
}

/** Disconnects the editors of a pad that another process takes over, or that is removed: see `CloseEditors`. */
export function closeEditors(padId: string, how: 'reconnect' | 'reload' | 'end'): void {
  if (how === 'reload') {
    reloadEditors(padId);
    return;
  }
  for (const { socket } of connectionsOf(padId)) {
    if (how === 'end') {
      notifyRemoved(socket);
      disconnect(socket);
    } else letReconnect(socket);
  }
}

/** Logs the first refusal of a connection, not every one. */
export function logFirstRefusal(runtime: Runtime, connection: Connection, call: string): void {
  const { lastDecision, refusalLogged, socket, visitor } = connection;
  if (refusalLogged || !lastDecision) return;
  const { entry, padId: pad } = lastDecision;
  if (isOpen(entry)) return;
  connection.refusalLogged = true;
  const facts = { call, reason: refusals[entry], pad };
  logRefusedAccess(runtime, socket.client.request, visitor, facts);
}
