/**
 * The kinds of database that Etherpad supports and that run on this machine: files always, servers when one answers on
 * its usual local port (`PGUSER`, `PGPASSWORD`, `MYSQL_USER`, `MYSQL_PASSWORD`). Each test gets a new database, opened
 * by ueberDB with the settings that Etherpad uses.
 */
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, connect as createSocket } from 'node:net';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { createConnection } from 'mysql2/promise';
import { Client } from 'pg';
import { type DatabaseType, Database as Ueberdb } from 'ueberdb2';
import { databasePort, type HostDatabase } from '../../host/database';
import type { Database } from '../../model/ports';
import { temporaryFolder } from './app';

export interface Connection {
  database: Database;
  close(): Promise<void>;
}

export interface FreshDatabase {
  /** Opens it; after `close`, opens it again. `port`: for a server, the port to connect to instead of its own. */
  connect(port?: number): Promise<Connection>;
  /** The `dbType` and `dbSettings` with which Etherpad opens it. */
  hostSettings(port?: number): { dbType: DatabaseType; dbSettings: Record<string, unknown> };
  /** Removes it with everything in it; it must be closed. */
  drop(): Promise<void>;
}

export interface DatabaseKind {
  name: string;
  /** The address of the server. Missing for a file. */
  server?: { host: string; port: number };
  create(): Promise<FreshDatabase>;
}

/** A database server. */
export interface ServerKind extends DatabaseKind {
  server: { host: string; port: number };
  create(): Promise<FreshServerDatabase>;
}

export interface FreshServerDatabase extends FreshDatabase {
  /** Stores a text as it is, past ueberDB. */
  writeRaw(key: string, text: string): Promise<void>;
}

type Settings = ConstructorParameters<typeof Ueberdb>[1];

const host = '127.0.0.1';
const { PGUSER = 'postgres', PGPASSWORD = '', MYSQL_USER = 'root', MYSQL_PASSWORD = '' } = process.env;
const postgres = { host, port: 5432, user: PGUSER, password: PGPASSWORD };
const mysql = { host, port: 3306, user: MYSQL_USER, password: MYSQL_PASSWORD };
const redisPort = 6379;
/** Each Etherpad would open up to 20, and with several processes 40. PostgreSQL accepts 100 in all by default. */
const connections = 8;

interface Emitter {
  on(event: 'error', listener: () => void): void;
}

/**
 * The drivers of PostgreSQL and Redis emit an error when an idle connection breaks. Without a listener it would end the
 * process of the tests.
 */
class Listened extends Ueberdb {
  override initDB(): ReturnType<Ueberdb['initDB']> {
    const driver = super.initDB();
    const listen = (emitter: unknown): void => (emitter as Emitter).on('error', () => undefined);
    if (this.type === 'postgres') listen((driver as unknown as { db: unknown }).db);
    if (this.type === 'redis') {
      // The driver sets `_client` when it begins to connect, so this waits for the assignment.
      Object.defineProperty(driver, '_client', {
        set(client: unknown) {
          listen(client);
          Object.defineProperty(driver, '_client', { value: client, writable: true });
        },
      });
    }
    return driver;
  }
}

/** So that a test fails in which somebody changes it. */
function frozen<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  for (const part of Object.values(value)) frozen(part);
  return Object.freeze(value);
}

async function connect(type: DatabaseType, settings: Settings): Promise<Connection> {
  const ueberdb = new Listened(type, settings);
  await ueberdb.init();
  const host: HostDatabase = {
    // A host may give the same object again.
    get: async (key) => frozen(await ueberdb.get(key)),
    set: (key, value) => ueberdb.set(key, value),
    remove: (key) => ueberdb.remove(key),
    findKeys: (pattern, notPattern) => ueberdb.findKeys(pattern, notPattern ?? undefined),
  };
  return {
    database: databasePort(host, type),
    close: async () => ueberdb.close(),
  };
}

const freshName = (): string => `mypads_test_${randomBytes(6).toString('hex')}`;

function inFile(type: DatabaseType): DatabaseKind {
  return {
    name: type,
    async create() {
      const folder = temporaryFolder();
      const dbSettings = { filename: path.join(folder.path, `${type}.db`) };
      return {
        connect: () => connect(type, dbSettings),
        hostSettings: () => ({ dbType: type, dbSettings }),
        drop: async () => folder.remove(),
      };
    },
  };
}

/** How a server is opened. `settingsAt`: its `dbSettings` for a port. `usual`: its own port; the other is a proxy's. */
function opening(type: DatabaseType, settingsAt: (port: number) => Record<string, unknown>, usual: number) {
  const hostSettings = (port = usual) => ({ dbType: type, dbSettings: settingsAt(port) });
  return { hostSettings, connect: (port = usual) => connect(type, settingsAt(port)) };
}

async function onPostgres(database: string, sql: string, values: string[] = []): Promise<void> {
  const client = new Client({ ...postgres, database });
  await client.connect();
  try {
    await client.query(sql, values);
  } finally {
    await client.end();
  }
}

/** Retries, because ueberDB reports too early that it is closed, and PostgreSQL drops no database that is in use. */
async function dropPostgres(database: string): Promise<void> {
  for (let tries = 0; ; tries++) {
    try {
      await onPostgres('postgres', `DROP DATABASE ${database}`);
      return;
    } catch (error) {
      if ((error as { code?: string }).code !== '55006' || tries === 100) throw error;
      await wait(50);
    }
  }
}

