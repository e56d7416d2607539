import { useSyncExternalStore } from 'react';
import { createListeners } from '../lib/listeners';

let printing = false;
const { notify, subscribe } = createListeners();

function change(next: boolean): void {
  printing = next;
  notify();
}

addEventListener('beforeprint', () => change(true));
addEventListener('afterprint', () => change(false));

/** Whether the page is being printed. Lists are printed as a whole, because paper has no next page of a list. */
export function usePrinting(): boolean {
  return useSyncExternalStore(subscribe, () => printing);
}
