/**
 * The load of flood.ts, in a process of its own: lists that are pipelined on one connection, or asked for again and
 * again on many connections.
 */
import http from 'node:http';
import net from 'node:net';

export interface FloodOrder {
  kind: 'pipelined' | 'loops';
  /** The list. */
  url: string;
  token: string;
  encoding: string;
  /** Requests on the connection, or connections. */
  count: number;
}

/** Number of answers with status 200, and of all others. */
export interface FloodResult {
  answered: number;
  refused: number;
}

let stopped = false;

function pipelined({ url, token, encoding, count }: FloodOrder): Promise<FloodResult> {
  const { hostname, port, pathname } = new URL(url);
  const request = (last: boolean): string =>
    `GET ${pathname} HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer ${token}\r\n` +
    `Accept-Encoding: ${encoding}\r\n${last ? 'Connection: close\r\n' : ''}\r\n`;
  const socket = net.connect(Number(port), hostname);
  const result: FloodResult = { answered: 0, refused: 0 };
  socket.on('data', (chunk: Buffer) => {
    const text = chunk.toString('latin1');
    result.answered += text.split('HTTP/1.1 200').length - 1;
    result.refused += text.split(/HTTP\/1\.1 [345]/).length - 1;
  });
  socket.write(Array.from({ length: count }, (_, index) => request(index === count - 1)).join(''));
  return new Promise((resolve) => {
    socket.on('error', () => {});
    socket.once('close', () => resolve(result));
  });
}

async function loops({ url, token, encoding, count }: FloodOrder): Promise<FloodResult> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: count });
  const result: FloodResult = { answered: 0, refused: 0 };
  const headers = { authorization: `Bearer ${token}`, 'accept-encoding': encoding };
  const ask = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const request = http.get(url, { agent, headers }, (answer) => {
        if (answer.statusCode === 200) result.answered += 1;
        else result.refused += 1;
        answer.resume().once('end', resolve).once('error', reject);
      });
      request.once('error', reject);
    });
  await Promise.all(
    Array.from({ length: count }, async () => {
      while (!stopped) await ask();
    }),
  );
  agent.destroy();
  return result;
}

process.on('message', (order: FloodOrder | 'stop') => {
  if (order === 'stop') {
    stopped = true;
    return;
  }
  stopped = false;
  const work = order.kind === 'loops' ? loops(order) : pipelined(order);
  work.then(
    (result) => process.send?.(result),
    (error: unknown) => {
      console.error('The load:', error);
      process.exit(1);
    },
  );
});
process.on('disconnect', () => process.exit(0));
