/** Where people reach us, as a trusted proxy tells it with each call. */
import type { Request } from 'express';
import type { Configuration } from '../../model/configuration';

/**
 * `https://host/path` of this call where the setting `trustProxy` says that a proxy stands before us and vouches for it; `undefined`
 * otherwise, and the configured `rootUrl` counts. A proxy that serves us below a path of its own either says so
 * (`X-Forwarded-Prefix`), or `rootUrl` has that path.
 */
export function rootUrlOf({ connected }: Request, configuration: Configuration): string | undefined {
  if (!configuration.get('trustProxy')) return undefined;
  const { host, secure, folder } = connected;
  if (host === undefined || !/^[\w.:[\]-]+$/.test(host)) return undefined;
  const rootUrl = configuration.get('rootUrl');
  const path = folder ?? (URL.canParse(rootUrl) ? new URL(rootUrl).pathname : '/');
  return `${secure ? 'https' : 'http'}://${host}${path.replace(/\/+$/, '')}`;
}
