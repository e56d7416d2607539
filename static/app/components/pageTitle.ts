/** The title of the browser tab, and the focus on the heading of a new screen. */
import { useEffect, useRef } from 'react';
import { takeHeadingFocus, useLocation } from '../navigation/location';

let instanceTitle = 'MyPads';

/** Sets the name of this instance (the setting `title`), which the title of the browser tab ends with. */
export function setInstanceTitle(title: string): void {
  instanceTitle = title;
}

/**
 * Sets the title of the browser tab: "Minutes – Board | MyPads". For screens without a Page.
 * @param title the name that is shown; `''` while it is not known.
 * @param parent the name of the folder or list that the screen belongs to, if any.
 */
export function usePageTitle(title: string, parent?: string): void {
  useEffect(() => {
    const what = parent === undefined || parent === title ? title : `${title} – ${parent}`;
    document.title = title === '' ? instanceTitle : `${what} | ${instanceTitle}`;
  }, [title, parent]);
}

/** Moves the focus to the h1 of a screen after a change of route, unless a field has the focus already. */
export function useHeadingFocus() {
  const heading = useRef<HTMLHeadingElement>(null);
  const [path] = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of route is what moves the focus
  useEffect(() => {
    const taken = document.activeElement instanceof HTMLInputElement;
    if (heading.current !== null && takeHeadingFocus() && !taken)
      heading.current.focus({ preventScroll: true });
  }, [path]);
  return heading;
}
