/** Gives the text to the field that has the focus, if it is empty. Returns whether a field has the focus. */
function give(text: string): boolean {
  const field = document.activeElement;
  if (!(field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement)) return false;
  if (field.value === '') document.execCommand('insertText', false, text);
  return true;
}

/**
 * Gives what was typed elsewhere to the field that gets the focus now: before the next key, which would otherwise stand
 * before it. `lost`: called if no field gets it.
 */
export function handOver(text: string, lost?: () => void): void {
  const last = (): void => {
    if (!give(text)) lost?.();
  };
  // A field may get the focus in the same change of the page, in a microtask after it, or in a dialog a moment later.
  queueMicrotask(() => give(text) || queueMicrotask(() => give(text) || setTimeout(last)));
}
