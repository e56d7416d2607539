import type { Database } from '../model/ports';
import { core } from './core';

/** Etherpad's database. It is open before Etherpad calls the `loadSettings` hook. */
interface HostDatabase {
  get(key: string): Promise<unknown>;
  set(key: string, value: unknown): Promise<void>;
  remove(key: string): Promise<void>;
  findKeys(pattern: string, notPattern: string | null): Promise<string[] | null | undefined>;
  /** ueberDB: its wrapper, the database inside, and the driver, which ueberDB sets to `null` when it is closed. */
  db?: { db?: { wrappedDB?: unknown } } | null;
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

/**
 * Makes writes fail as soon as Etherpad has closed its database. Etherpad 1.8.14 closes it while other shutdown hooks
 * are still running. Its ueberDB answers a later write with an error that nobody can catch and that ends the process.
 * Call this at a stop; a restart in the same process replaces these functions.
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
