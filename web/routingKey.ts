/** The key by which a proxy chooses the process of a pad. deploy/nginx.conf has the same rule. */

/** Of ids without a letter or a digit. */
const otherKey = 'other';

/** The last two ASCII letters or digits that end the id. Proxies see others percent-encoded, or not, at will. */
export function routingKeyOf(padId: string): string {
  return /([0-9a-z]{1,2})[^0-9a-z]*$/i.exec(padId)?.[1] ?? otherKey;
}

/**
 * True if the query of a websocket's address names this pad, by which a proxy chooses the process. The name of the
 * parameter is compared as the proxy does it, so that no second one can tell it something else.
 */
export function isRoutedFor(padId: string, address: string | undefined): boolean {
  const query = new URLSearchParams(address?.split('?').slice(1).join('?'));
  const named = [...query].filter(([name]) => name.toLowerCase() === 'padid');
  return named.length === 1 && named[0]?.[1] === padId;
}
