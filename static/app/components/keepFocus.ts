import { lastDialog } from './openDialogs';

/**
 * If nothing has the focus in a moment, because its element is gone, `near` gets it, or else the dialog that was opened
 * last, or the heading of the screen.
 */
export function keepFocus(near?: HTMLElement | null): void {
  setTimeout(() => {
    for (const next of [
      near,
      lastDialog()?.querySelector('button[data-first]'),
      lastDialog()?.querySelector('button'),
      document.querySelector('main h1'),
    ])
      if (document.activeElement === document.body)
        (next as HTMLElement | null | undefined)?.focus({ preventScroll: true });
  });
}

/**
 * The ref of an element that may go while it, or one of its controls, has the focus. What is around it gets the focus
 * then, if a `tabIndex` says that it can have it.
 */
export const keepsFocus = (element: HTMLElement | null) => (): void => {
  if (element?.contains(document.activeElement))
    keepFocus(element.parentElement?.closest<HTMLElement>('[tabindex]:not(main)'));
};
