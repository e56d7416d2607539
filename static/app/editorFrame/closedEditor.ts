/**
 * The pad whose editor was closed in this tab because access has changed. The script in the editor writes it, and the
 * app says on its next screen what may have happened.
 */
import { readItem, writeItem } from '../lib/storage';

const item = 'mypads_closed';

/** Called in the editor, whose address ends with the id of the pad. `false`: it is open. */
export function noteClosed(closed: boolean): void {
  writeItem(item, closed ? location.pathname.replace(/^.*\//, '') : null, 'sessionStorage');
}

/** Whether the screen of the app is about the pad that was closed. */
export function isClosed(): boolean {
  const pad = readItem(item, 'sessionStorage');
  return pad !== null && location.search.includes(`/pad/view/${pad}`);
}
