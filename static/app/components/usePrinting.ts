import { useSyncExternalStore } from 'react';

let printing = false;
const listeners = new Set<() => void>();

function change(next: boolean): void {
  printing = next;
  for (const listener of listeners) listener();
}

addEventListener('beforeprint', () => change(true));
addEventListener('afterprint', () => change(false));

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Whether the page is being printed. Lists are printed as a whole, because paper has no next page of a list. */
export function usePrinting(): boolean {
  return useSyncExternalStore(subscribe, () => printing);
}
