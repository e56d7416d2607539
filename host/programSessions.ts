/**
 * Sessions of group pads. A program with the key of Etherpad's HTTP API creates a group with pads (`g.…$name`), an
 * author and a session. It gives the session's id to a browser in the cookie `sessionID`. Etherpad then uses the author
 * of the session.
 */
import { cookieName } from './authorToken';
import { core } from './core';

interface SessionManager {
  findAuthorID(groupId: string, sessionIds: string): Promise<string | null | undefined>;
}

/** Whether the id is that of a pad in a program's group. */
export const isProgramPad = (padId: string): boolean => padId.includes('$');

/** The cookies in which a browser sends the ids of its sessions. */
export const sessionCookies = (): string[] => [cookieName('sessionID'), 'sessionID'];

/** The author that a program gave to one of these sessions (ids with commas between them), if it is for this pad. */
export async function authorOfSessions(padId: string, sessionIds: string): Promise<string | undefined> {
  const [group = ''] = padId.split('$');
  return (await core<SessionManager>('node/db/SessionManager').findAuthorID(group, sessionIds)) || undefined;
}
