import { useSyncExternalStore } from 'react';

/** Those who are told of something. `subscribe` returns a function that ends it. */
export function createListeners() {
  const listeners = new Set<() => void>();
  return {
    notify(): void {
      for (const listener of listeners) listener();
    },
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** A value outside of components. Those that call `use` are rendered again after each `set`. */
export function createStore<Value>(value: Value) {
  const { notify, subscribe } = createListeners();
  const get = (): Value => value;
  const set = (next: Value): void => {
    value = next;
    notify();
  };
  return { get, set, subscribe, use: (): Value => useSyncExternalStore(subscribe, get) };
}
