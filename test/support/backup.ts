/** Saves and restores the database of an Etherpad with the programs that docs/backup.md names. */
import { execFile } from 'node:child_process';
import { createReadStream, createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import type { FreshDatabase } from './databases';

const run = promisify(execFile);

interface ServerSettings {
  host: string;
  port: number;
  user: string;
  password: string;
  database: string;
}

export interface Backup {
  /** Saves the database, also while Etherpad runs. */
  save(file: string): Promise<void>;
  /** Replaces what is in the database. Etherpad must be stopped. */
  restore(file: string): Promise<void>;
}

function onPostgres({ host, port, user, password, database }: ServerSettings): Backup {
  const env = { ...process.env, PGHOST: host, PGPORT: String(port), PGUSER: user, PGPASSWORD: password };
  return {
    save: async (file) => void (await run('pg_dump', ['-Fc', '-t', 'store', '-f', file, database], { env })),
    restore: async (file) =>
      void (await run('pg_restore', ['--clean', '--if-exists', '-d', database, file], { env })),
  };
}

function onMysql({ host, port, user, password, database }: ServerSettings): Backup {
  const env = { ...process.env, MYSQL_PWD: password };
  const server = ['-h', host, '-P', String(port), '-u', user, '--default-character-set=utf8mb4', database];
  return {
    async save(file) {
      const dump = run('mysqldump', ['--single-transaction', ...server, 'store'], { env });
      await Promise.all([
        pipeline(dump.child.stdout as NodeJS.ReadableStream, createWriteStream(file)),
        dump,
      ]);
    },
    async restore(file) {
      const client = run('mysql', server, { env });
      await Promise.all([
        pipeline(createReadStream(file), client.child.stdin as NodeJS.WritableStream),
        client,
      ]);
    },
  };
}

/** `undefined` for a database that is saved otherwise. */
export function backupOf(fresh: FreshDatabase): Backup | undefined {
  const { dbType, dbSettings } = fresh.hostSettings();
  if (dbType === 'postgres') return onPostgres(dbSettings as unknown as ServerSettings);
  if (dbType === 'mysql') return onMysql(dbSettings as unknown as ServerSettings);
  return undefined;
}
