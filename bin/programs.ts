/** Programs that tests need and npm does not install. They are looked up on the PATH, or installed with apt if root. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';

/** In order of preference. The first one has no user interface, which makes the browser tests twice as fast. */
const browsers = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'chrome',
];

/** The first of these programs on the PATH or in Debian's folders for servers. */
function found(names: string[]): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(path.delimiter), '/usr/sbin', '/usr/libexec'];
  return names.flatMap((name) => folders.map((folder) => path.join(folder, name))).find(existsSync);
}

/** Installs a Debian package, as root only. If that fails, updates the list of packages and tries again. */
function install(name: string): void {
  if (process.getuid?.() !== 0 || !found(['apt-get'])) return;
  console.log(`Installing ${name} (apt-get install ${name}) …`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const command = ['install', '-y', '--no-install-recommends', name];
  for (const args of [command, ['update'], command]) {
    const { status } = spawnSync('apt-get', args, { stdio: 'inherit', env });
    if (args === command && status === 0) break;
  }
}

/**
 * Chromium for the browser tests: `CHROME_PATH`, an installed Chromium or Chrome, or Debian's package. `undefined` if
 * none can be found or installed.
 */
export function findBrowser(): string | undefined {
  const { CHROME_PATH } = process.env;
  if (CHROME_PATH) return existsSync(CHROME_PATH) ? CHROME_PATH : undefined;
  if (!found(browsers)) install('chromium-headless-shell');
  if (!found(browsers)) install('chromium');
  return found(browsers);
}

/**
 * OpenLDAP's server for the LDAP tests. Installed without a configuration, so that no service starts on the machine.
 */
export function findSlapd(): string | undefined {
  if (!found(['slapd'])) {
    if (process.getuid?.() === 0) {
      spawnSync('debconf-set-selections', { input: 'slapd slapd/no_configuration boolean true\n' });
    }
    install('slapd');
  }
  return found(['slapd']);
}

/** nginx for the tests with several processes. `undefined` if it cannot be found or installed. */
export function findNginx(): string | undefined {
  if (!found(['nginx'])) install('nginx-light');
  return found(['nginx']);
}

/** Redis for tests, which start servers of their own. */
export function findRedis(): string | undefined {
  if (!found(['redis-server'])) install('redis-server');
  return found(['redis-server']);
}

/** systemd's check of units. Not installed, because a machine without systemd needs no unit. */
export const findSystemdAnalyze = (): string | undefined => found(['systemd-analyze']);

/** Prometheus' check of alerts. Not installed, because Debian's package starts a server. */
export const findPromtool = (): string | undefined => found(['promtool']);
