import type { Database } from '../model/ports';
import { core } from './core';

/** Etherpad's database. Open before plugins are asked to load their settings. */
interface HostDatabase {
  get(key: string): Promise<unknown>;
  set(key: string, value: unknown): Promise<void>;
  remove(key: string): Promise<void>;
  findKeys(pattern: string, notPattern: string | null): Promise<string[] | null | undefined>;
}

/**
 * The key-value store of the host. Its functions are looked up at each call, because 1.8.14 puts them on the module only when
 * the database is open.
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