async function onMysql(sql: string, values: string[] = []): Promise<void> {
  const connection = await createConnection(mysql);
  try {
    await connection.query(sql, values);
  } finally {
    await connection.end();
  }
}

const redisUrl = (number: number, port = redisPort): string => `redis://${host}:${port}/${number}`;

/**
 * Reserves a database number of Redis for this process: it listens on a port that stands for the number, which the
 * system frees at the end. Returns a function that releases it; `undefined` when it is taken.
 */
async function reserveRedis(number: number): Promise<(() => void) | undefined> {
  const guard = createServer().listen(19_900 + number, host);
  try {
    await once(guard, 'listening');
  } catch {
    return undefined;
  }
  guard.unref();
  return () => void guard.close();
}

/** The last of the server's numbered databases that is empty and that no other test has. */
async function emptyRedis(): Promise<{ number: number; release(): void }> {
  for (let number = 15; number >= 0; number--) {
    const release = await reserveRedis(number);
    if (release === undefined) continue;
    const { database, close } = await connect('redis', { url: redisUrl(number) });
    const found = await database.findKeys('*', null);
    await close();
    if (found.length === 0) return { number, release };
    release();
  }
  throw new Error('every database of the Redis server holds something or is in use');
}

/** Sends one command to Redis in its own protocol, without a client library. */
async function onRedis(number: number, command: string[]): Promise<void> {
  const socket = createSocket(redisPort, host);
  const written = (words: string[]): string =>
    `*${words.length}\r\n${words.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`).join('')}`;
  socket.write(written(['SELECT', String(number)]) + written(command) + written(['QUIT']));
  socket.resume();
  await once(socket, 'close');
}

/** A Redis that a test has started for itself. Its owner ends it, so nothing is dropped. */
export function redisOf(url: string): FreshDatabase {
  const dbSettings = { url };
  return {
    connect: () => connect('redis', dbSettings),
    hostSettings: () => ({ dbType: 'redis', dbSettings }),
    drop: async () => undefined,
  };
}

const servers: Record<string, { probe: string; kind: ServerKind }> = {
  PostgreSQL: {
    probe: `const { Client } = require('pg'); const c = new Client(${JSON.stringify({ ...postgres, database: 'postgres' })});
      c.connect().then(() => process.exit(0), () => process.exit(1));`,
    kind: {
      name: 'PostgreSQL',
      server: { host, port: postgres.port },
      async create() {
        const database = freshName();
        await onPostgres('postgres', `CREATE DATABASE ${database}`);
        const upsert =
          'INSERT INTO store VALUES ($1, $2) ON CONFLICT (key) DO UPDATE SET value = excluded.value';
        return {
          ...opening(
            'postgres',
            (port) => ({ ...postgres, port, database, max: connections }),
            postgres.port,
          ),
          writeRaw: (key, text) => onPostgres(database, upsert, [key, text]),
          drop: () => dropPostgres(database),
        };
      },
    },
  },
  MariaDB: {
    probe: `require('mysql2/promise').createConnection(${JSON.stringify(mysql)}).then(() => process.exit(0), () => process.exit(1));`,
    kind: {
      name: 'MariaDB',
      server: { host, port: mysql.port },
      async create() {
        const database = freshName();
        await onMysql(`CREATE DATABASE ${database} CHARACTER SET utf8mb4`);
        return {
          ...opening('mysql', (port) => ({ ...mysql, port, database, charset: 'utf8mb4' }), mysql.port),
          writeRaw: (key, text) => onMysql(`REPLACE INTO ${database}.store VALUES (?, ?)`, [key, text]),
          drop: () => onMysql(`DROP DATABASE ${database}`),
        };
      },
    },
  },
  Redis: {
    probe: `const s = require('node:net').connect(${redisPort}, '${host}', () => s.write('PING\\r\\n'));
      s.on('data', (d) => process.exit(String(d).startsWith('+PONG') ? 0 : 1)).on('error', () => process.exit(1));`,
    kind: {
      name: 'Redis',
      server: { host, port: redisPort },
      async create() {
        const { number, release } = await emptyRedis();
        return {
          ...opening('redis', (port) => ({ url: redisUrl(number, port) }), redisPort),
          writeRaw: (key, text) => onRedis(number, ['SET', key, text]),
          drop: () => onRedis(number, ['FLUSHDB']).finally(release),
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

/** The database servers that run here. They are looked for once, when this file is loaded. */
export const databaseServers: readonly ServerKind[] = present.flatMap((name) => servers[name]?.kind ?? []);

/** All kinds of database that can be used here. */
export const databases: readonly DatabaseKind[] = [
  inFile('dirty'),
  inFile('sqlite'),
  inFile('rustydb'),
  ...databaseServers,
];

/** For the end of the run: which databases were used, and which are missing. */
export function describeDatabases(): string {
  const used = databases.map(({ name }) => name).join(', ');
  const missing = absent.map(
    (name) => `${name} (nobody lets us in on ${host}:${servers[name]?.kind.server.port})`,
  );
  return `databases used: ${used}${missing.length > 0 ? `; not there: ${missing.join(', ')}` : ''}`;
}
