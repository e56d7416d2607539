/**
 * One record that many calls change at the same time. Changes that arrive during a write are written together, because
 * many databases need 100 ms for each write.
 */
import type { Store } from './store';

export interface SharedRecord<Value> {
  read(): Promise<Value>;
  /** Resolves when the change is in the database. Nothing is written when `decide` returns the same object. */
  change(decide: (now: Value) => Value): Promise<void>;
}

/**
 * `read` converts the stored value, which may be missing. A value for which `isEmpty` is true is deleted instead of
 * stored.
 */
export function createSharedRecord<Value>(
  store: Store,
  key: string,
  { read, isEmpty }: { read: (stored: unknown) => Value; isEmpty: (value: Value) => boolean },
): SharedRecord<Value> {
  let waiting: ((now: Value) => Value)[] = [];
  let next: Promise<void> | undefined;
  let last: Promise<void> = Promise.resolve();

  const readNow = async (): Promise<Value> => read(await store.get<unknown>(key));

  function takeAll(): ((now: Value) => Value)[] {
    const changes = waiting;
    waiting = [];
    next = undefined;
    return changes;
  }

  async function writeAll(): Promise<void> {
    let isLocked = false;
    try {
      await store.locked([key], async () => {
        isLocked = true;
        const changes = takeAll();
        const before: Value = await readNow();
        let after = before;
        for (const change of changes) after = change(after);
        if (after === before) return;
        await (isEmpty(after) ? store.remove(key) : store.set(key, after));
      });
    } catch (error) {
      // Without the lock these changes have failed. Later ones try to get it again.
      if (!isLocked) takeAll();
      throw error;
    }
  }

  return {
    read: readNow,
    change(decide) {
      waiting.push(decide);
      next ??= last.then(writeAll, writeAll);
      last = next;
      return next;
    },
  };
}
