/**
 * The first step of every command, on a machine with only Node and npm: installs the packages of package-lock.json,
 * then runs bin/<command>.ts. Plain JavaScript without dependencies, because nothing is installed yet.
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const [command, ...rest] = process.argv.slice(2);

function fail(message) {
  console.error(message);
  process.exit(1);
}

if (Number(process.versions.node.split('.')[0]) < 20) {
  fail(`Node 20 or newer is needed, this is ${process.version}.`);
}
if (!/^(start|build|test)$/.test(command ?? ''))
  fail('Usage: node bin/bootstrap.mjs start|build|test [part]');

/** False if package-lock.json is newer than the copy that npm has written beside the installed packages. */
function isInstalled() {
  const marker = path.join(root, 'node_modules', '.package-lock.json');
  const lock = path.join(root, 'package-lock.json');
  return existsSync(marker) && statSync(marker).mtimeMs >= statSync(lock).mtimeMs;
}

if (!isInstalled()) {
  console.log('Installing what is missing (npm ci) …');
  const result = spawnSync('npm', ['ci', '--no-audit', '--no-fund'], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    shell: process.platform === 'win32',
  });
  if (result.error) fail(`npm could not be started: ${result.error.message}`);
  if (result.status !== 0) fail('npm ci failed, see above. It needs the npm registry.');
}

const child = spawn(process.execPath, ['--import', 'tsx', path.join(root, 'bin', `${command}.ts`), ...rest], {
  cwd: root,
  stdio: 'inherit',
});
// The child process gets Ctrl+C too and ends by itself. This process only waits for it.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    if (signal !== 'SIGINT') child.kill(signal);
  });
}
child.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 1)));
