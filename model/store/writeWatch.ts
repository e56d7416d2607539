/** Reports every write to the database before the caller learns of it, so that copies in memory are current by then. */
import type { BatchDatabase } from '../ports';

/** Wraps a database and reports its writes. */
export function watchWrites(database: BatchDatabase) {
  let notify: (key: string, value: unknown, failed: boolean) => void = () => {};
  async function write(key: string, value: unknown, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      notify(key, undefined, true);
      throw error;
    }
    notify(key, value, false);
  }
  return {
    database: {
      get: (key) => database.get(key),
      getMany: (keys) => database.getMany(keys),
      set: (key, value) => write(key, value, () => database.set(key, value)),
      remove: (key) => write(key, undefined, () => database.remove(key)),
      findKeys: (pattern, notPattern) => database.findKeys(pattern, notPattern),
    } satisfies BatchDatabase,
    /**
     * Calls this listener after each write, instead of an earlier one. `value` is `undefined` after a removal, and
     * after a failed write, when the stored value is not known.
     */
    listen(listener: (key: string, value: unknown, failed: boolean) => void): void {
      notify = listener;
    },
    /** Reports a write of another process. */
    report: (key: string, value: unknown): void => notify(key, value, false),
  };
}

export type WriteWatch = ReturnType<typeof watchWrites>;
