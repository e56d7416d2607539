/**
 * One record that many change at the same moment. Changes that come while it is being written wait, and are written together: many databases
 * answer a write only every 100 ms.
 */
import type { Store } from './store';

export interface SharedRecord<Value> {
  read(): Promise<Value>;
  /** Resolves when the database has the change. What `decide` returns as it got it is not written. */
  change(decide: (now: Value) => Value): Promise<void>;
}

/** `read` makes a value of what is stored, which may be nothing; a value that `isEmpty` accepts is not stored at all. */
export function createSharedRecord<Value>(
  store: Store,
  key: string,
  { read, isEmpty }: { read: (stored: unknown) => Value; isEmpty: (value: Value) => boolean },
): SharedRecord<Value> {
  let waiting: ((now: Value) => Value)[] = [];
  let next: Promise<void> | undefined;
  let last: Promise<void> = Promise.resolve();

  const readNow = async (): Promise<Value> => read(await store.get<unknown>(key));

  function writeAll(): Promise<void> {
    return store.locked([key], async () => {
      const changes = waiting;
      waiting = [];
      next = undefined;
      const before: Value = await readNow();
      let after = before;
      for (const change of changes) after = change(after);
      if (after === before) return;
      await (isEmpty(after) ? store.remove(key) : store.set(key, after));
    });
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
