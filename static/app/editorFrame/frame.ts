/**
 * Etherpad redirects people who may not open a pad to this page, also inside the frame that shows the pad. In that
 * frame, the page does not start a second time, but reports the refusal to the page around it.
 */
import { currentPath } from '../data/session';
import { base } from '../navigation/location';

/** What a frame tells the page around it. */
export interface Report {
  type: 'mypads:refused';
  /** The path of the screen that the frame was sent to. */
  path: string;
}

/** Whether the parent window shows this page. Reading a window of another origin throws an error. */
function isInsideThisPage(): boolean {
  if (window.parent === window) return false;
  try {
    return window.parent.location.pathname.replace(/index\.html$/, '') === base;
  } catch {
    return false;
  }
}

/** In a frame of this page: reports the current address to the parent. Returns true if the page must not start here. */
export function reportToParent(): boolean {
  if (!isInsideThisPage()) return false;
  const report: Report = { type: 'mypads:refused', path: currentPath() };
  window.parent.postMessage(report, location.origin);
  return true;
}
