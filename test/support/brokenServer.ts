/** Servers that break the protocol, for tests of invalid answers of other services. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface BrokenServer {
  port: number;
  stop(): Promise<void>;
}

async function listen(behave: (socket: Socket) => void): Promise<BrokenServer> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    // The other side may close the connection because of what it gets.
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
    behave(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async stop() {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** Calls `behave` with every connection. */
export function startBrokenServer(behave: (socket: Socket) => void): Promise<BrokenServer> {
  return listen(behave);
}

/** Forwards everything to `target` and back. `change`: what it makes of the data in each direction. */
export function startProxy(
  target: { host: string; port: number },
  change: { question?: (part: Buffer) => Buffer; answer?: (part: Buffer) => Buffer },
): Promise<BrokenServer> {
  const { question = (part) => part, answer = (part) => part } = change;
  return listen((socket) => {
    const upstream = connect(target.port, target.host);
    upstream.on('error', () => socket.destroy());
    upstream.on('close', () => socket.end());
    socket.on('close', () => upstream.destroy());
    socket.on('data', (part) => upstream.write(question(part)));
    upstream.on('data', (part) => socket.write(answer(part)));
  });
}
