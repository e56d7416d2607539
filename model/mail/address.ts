/**
 * The only place that decides whether a text is one valid e-mail address. Used before an address is stored or mailed
 * to, and by the forms of the page.
 */
import { limits } from '../limits';

/** RFC 5322 dot-atom, with letters beyond ASCII as in RFC 6531. No quotes, comments or lists. */
const localPart = /^[\p{L}\p{N}\p{M}!#$%&'*+/=?^_`{|}~-]+(\.[\p{L}\p{N}\p{M}!#$%&'*+/=?^_`{|}~-]+)*$/u;
const domainPart = /^[\p{L}\p{N}\p{M}.-]+$/u;
const asciiDomain = /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]*[a-z][a-z0-9-]*$/;

/** With an invalid domain the host stays `x`, which is no domain. Browsers have no `domainToASCII`. */
function asciiOf(domain: string): string {
  const url = new URL('ws://x');
  url.hostname = domain;
  return url.hostname;
}

/**
 * The address for envelope and headers, with its domain in ASCII; `undefined` unless the text is exactly one address.
 * Old records may hold anything.
 */
export function mailAddress(text: unknown): string | undefined {
  if (typeof text !== 'string' || text.length > limits.email) return undefined;
  const at = text.lastIndexOf('@');
  const local = text.slice(0, Math.max(at, 0));
  const typedDomain = text.slice(at + 1);
  if (new TextEncoder().encode(local).length > 64 || !localPart.test(local) || !domainPart.test(typedDomain))
    return undefined;
  const domain = asciiOf(typedDomain);
  return domain.length <= 253 && asciiDomain.test(domain) ? `${local}@${domain}` : undefined;
}
