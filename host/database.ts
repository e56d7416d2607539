import type { Database } from '../model/ports';
import { core } from './core';

/** Etherpad's database. It is open before Etherpad calls the `loadSettings` hook. */
interface HostDatabase {
  get(key: string): Promise<unknown>;
  set(key: string, value: unknown): Promise<void>;
  remove(key: string): Promise<void>;
  findKeys(pattern: string, notPattern: string | null): Promise<string[] | null | undefined>;
  /** ueberDB: its wrapper, the database inside, and the driver, which ueberDB sets to `null` when it is closed. */
  db?: { db?: { wrappedDB?: unknown }; close(...input: unknown[]): unknown } | null;
}

/**
 * Etherpad's key-value store. Its functions are looked up at each call, because 1.8.14 adds them to the module only
 * when the database is open.
 */
export function createDatabase(): Database {
  const database = core<HostDatabase>('node/db/DB');
  return {
    get: (key) => database.get(key),
    set: async (key, value) => {
      await database.set(key, value);
    },
    remove: async (key) => {
      await database.remove(key);
    },
    findKeys: async (pattern, notPattern) => (await database.findKeys(pattern, notPattern)) ?? [],
  };
}

/** Databases whose `close` already waits. Etherpad 1.8.14 opens the same one again at a restart in its process. */
const waiting = new WeakSet<object>();

/**
 * Etherpad closes its database while the shutdown hooks of plugins are still running. Makes it wait for `work`, so that
 * what is being written can end. `work` must not throw. Call this at each start, when the database is open.
 */
export function beforeDatabaseCloses(work: () => Promise<void>): void {
  const { db } = core<HostDatabase>('node/db/DB');
  if (!db || waiting.has(db)) return;
  waiting.add(db);
  const close = db.close.bind(db);
  // 1.8.14 passes a callback, and newer versions use the promise.
  db.close = (...input) => work().then(() => close(...input));
}

/**
 * Makes writes fail as soon as Etherpad has closed its database. In 1.8.14 a later write ends with an error that nobody
 * can catch and that ends the process. Call this at a stop; a restart in the same process replaces these functions.
 */
export function failWritesAfterClose(): void {
  const database = core<HostDatabase>('node/db/DB');
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
