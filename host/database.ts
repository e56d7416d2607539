/** Etherpad's key-value store. It is open before Etherpad calls the `loadSettings` hook. */
import { isObject } from '../model/fields';
import type { Database } from '../model/ports';
import { ownPrefix } from '../model/store/store';
import { core, hostMajor } from './core';

/** What Etherpad's module `node/db/DB` exports. */
export interface HostDatabase {
  get(key: string): Promise<unknown>;
  set(key: string, value: unknown): Promise<unknown>;
  remove(key: string): Promise<unknown>;
  findKeys(pattern: string, notPattern: string | null): Promise<string[] | null | undefined>;
}

/** The cache of ueberDB and, behind it, the driver. ueberDB sets `wrappedDB` to `null` when it is closed. */
interface DatabaseCache {
  get(key: string): Promise<unknown>;
  buffer?: { get?(key: string, isUse: boolean): { value: unknown } | undefined };
  wrappedDB?: { get?(key: string): Promise<unknown> } | null;
}

/** With the objects of ueberDB inside. */
interface OpenDatabase extends HostDatabase {
  db?: {
    db?: DatabaseCache;
    close(...input: unknown[]): unknown;
  } | null;
}

const meansSomethingElse = (value: unknown): boolean => {
  try {
    return typeof value === 'string' && JSON.parse(value) !== undefined;
  } catch {
    return false;
  }
};

/**
 * For `rustydb`, whose driver takes each text for JSON when it reads it again: it would return the password `1e3` as
 * the number 1000. Such texts are stored in an object. Only values of ours, because others would not know it.
 */
function keepingTexts(database: Database): Database {
  return {
    ...database,
    async get(key) {
      const value = await database.get(key);
      return isObject(value) && typeof value.asText === 'string' ? value.asText : value;
    },
    set: (key, value, ...others) =>
      database.set(
        key,
        key.startsWith(ownPrefix) && meansSomethingElse(value) ? { asText: value } : value,
        ...others,
      ),
  };
}

/**
 * Implements the port. `type`: the kind of database, as `postgres`. The functions are looked up at each call, because
 * 1.8.14 adds them to its module only when the database is open.
 */
export function databasePort(host: HostDatabase, type: string): Database {
  const port: Database = {
    get: (key) => host.get(key),
    set: async (key, value) => {
      await host.set(key, value);
    },
    remove: async (key) => {
      await host.remove(key);
    },
    findKeys: async (pattern, notPattern) => (await host.findKeys(pattern, notPattern)) ?? [],
  };
  return type === 'rustydb' ? keepingTexts(port) : port;
}

/** The database of the running Etherpad. */
export function createDatabase(): Database {
  const host = core<OpenDatabase>('node/db/DB');
  const port = databasePort(host, core<{ dbType: string }>('node/utils/Settings').dbType);
  if (hostMajor() > 1) return port;
  // For each read, 1.8.14 makes several functions and a copy: a third of the time of a list. Its cache needs neither.
  return { ...port, get: (key) => host.db?.db?.get(key) ?? host.get(key) };
}

/**
 * Reads a record and does not keep it in Etherpad's cache. Whoever reads all pads would fill it with them, and others
 * would wait for the garbage collection and for their own records. Nobody may change the value.
 */
export async function getUncached(key: string): Promise<unknown> {
  const host = core<OpenDatabase>('node/db/DB');
  const cache = host.db?.db;
  if (!cache?.buffer?.get || !cache.wrappedDB?.get) return host.get(key);
  // Here it can be newer than in the database.
  const kept = cache.buffer.get(key, false);
  if (kept) return kept.value;
  const stored = await cache.wrappedDB.get(key);
  // Drivers of other databases return JSON. A record is never a string.
  return typeof stored === 'string' ? JSON.parse(stored) : stored;
}

/** Databases whose `close` waits already. Etherpad 1.8.14 opens the same object again at a restart in its process. */
const closeWaits = new WeakSet<object>();

/**
 * Etherpad closes its database while the shutdown hooks of plugins are still running. This makes it wait for `work`, so
 * that running writes can end. `work` must not throw. Call it at each start, when the database is open.
 */
export function beforeDatabaseCloses(work: () => Promise<void>): void {
  const { db } = core<OpenDatabase>('node/db/DB');
  if (!db || closeWaits.has(db)) return;
  closeWaits.add(db);
  const close = db.close.bind(db);
  // 1.8.14 passes a callback, and newer versions use the promise.
  db.close = (...input) => work().then(() => close(...input));
}

/**
 * Makes writes reject as soon as Etherpad has closed its database. Without this, a write after that ends the process of
 * 1.8.14 with an uncaught exception. Call it at a stop; a restart in the same process replaces these functions.
 */
export function failWritesAfterClose(): void {
  const database = core<OpenDatabase>('node/db/DB');
  const failIfClosed = (): void => {
    if (database.db?.db?.wrappedDB === null) throw new Error('Etherpad has closed its database');
  };
  const { set, remove } = database;
  database.set = async (...input) => {
    failIfClosed();
    return set(...input);
  };
  database.remove = async (...input) => {
    failIfClosed();
    return remove(...input);
  };
}

const calls = ['get', 'set', 'remove', 'findKeys'] as const;
/** Functions that count failures already. A restart of 1.8.14 in its process replaces them. */
const counting = new WeakSet<object>();
let failures = 0;

/** Watches all calls of the database, also Etherpad's own. The returned function says whether one has failed since. */
export function watchDatabase(): () => boolean {
  const database = core<HostDatabase>('node/db/DB');
  for (const name of calls) {
    const call = database[name] as (...input: unknown[]) => Promise<unknown>;
    if (counting.has(call)) continue;
    const counted = async (...input: unknown[]): Promise<unknown> => {
      try {
        return await call(...input);
      } catch (error) {
        failures += 1;
        throw error;
      }
    };
    counting.add(counted);
    Object.assign(database, { [name]: counted });
  }
  const before = failures;
  return () => failures > before;
}
