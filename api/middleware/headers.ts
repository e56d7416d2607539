/** What every answer under /mypads says to browsers. The page has a policy with a nonce of its own; see page/routes.ts. */
import helmet from 'helmet';

/** Middleware for whatever server: it only sets headers. */
export const securityHeaders = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: { 'default-src': ["'none'"], 'frame-ancestors': ["'self'"] },
  },
  crossOriginEmbedderPolicy: false,
  // These speak for the whole host, which is not ours.
  crossOriginOpenerPolicy: false,
  originAgentCluster: false,
  strictTransportSecurity: false,
  referrerPolicy: { policy: 'same-origin' },
});
