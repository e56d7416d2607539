/** What a page of another site makes a browser load as a part of itself, such as a picture, a script or a frame. */
import type { IncomingMessage } from 'node:http';

/**
 * Such a request is no attempt of a person: any site could use up the attempts of everyone at the visitor's address. In
 * a frame, browsers would not keep the cookie that a right password earns. Programs and old browsers do not send these
 * headers.
 */
export const isPartOfForeignPage = ({ headers }: IncomingMessage): boolean =>
  headers['sec-fetch-site'] === 'cross-site' && headers['sec-fetch-dest'] !== 'document';
