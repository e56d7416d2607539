/** Cuts headers that browsers send with some hundred characters. Reading 16 kB of one of them takes up to 100 ms. */
import type { IncomingMessage } from 'node:http';

const most = 1_000;
const names = ['accept', 'accept-encoding', 'accept-language'];

/** Etherpad and other plugins read them too, so call it before anything else. */
export function cutLongHeaders({ headers }: Pick<IncomingMessage, 'headers'>): void {
  for (const name of names) {
    const value = headers[name];
    if (typeof value === 'string' && value.length > most) headers[name] = value.slice(0, most);
  }
}
