/** A Chromium for the browser tests. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];

/** The first of these programs on the PATH. */
function onPath(candidates: string[]): string | undefined {
  const folders = (process.env.PATH ?? '').split(path.delimiter);
  return candidates.flatMap((name) => folders.map((folder) => path.join(folder, name))).find(existsSync);
}

/**
 * `CHROME_PATH`, or any Chromium or Chrome found, or Debian's, which root may install. `undefined` when there is none and none can be had.
 */
export function findBrowser(): string | undefined {
  const { CHROME_PATH } = process.env;
  if (CHROME_PATH) return existsSync(CHROME_PATH) ? CHROME_PATH : undefined;
  const found = onPath(names);
  if (found || process.getuid?.() !== 0 || !onPath(['apt-get'])) return found;
  console.log('Installing Chromium (apt-get install chromium) …');
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const install = ['install', '-y', '--no-install-recommends', 'chromium'];
  for (const args of [install, ['update'], install]) {
    const { status } = spawnSync('apt-get', args, { stdio: 'inherit', env });
    if (args === install && status === 0) break;
  }
  return onPath(names);
}
