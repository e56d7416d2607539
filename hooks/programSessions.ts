/**
 * Group pads of programs such as Moodle. Etherpad knows a person there by the author that the program has created, so
 * name and colour of their account do not count, even if they are signed in here too.
 */
import type { IncomingMessage } from 'node:http';
import { authorOfSessions, isProgramPad, sessionCookies } from '../host/programSessions';
import { readCookie } from '../web/cookie';

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

/** `claimed`: the session ids that an editor has sent in its message, which versions before 3.0 use. */
export async function hasProgramAuthor(
  padId: string,
  { headers }: IncomingMessage,
  claimed?: unknown,
): Promise<boolean> {
  if (!isProgramPad(padId)) return false;
  const sent = [claimed, ...sessionCookies().map((name) => readCookie(headers.cookie, name))];
  for (const value of sent) {
    if (typeof value === 'string' && (await authorOfSessions(padId, decoded(value)))) return true;
  }
  return false;
}
