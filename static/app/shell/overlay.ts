/** What is open over the page, one at a time: the palette, or the list of keyboard shortcuts. */
import { useSyncExternalStore } from 'react';

export type Overlay = 'palette' | 'shortcuts' | null;

let open: Overlay = null;
const listeners = new Set<() => void>();

/** Can be called from anywhere; `null` closes. */
export function showOverlay(next: Overlay): void {
  open = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useOverlay(): Overlay {
  return useSyncExternalStore(subscribe, () => open);
}
