/** Opens Etherpad's database with Etherpad's own modules and settings, for commands that need no running server. */
import {
  accessSync,
  constants,
  existsSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { connect } from 'node:net';
import { devNull } from 'node:os';
import path from 'node:path';
import type { Database } from '../model/ports';
import { exportsOf } from './core';
import { databasePort, type HostDatabase } from './database';
import { indexFolderIn } from './index/openIndex';

/** An error that the operator can fix. It is shown without a stack trace. */
export class OperatorError extends Error {}

interface HostSettings {
  dbType: string;
  dbSettings?: { filename?: string } | null;
  ip?: string;
  /** A string is the path of a Unix socket, or a port number from the environment. */
  port?: number | string;
  ep_mypads?: unknown;
}

interface StandaloneDatabase extends HostDatabase {
  init(): Promise<void>;
  shutdown(hook: string, context: object): Promise<void>;
}

export interface Standalone {
  version: string;
  /** `dirty`, `postgres` … */
  type: string;
  /** The database file, if the database is in one file. */
  file?: string;
  /** The folder with the files of the index. */
  indexFolder: string;
  /** Where the server listens; `port` may be the path of a Unix socket. */
  ip: string;
  port: number | string;
  /** Our block of the settings file. */
  plugin: Record<string, unknown>;
  /** `file`: another file to open instead of `file`. */
  open(file?: string): Promise<{ database: Database; close(): Promise<void> }>;
}

/** Database types that are stored in one local file. */
const fileDatabases = ['dirty', 'rustydb', 'sqlite'];

function versionOf(root: string): string | undefined {
  const manifest = path.join(root, 'src', 'package.json');
  if (!existsSync(manifest)) return undefined;
  const { name, version } = JSON.parse(readFileSync(manifest, 'utf8')) as { name?: string; version?: string };
  return name?.startsWith('ep_etherpad') ? version : undefined;
}

/** Finds the Etherpad that contains `folder`. Throws an OperatorError if there is none. */
function findEtherpad(folder: string): { root: string; version: string } {
  for (let root = path.resolve(folder); ; root = path.dirname(root)) {
    const version = versionOf(root);
    if (version !== undefined) return { root, version };
    if (root === path.dirname(root)) {
      throw new OperatorError(
        `${path.resolve(folder)} is not in an Etherpad folder. Run this command in the folder that has src/.`,
      );
    }
  }
}

/**
 * Waits until the database is open. Etherpad's embedded database throws an uncaught exception for a damaged line, which
 * becomes an OperatorError here. Its message does not quote the line, because lines may contain secrets.
 */
function opened(init: Promise<void>, name: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (error: unknown): void => {
      const [first = ''] = String(error instanceof Error ? error.message : error).split('\n');
      const reason = /corrupted row|JSON/i.test(first)
        ? 'a line in it is damaged or incomplete'
        : first.slice(0, 300);
      reject(new OperatorError(`The database ${name} cannot be opened: ${reason}. See docs/doctor.md.`));
    };
    process.once('uncaughtException', fail);
    init.then(resolve, fail).finally(() => process.off('uncaughtException', fail));
  });
}

/** Etherpad would go on with its default settings, on another database than that of the server. */
function requireReadable(file: string): void {
  if (!existsSync(file))
    throw new OperatorError(`There is no ${file}. Use --settings <path of Etherpad's settings.json>.`);
  try {
    accessSync(file, constants.R_OK);
  } catch {
    throw new OperatorError(`You may not read ${file}. Run this command as the user that runs Etherpad.`);
  }
}

/**
 * Reads the settings as Etherpad does. Changes the command line and the current folder of this process, because
 * Etherpad's modules read them; call it once. Throws an OperatorError if the settings are missing, or the database
 * file, unless it `mayBeNew`.
 */
