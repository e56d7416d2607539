/*
 * Converts paths of screens. In code a path can have parameters: `/mypads?q=math`. In the browser it is in the query
 * string, as in all links of ep_mypads 1.x: `/mypads/?/mypads&q=math`. Uses no browser API, so that it can be tested
 * without one.
 */

/** The path without its parameters: the query string up to the first `&`. Some mail programs escape its slashes. */
export function pathOf(search: string): string {
  const raw = search.replace(/^\?/, '').split('&', 1)[0] ?? '';
  const path = /^%2f/i.test(raw) ? raw.replace(/%2f/gi, '/') : raw;
  return path.startsWith('/') ? path.replace(/=$/, '') : '/';
}

/** The parameters of the path. */
export function parametersOf(search: string): URLSearchParams {
  const start = search.indexOf('&');
  return new URLSearchParams(start < 0 ? '' : search.slice(start + 1));
}

/** All values of each parameter, for `withParameters`. */
export function parameterValues(parameters: URLSearchParams): Record<string, string[]> {
  return Object.fromEntries([...new Set(parameters.keys())].map((name) => [name, parameters.getAll(name)]));
}

/** A path as a query string: `/mypads?q=math` becomes `?/mypads&q=math`. */
export function searchOf(path: string): string {
  return `?${path.replace('?', '&')}`;
}

export type Parameters = Readonly<Record<string, string | readonly string[] | null | undefined>>;

/** `path` with these parameters. Empty and missing ones are left out; a list repeats its name. */
export function withParameters(path: string, parameters: Parameters): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    const values = typeof value === 'string' ? [value] : (value ?? []);
    for (const one of values) if (one !== '') search.append(name, one);
  }
  const text = search.toString();
  return text === '' ? path : `${path}?${text}`;
}
