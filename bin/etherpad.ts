/**
 * Real Etherpads with our plugin in them, for `npm start` and for the tests: the 1.8.14 that we install ourselves, or a 2.x or 3.x that
 * somebody has. The plugin is always what `npm pack` would ship, copied; never a link to the working copy.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

export const projectRoot = path.resolve(__dirname, '..');
const home = path.join(projectRoot, '.etherpad');
const ownVersion = '1.8.14';

/** Something that the person at the keyboard can mend; shown without a stack. */
export class Complaint extends Error {}

/** An Etherpad that can be started. */
export interface EtherpadFolder {
  root: string;
  /** 1, 2, 3 … */
  major: number;
  /** The Node that runs it. */
  node: string;
}

function run(command: string, args: string[], options: { cwd: string; env?: NodeJS.ProcessEnv }): string {
  const result = spawnSync(command, args, { ...options, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  if (result.error) throw new Complaint(`${command} could not be started: ${result.error.message}`);
  if (result.status !== 0) {
    throw new Complaint(`${command} ${args.join(' ')} failed:\n${(result.stderr || result.stdout).trim()}`);
  }
  return result.stdout;
}

function readJson<T>(file: string): T {
  return JSON.parse(readFileSync(file, 'utf8')) as T;
}

// 1. The plugin

interface Packed {
  name: string;
  version: string;
  files: { path: string }[];
}

/** Copies what `npm pack` would ship into an empty folder. The plugin must have been built. */
export async function packInto(folder: string): Promise<Packed> {
  const answer = JSON.parse(
    run('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], { cwd: projectRoot }),
  ) as Packed[] | Record<string, Packed>;
  const packed = Object.values(answer)[0];
  if (!packed?.files.some((file) => file.path === 'dist/index.js')) {
    throw new Complaint('The plugin is not built: run npm run build.');
  }
  for (const file of packed.files) {
    await cp(path.join(projectRoot, file.path), path.join(folder, file.path));
  }
  return packed;
}

// 2. Our own Etherpad 1.8.14

function sameLock(folder: string, lock: string): boolean {
  const marker = path.join(folder, 'installed.json');
  return existsSync(marker) && readFileSync(marker, 'utf8') === lock;
}

/** Installs the packages of Etherpad 1.8.14, once per lock file. Returns the folder that holds them. */
async function installOwn(): Promise<string> {
  const source = path.join(projectRoot, 'bin', `etherpad-${ownVersion}`);
  const lock = readFileSync(path.join(source, 'package-lock.json'), 'utf8');
  const folder = path.join(home, ownVersion);
  if (sameLock(folder, lock)) return folder;
  console.log(`Installing Etherpad ${ownVersion}, once (npm ci in .etherpad/) …`);
  await mkdir(folder, { recursive: true });
  for (const name of ['package.json', 'package-lock.json']) {
    await cp(path.join(source, name), path.join(folder, name));
  }
  run('npm', ['ci', '--no-audit', '--no-fund', '--ignore-scripts', '--omit=optional'], { cwd: folder });
  await writeFile(path.join(folder, 'installed.json'), lock);
  return folder;
}

/**
 * Lays Etherpad 1.8.14 out as it wants to live: a folder called `src` with its code, `node_modules` beside it with a link to `src` and
 * the plugin, both named in package.json. Its own packages are found further up.
 */
async function layOut(name: string): Promise<string> {
  const root = path.join(await installOwn(), name);
  const src = path.join(root, 'src');
  const modules = path.join(root, 'node_modules');
  await mkdir(modules, { recursive: true });
  if (!existsSync(src)) {
    const copy = path.join(root, `src-${process.pid}`);
    await cp(path.join(home, ownVersion, 'node_modules', 'ep_etherpad-lite'), copy, { recursive: true });
    await rename(copy, src);
  }
  const link = path.join(modules, 'ep_etherpad-lite');
  if (!existsSync(link)) await symlink('../src', link, 'junction');
  await linkEditorLibraries(src);
  return root;
}

/**
 * The editor's scripts in the browser use a few packages that Etherpad serves from `src/node_modules` and nowhere else
 * (LIBRARY_WHITELIST of its node/utils/Minify.js). Only these are linked there: with all of them its code would be found twice.
 */
async function linkEditorLibraries(src: string): Promise<void> {
  const modules = path.join(src, 'node_modules');
  await mkdir(modules, { recursive: true });
  for (const name of ['async', 'js-cookie', 'security', 'tinycon', 'underscore', 'unorm']) {
    const link = path.join(modules, name);
    const target = path.join(home, ownVersion, 'node_modules', name);
    if (!existsSync(link)) await symlink(path.relative(modules, target), link, 'junction');
  }
}

// 3. The plugin in an Etherpad

interface Plugin {
  name: string;
  version: string;
}

/** 1.x: whatever lies in node_modules and is named in package.json. `undefined` takes the plugin out. */
function nameInManifest(root: string, name: string, version: string | undefined): void {
  const manifest = path.join(root, 'package.json');
  if (version === undefined && !existsSync(manifest)) return;
  const present = existsSync(manifest) ? readJson<{ dependencies?: object }>(manifest) : {};
  const dependencies = { ...present.dependencies, 'ep_etherpad-lite': 'file:src', [name]: version };
  writeFileSync(manifest, `${JSON.stringify({ private: true, ...present, dependencies }, null, 2)}\n`);
}

/** 2.x and 3.x: the host's own plugin tool. */
function installByTool({ root, node }: EtherpadFolder, { name }: Plugin, source: string): void {
  const args = ['--import', 'tsx', 'plugins.ts', 'i', '--path', source];
  run(node, args, { cwd: path.join(root, 'bin'), env: hostEnvironment(node) });
  if (!existsSync(path.join(root, 'src', 'plugin_packages', name, 'ep.json'))) {
    throw new Complaint(`The plugin tool of ${root} did not install ${name}.`);
  }
}

/**
 * Takes a plugin out of an Etherpad, as its own removal would do it; nothing happens when it is not there. Synchronous, for the end of a
 * process.
 */
export function removePlugin({ root, major }: EtherpadFolder, { name, version }: Plugin): void {
  if (major < 2) {
    rmSync(path.join(root, 'node_modules', name), { recursive: true, force: true });
    nameInManifest(root, name, undefined);
    return;
  }
  const packages = path.join(root, 'src', 'plugin_packages');
  const record = path.join(root, 'var', 'installed_plugins.json');
  const recorded = existsSync(record) ? readJson<{ plugins: Plugin[] }>(record).plugins : [];
  mkdirSync(path.dirname(record), { recursive: true });
  writeFileSync(record, JSON.stringify({ plugins: recorded.filter((plugin) => plugin.name !== name) }));
  for (const place of [
    path.join(packages, '.versions', `${name}@${version}`),
    path.join(packages, name),
    path.join(root, 'src', 'node_modules', name),
  ]) {
    rmSync(place, { recursive: true, force: true });
  }
}

/**
 * Puts the plugin that lies in a folder into an Etherpad, by that host's own way. An older copy goes first: the tool of 2.x and 3.x does
 * not copy a version again that it has.
 */
export async function installPlugin(etherpad: EtherpadFolder, source: string): Promise<Plugin> {
  const plugin = readJson<Plugin>(path.join(source, 'package.json'));
  removePlugin(etherpad, plugin);
  if (etherpad.major >= 2) {
    installByTool(etherpad, plugin, source);
  } else {
    await cp(source, path.join(etherpad.root, 'node_modules', plugin.name), { recursive: true });
    nameInManifest(etherpad.root, plugin.name, plugin.version);
  }
  return plugin;
}

async function installOurs(etherpad: EtherpadFolder): Promise<void> {
  const stage = await mkdtemp(path.join(tmpdir(), 'ep_mypads-'));
  try {
    await packInto(stage);
    await installPlugin(etherpad, stage);
  } finally {
    await rm(stage, { recursive: true, force: true });
  }
}

/** 2.x looks for pnpm on the PATH; an Etherpad may need another Node than ours. */
function hostEnvironment(node: string): NodeJS.ProcessEnv {
  const folders = [path.dirname(node), process.env.PATH ?? ''];
  return { ...process.env, NODE_ENV: 'production', PATH: folders.join(path.delimiter) };
}

function versionOf(node: string): number {
  return Number(run(node, ['--version'], { cwd: projectRoot }).replace(/^v(\d+)[\s\S]*$/, '$1'));
}

/** The version of the Etherpad in a folder, as `2.5.3`. Throws a Complaint when there is none. */
function hostVersion(root: string): string {
  const manifest = path.join(root, 'src', 'package.json');
  if (!existsSync(manifest))
    throw new Complaint(`${root} is no Etherpad folder: it has no src/package.json.`);
  return readJson<{ version: string }>(manifest).version;
}

const majorOf = (version: string): number => Number(version.split('.')[0]);

/** The first number of the version of the Etherpad that `prepareEtherpad` takes: 1, 2, 3. */
export function wantedMajor(): number {
  const { ETHERPAD } = process.env;
  return ETHERPAD ? majorOf(hostVersion(path.resolve(ETHERPAD))) : 1;
}

/** Looks at a folder that somebody named. Throws a Complaint when it is no Etherpad or Node is too old for it. */
function foreignEtherpad(folder: string, node: string): EtherpadFolder {
  const root = path.resolve(folder);
  const version = hostVersion(root);
  const major = majorOf(version);
  const needed = major >= 3 ? 24 : 20;
  const present = versionOf(node);
  if (present < needed) {
    throw new Complaint(
      `Etherpad ${version} needs Node ${needed}, this is Node ${present}: set ETHERPAD_NODE=<path to a newer node>.`,
    );
  }
  if (major >= 2 && spawnSync('pnpm', ['--version'], { env: hostEnvironment(node) }).error) {
    throw new Complaint(`Etherpad ${version} needs pnpm on the PATH.`);
  }
  return { root, major, node };
}

/**
 * The Etherpad that the environment asks for (`ETHERPAD`, `ETHERPAD_NODE`), else our own 1.8.14, with the built plugin newly installed. `name`
 * keeps several of our own apart.
 */
export async function prepareEtherpad(name: string): Promise<EtherpadFolder> {
  const { ETHERPAD, ETHERPAD_NODE: node = process.execPath } = process.env;
  const etherpad = ETHERPAD ? foreignEtherpad(ETHERPAD, node) : { root: await layOut(name), major: 1, node };
  await installOurs(etherpad);
  return etherpad;
}

/** Our own 1.8.14 without the plugin, to measure what the plugin costs. */
export async function prepareBareEtherpad(name: string): Promise<EtherpadFolder> {
  const root = await layOut(name);
  const manifest = { private: true, dependencies: { 'ep_etherpad-lite': 'file:src' } };
  await writeFile(path.join(root, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  return { root, major: 1, node: process.env.ETHERPAD_NODE ?? process.execPath };
}

/** Removes what `prepareEtherpad` made for this name. Synchronous, for the end of a process. */
export function removeEtherpad(name: string): void {
  rmSync(path.join(home, ownVersion, name), { recursive: true, force: true });
}

// 4. Running

/** Starts the server. It gets no Ctrl+C of ours: whoever starts it stops it with SIGTERM, which it takes as a clean end. */
export function spawnEtherpad(
  { root, major, node }: EtherpadFolder,
  settingsFile: string,
  options: { stdio: 'inherit' | 'pipe'; env?: NodeJS.ProcessEnv },
): ChildProcess {
  const [cwd, args] =
    major >= 2
      ? [path.join(root, 'src'), ['--require', 'tsx/cjs', 'node/server.ts']]
      : [root, ['src/node/server.js']];
  return spawn(node, [...args, '-s', settingsFile], {
    cwd,
    env: { ...hostEnvironment(node), ...options.env },
    stdio: ['ignore', options.stdio, options.stdio],
    detached: true,
  });
}

export interface ServerPlace {
  ip: string;
  port: number;
  /** Folder of the embedded database. */
  data: string;
  admin: { name: string; password: string };
}

/** The settings.json of an Etherpad that we run ourselves. */
export function etherpadSettings({ ip, port, data, admin }: ServerPlace): Record<string, unknown> {
  return {
    title: 'MyPads',
    ip,
    port,
    dbType: 'dirty',
    dbSettings: { filename: path.join(data, 'etherpad.db') },
    users: { [admin.name]: { password: admin.password, is_admin: true } },
    requireAuthentication: false,
    requireAuthorization: false,
    trustProxy: false,
    skinName: 'colibris',
    defaultPadText: '',
    suppressErrorsInPadText: true,
    loglevel: 'INFO',
    // A class behind one address types more than the ten changes a second that the default allows.
    commitRateLimiting: { duration: 1, points: 200 },
  };
}
