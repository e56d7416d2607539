/** What a page of another site makes a browser load as a part of itself, such as a picture, a script or a frame. */
import type { IncomingMessage } from 'node:http';

/**
 * Such a request is no attempt of a person: any site could use up the attempts of everyone at the visitor's address.
 * `shown`: other sites may also show the answer in a frame. Programs and old browsers do not send these headers.
 */
export function isPartOfForeignPage({ headers }: IncomingMessage, shown: 'framed' | 'unframed'): boolean {
  if (headers['sec-fetch-site'] !== 'cross-site') return false;
  const destination = headers['sec-fetch-dest'];
  return destination !== 'document' && !(shown === 'framed' && destination === 'iframe');
}
