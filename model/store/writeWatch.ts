/** Reports every write to the database before the caller learns of it, so that copies in memory are current by then. */
import type { BatchDatabase } from '../ports';

/**
 * Called after each write. `value` is `undefined` after a removal, and after a failed write, when the stored value is
 * not known.
 */
type WriteListener = (key: string, value: unknown, failed: boolean) => void;

/** Wraps a database and reports its writes. `ownWritten`: called after each write of this process that succeeds. */
export function watchWrites(database: BatchDatabase, ownWritten: (key: string) => void) {
  const listeners: WriteListener[] = [];
  const notify: WriteListener = (...written) => {
    for (const listener of listeners) listener(...written);
  };
  async function write(key: string, value: unknown, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      notify(key, undefined, true);
      throw error;
    }
    notify(key, value, false);
    ownWritten(key);
  }
  return {
    database: {
      get: (key) => database.get(key),
      getMany: (keys) => database.getMany(keys),
      set: (key, value) => write(key, value, () => database.set(key, value)),
      remove: (key) => write(key, undefined, () => database.remove(key)),
      findKeys: (pattern, notPattern) => database.findKeys(pattern, notPattern),
    } satisfies BatchDatabase,
    onWritten: (listener: WriteListener): void => void listeners.push(listener),
    /** Reports a write of another process. */
    report: (key: string, value: unknown): void => notify(key, value, false),
  };
}

export type WriteWatch = ReturnType<typeof watchWrites>;
