/** The way in which somebody has last signed in with this browser: the name of a service, or `password`. */
const item = 'mypads_method';

export function lastMethod(): string | undefined {
  try {
    return localStorage.getItem(item) ?? undefined;
  } catch {
    return undefined;
  }
}

export function rememberMethod(name: string): void {
  try {
    localStorage.setItem(item, name);
  } catch {
    // Without storage, the server's order counts.
  }
}
