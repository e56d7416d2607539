/** A real etherpad-proxy, the proxy of the Etherpad project, set up as docs/scaling.md says. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from './freePort';
import type { RunningProxy } from './nginx';
import { until } from './waiting';

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
  const server = spawn(program, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [server.stdout, server.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-100_000);
    });
  }
  const end = (): void => {
    server.kill('SIGTERM');
    rmSync(folder, { recursive: true, force: true });
  };
  process.once('exit', end);
  const url = `http://127.0.0.1:${port}`;
  await until('etherpad-proxy has found the processes', async () => {
    if (server.exitCode !== null) throw new Error(`etherpad-proxy did not start: ${output}`);
    return fetch(`${url}/mypads/api/cache/check`).then(
      ({ ok }) => ok,
      () => false,
    );
  });
  return {
    url,
    requests: () => {
      throw new Error('etherpad-proxy does not log which process answered');
    },
    async stop() {
      process.off('exit', end);
      const gone = once(server, 'exit');
      end();
      await gone;
    },
  };
}
