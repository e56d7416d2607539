/** A connection to the namespace of another plugin, without an editor. */
import { io as connect4 } from 'socket.io-client';
import connect2 from 'socket.io-client-2';
import type { RunningEtherpad } from './etherpad';
import type { Socket } from './socketClient';

export interface NamespaceClient {
  /** The answer; `undefined` if there is none within a second. */
  ask(event: string, ...values: unknown[]): Promise<unknown>;
  send(event: string, ...values: unknown[]): void;
  /** What was sent to this connection as this event. */
  heard(event: string): unknown[];
  isConnected(): boolean;
  close(): void;
}

/** Resolves when the server has accepted or refused the connection. */
export async function connectNamespace(
  { url, major }: Pick<RunningEtherpad, 'url' | 'major'>,
  name: string,
  {
    cookie = '',
    events = [],
    headers = {},
  }: { cookie?: string; events?: string[]; headers?: Record<string, string> } = {},
): Promise<NamespaceClient> {
  const options = {
    transports: ['websocket'],
    reconnection: false,
    forceNew: true,
    extraHeaders: { Cookie: cookie, ...headers },
  };
  const socket: Socket = (major === 1 ? connect2 : connect4)(`${url}${name}`, options);
  const received = new Map<string, unknown[]>(events.map((event) => [event, []]));
  for (const [event, values] of received) socket.on(event, (value) => values.push(value));
  await new Promise<void>((resolve) => {
    // socket.io 2 has `error` for a refusal, socket.io 4 has `connect_error`.
    for (const event of ['connect', 'error', 'connect_error']) socket.on(event, () => resolve());
  });
  return {
    ask: (event, ...values) =>
      new Promise((resolve) => {
        const timer = setTimeout(() => resolve(undefined), 1000);
        socket.emit(event, ...values, (answer: unknown) => {
          clearTimeout(timer);
          resolve(answer);
        });
      }),
    send: (event, ...values) => void socket.emit(event, ...values),
    heard: (event) => received.get(event) ?? [],
    isConnected: () => socket.connected,
    close: () => void socket.close(),
  };
}