export function loadHost(folder: string, settingsFile: string | undefined, mayBeNew: boolean): Standalone {
  const { root, version } = findEtherpad(folder);
  const file = path.resolve(settingsFile ?? path.join(root, 'settings.json'));
  requireReadable(file);
  const source = path.join(root, 'src');
  const hostRequire = createRequire(path.join(source, 'package.json'));
  const isTypeScript = !existsSync(path.join(source, 'node', 'db', 'DB.js'));
  // 1.8.14 would write a missing SESSIONKEY.txt, as the user of this command, and with its rights.
  const own = ['--settings', file, '--sessionkey', devNull];
  process.argv = [process.argv[0] ?? 'node', 'ep-mypads', ...own];
  process.env.NODE_ENV ??= 'production';
  // Relative file names depend on the current folder: 1.8.14 runs in its root, later versions in src.
  process.chdir(isTypeScript ? source : root);
  // Etherpad's settings may name this layout. Without it, Etherpad's modules fail at their first line of the log.
  createRequire(__filename)('../deploy/json-log.cjs');
  if (isTypeScript) hostRequire('tsx/cjs');
  const settings = exportsOf<HostSettings>(hostRequire('./node/utils/Settings'));
  const { dbType: type, dbSettings, ip = '0.0.0.0', port = 9001, ep_mypads: block } = settings;
  const name = fileDatabases.includes(type) ? dbSettings?.filename : undefined;
  const databaseFile = name === undefined ? undefined : path.resolve(name);
  if (databaseFile !== undefined && !mayBeNew && !existsSync(databaseFile)) {
    throw new OperatorError(`There is no database ${databaseFile}, although ${file} names it.`);
  }
  return {
    version,
    type,
    ...(databaseFile === undefined ? {} : { file: databaseFile }),
    indexFolder: indexFolderIn(root),
    ip,
    port: Number.isNaN(Number(port)) ? String(port) : Number(port),
    plugin: typeof block === 'object' && block !== null ? (block as Record<string, unknown>) : {},
    async open(otherFile) {
      // Etherpad reads the name when it opens the database.
      if (otherFile !== undefined && dbSettings) dbSettings.filename = otherFile;
      const host = exportsOf<StandaloneDatabase>(hostRequire('./node/db/DB'));
      await opened(host.init(), databaseFile ?? type);
      return { database: databasePort(host, type), close: () => host.shutdown('shutdown', {}) };
    },
  };
}

/** Does anything listen at this address? */
function isListening(ip: string, port: number | string): Promise<boolean> {
  const host = ['', '0.0.0.0', '::'].includes(ip) ? '127.0.0.1' : ip;
  const address = typeof port === 'string' ? { path: port } : { host, port };
  return new Promise((resolve) => {
    const socket = connect({ ...address, timeout: 2000 });
    const end = (result: boolean) => () => {
      socket.destroy();
      resolve(result);
    };
    socket.once('connect', end(true)).once('error', end(false)).once('timeout', end(false));
  });
}

/** Has the process with this id the file open? False for processes of other users, which cannot be inspected. */
function hasOpen(process: string, file: string): boolean {
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

/** The other local processes that have the file open; `undefined` if this system cannot tell. */
export function processesWithOpen(file: string): number[] | undefined {
  if (!existsSync('/proc/self/fd')) return undefined;
  const real = realpathSync(file);
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid && hasOpen(name, real))
    .map(Number);
}

/**
 * Finds out whether another process on this machine seems to use this database. `evidence`: a sentence for the
 * operator, if one does. `sure`: all processes could be inspected.
 */
export async function detectUse({
  file,
  ip,
  port,
}: Standalone): Promise<{ evidence?: string; sure: boolean }> {
  const processes = file === undefined || !existsSync(file) ? undefined : processesWithOpen(file);
  const sure = processes !== undefined;
  if (processes && processes.length > 0) {
    return { evidence: `Process ${processes.join(', ')} has ${file} open.`, sure };
  }
  if (!(await isListening(ip, port))) return { sure };
  return { evidence: `Something answers on port ${port}, the port of this Etherpad.`, sure };
}
