/** Focuses the heading of the screen in a moment if nothing has the focus then, because its element is gone. */
export function keepFocus(): void {
  setTimeout(() => {
    if (document.activeElement === document.body) document.querySelector<HTMLElement>('main h1')?.focus();
  });
}
