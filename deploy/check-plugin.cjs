#!/usr/bin/env node
/**
 * Run `node check-plugin.cjs /opt/etherpad` before each start, from a folder outside of Etherpad. It exits with 1 and a
 * reason if ep_mypads is incomplete: Etherpad may start without such a plugin, and every pad is open to everybody.
 */
'use strict';

const { existsSync, readFileSync } = require('node:fs');
const { join } = require('node:path');
const { Script } = require('node:vm');

/** What Etherpad needs to load the plugin, and the plugin to sign people in, inside the plugin's folder. */
const files = [
  'package.json',
  'ep.json',
  ...['index', 'server', 'passwordWorker', 'indexWorker'].map((name) => `dist/${name}.js`),
  'static/dist/pad/hooks.js',
];

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

/** A full disk or a power cut leaves empty and incomplete files. */
function isReadable(file) {
  const text = readFileSync(file, 'utf8');
  try {
    if (file.endsWith('.json')) JSON.parse(text);
    else new Script(text);
    return text !== '';
  } catch {
    return false;
  }
}

function check(root) {
  const folder = folderIn(root);
  for (const file of files.map((name) => join(folder, name))) {
    if (!existsSync(file)) throw new Error(`${file} is missing`);
    if (!isReadable(file)) throw new Error(`${file} is damaged`);
  }
}

try {
  check(process.argv[2] ?? process.cwd());
} catch (error) {
  console.error(
    `ep_mypads is not complete, do not start Etherpad: ${error.message}. Every pad would be open.`,
  );
  process.exitCode = 1;
}
