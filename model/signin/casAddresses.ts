/** Addresses for single sign-on. Imports no code of the server, so that the page can use it. */
import { MyPadsError } from '../errors';

/** The fields of `authCasSettings` that the addresses need. */
export interface CasAddressSettings {
  serverUrl?: unknown;
  logoutUrl?: unknown;
}

/** The address without slashes at its end; `undefined` unless it is http or https. */
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
 * The service address: where CAS sends people back, and what tickets are valid for. It uses only the setting `rootUrl`:
 * an address from the request would accept tickets of other sites (CVE-2022-39369). Throws
 * CONFIGURATION.ROOTURL_NOT_CONFIGURED.
 */
export function casServiceUrl(rootUrl: string): string {
  return `${rooted(rootUrl)}/mypads/?/login`;
}

/**
 * Address of the CAS sign-in page. Throws CONFIGURATION.ROOTURL_NOT_CONFIGURED, and
 * AUTHENTICATION.DIRECTORY_UNAVAILABLE without a usable `serverUrl`.
 */
export function casLoginUrl(settings: CasAddressSettings, rootUrl: string): string {
  return `${server(settings)}/login?service=${encodeURIComponent(casServiceUrl(rootUrl))}`;
}

/**
 * Address of the CAS sign-out page: `logoutUrl` if set, else that of the server, with an address to return to if
 * `rootUrl` is set. Throws AUTHENTICATION.DIRECTORY_UNAVAILABLE without a usable address.
 */
export function casLogoutUrl(settings: CasAddressSettings, rootUrl: string): string {
  if (webAddress(settings.logoutUrl) !== undefined) return String(settings.logoutUrl);
  const root = webAddress(rootUrl);
  const back = root === undefined ? '' : `?service=${encodeURIComponent(`${root}/mypads/`)}`;
  return `${server(settings)}/logout${back}`;
}
