#!/usr/bin/env node
/**
 * Run `node check-plugin.cjs /opt/etherpad` before each start, from a folder outside of Etherpad. It exits with 1 and a
 * reason if ep_mypads is incomplete: Etherpad 3.x starts without such a plugin, and every pad is open to everybody.
 */
'use strict';

const { existsSync, readFileSync } = require('node:fs');
const { join } = require('node:path');

/** What Etherpad needs to load the plugin, inside the plugin's folder. */
const files = ['package.json', 'ep.json', 'dist/index.js', 'dist/server.js', 'static/dist/pad/hooks.js'];

/** The folder from which this Etherpad loads the plugin. Throws an Error with the reason if there is none. */
function folderIn(root) {
  const source = join(root, 'src');
  if (!existsSync(source)) throw new Error(`${root} is not the folder of an Etherpad`);
  const { version } = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8'));
  if (version.startsWith('1.')) return join(root, 'node_modules', 'ep_mypads');
  // Etherpad 2.x and 3.x load what this file lists, in the version that it names.
  const list = join(root, 'var', 'installed_plugins.json');
  if (!existsSync(list)) throw new Error(`${list} is missing`);
  const { plugins } = JSON.parse(readFileSync(list, 'utf8'));
  const entry = plugins.find(({ name }) => name === 'ep_mypads');
  if (!entry) throw new Error(`${list} does not name ep_mypads`);
  return join(source, 'plugin_packages', '.versions', `ep_mypads@${entry.version}`);
}

function check(root) {
  const folder = folderIn(root);
  const missing = files.map((name) => join(folder, name)).find((file) => !existsSync(file));
  if (missing) throw new Error(`${missing} is missing`);
}

try {
  check(process.argv[2] ?? process.cwd());
} catch (error) {
  console.error(
    `ep_mypads is not complete, do not start Etherpad: ${error.message}. Every pad would be open.`,
  );
  process.exitCode = 1;
}
