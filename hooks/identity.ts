/** Name and colour of people in pads: those of their account. */
import { guestIdentity, padIdentity } from '../api/pad/identity';
import type { Visitor } from '../model/access/padDecisions';
import type { UserRecord } from '../model/store/entities';
import { tokenNumber } from './authorTokens';
import type { Message, Opening } from './packets';
import type { Runtime } from './runtime';

interface Identity {
  user: UserRecord;
  /** Empty for people who do not want a name in pads. */
  name: string;
  /** Empty if they have chosen none. */
  color: string;
}

/** Name and colour of a visitor in pads. `undefined` for guests. */
export async function identityOf(
  { model }: Runtime,
  visitor: Visitor | undefined,
): Promise<Identity | undefined> {
  if (visitor?.actor.kind !== 'user') return undefined;
  const useFirstLastNameInPads = model.configuration.get('useFirstLastNameInPads');
  const user = await model.users.get(visitor.actor.id);
  const { userName: name, userColor: color } = padIdentity(user, { useFirstLastNameInPads });
  return user && { user, name, color };
}

/**
 * Gives an author of Etherpad the name and colour of the visitor's account, or the name that a guest gave with a link.
 * `number`: which author of the account it is, see authorTokens.ts. If they have chosen no colour, all get that of the
 * first. Failures are logged, not thrown.
 */
export async function showAccountName(
  runtime: Runtime,
  authorId: string | undefined,
  visitor: Visitor | undefined,
  number = 1,
): Promise<void> {
  const { model, authors, log } = runtime;
  try {
    const guest = visitor?.session?.guest;
    if (authorId && guest) return await authors.setNameAndColor(authorId, guestIdentity(guest).userName, '');
    const identity = await identityOf(runtime, visitor);
    if (!authorId || !identity) return;
    await model.users.noteAuthor(identity.user, authorId);
    const { user, name, color } = identity;
    const first = model.authorToken(user._id, tokenNumber(1, name));
    const shown = color === '' && number > 1 ? await authors.colorOfToken(first) : color;
    await authors.setNameAndColor(authorId, name, shown);
  } catch (error) {
    log.warn('author name and colour not set', { error: String(error) });
  }
}

/** The `userInfo` of a message with which an editor changes the name or colour of its author. */
function userInfoIn({ data }: Message): { name?: unknown } | undefined {
  const { type, userInfo } = (data ?? {}) as { type?: unknown; userInfo?: { name?: unknown } };
  return type === 'USERINFO_UPDATE' ? userInfo : undefined;
}

/** With `useFirstLastNameInPads`, signed-in people cannot change their name in a pad. */
export const hasFixedName = ({ model }: Runtime, visitor: Visitor | undefined): boolean =>
  visitor?.actor.kind === 'user' && model.configuration.get('useFirstLastNameInPads');

/** Removes the name from a message that opens a pad, where that of the account is fixed: 2.x and 3.x would set it. */
export function dropOwnName(runtime: Runtime, { userInfo }: Opening, visitor: Visitor | undefined): void {
  if (userInfo && hasFixedName(runtime, visitor)) delete userInfo.name;
}

/** Replaces a name that differs from that of the account where it is fixed. `undefined`: the message has none. */
export function keepAccountName(
  runtime: Runtime,
  message: Message,
  visitor: Visitor | undefined,
): Promise<void> | undefined {
  const userInfo = userInfoIn(message);
  if (!userInfo || !hasFixedName(runtime, visitor)) return undefined;
  return identityOf(runtime, visitor).then((identity) => {
    if (identity) userInfo.name = identity.name;
  });
}

/**
 * Whether the query of a pad's address gives a signed-in person another name or colour than their account: anybody can
 * send them such a link.
 */
export async function namesSomebodyElse(
  runtime: Runtime,
  visitor: Visitor,
  query: URLSearchParams,
): Promise<boolean> {
  if (!query.has('userName') && !query.has('userColor')) return false;
  const identity = await identityOf(runtime, visitor);
  const differs = (field: string, own: string): boolean => query.has(field) && query.get(field) !== own;
  if (!identity) return false;
  return differs('userName', identity.name) || differs('userColor', identity.color);
}
