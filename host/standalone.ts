/**
 * Etherpad's database without Etherpad: opened by Etherpad's own modules, as its settings file says, for commands that work on it while
 * the server does not run.
 */
import { existsSync, readdirSync, readFileSync, readlinkSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { connect } from 'node:net';
import path from 'node:path';
import type { Database } from '../model/ports';

/** Something that the person at the keyboard can mend; shown without a stack. */
export class Complaint extends Error {}

interface HostSettings {
  dbType: string;
  dbSettings?: { filename?: string } | null;
  ip?: string;
  /** A text is the path of a Unix socket, or a number from the environment. */
  port?: number | string;
  ep_mypads?: unknown;
}

interface HostDatabase {
  init(): Promise<void>;
  get(key: string): Promise<unknown>;
  set(key: string, value: unknown): Promise<unknown>;
  remove(key: string): Promise<unknown>;
  findKeys(pattern: string, notPattern: string | null): Promise<string[] | null | undefined>;
  shutdown(hook: string, context: object): Promise<void>;
}

export interface Standalone {
  version: string;
  /** `dirty`, `postgres` … */
  type: string;
  /** Where the database is a file. */
  file?: string;
  /** Where the server would listen: a port, or the path of a Unix socket. */
  ip: string;
  port: number | string;
  /** Our block of the settings file. */
  plugin: Record<string, unknown>;
  open(): Promise<{ database: Database; close(): Promise<void> }>;
}

/** Databases that live in one file of this machine. */
const inFiles = ['dirty', 'rustydb', 'sqlite'];

function versionOf(root: string): string | undefined {
  const manifest = path.join(root, 'src', 'package.json');
  if (!existsSync(manifest)) return undefined;
  const { name, version } = JSON.parse(readFileSync(manifest, 'utf8')) as { name?: string; version?: string };
  return name?.startsWith('ep_etherpad') ? version : undefined;
}

/** The Etherpad that `folder` is, or is in. Throws a Complaint when there is none. */
export function findEtherpad(folder: string): { root: string; version: string } {
  for (let root = path.resolve(folder); ; root = path.dirname(root)) {
    const version = versionOf(root);
    if (version !== undefined) return { root, version };
    if (root === path.dirname(root)) {
      throw new Complaint(`${path.resolve(folder)} is not in an Etherpad folder: run this where src/ is.`);
    }
  }
}

function interop<T>(loaded: T & { __esModule?: boolean; default?: T }): T {
  return loaded.__esModule && loaded.default ? loaded.default : loaded;
}

/**
 * Reads the settings as Etherpad would. To be called once per process: Etherpad's modules look at the command line and the current folder,
 * both of which are set for them. Throws a Complaint for a settings file or a database file that is not there.
 */
export function loadHost(folder: string, settingsFile: string | undefined): Standalone {
  const { root, version } = findEtherpad(folder);
  const file = path.resolve(settingsFile ?? path.join(root, 'settings.json'));
  if (!existsSync(file))
    throw new Complaint(`There is no ${file}: say --settings <Etherpad's settings.json>.`);
  const source = path.join(root, 'src');
  const hostRequire = createRequire(path.join(source, 'package.json'));
  const isTypeScript = !existsSync(path.join(source, 'node', 'db', 'DB.js'));
  process.argv = [process.argv[0] ?? 'node', 'ep-mypads', '--settings', file];
  process.env.NODE_ENV ??= 'production';
  // 1.8.14 runs in its root, later versions in src: relative file names depend on it.
  process.chdir(isTypeScript ? source : root);
  if (isTypeScript) hostRequire('tsx/cjs');
  const settings = interop(hostRequire('./node/utils/Settings') as HostSettings);
  const { dbType: type, dbSettings, ip = '0.0.0.0', port = 9001, ep_mypads: block } = settings;
  const name = inFiles.includes(type) ? dbSettings?.filename : undefined;
  const databaseFile = name === undefined ? undefined : path.resolve(name);
  if (databaseFile !== undefined && !existsSync(databaseFile)) {
    throw new Complaint(`The database ${databaseFile} that ${file} names is not there.`);
  }
  return {
    version,
    type,
    ...(databaseFile === undefined ? {} : { file: databaseFile }),
    ip,
    port: Number.isNaN(Number(port)) ? String(port) : Number(port),
    plugin: typeof block === 'object' && block !== null ? (block as Record<string, unknown>) : {},
    async open() {
      const host = interop(hostRequire('./node/db/DB') as HostDatabase);
      await host.init();
      return {
        database: {
          get: (key) => host.get(key),
          set: async (key, value) => {
            await host.set(key, value);
          },
          remove: async (key) => {
            await host.remove(key);
          },
          findKeys: async (pattern, notPattern) => (await host.findKeys(pattern, notPattern)) ?? [],
        },
        close: () => host.shutdown('shutdown', {}),
      };
    },
  };
}

/** Does anything listen there? */
function answers(ip: string, port: number | string): Promise<boolean> {
  const host = ['', '0.0.0.0', '::'].includes(ip) ? '127.0.0.1' : ip;
  const place = typeof port === 'string' ? { path: port } : { host, port };
  return new Promise((resolve) => {
    const socket = connect({ ...place, timeout: 2000 });
    const end = (answer: boolean) => () => {
      socket.destroy();
      resolve(answer);
    };
    socket.once('connect', end(true)).once('error', end(false)).once('timeout', end(false));
  });
}

function opens(process: string, file: string): boolean {
  try {
    const folder = `/proc/${process}/fd`;
    return readdirSync(folder).some((descriptor) => {
      try {
        return readlinkSync(path.join(folder, descriptor)) === file;
      } catch {
        return false;
      }
    });
  } catch {
    return false;
  }
}

/** The processes of this machine that have the file open, this one aside; `undefined` where it cannot be told. */
function whoHasOpen(file: string): number[] | undefined {
  if (!existsSync('/proc/self/fd')) return undefined;
  const real = realpathSync(file);
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid && opens(name, real))
    .map(Number);
}

/** In words, who works with this database now, as far as that can be seen from here; `sure`: it would be seen. */
export async function whoUses({ file, ip, port }: Standalone): Promise<{ against?: string; sure: boolean }> {
  const processes = file === undefined ? undefined : whoHasOpen(file);
  const sure = processes !== undefined;
  if (processes && processes.length > 0) {
    return { against: `Process ${processes.join(', ')} has ${file} open.`, sure };
  }
  if (!(await answers(ip, port))) return { sure };
  return { against: `Something answers on port ${port}, where this Etherpad would.`, sure };
}
