/** Dragging pads with the mouse. Meanwhile, the sidebar shows the folders on which they can be dropped. */
import type { DragEvent } from 'react';
import { createStore } from '../../lib/store';
import styles from './MovePads.module.css';

export interface DraggedPads {
  /** The current folder of the pads. */
  from: string;
  ids: readonly string[];
}

const dragged = createStore<DraggedPads | null>(null);

/** Shows a small label at the pointer. The browser takes a picture of the element, which can be removed then. */
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
  // Waits, because browsers end a drag if the layout of the page changes while it begins.
  setTimeout(() => {
    dragged.set(pads);
    // There is no `dragend` event if the row has left the list. During a drag there are no mouse events, so the first
    // one means that the drag has ended.
    addEventListener('mousemove', endDrag, { once: true });
  });
}

/** Waits, because the element that handles the drop disappears when the drag ends. */
export function endDrag(): void {
  setTimeout(() => dragged.set(null));
}

export const useDraggedPads = dragged.use;
