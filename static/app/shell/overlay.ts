/** What is open over the page, one at a time: the palette, or the list of keyboard shortcuts. */
import { createStore } from '../lib/store';

export type Overlay = 'palette' | 'shortcuts' | null;

const open = createStore<Overlay>(null);
const nothing = { text: '', entered: false };
let typed = nothing;

/** Can be called from anywhere; `null` closes. `ahead`: what was typed before the palette was there. */
export function showOverlay(next: Overlay, ahead = nothing): void {
  typed = ahead;
  open.set(next);
}

/** What is open, also while it is loading. */
export const openOverlay = open.get;
export const useOverlay = open.use;

/** The first text of the palette, and whether Enter was pressed after it. */
export const typedAhead = (): { text: string; entered: boolean } => typed;
