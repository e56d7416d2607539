import { type RefObject, useLayoutEffect, useRef } from 'react';

/** Focuses the heading of the screen in a moment if nothing has the focus then, because its element is gone. */
export function keepFocus(): void {
  setTimeout(() => {
    if (document.activeElement === document.body) document.querySelector<HTMLElement>('main h1')?.focus();
  });
}

/** The ref of an element that may go while one of its controls has the focus. The heading then gets the focus. */
export function useKeptFocus<Kind extends HTMLElement>(): RefObject<Kind | null> {
  const element = useRef<Kind>(null);
  useLayoutEffect(() => {
    const shown = element.current;
    return () => {
      if (shown?.contains(document.activeElement)) keepFocus();
    };
  }, []);
  return element;
}
