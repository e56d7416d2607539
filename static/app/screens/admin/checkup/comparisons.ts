/** Compares what the server has received with the address in the window. */
import { type Check, checked } from '../../../../../model/checkup/findings';

/** Where this page reaches Etherpad, with a slash at the end. `path`: of the page, as `/mypads/`. */
export function etherpadAddress(origin: string, path: string): string {
  return new URL('..', `${origin}${path}`).href;
}

const withoutSlash = (address: string): string => address.replace(/\/+$/, '');

/** Compares the setting `rootUrl` with the address in the window. */
export function completeAddress(check: Check, here: string): Check {
  const page = withoutSlash(here);
  const { rootUrl } = check.facts;
  if (typeof rootUrl !== 'string') return { ...check, facts: { page } };
  const same = URL.canParse(rootUrl) && withoutSlash(new URL(rootUrl).href) === page;
  return same ? check : checked('address', 'elsewhere', { rootUrl, page });
}

/**
 * Compares scheme and host of the server's request with those in the window. If the server has already found a fault,
 * that is also the cause of a wrong host.
 */
export function completeProxy(check: Check, here: string): Check {
  const { protocol, host } = check.facts;
  const { protocol: shownProtocol, host: shown } = new URL(here);
  const own = shownProtocol.replace(':', '');
  if (protocol !== own) return checked('proxy', 'scheme', { seen: String(protocol), page: own });
  if (check.state !== 'ok') return check;
  const address = `${own}://${host}`;
  const seen = URL.canParse(address) ? new URL(address).host : String(host);
  return seen === shown ? check : checked('proxy', 'host', { seen, page: shown });
}
