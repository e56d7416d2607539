/**
 * Access checks for what other plugins do over the websocket. They have events and namespaces of their own, such as
 * `/comment` of ep_comments_page, and most of them do not check who may read or write.
 */
import pLimit from 'p-limit';
import { type EditorSocket, isHostAdmin, type SocketServer } from '../host/sockets';
import { removeForeignHeaders } from '../web/proxyHeaders';
import { accessDiffers, decideAccess, endConnection, logFirstRefusal } from './editorAccess';
import { type Connection, registerConnection, unregisterConnection } from './openEditors';
import { isReserved, isSmall, padIdsIn } from './packets';
import { currentRuntime } from './runtime';
import { guardPluginNamespaces } from './unavailable';

/** Does everything in this packet name the pad of the connection? Plugins trust these names. */
export function namesOnlyOwnPad({ opening, lastDecision }: Connection, values: unknown): boolean {
  return padIdsIn(values).every((id) => id === opening?.padId || id === lastDecision?.padId);
}

/** Events that only read, by their names: readers may send these. */
const onlyReads = (event: unknown): boolean => typeof event === 'string' && /^get[A-Z]/.test(event);

/** May an editor send this event of another plugin, which is not one of Etherpad's messages? */
export function mayPassEvent(connection: Connection, packet: unknown[]): boolean {
  const [event, ...values] = packet;
  if (isReserved(event) || !isSmall(packet) || !connection.opened) return false;
  if (!namesOnlyOwnPad(connection, values)) return false;
  return connection.admitted?.mode === 'write' || onlyReads(event);
}

/**
 * May this packet of a namespace pass? The first packet that names a pad ties the connection to it: plugins add the
 * connection to the pad's room then, and send it everything that happens there.
 */
async function mayPassNamespace(connection: Connection, packet: unknown[], name: string): Promise<boolean> {
  const runtime = currentRuntime();
  const [event, first, ...rest] = packet;
  if (!runtime || isReserved(event) || !isSmall(packet)) return false;
  // If the first value is a text, plugins use it as a pad id.
  const named = typeof first === 'string' ? [first, ...padIdsIn(rest)] : padIdsIn([first, ...rest]);
  const own = connection.opening?.padId ?? named[0];
  if (typeof own !== 'string' || named.some((id) => id !== own)) return false;
  const padId = await runtime.padIds.ofSocket(own);
  if (padId === undefined) return false;
  connection.opening ??= { padId: own };
  const access = await decideAccess(runtime, connection, padId);
  if (connection.admitted && accessDiffers(connection.admitted, access)) {
    endConnection(connection, access);
    return false;
  }
  if (access.mode === undefined) logFirstRefusal(runtime, connection, `websocket ${name}`);
  return access.mode === 'write' || (access.mode === 'read' && onlyReads(event));
}

/** Checks the packets of a connection one after another, and passes on those that are allowed. */
function guardPackets(socket: EditorSocket, name: string): void {
  const connection: Connection = { socket, plugin: true };
  const turns = pLimit(1);
  const check = async (packet: unknown[], pass: () => void) => {
    try {
      if (await mayPassNamespace(connection, packet, name)) pass();
    } catch (error) {
      currentRuntime()?.log.error('pad access check failed, message refused', { error: String(error) });
    }
  };
  socket.on('disconnect', () => unregisterConnection(socket));
  socket.use((packet, pass) => {
    // Packets that come together with the end of the connection arrive here after it.
    if (!socket.connected) return;
    // Registered only now: if another middleware refuses the connection, no `disconnect` event follows.
    registerConnection(connection);
    void turns(check, packet, pass);
  });
}

/** Guards the namespaces of other plugins. */
export function guardNamespaces(io: SocketServer): void {
  guardPluginNamespaces(io, (namespace) => {
    namespace.use((socket, next) => {
      // In socket.io 4, clients connect to it without the namespace of the editor.
      const runtime = currentRuntime();
      if (runtime) removeForeignHeaders(runtime.model, socket.client.request);
      if (!namespace.name.startsWith('/pluginfw/')) guardPackets(socket, namespace.name);
      else if (!isHostAdmin(socket)) {
        next(new Error('only for administrators of Etherpad'));
        return;
      }
      next();
    });
  });
}
