/**
 * Bypasses Etherpad's cache of records when several processes share a database. Etherpad does not notice changes by
 * other processes, but a record that one process has written must be visible to all.
 */

import { core, packageOfHost } from '../host/core';
import type { Database, MayWrite } from '../model/ports';

/** The layer of ueberDB with cache and write buffer. Its functions return promises in every version. */
interface Layer extends Database {
  init(): Promise<void>;
  close(): Promise<void>;
  flush(): Promise<void>;
  /** The cache: a map in insertion order. */
  buffer: { _cache: Map<string, Entry>; get(key: string, ...more: unknown[]): Entry | undefined };
  wrappedDB: Driver;
}

/** The driver of one kind of database. */
interface Driver {
  set(key: string, value: unknown): Promise<void>;
  remove(key: string): Promise<void>;
  doBulk?(operations: readonly { key: string }[]): Promise<void>;
}

interface Entry {
  dirty: unknown;
  writingInProgress?: boolean;
}

interface UeberDatabase {
  /** Missing before `init`, except in ueberDB 1.x. */
  db?: Layer;
  /** With a callback in ueberDB 1.x. */
  init(): Promise<void>;
  constructor: new (
    type: string,
    settings: unknown,
    wrapperSettings: { cache: number; writeInterval: number },
    logger: unknown,
  ) => UeberDatabase;
}

interface HostSettings {
  dbType: string;
  dbSettings: unknown;
}

/** Databases that only one process can open. */
const embedded = ['dirty', 'dirty_git', 'dirtygit', 'memory', 'mock', 'rustydb', 'sqlite'];

function hostDatabase(): { db: Layer; constructor: UeberDatabase['constructor'] } {
  const { db: handle } = core<{ db: UeberDatabase | null }>('node/db/DB');
  if (!handle?.db) throw new Error('Etherpad has not opened its database');
  return { db: handle.db, constructor: handle.constructor };
}

async function openLayer(handle: UeberDatabase): Promise<Layer> {
  await (handle.db ?? handle).init();
  if (!handle.db) throw new Error('unknown version of ueberDB');
  return handle.db;
}

const isWritten = ({ dirty, writingInProgress }: Entry): boolean => !dirty && !writingInProgress;

/**
 * Removes what has been written from the cache. Without a cache, ueberDB still keeps it until the next write, and would
 * not see what another process writes meanwhile.
 */
async function withoutCache(
  { buffer: { _cache: cache } }: Layer,
  key: string,
  write: Promise<void>,
): Promise<void> {
  try {
    await write;
  } finally {
    const entry = cache.get(key);
    if (entry && isWritten(entry)) cache.delete(key);
  }
}

/**
 * Opens a second handle of Etherpad's database, without cache and write buffer. Rejects if the database cannot be
 * reached, or is one that several processes cannot share.
 */
export async function openOwnDatabase(): Promise<Database & { close(): Promise<void> }> {
  const { dbType, dbSettings } = core<HostSettings>('node/utils/Settings');
  if (embedded.includes(dbType)) {
    throw new Error(`several processes cannot share a database of type ${dbType}; see docs/scaling.md`);
  }
  const logger = packageOfHost<{ getLogger(name: string): unknown }>('log4js')?.getLogger('ueberDB');
  const { constructor: Ueber } = hostDatabase();
  const handle = new Ueber(dbType, dbSettings, { cache: 0, writeInterval: 0 }, logger ?? null);
  const db = await openLayer(handle);
  /** For the writes that have not ended, by key. Locks let one call at a time write a key. */
  const permits = new Map<string, MayWrite | undefined>();
  checkDriver(db.wrappedDB, async (keys) => {
    if (keys.some((key) => permits.get(key)?.() === false))
      throw new Error('another process may have the lock');
  });
  const write = async (
    key: string,
    mayWrite: MayWrite | undefined,
    begin: () => Promise<void>,
  ): Promise<void> => {
    permits.set(key, mayWrite);
    try {
      await withoutCache(db, key, begin());
    } finally {
      if (permits.get(key) === mayWrite) permits.delete(key);
    }
  };
  return {
    get: (key) => db.get(key),
    set: (key, value, mayWrite) => write(key, mayWrite, () => db.set(key, value)),
    remove: (key, mayWrite) => write(key, mayWrite, () => db.remove(key)),
    findKeys: async (pattern, notPattern) => (await db.findKeys(pattern, notPattern)) ?? [],
    close: () => db.close(),
  };
}

type Check = (keys: readonly string[]) => Promise<void>;

/** Calls `check` before the driver writes. If it rejects, nothing is written. Returns a function that ends it. */
function checkDriver(driver: Driver, check: Check): () => void {
  const { set, remove, doBulk } = driver;
  driver.set = async (key, value) => {
    await check([key]);
    return set.call(driver, key, value);
  };
  driver.remove = async (key) => {
    await check([key]);
    return remove.call(driver, key);
  };
  if (doBulk) {
    // If it fails, ueberDB writes one record after the other.
    driver.doBulk = async (operations) => {
      await check(operations.map(({ key }) => key));
      return doBulk.call(driver, operations);
    };
  }
  return () => Object.assign(driver, doBulk ? { set, remove, doBulk } : { set, remove });
}

/**
 * Calls `check` with the keys of records before Etherpad writes them to the database, up to 100 ms after it has decided
 * to. If `check` rejects, they are not written, and the write fails. Returns a function that ends it.
 */
export const checkHostWrites = (check: Check): (() => void) =>
  checkDriver(hostDatabase().db.wrappedDB, check);

/** Records about authors. Any process changes them: they belong to a person, not to a pad. */
const authorKey = /^(?:globalAuthor|token2author|mapper2author):/;

/**
 * Makes Etherpad read records about authors past its cache. Otherwise a process that has such a record in its cache
 * would restore the name of a person whom another process has removed. Returns a function that ends it.
 */
export function readAuthorsAgain(): () => void {
  const { buffer } = hostDatabase().db;
  const { get } = buffer;
  buffer.get = (key, ...more) => {
    const entry = get.call(buffer, key, ...more);
    return entry && isWritten(entry) && authorKey.test(key) ? undefined : entry;
  };
  return () => {
    buffer.get = get;
  };
}

/** Writes what Etherpad has not written yet. */
export const flushHostDatabase = (): Promise<void> => hostDatabase().db.flush();

/** Removes records from Etherpad's cache, so that it reads them from the database. What is not written yet stays. */
export function evictFromHostCache(matches: (key: string) => boolean): void {
  const { _cache: cache } = hostDatabase().db.buffer;
  for (const [key, entry] of cache) {
    if (isWritten(entry) && matches(key)) cache.delete(key);
  }
}
