/** Security headers of every answer under /mypads. The page sets its own policy with a nonce: see page/routes.ts. */
import helmet from 'helmet';

/** It only sets headers, so it works with every version of express. */
export const securityHeaders = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: { 'default-src': ["'none'"], 'frame-ancestors': ["'self'"] },
  },
  crossOriginEmbedderPolicy: false,
  // These apply to the whole host, which belongs to Etherpad and not to this plugin.
  crossOriginOpenerPolicy: false,
  originAgentCluster: false,
  strictTransportSecurity: false,
  referrerPolicy: { policy: 'same-origin' },
});
