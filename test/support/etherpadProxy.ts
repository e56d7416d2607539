/** A real etherpad-proxy, the proxy of the Etherpad project, set up as docs/scaling.md says. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from './freePort';
import type { RunningProxy } from './nginx';
import { startProxyProgram } from './proxyProgram';

/** `targets`: addresses of the processes. Resolves when it has found them. */
export async function startEtherpadProxy(program: string, targets: string[]): Promise<RunningProxy> {
  const folder = mkdtempSync(path.join(tmpdir(), 'mypads-etherpad-proxy-'));
  const port = await freePort();
  const backends = targets.map((target, index) => {
    const { hostname, port: own } = new URL(target);
    return [`process${index + 1}`, { host: hostname, port: Number(own) }] as const;
  });
  const settings = {
    port,
    managementPort: await freePort(),
    backends: Object.fromEntries(backends),
    maxPadsPerInstance: 1_000_000,
    checkInterval: 1_000,
    dbSettings: { filename: path.join(folder, 'pads.db') },
  };
  const settingsFile = path.join(folder, 'settings.json');
  writeFileSync(settingsFile, JSON.stringify(settings));
  const env = { ...process.env, SETTINGS_FILE: settingsFile };
  const url = `http://127.0.0.1:${port}`;
  const stop = await startProxyProgram({
    name: 'etherpad-proxy',
    program,
    env,
    folder,
    isReady: () =>
      fetch(`${url}/mypads/api/cache/check`).then(
        ({ ok }) => ok,
        () => false,
      ),
  });
  const requests = (): never => {
    throw new Error('etherpad-proxy does not log which process answered');
  };
  return { url, requests, stop };
}
