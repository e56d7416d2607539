/** The routes outside of `/api`. They do not answer JSON, so they are not in calls.ts. */
import type { Router } from 'express';

/** Who may call them, by path. */
const whoMayCall: Readonly<Record<string, string>> = {
  '/metrics':
    'API tokens of administrators, and those whom `ep_mypads.metrics` names; api/metrics.ts checks it',
  '/routing-key': 'everyone: the key is two characters of the id of a pad',
  '/': 'everyone: the page has no data of anyone',
  '/index.html': 'everybody',
  '/app.webmanifest': 'everybody',
  '/assets/:file': 'everybody',
  '/l10n/:file': 'everybody',
  '/{*screen}': 'everybody: it leads to a screen of the page',
};

/** Throws an Error for a route that is not listed here, so the server does not start with such a route. */
export function checkOtherRoutes(router: Router): void {
  for (const { route } of router.stack) {
    if (!route) throw new Error('A handler outside of /api has no path, so nothing says who may call it.');
    if (!Object.hasOwn(whoMayCall, route.path))
      throw new Error(`${route.path} is not listed in api/otherRoutes.ts, which says who may call it.`);
  }
}
