/*
 * How a place of the page is written. In code like any address: `/mypads?q=math`. In the browser as every mail, bookmark and shared link
 * of the earlier generation has it, in the query string: `/mypads/?/mypads&q=math`. Free of the browser, so that it can be tried without.
 */

/** The route in a query string: between `?` and the first `&`. Mail programs may have escaped its slashes. */
export function pathOf(search: string): string {
  const raw = search.replace(/^\?/, '').split('&', 1)[0] ?? '';
  const path = /^%2f/i.test(raw) ? raw.replace(/%2f/gi, '/') : raw;
  return path.startsWith('/') ? path.replace(/=$/, '') : '/';
}

/** The parameters after the route. */
export function parametersOf(search: string): URLSearchParams {
  const start = search.indexOf('&');
  return new URLSearchParams(start < 0 ? '' : search.slice(start + 1));
}

/** A place as it stands in the query string: `/mypads?q=math` becomes `?/mypads&q=math`. */
export function searchOf(place: string): string {
  return `?${place.replace('?', '&')}`;
}

export type Parameters = Readonly<Record<string, string | readonly string[] | null | undefined>>;

/** `path` with these parameters; empty and missing ones are left out, lists repeat their name. */
export function placeWith(path: string, parameters: Parameters): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    const values = typeof value === 'string' ? [value] : (value ?? []);
    for (const one of values) if (one !== '') search.append(name, one);
  }
  const text = search.toString();
  return text === '' ? path : `${path}?${text}`;
}
