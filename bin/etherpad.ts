/**
 * Runs real Etherpads with the plugin, for `npm start` and the tests: version 1.8.14, installed here, or an existing
 * 2.x or 3.x. The plugin is a copy of what `npm pack` would ship, never a link to the working copy.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

export const projectRoot = path.resolve(__dirname, '..');
const home = path.join(projectRoot, '.etherpad');
const ownVersion = '1.8.14';
const lazyApi = path.join(projectRoot, 'bin', `etherpad-${ownVersion}`, 'lazyApi.cjs');

/** An error that the person who runs the command can fix. Printed without a stack. */
export class UserError extends Error {}

/** The folder of an Etherpad that can be started. */
export interface EtherpadFolder {
  root: string;
  /** 1, 2, 3 … */
  major: number;
  /** The `node` program that runs it. */
  node: string;
}

function run(command: string, args: string[], options: { cwd: string; env?: NodeJS.ProcessEnv }): string {
  const result = spawnSync(command, args, { ...options, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  if (result.error) throw new UserError(`${command} could not be started: ${result.error.message}`);
  if (result.status !== 0) {
    throw new UserError(`${command} ${args.join(' ')} failed:\n${(result.stderr || result.stdout).trim()}`);
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

/** Copies what `npm pack` would ship into an empty folder. The plugin must be built. */
export async function packInto(folder: string): Promise<Packed> {
  const answer = JSON.parse(
    run('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], { cwd: projectRoot }),
  ) as Packed[] | Record<string, Packed>;
  const packed = Object.values(answer)[0];
  if (!packed?.files.some((file) => file.path === 'dist/index.js')) {
    throw new UserError('The plugin is not built: run npm run build.');
  }
  for (const file of packed.files) {
    await cp(path.join(projectRoot, file.path), path.join(folder, file.path));
  }
  return packed;
}

// 2. The Etherpad 1.8.14 that is installed here

function isInstalledFrom(lock: string, folder: string): boolean {
  const marker = path.join(folder, 'installed.json');
  return existsSync(marker) && readFileSync(marker, 'utf8') === lock;
}

/** Installs the packages of Etherpad 1.8.14, once per lock file. Returns the folder that holds them. */
export async function installEtherpad1(): Promise<string> {
  const source = path.join(projectRoot, 'bin', `etherpad-${ownVersion}`);
  const lock = readFileSync(path.join(source, 'package-lock.json'), 'utf8');
  const folder = path.join(home, ownVersion);
  if (isInstalledFrom(lock, folder)) return folder;
  console.log(`Installing Etherpad ${ownVersion}, once (npm ci in .etherpad/) …`);
  await mkdir(folder, { recursive: true });
  for (const name of ['package.json', 'package-lock.json']) {
    await cp(path.join(source, name), path.join(folder, name));
  }
  run('npm', ['ci', '--no-audit', '--no-fund', '--ignore-scripts', '--omit=optional'], { cwd: folder });
  await writeFile(path.join(folder, 'installed.json'), lock);
  return folder;
}

const npmAnswers = (root: string): string => path.join(root, 'node_modules', '.bin', 'npm-ls');

/**
 * Etherpad finds this `npm` first. At each start it asks for npm's version and the plugins, which takes half a second
 * of processor time. So the last answer is repeated, until a plugin is installed or removed.
 */
const rememberingNpm = `#!/bin/sh
PATH=\${PATH#*.bin:*.bin:}
answer="$0-$1"
case $1 in
  ls | --version) ;;
  *) rm -f "$0-ls"; exec npm "$@" ;;
esac
[ -s "$answer" ] || { npm "$@" > "$answer.$$" && mv "$answer.$$" "$answer"; } || exit
exec cat "$answer"
`;

/**
 * Creates the folders that Etherpad 1.8.14 expects: its code in `src`, `var` for its cache, and `node_modules` with a
 * link to `src` and the plugin, both named in package.json. Its own packages are found in a parent folder.
 */
async function createLayout(name: string): Promise<string> {
  const root = path.join(await installEtherpad1(), name);
  const src = path.join(root, 'src');
  const modules = path.join(root, 'node_modules');
  await mkdir(path.join(modules, '.bin'), { recursive: true });
  await writeFile(path.join(modules, '.bin', 'npm'), rememberingNpm, { mode: 0o755 });
  // Without it, Etherpad minifies the scripts of the editor again at each request, which takes seconds.
  await mkdir(path.join(root, 'var'), { recursive: true });
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
 * Etherpad serves a few packages to browsers only from `src/node_modules` (LIBRARY_WHITELIST in its
 * node/utils/Minify.js). Only these are linked there: with all packages linked, Etherpad's code would be found twice.
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

/** 1.x loads the plugins in node_modules that package.json names. `undefined` removes the name. */
function nameInManifest(root: string, name: string, version: string | undefined): void {
  const manifest = path.join(root, 'package.json');
  rmSync(npmAnswers(root), { force: true });
  if (version === undefined && !existsSync(manifest)) return;
  const present = existsSync(manifest) ? readJson<{ dependencies?: object }>(manifest) : {};
  const dependencies = { ...present.dependencies, 'ep_etherpad-lite': 'file:src', [name]: version };
  writeFileSync(manifest, `${JSON.stringify({ private: true, ...present, dependencies }, null, 2)}\n`);
}

/** 2.x and 3.x install plugins with their own tool. */
function installByTool({ root, node }: EtherpadFolder, { name }: Plugin, source: string): void {
  const args = ['--import', 'tsx', 'plugins.ts', 'i', '--path', source];
  run(node, args, { cwd: path.join(root, 'bin'), env: hostEnvironment(node) });
  if (!existsSync(path.join(root, 'src', 'plugin_packages', name, 'ep.json'))) {
    throw new UserError(`The plugin tool of ${root} did not install ${name}.`);
  }
}

/**
 * Removes a plugin from an Etherpad as Etherpad itself does; does nothing if it is not installed. Synchronous, because
 * it runs at the end of a process.
 */
export function removePlugin({ root, major }: EtherpadFolder, { name, version }: Plugin): void {
  if (major < 2) {
    // At its first start, 1.9.7 copies the plugin into another folder and writes this list, and then uses only these.
    for (const place of [`node_modules/${name}`, `plugin_packages/${name}`, 'var/installed_plugins.json'])
      rmSync(path.join(root, place), { recursive: true, force: true });
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
 * Installs the plugin of a folder in an Etherpad as Etherpad itself does. An older copy is removed first, because the
 * tool of 2.x and 3.x does not replace the same version.
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

/** Installs the built plugin. `PACKED`: a folder with the packed plugin; `npm test` packs it once for all processes. */
async function installBuiltPlugin(etherpad: EtherpadFolder): Promise<void> {
  const { PACKED } = process.env;
  if (PACKED) {
    await installPlugin(etherpad, PACKED);
    return;
  }
  const stage = await mkdtemp(path.join(tmpdir(), 'ep_mypads-'));
  try {
    await packInto(stage);
    await installPlugin(etherpad, stage);
  } finally {
    await rm(stage, { recursive: true, force: true });
  }
}

/** Etherpad 2.x and 3.x need pnpm on the PATH, and may need another Node than the tests. */
function hostEnvironment(node: string): NodeJS.ProcessEnv {
  const folders = [path.dirname(node), process.env.PATH ?? ''];
  return { ...process.env, NODE_ENV: 'production', PATH: folders.join(path.delimiter) };
}

function versionOf(node: string): number {
  return Number(run(node, ['--version'], { cwd: projectRoot }).replace(/^v(\d+)[\s\S]*$/, '$1'));
}

interface Manifest {
  /** As `2.5.3`. */
  version: string;
  engines?: { node?: string; pnpm?: string };
}

/** What the Etherpad in a folder says about itself. Throws a UserError if there is none. */
function hostManifest(root: string): Manifest {
  const manifest = path.join(root, 'src', 'package.json');
  if (!existsSync(manifest))
    throw new UserError(`${root} is not an Etherpad folder: it has no src/package.json.`);
  return readJson<Manifest>(manifest);
}

const majorOf = (version: string): number => Number(version.split('.')[0]);

/** The major version of the Etherpad that `prepareEtherpad` uses: 1, 2 or 3. */
export function wantedMajor(): number {
  const { ETHERPAD } = process.env;
  return ETHERPAD ? majorOf(hostManifest(path.resolve(ETHERPAD)).version) : 1;
}

/** Throws a UserError if there is no pnpm, or one that is too old or does not run with this Node. */
function checkPnpm(root: string, { version, engines }: Manifest, node: string): void {
  // In Etherpad's folder, because there pnpm may replace itself by the version that Etherpad names.
  const pnpm = spawnSync('pnpm', ['--version'], { cwd: root, env: hostEnvironment(node), encoding: 'utf8' });
  if (pnpm.error) throw new UserError(`Etherpad ${version} needs pnpm on the PATH.`);
  if (pnpm.status !== 0) {
    throw new UserError(`pnpm does not run with the Node of this Etherpad:\n${pnpm.stderr.trim()}`);
  }
  const needed = /[\d.]+/.exec(engines?.pnpm ?? '')?.[0] ?? '0';
  const present = pnpm.stdout.trim();
  if (present.localeCompare(needed, 'en', { numeric: true }) < 0)
    throw new UserError(`Etherpad ${version} needs pnpm ${needed} or newer, this is pnpm ${present}.`);
}

/** The Etherpad of a folder. Throws a UserError if it cannot be started. */
function existingEtherpad(folder: string, node: string): EtherpadFolder {
  const root = path.resolve(folder);
  const manifest = hostManifest(root);
  const { version, engines } = manifest;
  if (!existsSync(path.join(root, 'src', 'node_modules'))) {
    throw new UserError(`Etherpad's own packages are not installed in ${root}: run its installDeps.sh.`);
  }
  const major = majorOf(version);
  // The plugin itself needs 20.
  const needed = Math.max(20, Number(/\d+/.exec(engines?.node ?? '')?.[0] ?? 0));
  const present = versionOf(node);
  if (present < needed) {
    throw new UserError(
      `Etherpad ${version} needs Node ${needed}, this is Node ${present}: set ETHERPAD_NODE=<path to a newer node>.`,
    );
  }
  if (major >= 2) checkPnpm(root, manifest, node);
  return { root, major, node };
}

/** The `node` that runs Etherpad. */
const etherpadNode = (): string => process.env.ETHERPAD_NODE ?? process.execPath;

/**
 * The Etherpad that `ETHERPAD` and `ETHERPAD_NODE` name, if they do. Throws a UserError if it cannot be started: call
 * it before anything is built.
 */
export function ownEtherpad(): EtherpadFolder | undefined {
  const { ETHERPAD } = process.env;
  return ETHERPAD ? existingEtherpad(ETHERPAD, etherpadNode()) : undefined;
}

/**
 * `ownEtherpad`, or else version 1.8.14, with the built plugin newly installed. `name` distinguishes several copies of
 * 1.8.14.
 */
export async function prepareEtherpad(name: string): Promise<EtherpadFolder> {
  const etherpad = ownEtherpad() ?? { root: await createLayout(name), major: 1, node: etherpadNode() };
  await installBuiltPlugin(etherpad);
  return etherpad;
}

/**
 * The same Etherpad without the plugin, for measuring the plugin's cost. If it is an existing folder, this removes the
 * plugin from it: start this Etherpad before `prepareEtherpad` installs the plugin there again.
 */
export async function prepareBareEtherpad(name: string): Promise<EtherpadFolder> {
  const etherpad = ownEtherpad();
  if (etherpad) {
    removePlugin(etherpad, readJson<Plugin>(path.join(projectRoot, 'package.json')));
    return etherpad;
  }
  const root = await createLayout(name);
  const manifest = { private: true, dependencies: { 'ep_etherpad-lite': 'file:src' } };
  await writeFile(path.join(root, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  return { root, major: 1, node: etherpadNode() };
}

/** Removes what `prepareEtherpad` created for this name. Synchronous, because it runs at the end of a process. */
export function removeEtherpad(name: string): void {
  rmSync(path.join(home, ownVersion, name), { recursive: true, force: true });
}

// 4. Running

/** Starts the server. Ctrl+C does not reach it; the caller stops it with SIGTERM, after which it ends cleanly. */
export function spawnEtherpad(
  { root, major, node }: EtherpadFolder,
  settingsFile: string,
  options: { stdio: 'inherit' | 'pipe'; env?: NodeJS.ProcessEnv },
): ChildProcess {
  // Made for the packages of our own 1.8.14.
  const preload = process.env.ETHERPAD ? [] : ['--require', lazyApi];
  const [cwd, args] =
    major >= 2
      ? [path.join(root, 'src'), ['--require', 'tsx/cjs', 'node/server.ts']]
      : [root, [...preload, 'src/node/server.js']];
  return spawn(node, [...args, '-s', settingsFile], {
    cwd,
    env: { ...hostEnvironment(node), ...options.env },
    stdio: ['ignore', options.stdio, options.stdio],
    detached: true,
  });
}

export interface ServerOptions {
  ip: string;
  port: number;
  /** Folder of the embedded database. */
  data: string;
  admin: { name: string; password: string };
}

/** The file of the embedded database. */
export const databaseFileIn = (data: string): string => path.join(data, 'etherpad.db');

/** The settings.json for an Etherpad that is run from here. */
export function etherpadSettings({ ip, port, data, admin }: ServerOptions): Record<string, unknown> {
  return {
    title: 'MyPads',
    ip,
    port,
    dbType: 'dirty',
    dbSettings: { filename: databaseFileIn(data) },
    users: { [admin.name]: { password: admin.password, is_admin: true } },
    requireAuthentication: false,
    requireAuthorization: false,
    trustProxy: false,
    skinName: 'colibris',
    defaultPadText: '',
    suppressErrorsInPadText: true,
    loglevel: 'INFO',
    // The default is ten changes a second from one address. A school behind one address makes more.
    commitRateLimiting: { duration: 1, points: 200 },
  };
}
