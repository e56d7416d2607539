/**
 * The websocket of the editor. Etherpad 1.8.14 has socket.io 2, 2.x and 3.x have socket.io 4; what is used here is common to both.
 */
import type { IncomingMessage } from 'node:http';
import type { Log } from '../model/ports';
import { core } from './core';
import type { PadNames } from './pads';

/** A connection of an editor, as far as we look at it. */
export interface EditorSocket {
  id: string;
  connected: boolean;
  emit(event: 'message', message: unknown): unknown;
  leave(room: string): unknown;
  disconnect(close: boolean): unknown;
  on(event: 'disconnect', listener: () => void): unknown;
  /** Sees every packet before anybody else; a packet goes on only when `next` is called. */
  use(middleware: (packet: unknown[], next: () => void) => void): unknown;
  client: { request: IncomingMessage };
}

/** What Etherpad knows of a connection. Empty until the first CLIENT_READY. */
export interface SessionInfo {
  /** As the browser sent it. */
  auth?: { padID?: unknown };
  /** The real pad. 1.8.14 sets it after the first CLIENT_READY was let through, later versions before plugins see it. */
  padId?: string;
  readonly?: boolean;
  author?: string;
}

export interface SocketServer {
  use(middleware: (socket: EditorSocket, next: (error?: Error) => void) => void): unknown;
}

let announce: () => void = () => {};

/** Resolves when Etherpad's websocket is there. Until then it cannot remove a pad: it wants to tell those who have it open. */
export const socketsReady = new Promise<void>((resolve) => {
  announce = resolve;
});

/** To be called from the `socketio` hook. */
export function socketsAreReady(): void {
  announce();
}

/** Etherpad's own table of connections, by socket id. */
export function sessionInfos(): Record<string, SessionInfo> {
  return core<{ sessioninfos: Record<string, SessionInfo> }>('node/handler/PadMessageHandler').sessioninfos;
}

let outlives = false;

type Handler = (...values: unknown[]) => Promise<unknown>;

/** Etherpad 1.8.14 lets nobody wait for its handlers of messages, and exits when one fails. Later versions note it and go on. */
export function outliveMessages(log: Log): void {
  if (outlives) return;
  outlives = true;
  if (!core<{ version: string }>('package.json').version.startsWith('1.')) return;
  const handlers = core<Record<'handleMessage' | 'handleDisconnect', Handler>>(
    'node/handler/PadMessageHandler',
  );
  for (const name of ['handleMessage', 'handleDisconnect'] as const) {
    const original = handlers[name];
    handlers[name] = (...values) =>
      original(...values).catch((error: unknown) => {
        log.error('Etherpad could not work with a message', { error: String(error) });
      });
  }
}

/**
 * The pad that a message of this connection is about: the real one that the host has put down or, before it has, the one behind the
 * id that the browser named. `undefined`, when there is none or the two differ.
 */
export async function padOf(socket: EditorSocket, names: PadNames): Promise<string | undefined> {
  const info = sessionInfos()[socket.id];
  const id = info?.auth?.padID;
  if (typeof id !== 'string') return undefined;
  const named = await names.ofSocket(id);
  return info?.padId === undefined || info.padId === named ? named : undefined;
}

/** The editor's answer to somebody who may not enter. */
export function deny(socket: EditorSocket): void {
  socket.emit('message', { accessStatus: 'deny' });
}

/** Ends a connection: nothing more is sent to it, and the editor's own table forgets it. */
export function hangUp(socket: EditorSocket): void {
  const padId = sessionInfos()[socket.id]?.padId;
  if (padId) socket.leave(padId);
  socket.disconnect(true);
}
