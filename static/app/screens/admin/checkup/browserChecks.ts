/** The checks that only a browser can make: the address in the window, cookies, the connection of the editor. */

import type { CheckupAnswer } from '../../../../../api/admin/schema';
import { type Check, checked } from '../../../../../model/checkup/findings';
import { base } from '../../../navigation/location';
import { completeAddress, completeProxy, etherpadAddress } from './comparisons';

/** Milliseconds for one connection. */
const timeLimit = 5_000;

/** Version of Engine.IO's protocol: socket.io 2 in Etherpad 1.8.14 speaks 3, later ones 4. */
function socketAddress(here: string, etherpad: string | null, transport: string): URL {
  const address = new URL('socket.io/', here);
  address.search = `?EIO=${etherpad?.startsWith('1.') ? 3 : 4}&transport=${transport}`;
  return address;
}

async function pollingWorks(address: URL): Promise<boolean> {
  try {
    const answer = await fetch(address, { cache: 'no-store', signal: AbortSignal.timeout(timeLimit) });
    return answer.ok && (await answer.text()).includes('0{"sid"');
  } catch {
    return false;
  }
}

function websocketWorks(address: URL): Promise<boolean> {
  address.protocol = address.protocol.replace('http', 'ws');
  return new Promise((resolve) => {
    const socket = new WebSocket(address);
    const end = (works: boolean): void => {
      clearTimeout(timer);
      socket.close();
      resolve(works);
    };
    const timer = setTimeout(() => end(false), timeLimit);
    socket.onmessage = ({ data }) => end(String(data).startsWith('0{'));
    socket.onerror = () => end(false);
    socket.onclose = () => end(false);
  });
}

async function checkWebsocket(here: string, etherpad: string | null): Promise<Check> {
  const [polling, websocket] = await Promise.all([
    pollingWorks(socketAddress(here, etherpad, 'polling')),
    websocketWorks(socketAddress(here, etherpad, 'websocket')),
  ]);
  if (websocket) return checked('websocket', 'good');
  return checked('websocket', polling ? 'slow' : 'broken');
}

/** `receives`: asks the server whether the browser has sent the cookie back. */
async function checkCookies(receives: () => Promise<boolean>): Promise<Check> {
  return checked('cookies', (await receives()) ? 'good' : 'lost');
}

const severity = { error: 0, warning: 1, unknown: 2, ok: 3 } as const;

/** All checks, the worst first. Throws what `receives` throws. */
export async function completeChecks(
  { checks, etherpad }: CheckupAnswer,
  receives: () => Promise<boolean>,
): Promise<Check[]> {
  const here = etherpadAddress(location.origin, base);
  const own = await Promise.all([checkCookies(receives), checkWebsocket(here, etherpad)]);
  const completed = checks.map((check) => {
    if (check.id === 'address') return completeAddress(check, here);
    return check.id === 'proxy' ? completeProxy(check, here) : check;
  });
  return [...completed, ...own].sort((one, other) => severity[one.state] - severity[other.state]);
}
