/** What a CAS server sends when it has signed somebody out (single logout). */
import { createHash } from 'node:crypto';
import sax from 'sax';

/** Sessions of CAS have this issuer: there is one server. */
export const casIssuer = '';

/** Stands for a ticket in the record of its session, so that nobody can end the session who has read the database. */
export const sessionOfTicket = (ticket: string): string =>
  createHash('sha256').update(ticket).digest('base64url');

const protocol = 'urn:oasis:names:tc:SAML:2.0:protocol';
/** Elements inside others. Only a signature has more than two. */
const depthLimit = 10;

// The types do not know `strictEntities`.
const options: sax.SAXOptions & { strictEntities: boolean } = { xmlns: true, strictEntities: true };

const nameOf = (tag: sax.Tag | sax.QualifiedTag): string => ('uri' in tag ? `${tag.uri} ${tag.local}` : '');

/**
 * The ticket whose session has ended: the only `SessionIndex` of a `LogoutRequest` (SAML 2.0). `undefined` for anything
 * else. Nothing is loaded or expanded: a document type, or an entity that XML itself does not have, is refused.
 */
export function ticketOfLogout(text: string): string | undefined {
  const parser = sax.parser(true, options);
  const path: string[] = [];
  const tickets: string[] = [];
  const isIndex = (): boolean =>
    path.length === 2 && path[0] === `${protocol} LogoutRequest` && path[1] === `${protocol} SessionIndex`;
  const refuse = (): never => {
    throw new Error('no logout request');
  };
  const add = (part: string): void => {
    if (isIndex()) tickets.push(`${tickets.pop() ?? ''}${part}`);
  };
  parser.onerror = refuse;
  parser.ondoctype = refuse;
  parser.onopentag = (tag) => {
    path.push(nameOf(tag));
    if (path.length > depthLimit) refuse();
    if (isIndex()) tickets.push('');
  };
  parser.onclosetag = () => void path.pop();
  parser.ontext = add;
  parser.oncdata = add;
  try {
    parser.write(text.trim()).close();
  } catch {
    return undefined;
  }
  const [ticket = '', ...others] = tickets.map((one) => one.trim());
  return ticket === '' || others.length > 0 ? undefined : ticket;
}
