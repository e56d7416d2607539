/** Focuses the heading of the screen in a moment if nothing has the focus then, because its element is gone. */
export function keepFocus(): void {
  setTimeout(() => {
    if (document.activeElement === document.body) document.querySelector<HTMLElement>('main h1')?.focus();
  });
}

/** The ref of an element that may go while one of its controls has the focus. The heading then gets the focus. */
export const keepsFocus = (element: HTMLElement | null) => (): void => {
  if (element?.contains(document.activeElement)) keepFocus();
};
