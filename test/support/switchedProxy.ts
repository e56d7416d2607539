/** A proxy in front of a server that tests can cut, freeze and restore. */
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { freePort } from './freePort';

export interface SwitchedProxy {
  port: number;
  /** Resets all connections and refuses new ones. */
  cut(): Promise<void>;
  /** Keeps connections open and accepts new ones, but forwards nothing. */
  freeze(): void;
  /**
   * Keeps what clients send on the connections that are open now. Later connections work. Returns a function that
   * delivers it, also if the client has given up, and resolves when these connections are closed.
   */
  holdRequests(): () => Promise<void>;
  /** Drops what the server sends on the connections that are open now. */
  dropAnswers(): void;
  /** Works as at the start again, and forwards what frozen connections have received. */
  restore(): Promise<void>;
  /** Connections that are open now. */
  connections(): number;
  stop(): Promise<void>;
}

export async function startSwitchedProxy(target: { host: string; port: number }): Promise<SwitchedProxy> {
  const pairs = new Set<[Socket, Socket]>();
  /** Data from these sockets that was not passed on. */
  const held = new Map<Socket, Buffer[]>();
  let frozen = false;

  // Without `noDelay`, a second small packet would wait 40 ms for the acknowledgement of the first.
  const server = createServer({ noDelay: true }, (near) => {
    const far = connect({ ...target, noDelay: true });
    const pair: [Socket, Socket] = [near, far];
    pairs.add(pair);
    const end = (): void => {
      near.destroy();
      // The function of `holdRequests` may still deliver its requests.
      if (held.has(near)) return;
      pairs.delete(pair);
      far.destroy();
    };
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      from.on('data', (part) => held.get(from)?.push(part) ?? to.write(part));
      from.on('error', end);
      from.on('close', end);
      if (frozen) from.pause();
    }
  });
  const port = await freePort();
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');

  function resetConnections(): void {
    for (const [near, far] of pairs) {
      // Node never closes a socket that is reset while it ends, and then the process of the tests does not end.
      if (near.writableEnded) near.destroy();
      else near.resetAndDestroy();
      far.destroy();
    }
  }

  async function close(): Promise<void> {
    if (!server.listening) return;
    const closed = once(server, 'close');
    server.close();
    resetConnections();
    await closed;
  }

  return {
    port,
    cut: close,
    freeze() {
      frozen = true;
      for (const socket of [...pairs].flat()) socket.pause();
    },
    holdRequests() {
      const lines = [...pairs];
      for (const [near] of lines) held.set(near, []);
      return async () => {
        await Promise.all(
          lines.map(async ([near, far]) => {
            const closed = once(far, 'close');
            far.end(Buffer.concat(held.get(near) ?? []));
            held.delete(near);
            await closed;
          }),
        );
      };
    },
    dropAnswers() {
      for (const [, far] of pairs) held.set(far, []);
    },
    async restore() {
      frozen = false;
      for (const socket of [...pairs].flat()) socket.resume();
      if (server.listening) return;
      server.listen(port, '127.0.0.1');
      await once(server, 'listening');
    },
    connections: () => pairs.size,
    stop: close,
  };
}
