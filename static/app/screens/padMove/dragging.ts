/** Pads that are dragged with the mouse. The sidebar then shows the folders that they can be dropped on. */
import type { DragEvent } from 'react';
import { useSyncExternalStore } from 'react';
import styles from './MovePads.module.css';

export interface DraggedPads {
  /** The folder that they are in. */
  from: string;
  ids: readonly string[];
}

let dragged: DraggedPads | null = null;
const listeners = new Set<() => void>();

function change(next: DraggedPads | null): void {
  dragged = next;
  for (const listener of listeners) listener();
}

/** A small label at the pointer. The browser takes a picture of it, and after that it is not needed any more. */
function showLabel({ dataTransfer }: DragEvent, text: string): void {
  const label = document.createElement('div');
  label.className = styles.dragged ?? '';
  label.textContent = text;
  document.body.append(label);
  dataTransfer.setDragImage(label, -12, -8);
  setTimeout(() => label.remove());
}

/** Begins to drag pads by the link of one of them. `text`: what is shown at the pointer. */
export function startDrag(event: DragEvent, pads: DraggedPads, text: string): void {
  showLabel(event, text);
  // Browsers end a drag if the page is laid out anew while it begins.
  setTimeout(() => {
    change(pads);
    // No `dragend` comes if the row has left the list. The pointer is silent while something is dragged.
    addEventListener('mousemove', endDrag, { once: true });
  });
}

/** A drop is handled first, by an element that disappears then. */
export function endDrag(): void {
  setTimeout(() => change(null));
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useDraggedPads(): DraggedPads | null {
  return useSyncExternalStore(subscribe, () => dragged);
}
