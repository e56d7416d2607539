/** The key by which a proxy chooses the process of a pad. deploy/nginx.conf has the same rule. */

/** The key of ids that have no ASCII letter or digit. */
const otherKey = 'other';

/** The last one or two ASCII letters or digits of the id. Other characters may be percent-encoded in some requests. */
export function routingKeyOf(padId: string): string {
  return /([0-9a-z]{1,2})[^0-9a-z]*$/i.exec(padId)?.[1] ?? otherKey;
}

/**
 * True if the query of a websocket's address names this pad, by which a proxy chooses the process. As in the proxy, the
 * name of the parameter may have capitals. An address with two such parameters is refused: the proxy may read
 * the other one.
 */
export function isRoutedFor(padId: string, address: string | undefined): boolean {
  const query = new URLSearchParams(address?.split('?').slice(1).join('?'));
  const named = [...query].filter(([name]) => name.toLowerCase() === 'padid');
  return named.length === 1 && named[0]?.[1] === padId;
}
