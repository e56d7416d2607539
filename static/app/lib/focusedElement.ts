/** The element with the focus, also inside of the editor's frames. */
export function focusedElement(document: Document): HTMLElement | null {
  const active = document.activeElement as HTMLIFrameElement | null;
  return active?.contentDocument ? focusedElement(active.contentDocument) : active;
}

/** Gives it the focus again. In the document of a frame it may have it still, so that `focus` alone would do nothing. */
export function focusAgain(element: HTMLElement | null): void {
  element?.blur();
  element?.focus();
}
