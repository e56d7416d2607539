/** Cookies for the page itself. The server ignores them. */
import { base } from '../navigation/location';

export function readCookie(name: string): string | undefined {
  const start = `${name}=`;
  const found = document.cookie.split('; ').find((cookie) => cookie.startsWith(start));
  return found && decodeURIComponent(found.slice(start.length));
}

/** `lifetime` in seconds; without one the browser forgets the cookie when it is closed. */
export function writeCookie(name: string, value: string, lifetime?: number): void {
  const age = lifetime === undefined ? '' : `; max-age=${lifetime}`;
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in browsers that we support
  document.cookie = `${name}=${encodeURIComponent(value)}; path=${base}${age}; samesite=lax`;
}

export function removeCookie(name: string): void {
  writeCookie(name, '', 0);
}
