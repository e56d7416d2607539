/** Security headers of every answer under /mypads. The page has a policy of its own: see api/page/routes.ts. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import helmet from 'helmet';

const setHeaders = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: { 'default-src': ["'none'"], 'frame-ancestors': ["'self'"] },
  },
  crossOriginEmbedderPolicy: false,
  // These apply to the whole host, which belongs to Etherpad and not to this plugin.
  crossOriginOpenerPolicy: false,
  originAgentCluster: false,
  strictTransportSecurity: false,
  // They only speak to browsers and plugins (Flash) in which the page does not run. On https pages, browsers look up
  // no names of servers before somebody follows a link, also without the first one.
  xDnsPrefetchControl: false,
  xDownloadOptions: false,
  xPermittedCrossDomainPolicies: false,
  xXssProtection: false,
  referrerPolicy: { policy: 'same-origin' },
});

/** Works with Etherpad's version of express too, because it only sets headers. */
export function securityHeaders(
  request: IncomingMessage,
  response: ServerResponse,
  next: (error?: unknown) => void,
): void {
  // Of Etherpad, for Internet Explorer.
  response.removeHeader('X-UA-Compatible');
  setHeaders(request, response, next);
}
