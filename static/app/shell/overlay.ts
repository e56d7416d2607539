/** What is open over the page, one at a time: the palette, or the list of keyboard shortcuts. */
import { useSyncExternalStore } from 'react';
import { createListeners } from '../lib/listeners';

export type Overlay = 'palette' | 'shortcuts' | null;

let open: Overlay = null;
const nothing = { text: '', entered: false };
let typed = nothing;
const { notify, subscribe } = createListeners();

/** Can be called from anywhere; `null` closes. `ahead`: what was typed before the palette was there. */
export function showOverlay(next: Overlay, ahead = nothing): void {
  open = next;
  typed = ahead;
  notify();
}

/** What is open, also while it is loading. */
export const openOverlay = (): Overlay => open;

/** The first text of the palette, and whether Enter was pressed after it. */
export const typedAhead = (): { text: string; entered: boolean } => typed;

export function useOverlay(): Overlay {
  return useSyncExternalStore(subscribe, openOverlay);
}
