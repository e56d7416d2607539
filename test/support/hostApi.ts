/** The HTTP API of Etherpad itself, and the socket of its administration page: changes that bypass the plugin. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { io } from 'socket.io-client';
import type { RunningEtherpad } from './etherpad';

interface ApiAnswer {
  /** 0: the call succeeded. */
  code: number;
  message: string;
  data: unknown;
}

/** Calls Etherpad's own API with its key. Throws when Etherpad refuses the call. */
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

/**
 * Signs in at the administration of Etherpad 2 and 3 and sends a request on one of its sockets. Resolves with the data
 * of the event `answer`.
 */
async function administer(
  { url, admin }: RunningEtherpad,
  { namespace, event, argument, answer }: Record<'namespace' | 'event' | 'argument' | 'answer', string>,
): Promise<unknown> {
  const credentials = Buffer.from(`${admin.name}:${admin.password}`).toString('base64');
  const signedIn = await fetch(`${url}/admin-auth/`, {
    method: 'POST',
    headers: { authorization: `Basic ${credentials}` },
  });
  const cookie = signedIn.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ');
  const socket = io(`${url}${namespace}`, {
    transports: ['websocket'],
    reconnection: false,
    forceNew: true,
    extraHeaders: { Cookie: cookie },
  });
  try {
    return await new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`${event} is not answered`)), 30_000);
      socket.on('connect_error', reject);
      socket.on('connect', () => socket.emit(event, argument));
      socket.on(answer, (told: unknown) => {
        clearTimeout(timer);
        resolve(told);
      });
    });
  } finally {
    socket.close();
  }
}

/** Removes a pad on the administration page. */
export async function removeAsAdministrator(etherpad: RunningEtherpad, padId: string): Promise<void> {
  const answer = 'results:deletePad';
  await administer(etherpad, { namespace: '/settings', event: 'deletePad', argument: padId, answer });
}

/** Uninstalls a plugin on the administration page. */
export async function uninstallAsAdministrator(etherpad: RunningEtherpad, plugin: string): Promise<void> {
  const namespace = '/pluginfw/installer';
  const answer = 'finished:uninstall';
  const told = await administer(etherpad, { namespace, event: 'uninstall', argument: plugin, answer });
  const { error } = told as { error?: string | null };
  if (error) throw new Error(`uninstalling ${plugin}: ${error}`);
}
