/** Saves and restores a database with the commands that docs/backup.md tells operators to use. */
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import type { FreshDatabase } from './databases';

const run = promisify(execFile);
const page = readFileSync(path.resolve(__dirname, '../../docs/backup.md'), 'utf8');

/** The command in the row of this `dbType`, in a table of docs/backup.md. `undefined`: the row only says "copy". */
function documented(heading: string, dbType: string): string | undefined {
  const [, section = ''] = page.split(`\n## ${heading}\n`);
  const row = section.split('\n').find((line) => new RegExp(`^ *\\|[^|]*\`${dbType}\``).test(line));
  if (row === undefined) throw new Error(`docs/backup.md has no row for ${dbType} in "${heading}"`);
  const [last = ''] = row.split('|').slice(-2);
  return /^ *copy /.test(last) ? undefined : /`([^`]+)`/.exec(last)?.[1];
}

interface ServerSettings {
  host: string;
  port: number;
  user: string;
  password: string;
  database: string;
}

export interface Backup {
  /** Saves the database. With database servers, also while Etherpad runs. */
  save(): Promise<void>;
  /** Replaces what is in the database. Etherpad must be stopped. */
  restore(): Promise<void>;
}

/** Runs commands in `folder`, with the name of the database instead of "etherpad". */
function onServer(folder: string, dbType: string, database: string, env: NodeJS.ProcessEnv): Backup {
  const runDocumented = async (heading: string): Promise<void> => {
    const words = documented(heading, dbType)?.split(' ') ?? [];
    const command = words.map((word) => (word === 'etherpad' ? database : word)).join(' ');
    await run('sh', ['-c', command], { cwd: folder, env: { ...process.env, ...env } });
  };
  return { save: () => runDocumented('Make a backup'), restore: () => runDocumented('Restore') };
}

function onPostgres(folder: string, { host, port, user, password, database }: ServerSettings): Backup {
  const env = { PGHOST: host, PGPORT: String(port), PGUSER: user, PGPASSWORD: password };
  return onServer(folder, 'postgres', database, env);
}

function onMysql(folder: string, { host, port, user, password, database }: ServerSettings): Backup {
  // Where these programs look for the address of the server.
  const client = `[client]\nhost=${host}\nport=${port}\nuser=${user}\npassword=${password}\n`;
  writeFileSync(path.join(folder, '.my.cnf'), client, { mode: 0o600 });
  return onServer(folder, 'mysql', database, { HOME: folder });
}

function onFile(folder: string, dbType: string, file: string): Backup {
  mkdirSync(path.join(folder, 'backup'));
  const command = documented('Make a backup', dbType) ?? `cp -p ${file} backup/`;
  const save = command.replace(`var/${dbType}.db`, file);
  if (!save.includes(file)) throw new Error(`docs/backup.md does not name var/${dbType}.db in ${command}`);
  const restore = documented('Restore', dbType) ?? `cp -p backup/${path.basename(file)} ${file}`;
  const execute = async (line: string): Promise<void> =>
    void (await run('sh', ['-c', line], { cwd: folder }));
  return { save: () => execute(save), restore: () => execute(restore) };
}

/** `folder`: an empty one, in which the commands run. Redis must be stopped for a restore: see `backupOfRedis`. */
export function backupOf(fresh: FreshDatabase, folder: string): Backup {
  const { dbType, dbSettings } = fresh.hostSettings();
  if (dbType === 'postgres') return onPostgres(folder, dbSettings as unknown as ServerSettings);
  if (dbType === 'mysql') return onMysql(folder, dbSettings as unknown as ServerSettings);
  if (dbType === 'redis') throw new Error('A shared Redis cannot be stopped for a restore.');
  return onFile(folder, dbType, String(dbSettings.filename));
}

/** For a Redis of the test's own, which `stop` and `start` end and start again: it reads `file` at its start. */
export function backupOfRedis(
  folder: string,
  { port, file, stop, start }: { port: number; file: string; stop(): Promise<void>; start(): Promise<void> },
): Backup {
  const command = documented('Make a backup', 'redis') ?? '';
  return {
    async save() {
      const save = command.replace(/^redis-cli /, `redis-cli -p ${port} `);
      await run('sh', ['-c', save], { cwd: folder });
    },
    async restore() {
      await stop();
      await run('cp', [path.join(folder, command.split(' ').at(-1) ?? ''), file]);
      await start();
    },
  };
}
