/** The address under which people reach this server, for links in mails. */
import type { Request } from 'express';
import { mayAdministrate } from '../../model/access/permissions';
import type { MailOrigin } from '../../model/people/accountMail';
import type { Configuration } from '../../model/settings/configuration';

/**
 * `https://host/path` of this call when the setting `trustProxy` is on; otherwise `undefined`, and the setting
 * `rootUrl` counts. The path comes from the proxy's header `X-Forwarded-Prefix`, or else from `rootUrl`.
 */
function rootUrlOf({ connected }: Request, configuration: Configuration): string | undefined {
  if (!configuration.get('trustProxy')) return undefined;
  const { host, secure, folder } = connected;
  if (host === undefined || !/^[\w.:[\]-]+$/.test(host)) return undefined;
  const rootUrl = configuration.get('rootUrl');
  const path = folder ?? (URL.canParse(rootUrl) ? new URL(rootUrl).pathname : '/');
  return `${secure ? 'https' : 'http'}://${host}${path.replace(/\/+$/, '')}`;
}

/** Where a call came from, for the mails that it causes. The IP address of a server administrator is left out. */
export function originOf(request: Request, configuration: Configuration): MailOrigin {
  const { actor } = request.mypads;
  const address = mayAdministrate(actor) ? undefined : request.connected.address;
  return { rootUrl: rootUrlOf(request, configuration), address };
}
