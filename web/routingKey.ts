/** The key by which a proxy chooses the process of a pad. deploy/nginx.conf has the same rule. */

/** Of ids without a letter or a digit. */
const otherKey = 'other';

/** The last two ASCII letters or digits that end the id. Proxies see others percent-encoded, or not, at will. */
export function routingKeyOf(padId: string): string {
  return /([0-9a-z]{1,2})[^0-9a-z]*$/i.exec(padId)?.[1] ?? otherKey;
}
