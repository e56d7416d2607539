/**
 * Uninstalling the plugin keeps its data, unless settings.json says otherwise. The test calls the hook as Etherpad
 * does.
 */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'chai';
import { prepareEtherpad, wantedMajor } from '../../bin/etherpad';
import { type RunningEtherpad, startEtherpad } from '../support/etherpad';
import { uninstallAsAdministrator } from '../support/hostApi';
import { legacyDatabase, readDirty } from '../support/legacy';
import { until } from '../support/waiting';

/**
 * Opens Etherpad's database as Etherpad does at its start, and tells the installed plugin that a plugin was removed.
 */
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
  this.timeout(300_000);
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

  it('removes everything except the texts of pads if the settings file says so', async () => {
    const [before, after] = await uninstall({ ep_mypads: { removeDataOnUninstall: true } });
    const isOurs = (key: string): boolean => key.startsWith('mypads:');
    expect([...(after?.keys() ?? [])].filter(isOurs)).to.deep.equal([]);
    const others = [...(before ?? [])].filter(([key]) => !isOurs(key));
    expect([...(after ?? [])]).to.deep.equal(others);
    expect(others.length).to.be.greaterThan(60);
  });

  // Not on 1.8.14, whose page uses npm: it would install all packages of Etherpad into this folder.
  for (const removeDataOnUninstall of wantedMajor() === 1 ? [] : [false, true]) {
    const title = removeDataOnUninstall ? 'removes' : 'keeps';
    it(`on Etherpad's administration page ${title} the data as well, and Etherpad keeps running`, async () => {
      etherpad = await startEtherpad({
        database: legacyDatabase,
        settings: removeDataOnUninstall ? { ep_mypads: { removeDataOnUninstall } } : {},
      });
      const { url } = etherpad;
      const ours = (): number =>
        [...readDirty(etherpad?.databaseFile ?? '').keys()].filter((key) => key.startsWith('mypads:')).length;
      expect(ours()).to.be.greaterThan(40);
      await uninstallAsAdministrator(etherpad, 'ep_mypads');
      const without = async (): Promise<boolean> => {
        const answer = await fetch(`${url}/mypads/api/cache/check`).catch(() => undefined);
        return answer?.status === 404;
      };
      try {
        await until('the plugin is gone', without);
        if (removeDataOnUninstall) await until('the data is gone', () => ours() === 0);
        // After this time, data that is removed by mistake would be gone.
        else await wait(1_000);
        expect(ours()).to.satisfy((keys: number) => (removeDataOnUninstall ? keys === 0 : keys > 40));
        expect((await fetch(`${url}/p/welcome-z414gdv4/export/txt`)).status).to.equal(200);
      } finally {
        // For the next test.
        await prepareEtherpad('again');
      }
    });
  }
});
