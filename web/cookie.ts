/** The values of all cookies whose names begin like this, in the order of the `Cookie` header. */
export function readCookiesOf(header: string | undefined, start: string): string[] {
  const pairs = (header ?? '').split(';').map((pair) => pair.trim());
  return pairs.filter((pair) => pair.startsWith(start)).map((pair) => pair.slice(pair.indexOf('=') + 1));
}

/** Reads a cookie from a `Cookie` header. `undefined` if it is missing; the first one if there are several. */
export function readCookie(header: string | undefined, name: string): string | undefined {
  for (const pair of (header ?? '').split(';')) {
    const [key, ...value] = pair.split('=');
    if (key?.trim() === name) return value.join('=').trim();
  }
  return undefined;
}
