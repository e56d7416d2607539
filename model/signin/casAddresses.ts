/** The addresses of single sign-on. No part of the server's machinery, so that the page may use it too. */
import { MyPadsError } from '../errors';

/** What of `authCasSettings` the addresses are made of. */
export interface CasAddressSettings {
  serverUrl?: unknown;
  logoutUrl?: unknown;
}

/** The address without slashes at its end; `undefined` when it is none of the web. */
export function webAddress(value: unknown): string | undefined {
  if (typeof value !== 'string' || !/^https?:\/\//i.test(value) || !URL.canParse(value)) return undefined;
  return value.replace(/\/+$/, '');
}

function rooted(rootUrl: string): string {
  const root = webAddress(rootUrl);
  if (root === undefined) throw new MyPadsError('BACKEND.ERROR.CONFIGURATION.ROOTURL_NOT_CONFIGURED');
  return root;
}

function server(settings: CasAddressSettings): string {
  const address = webAddress(settings.serverUrl);
  if (address === undefined) throw new MyPadsError('BACKEND.ERROR.AUTHENTICATION.DIRECTORY_UNAVAILABLE');
  return address;
}

/**
 * Where the sign-on server sends people back, and whom its tickets are for. Made of the configured `rootUrl` alone: an address taken
 * from the request would let tickets of another site sign in here (CVE-2022-39369). Throws CONFIGURATION.ROOTURL_NOT_CONFIGURED.
 */
export function casServiceUrl(rootUrl: string): string {
  return `${rooted(rootUrl)}/mypads/?/login`;
}

/**
 * Where the page sends people to sign in. Throws CONFIGURATION.ROOTURL_NOT_CONFIGURED, and AUTHENTICATION.DIRECTORY_UNAVAILABLE
 * without a usable `serverUrl`.
 */
export function casLoginUrl(settings: CasAddressSettings, rootUrl: string): string {
  return `${server(settings)}/login?service=${encodeURIComponent(casServiceUrl(rootUrl))}`;
}

/**
 * Where the page sends people who sign out: `logoutUrl` as configured, else the server's own page, told the way back when `rootUrl`
 * is set. Throws AUTHENTICATION.DIRECTORY_UNAVAILABLE without a usable address.
 */
export function casLogoutUrl(settings: CasAddressSettings, rootUrl: string): string {
  if (webAddress(settings.logoutUrl) !== undefined) return String(settings.logoutUrl);
  const root = webAddress(rootUrl);
  const back = root === undefined ? '' : `?service=${encodeURIComponent(`${root}/mypads/`)}`;
  return `${server(settings)}/logout${back}`;
}
