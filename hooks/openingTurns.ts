/**
 * Queues the messages that open a pad, because Etherpad sends the whole pad for each, without yielding: a guest could
 * stop the server for seconds with a few hundred of them. Others are served between two turns.
 */
import { createTurns } from '../model/turns';
import type { Connection } from './openEditors';

/** Milliseconds between two further openings, of all connections. Editors open a pad once in each connection. */
const pauseAfterFurther = 100;

const nextOpening = createTurns();
const nextFurther = createTurns();

const waiting = new WeakSet<Connection>();

/**
 * Resolves to `true` when it is the turn of this opening, to `false` at once if its connection has another one that
 * waits, and later if the connection has ended meanwhile. `caller`: callers take turns.
 */
export async function waitForOpening(connection: Connection, caller: string): Promise<boolean> {
  if (waiting.has(connection)) return false;
  waiting.add(connection);
  try {
    if (connection.opened) await nextFurther(pauseAfterFurther, caller);
    await nextOpening(0, caller);
    return connection.socket.connected;
  } finally {
    waiting.delete(connection);
  }
}
