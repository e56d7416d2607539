/** Texts in the browser's storage: for all tabs, or for this tab only. Browsers can be set to store nothing. */
type Where = 'localStorage' | 'sessionStorage';

/** `null`: nothing is stored. */
export function readItem(name: string, where: Where = 'localStorage'): string | null {
  try {
    return window[where].getItem(name);
  } catch {
    return null;
  }
}

/** `null` removes what is stored. Where nothing can be stored, the page works with what it has until it is closed. */
export function writeItem(name: string, text: string | null, where: Where = 'localStorage'): void {
  try {
    if (text === null) window[where].removeItem(name);
    else window[where].setItem(name, text);
  } catch {
    // The browser stores nothing.
  }
}
