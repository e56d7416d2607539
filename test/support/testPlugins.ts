/** Installs test plugins into a real Etherpad together with ours, in the way of that version. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { build } from 'esbuild';
import { type EtherpadFolder, installPlugin, removePlugin } from '../../bin/etherpad';

export interface TestPlugin {
  /** Starts with `ep_`. */
  name: string;
  /** A module in this folder that exports a function for each hook. */
  source: string;
  hooks: readonly string[];
}

/** Returns a function that removes the plugin. It is also removed when the process ends. */
export async function installTestPlugin(
  etherpad: EtherpadFolder,
  { name, source, hooks }: TestPlugin,
): Promise<() => void> {
  const stage = await mkdtemp(path.join(tmpdir(), `${name}-`));
  const version = '1.0.0';
  const remove = (): void => {
    process.off('exit', remove);
    removePlugin(etherpad, { name, version });
  };
  try {
    const parts = [{ name: 'main', hooks: Object.fromEntries(hooks.map((hook) => [hook, `${name}/index`])) }];
    await Promise.all([
      writeFile(path.join(stage, 'package.json'), JSON.stringify({ name, version })),
      writeFile(path.join(stage, 'ep.json'), JSON.stringify({ parts })),
      build({
        entryPoints: [path.join(__dirname, source)],
        outfile: path.join(stage, 'index.js'),
        bundle: true,
        platform: 'node',
        format: 'cjs',
        external: ['ep_etherpad-lite/*', 'ep_mypads/*'],
      }),
    ]);
    process.once('exit', remove);
    await installPlugin(etherpad, stage);
    return remove;
  } finally {
    await rm(stage, { recursive: true, force: true });
  }
}

/** A plugin that checks nothing. */
export const notesPlugin: TestPlugin = {
  name: 'ep_test_notes',
  source: 'notesPlugin.ts',
  hooks: ['socketio', 'handleMessage', 'expressCreateServer'],
};

/** A plugin that stores records beside pads, which files of Etherpad's own format contain. */
export const recordsPlugin: TestPlugin = {
  name: 'ep_test_records',
  source: 'recordsPlugin.ts',
  hooks: ['exportEtherpadAdditionalContent'],
};
