/**
 * `GET /mypads/routing-key?id=…` for a proxy in front of several processes. All requests for one pad must reach one
 * process, but a read-only id does not contain the id of its pad. Public: the key is two characters of the pad's id,
 * which do not help to guess it.
 */
import type { RequestHandler } from 'express';

/** Finds the pad of a read-only id; `undefined` if there is none. */
export type PadOfReadOnlyId = (id: string) => Promise<string | undefined>;

/** Answers 204 with the key in a header. The key of an unknown id is that of the id itself. `keyOf`: of a pad. */
export function routingKeyRoute(keyOf: (padId: string) => string, padOf: PadOfReadOnlyId): RequestHandler {
  return async ({ query: { id } }, response) => {
    const named = typeof id === 'string' ? id : '';
    const pad = await padOf(named);
    response.set('Cache-Control', 'no-store').set('X-MyPads-Routing-Key', keyOf(pad ?? named));
    response.status(204).end();
  };
}
