/** The editor's websocket. 1.8.14 has socket.io 2, 2.x and 3.x have socket.io 4; only what both have is used. */
import type { IncomingMessage } from 'node:http';
import type { Log } from '../model/ports';
import { createMilestone } from '../model/waiting';
import { core, hostMajor } from './core';

/** A connection of an editor: the part of socket.io's Socket that we use. */
export interface EditorSocket {
  id: string;
  connected: boolean;
  emit(event: 'message', message: unknown): unknown;
  leave(room: string): unknown;
  disconnect(close: boolean): unknown;
  on(event: 'disconnect', listener: () => void): unknown;
  /** Is called for every packet before Etherpad gets it. A packet is dropped unless `next` is called. */
  use(middleware: (packet: unknown[], next: () => void) => void): unknown;
  client: {
    request: IncomingMessage;
    /** Closes the connection without a message, and disconnects its sockets. */
    close(): unknown;
  };
}

/** Etherpad's state of a connection. Empty until the first CLIENT_READY. */
export interface SessionInfo {
  /** As the browser sent it. */
  auth?: { padID?: unknown };
  /** The real pad id. 1.8.14 sets it after plugins allowed the first CLIENT_READY, later versions before that. */
  padId?: string;
  readonly?: boolean;
  author?: string;
}

type Middleware = (socket: EditorSocket, next: (error?: Error) => void) => void;

/** A part of the websocket with its own connections and events. */
export interface Namespace {
  /** Starts with a slash. */
  name: string;
  use(middleware: Middleware): unknown;
}

export interface SocketServer {
  use(middleware: Middleware): unknown;
  /** Returns a namespace, which it creates if needed. */
  of(...values: unknown[]): Namespace;
  /** The namespaces in socket.io 2. */
  nsps?: Record<string, Namespace>;
  /** The namespaces in socket.io 4. */
  _nsps?: Map<string, Namespace>;
}

/**
 * Is reached after the `socketio` hook, when the websocket runs. Until then Etherpad cannot remove pads, because it
 * notifies their open editors.
 */
export const socketsReady = createMilestone();

/** A session of express-session. */
interface HostSession {
  save(done?: () => void): unknown;
}

/** Is this the connection of somebody who is signed in as an administrator of Etherpad? */
export function isHostAdmin({ client }: EditorSocket): boolean {
  const { session } = client.request as IncomingMessage & { session?: { user?: { is_admin?: unknown } } };
  return session?.user?.is_admin === true;
}

const isEmpty = (session: object): boolean =>
  Object.keys(session).every((name) => name === 'cookie' || name === 'connections');

/**
 * Prevents storing empty sessions. 2.x and 3.x store one for every connection, even a refused one, and send no cookie
 * for it, so it can never be used. Call it before Etherpad handles the connection.
 */
export function discardEmptySessionOf({ client }: EditorSocket): void {
  const { session } = client.request as IncomingMessage & { session?: HostSession };
  if (!session || !isEmpty(session)) return;
  const { save } = session;
  const value = (done?: () => void): unknown => (isEmpty(session) ? done?.() : save.call(session, done));
  Object.defineProperty(session, 'save', { value, configurable: true, writable: true });
}

/** Etherpad's own table of connections, by socket id. */
export function sessionInfos(): Record<string, SessionInfo> {
  return core<{ sessioninfos: Record<string, SessionInfo> }>('node/handler/PadMessageHandler').sessioninfos;
}

let handlersWrapped = false;

type Handler = (...values: unknown[]) => Promise<unknown>;

/** Logs errors of Etherpad's message handlers. 1.8.14 does not catch them and exits; later versions log them. */
export function catchHandlerErrors(log: Log): void {
  if (handlersWrapped) return;
  handlersWrapped = true;
  if (hostMajor() !== 1) return;
  const handlers = core<Record<'handleMessage' | 'handleDisconnect', Handler>>(
    'node/handler/PadMessageHandler',
  );
  for (const name of ['handleMessage', 'handleDisconnect'] as const) {
    const original = handlers[name];
    handlers[name] = (...values) =>
      original(...values).catch((error: unknown) => {
        log.error('message handler of Etherpad failed', { error: String(error) });
      });
  }
}

/**
 * The pad that Etherpad uses for messages of this connection, resolved from the id that the browser sent.
 * `undefined` if there is none, or if Etherpad has stored another pad for this connection.
 */
export async function padOf(
  socket: EditorSocket,
  padIds: { ofSocket(id: string): Promise<string | undefined> },
): Promise<string | undefined> {
  const info = sessionInfos()[socket.id];
  const id = info?.auth?.padID;
  if (typeof id !== 'string') return undefined;
  const named = await padIds.ofSocket(id);
  return info?.padId === undefined || info.padId === named ? named : undefined;
}

/** Tells the editor that access is denied. */
export function deny(socket: EditorSocket): void {
  socket.emit('message', { accessStatus: 'deny' });
}

/**
 * Tells the editor that its pad was removed, with Etherpad's own message. The editor closes its connection at once. The
 * page of the history ignores this message, and gets the denial after it.
 */
export function notifyRemoved(socket: EditorSocket): void {
  socket.emit('message', { disconnect: 'deleted' });
  deny(socket);
}

/** So that nothing more is sent to it. */
function leavePad(socket: EditorSocket): void {
  const padId = sessionInfos()[socket.id]?.padId;
  if (padId) socket.leave(padId);
}

/** Ends a connection. Its editor does not open the pad again before its page is reloaded. */
export function disconnect(socket: EditorSocket): void {
  leavePad(socket);
  socket.disconnect(true);
}

/** Closes a connection as if the network had failed: the editor connects again by itself, and opens the pad again. */
export function letReconnect(socket: EditorSocket): void {
  leavePad(socket);
  socket.client.close();
}
