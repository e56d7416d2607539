/** Servers that break the protocol, for tests of invalid answers of other services. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface BrokenServer {
  port: number;
  /** Resolves when a client has connected. */
  entered(): Promise<unknown>;
  /** Resolves when no connection is open any more. */
  abandoned(): Promise<void>;
  stop(): Promise<void>;
}

/** Calls `behave` with every connection to this address. */
export async function startBrokenServer(
  behave: (socket: Socket) => unknown,
  address = '127.0.0.1',
): Promise<BrokenServer> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    // The other side may close the connection because of what it gets.
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
    behave(socket);
  });
  const entered = once(server, 'connection');
  server.listen(0, address);
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    entered: () => entered,
    async abandoned() {
      for (const socket of sockets) await once(socket, 'close');
    },
    async stop() {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** Forwards everything to `target` and back. `change`: the data in each direction. `address`: its own. */
export function startProxy(
  target: { host: string; port: number },
  change: { question?: (part: Buffer) => Buffer; answer?: (part: Buffer) => Buffer } = {},
  address?: string,
): Promise<BrokenServer> {
  const { question = (part) => part, answer = (part) => part } = change;
  return startBrokenServer((socket) => {
    const upstream = connect(target.port, target.host);
    upstream.on('error', () => socket.destroy());
    upstream.on('close', () => socket.end());
    socket.on('close', () => upstream.destroy());
    socket.on('data', (part) => upstream.write(question(part)));
    upstream.on('data', (part) => socket.write(answer(part)));
  }, address);
}
