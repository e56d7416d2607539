/** Uninstalling the plugin: its data stays, unless the settings file says otherwise. The hook is called as Etherpad calls it. */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { expect } from 'chai';
import { type RunningEtherpad, startEtherpad } from '../support/etherpad';
import { legacyDatabase, readDirty } from '../support/legacy';

/** Opens Etherpad's database as Etherpad does at its start, and tells the installed plugin that a plugin was uninstalled. */
const script = `
(async () => {
  const [, settings, source] = process.argv;
  process.argv = [process.argv[0], 'script', '--settings', settings];
  const { createRequire } = require('node:module');
  const host = createRequire(source + '/package.json');
  try { host('tsx/cjs'); } catch {}
  const database = host('./node/db/DB');
  await database.init();
  const hooks = host('ep_mypads/dist/index');
  for (const pluginName of ['ep_other', 'ep_mypads']) await hooks.pluginUninstall('pluginUninstall', { pluginName });
  await database.shutdown('shutdown', {});
  process.exit(0);
})();
`;

describe('uninstalling the plugin', function () {
  this.timeout(120_000);
  let etherpad: RunningEtherpad | undefined;
  afterEach(() => etherpad?.stop());

  async function uninstall(settings: Record<string, unknown>): Promise<Map<string, unknown>[]> {
    etherpad = await startEtherpad({ database: legacyDatabase, settings });
    await etherpad.halt();
    const before = readDirty(etherpad.databaseFile);
    const { root, node, major } = etherpad.folder;
    const source = path.join(root, 'src');
    const { status, stderr } = spawnSync(node, ['-e', script, etherpad.settingsFile, source], {
      cwd: major === 1 ? root : source,
      encoding: 'utf8',
      timeout: 60_000,
    });
    expect(status, stderr).to.equal(0);
    return [before, readDirty(etherpad.databaseFile)];
  }

  it('keeps accounts, groups, settings and pads', async () => {
    const [before, after] = await uninstall({});
    expect(after).to.deep.equal(before);
  });

  it('removes everything but the texts of pads where the settings file says so', async () => {
    const [before, after] = await uninstall({ ep_mypads: { removeDataOnUninstall: true } });
    const isOurs = (key: string): boolean => key.startsWith('mypads:');
    expect([...(after?.keys() ?? [])].filter(isOurs)).to.deep.equal([]);
    const others = [...(before ?? [])].filter(([key]) => !isOurs(key));
    expect([...(after ?? [])]).to.deep.equal(others);
    expect(others.length).to.be.greaterThan(60);
  });
});
