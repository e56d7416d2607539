/**
 * The page inside a frame of itself. The pad server sends whoever it refuses back to this page, and that may happen inside of the frame
 * that shows a pad: then the page does not start a second time in there, but tells the one around it.
 */
import { useEffect, useRef } from 'react';
import { currentPlace } from './data/session';
import { base } from './location';

interface Report {
  type: 'mypads:refused';
  /** The place that the refused visit was sent to. */
  place: string;
}

function isReport(data: unknown): data is Report {
  return typeof data === 'object' && data !== null && 'type' in data && data.type === 'mypads:refused';
}

/** Is the window around this one a page of ours? One of another origin does not let us look, and is none. */
function insideOurselves(): boolean {
  if (window.parent === window) return false;
  try {
    return window.parent.location.pathname.replace(/index\.html$/, '') === base;
  } catch {
    return false;
  }
}

/** Inside a frame of this page: tells the page around it where the visit ended. True when there is nothing to start here. */
export function reportToParent(): boolean {
  if (!insideOurselves()) return false;
  const report: Report = { type: 'mypads:refused', place: currentPlace() };
  window.parent.postMessage(report, location.origin);
  return true;
}

/** The editor's own hook (static/pad/hooks.ts) says that somebody's rights in it have changed; it loads itself anew. */
function isDoor(data: unknown): boolean {
  return typeof data === 'object' && data !== null && 'ep_mypads' in data && data.ep_mypads === 'door';
}

export interface FrameNews {
  /** A frame of this page was sent to a place of ours instead of the editor. */
  onRefusal: () => void;
  /** The rights in the pad that a frame shows have changed. */
  onChange: () => void;
}

/** Listens to what frames of this page say. */
export function useFrameNews(news: FrameNews): void {
  const latest = useRef(news);
  useEffect(() => {
    latest.current = news;
  });
  useEffect(() => {
    const listen = (event: MessageEvent): void => {
      if (event.origin !== location.origin) return;
      if (isReport(event.data)) latest.current.onRefusal();
      if (isDoor(event.data)) latest.current.onChange();
    };
    addEventListener('message', listen);
    return () => removeEventListener('message', listen);
  }, []);
}
