/** What an administrator does on the host's own pages: changes the settings file and lets Etherpad read it again. */
import { readFile, writeFile } from 'node:fs/promises';
import { io as connect4 } from 'socket.io-client';
import connect2 from 'socket.io-client-2';
import { type RunningEtherpad, signInAtAdmin } from './etherpad';
import { until } from './waiting';

type Settings = Record<string, unknown>;

/** Changes settings.json without restarting anything. The value `undefined` removes a setting. */
export async function changeSettingsFile(etherpad: RunningEtherpad, changes: Settings): Promise<void> {
  const present = JSON.parse(await readFile(etherpad.settingsFile, 'utf8')) as Settings;
  await writeFile(etherpad.settingsFile, JSON.stringify({ ...present, ...changes }));
}

/**
 * Presses "Restart Etherpad" in Etherpad's administration: Etherpad reads its settings file again and makes a new web
 * server in the same process. Resolves when the plugin answers again.
 */
export async function restartEtherpad(etherpad: RunningEtherpad): Promise<void> {
  const { url, admin, major } = etherpad;
  const cookie = await signInAtAdmin(etherpad, admin.name, admin.password);
  const options = { transports: ['websocket'], reconnection: false, forceNew: true };
  const socket = (major === 1 ? connect2 : connect4)(`${url}/settings`, {
    ...options,
    extraHeaders: { Cookie: cookie },
  });
  await new Promise<void>((resolve, reject) => {
    socket.on('connect', () => resolve());
    socket.on('connect_error', (error: unknown) => reject(new Error(`no connection: ${String(error)}`)));
  });
  const closings = () => etherpad.log().split('HTTP server closed').length;
  const before = closings();
  socket.emit('restartServer', undefined);
  await until('Etherpad restarts', () => closings() !== before);
  socket.close();
  await until('Etherpad comes back', () =>
    fetch(`${url}/mypads/api/cache/check`).then(
      ({ status }) => status === 200,
      () => false,
    ),
  );
}
