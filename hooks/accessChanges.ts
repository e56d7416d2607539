/**
 * Decides the access of open editors again when the model reports a change that may affect it. An editor whose access
 * has changed is disconnected.
 */

import type { Decisions } from '../model/access/padDecisions';
import { inTurns } from '../model/store/batches';
import { accessDiffers, decideAccess, endConnection, noteChanged } from './editorAccess';
import { createRounds } from './editorRounds';
import {
  type Access,
  allSources,
  type Connection,
  dependentsOf,
  memberOf,
  type Source,
  setting,
} from './openEditors';
import type { Runtime } from './runtime';

/** Milliseconds that events are collected before open editors are checked again. */
const debounceTime = 50;

/**
 * Sorts connections by pad. Etherpad sends a message to every editor of a pad when one of them leaves. If the editors
 * of a pad are disconnected directly after each other, few of them are left to get these messages.
 */
function sortedByPad(connections: ReadonlySet<Connection>): Set<Connection> {
  const byPad = new Map<string | undefined, Connection[]>();
  for (const connection of connections) {
    const ofSamePad = byPad.get(connection.lastDecision?.padId);
    if (ofSamePad) ofSamePad.push(connection);
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
  let access: Access = { ...admitted, mode: undefined };
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
  const { schedule, model } = runtime;
  const { events, padAccess } = model;
  /** The connections of the running round that are not checked yet. */
  let unchecked = new Set<Connection>();
  let snapshot: Decisions | undefined;

  const decisions = (): Decisions => {
    snapshot ??= padAccess.snapshot();
    return snapshot;
  };

  const recheck = createRounds({
    schedule,
    name: 'check open editors',
    delay: debounceTime,
    async handle(round) {
      unchecked = sortedByPad(round);
      snapshot = undefined;
      await inTurns(unchecked, (connection) => recheckAccess(runtime, connection, decisions));
    },
  });

  function onChanged(sources: readonly Source[]): void {
    const changed: ReadonlySet<Source> = new Set(sources);
    if (changed.size === 0) return;
    noteChanged(changed);
    snapshot = undefined;
    recheck([...dependentsOf(changed)].filter((connection) => !unchecked.has(connection)));
  }

  events.on('configuration', ({ key, access }) => access && onChanged([setting(key)]));
  events.on('group', ({ id, access: { everybody, people } }) =>
    onChanged(everybody ? [`group:${id}`] : people.map((person) => memberOf(id, person))),
  );
  events.on('pad', ({ id, access }) => access && onChanged([`pad:${id}`]));
  events.on('session', ({ id }) => onChanged([`session:${id}`]));
  events.on('user', ({ id, access }) => access && onChanged([`account:${id}`]));
  events.onMissed(() => onChanged(allSources()));
}
