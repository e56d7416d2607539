/** Etherpad behind the plugin's back: its own HTTP API, and the socket of its administration page. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { io } from 'socket.io-client';
import type { RunningEtherpad } from './etherpad';

interface ApiAnswer {
  /** 0: done. */
  code: number;
  message: string;
  data: unknown;
}

/** Calls Etherpad's own API with its key. Throws when it says no. */
export async function hostApi(
  { url, folder }: RunningEtherpad,
  call: string,
  parameters: Record<string, string>,
): Promise<unknown> {
  const apikey = readFileSync(path.join(folder.root, 'APIKEY.txt'), 'utf8');
  const query = new URLSearchParams({ apikey, ...parameters });
  const answer = (await (await fetch(`${url}/api/1.2.15/${call}?${query}`)).json()) as ApiAnswer;
  if (answer.code !== 0) throw new Error(`${call}: ${answer.message}`);
  return answer.data;
}

/** Signs in at the administration of Etherpad 2 and 3 and removes a pad there. Resolves when the page is told. */
export async function removeAsAdministrator(etherpad: RunningEtherpad, padId: string): Promise<void> {
  const { url, admin } = etherpad;
  const credentials = Buffer.from(`${admin.name}:${admin.password}`).toString('base64');
  const signedIn = await fetch(`${url}/admin-auth/`, {
    method: 'POST',
    headers: { authorization: `Basic ${credentials}` },
  });
  const cookie = signedIn.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ');
  const socket = io(`${url}/settings`, {
    transports: ['websocket'],
    reconnection: false,
    forceNew: true,
    extraHeaders: { Cookie: cookie },
  });
  try {
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error('the administration does not answer')), 10_000);
      socket.on('connect_error', reject);
      socket.on('connect', () => socket.emit('deletePad', padId));
      socket.on('results:deletePad', () => {
        clearTimeout(timer);
        resolve();
      });
    });
  } finally {
    socket.close();
  }
}
