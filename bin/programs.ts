/** Programs that tests need and npm does not bring: looked for on the PATH, installed by apt where root may. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';

const browsers = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];

/** The first of these programs on the PATH, or where Debian keeps servers. */
function found(names: string[]): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(path.delimiter), '/usr/sbin', '/usr/libexec'];
  return names.flatMap((name) => folders.map((folder) => path.join(folder, name))).find(existsSync);
}

/** Installs a Debian package, with its list of packages brought up to date when the package is not found at first. */
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
 * A Chromium for the browser tests: `CHROME_PATH`, or any Chromium or Chrome found, or Debian's. `undefined` when there is none and none
 * can be had.
 */
export function findBrowser(): string | undefined {
  const { CHROME_PATH } = process.env;
  if (CHROME_PATH) return existsSync(CHROME_PATH) ? CHROME_PATH : undefined;
  if (!found(browsers)) install('chromium');
  return found(browsers);
}

/** OpenLDAP's server for the LDAP tests. Installed without a configuration, so that no service of the machine starts with it. */
export function findSlapd(): string | undefined {
  if (!found(['slapd'])) {
    if (process.getuid?.() === 0) {
      spawnSync('debconf-set-selections', { input: 'slapd slapd/no_configuration boolean true\n' });
    }
    install('slapd');
  }
  return found(['slapd']);
}
