/**
 * The databases that Etherpad can keep its data in, as far as there are any here: those in files always, servers where one answers on its
 * usual local port and lets us in (`PGUSER`, `PGPASSWORD`, `MYSQL_USER`, `MYSQL_PASSWORD` where it asks for names). Each test gets a fresh
 * database of its own, opened by ueberDB with the settings that Etherpad gives it.
 */
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { createConnection } from 'mysql2/promise';
import { Client } from 'pg';
import { type DatabaseType, Database as Ueberdb } from 'ueberdb2';
import type { Database } from '../../model/ports';
import { temporaryFolder } from './app';

export interface Connection {
  database: Database;
  close(): Promise<void>;
}

export interface FreshDatabase {
  /** Opens it, again after a `close`. */
  connect(): Promise<Connection>;
  /** Removes it with everything in it; it must be closed. */
  drop(): Promise<void>;
}

export interface DatabaseKind {
  name: string;
  create(): Promise<FreshDatabase>;
}

type Settings = ConstructorParameters<typeof Ueberdb>[1];

const host = '127.0.0.1';
const { PGUSER = 'postgres', PGPASSWORD = '', MYSQL_USER = 'root', MYSQL_PASSWORD = '' } = process.env;
const postgres = { host, port: 5432, user: PGUSER, password: PGPASSWORD };
const mysql = { host, port: 3306, user: MYSQL_USER, password: MYSQL_PASSWORD };
const redisPort = 6379;

async function connect(type: DatabaseType, settings: Settings): Promise<Connection> {
  const ueberdb = new Ueberdb(type, settings);
  await ueberdb.init();
  return {
    database: {
      get: async (key) => ueberdb.get(key),
      set: async (key, value) => ueberdb.set(key, value),
      remove: async (key) => ueberdb.remove(key),
      findKeys: async (pattern, notPattern) =>
        (await ueberdb.findKeys(pattern, notPattern ?? undefined)) ?? [],
    },
    close: async () => ueberdb.close(),
  };
}

const freshName = (): string => `mypads_test_${randomBytes(6).toString('hex')}`;

function inFile(type: DatabaseType): DatabaseKind {
  return {
    name: type,
    async create() {
      const folder = temporaryFolder();
      const filename = path.join(folder.path, `${type}.db`);
      return { connect: () => connect(type, { filename }), drop: async () => folder.remove() };
    },
  };
}

async function onPostgres(sql: string): Promise<void> {
  const client = new Client({ ...postgres, database: 'postgres' });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

/** ueberDB's connections are still on their way out when it says that it is closed; PostgreSQL drops nothing that is in use. */
async function dropPostgres(database: string): Promise<void> {
  for (let tries = 0; ; tries++) {
    try {
      await onPostgres(`DROP DATABASE ${database}`);
      return;
    } catch (error) {
      if ((error as { code?: string }).code !== '55006' || tries === 100) throw error;
      await wait(50);
    }
  }
}

async function onMysql(sql: string): Promise<void> {
  const connection = await createConnection(mysql);
  try {
    await connection.query(sql);
  } finally {
    await connection.end();
  }
}

/** The last of the server's numbered databases that is empty. */
async function emptyRedis(): Promise<string> {
  for (let number = 15; number >= 0; number--) {
    const url = `redis://${host}:${redisPort}/${number}`;
    const { database, close } = await connect('redis', { url });
    const found = await database.findKeys('*', null);
    await close();
    if (found.length === 0) return url;
  }
  throw new Error('every database of the Redis server holds something');
}

const servers: Record<string, { port: number; probe: string; kind: DatabaseKind }> = {
  PostgreSQL: {
    port: postgres.port,
    probe: `const { Client } = require('pg'); const c = new Client(${JSON.stringify({ ...postgres, database: 'postgres' })});
      c.connect().then(() => process.exit(0), () => process.exit(1));`,
    kind: {
      name: 'PostgreSQL',
      async create() {
        const database = freshName();
        await onPostgres(`CREATE DATABASE ${database}`);
        return {
          connect: () => connect('postgres', { ...postgres, database }),
          drop: () => dropPostgres(database),
        };
      },
    },
  },
  MariaDB: {
    port: mysql.port,
    probe: `require('mysql2/promise').createConnection(${JSON.stringify(mysql)}).then(() => process.exit(0), () => process.exit(1));`,
    kind: {
      name: 'MariaDB',
      async create() {
        const database = freshName();
        await onMysql(`CREATE DATABASE ${database} CHARACTER SET utf8mb4`);
        return {
          connect: () => connect('mysql', { ...mysql, database, charset: 'utf8mb4' }),
          drop: () => onMysql(`DROP DATABASE ${database}`),
        };
      },
    },
  },
  Redis: {
    port: redisPort,
    probe: `const s = require('node:net').connect(${redisPort}, '${host}', () => s.write('PING\\r\\n'));
      s.on('data', (d) => process.exit(String(d).startsWith('+PONG') ? 0 : 1)).on('error', () => process.exit(1));`,
    kind: {
      name: 'Redis',
      async create() {
        const url = await emptyRedis();
        return {
          connect: () => connect('redis', { url }),
          async drop() {
            const { database, close } = await connect('redis', { url });
            const found = await database.findKeys('*', null);
            await Promise.all(found.map((key) => database.remove(key)));
            await close();
          },
        };
      },
    },
  },
};

function letsUsIn(probe: string): boolean {
  const cwd = path.join(__dirname, '..', '..');
  return spawnSync(process.execPath, ['-e', probe], { cwd, timeout: 10_000, stdio: 'ignore' }).status === 0;
}

const [present, absent]: [string[], string[]] = [[], []];
for (const [name, { probe }] of Object.entries(servers)) (letsUsIn(probe) ? present : absent).push(name);

/** All that there are here. Which servers there are is found out once, when this file is loaded. */
export const databases: readonly DatabaseKind[] = [
  inFile('dirty'),
  inFile('sqlite'),
  inFile('rustydb'),
  ...present.flatMap((name) => servers[name]?.kind ?? []),
];

/** For the end of the run: what was used, and what there is none of. */
export function describeDatabases(): string {
  const used = databases.map(({ name }) => name).join(', ');
  const missing = absent.map((name) => `${name} (nobody lets us in on ${host}:${servers[name]?.port})`);
  return `databases used: ${used}${missing.length > 0 ? `; not there: ${missing.join(', ')}` : ''}`;
}
