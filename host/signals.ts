/** The signals that end Etherpad. */
import { core, hostMajor } from './core';

const signals = ['SIGINT', 'SIGTERM'] as const;

let watching = false;

/**
 * Leaves only Etherpad's own listener for these signals. One library of 1.8.14 adds a listener that ends the process at
 * once, before Etherpad and the plugin have written everything. 1.8.14 removes only listeners that were added earlier.
 */
export function removeOtherSignalListeners(): void {
  if (watching || hostMajor() !== 1) return;
  watching = true;
  const { exit } = core<{ exit: () => unknown }>('node/server');
  for (const signal of signals) {
    const removeOthers = (): void => {
      const listeners = process.listeners(signal);
      if (!listeners.includes(exit)) return;
      for (const listener of listeners) if (listener !== exit) process.off(signal, listener);
    };
    removeOthers();
    // The event comes before the listener is added.
    process.on('newListener', (event) => {
      if (event === signal) setImmediate(removeOthers);
    });
  }
}
