/**
 * The pad whose editor was closed in this tab because access has changed. The script in the editor writes it, and the
 * app says on its next screen what may have happened.
 */
const item = 'mypads_closed';

/** Called in the editor, whose address ends with the id of the pad. `false`: it is open. */
export function noteClosed(closed: boolean): void {
  try {
    if (closed) sessionStorage.setItem(item, location.pathname.replace(/^.*\//, ''));
    else sessionStorage.removeItem(item);
  } catch {
    // The browser stores nothing. People then miss a hint.
  }
}

/** Whether the screen of the app is about the pad that was closed. */
export function isClosed(): boolean {
  try {
    const pad = sessionStorage.getItem(item);
    return pad !== null && location.search.includes(`/pad/view/${pad}`);
  } catch {
    return false;
  }
}
