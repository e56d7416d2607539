import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { succeeds } from './waiting';

/**
 * A port that nobody uses. It is below the ports that the system assigns itself, because those may go to another test
 * before the server of this test listens.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 30_000);
    const probe = createServer().listen(port, '127.0.0.1');
    const free = await succeeds(once(probe, 'listening'));
    probe.close();
    if (free) return port;
  }
}
