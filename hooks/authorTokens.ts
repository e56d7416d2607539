/**
 * Makes a person the same author of Etherpad on every device. Etherpad recognises an author by a token of the browser:
 * two people who share a browser would be one author, a person with two browsers would be two. So for signed-in people,
 * Etherpad gets a token of their account. Guests keep the token of their browser.
 */
import { LRUCache } from 'lru-cache';
import { setAuthorToken } from '../host/authorToken';
import { type Connection, dependentsOf } from './openEditors';
import type { Opening } from './packets';

/**
 * The number of the author that a session had in a pad, for editors that lost their connection: Etherpad refuses
 * changes of an editor that comes back as another author.
 */
const earlierNumbers = new LRUCache<string, number>({ max: 20_000 });

/**
 * 1, or a higher number while another session of the same person has this pad open: Etherpad disconnects the first of
 * two editors of one author. All authors of an account have the same name and colour.
 */
function chooseNumber(connection: Connection, user: string, session: string): number {
  const padId = connection.lastDecision?.padId ?? '';
  const taken = new Set<number>();
  for (const other of dependentsOf([`account:${user}`])) {
    const elsewhere = other !== connection && other.lastDecision?.padId === padId;
    if (!elsewhere || other.author === undefined) continue;
    if (other.visitor?.session?._id === session) return other.author;
    taken.add(other.author);
  }
  const earlier = earlierNumbers.get(`${padId} ${session}`);
  if (earlier !== undefined && !taken.has(earlier)) return earlier;
  let number = 1;
  while (taken.has(number)) number += 1;
  return number;
}

/**
 * The token of an author is made with this number. Without a name in pads, the person is another author, with a
 * negative number: Etherpad would show the name of the earlier one.
 */
export const tokenNumber = (author: number, name: string): number => (name === '' ? -author : author);

/**
 * Changes a message that opens a pad, so that Etherpad takes the author of the account. `tokenOf` gives the token of
 * the account's authors by number; `name`: that of the person in pads. Must be synchronous: two editors that open at
 * once get different numbers.
 */
export function openAsAccount(
  connection: Connection,
  opening: Opening,
  { name, tokenOf }: { name: string; tokenOf: (user: string, number: number) => string },
): void {
  const { visitor, lastDecision, socket } = connection;
  if (visitor?.actor.kind !== 'user' || visitor.session === undefined || !lastDecision) return;
  const { actor, session } = visitor;
  connection.author = chooseNumber(connection, actor.id, session._id);
  earlierNumbers.set(`${lastDecision.padId} ${session._id}`, connection.author);
  setAuthorToken(socket, opening, tokenOf(actor.id, tokenNumber(connection.author, name)));
}
