/** Records of groups and pads without removed accounts and their addresses. */
import { comparableAddress } from '../accounts/accountNames';
import type { InvitationRecord } from '../store/entities';
import type { AboutPads } from '../store/records';

export type Ids = ReadonlySet<string>;

export interface Forgotten {
  people: Ids;
  /** As `comparableAddress` returns them. */
  addresses: Ids;
}

/** The parts of a stored pad that may name people. */
export interface StoredPad {
  users?: unknown;
  lastEditor?: unknown;
  people?: Record<string, unknown>;
}

export const isIn = (ids: Ids, value: unknown): boolean => typeof value === 'string' && ids.has(value);

export function namesAny(stored: unknown, ids: Ids): stored is StoredPad {
  const { users, lastEditor, people } = (stored ?? {}) as StoredPad;
  const isShared = Object.keys(people ?? {}).some((person) => ids.has(person));
  return (
    isShared || isIn(ids, lastEditor) || (Array.isArray(users) && users.some((person) => isIn(ids, person)))
  );
}

export function padWithout<Pad extends object>(pad: Pad & StoredPad, removed: Ids): Pad {
  const { users, lastEditor, people, ...others } = pad;
  const left = Array.isArray(users) ? users.filter((person) => !removed.has(person)) : users;
  const shared = people && Object.entries(people).filter(([person]) => !removed.has(person));
  return {
    ...others,
    users: left,
    ...(shared && { people: Object.fromEntries(shared) }),
    ...(isIn(removed, lastEditor) ? {} : { lastEditor }),
  } as unknown as Pad;
}

export function isAffected(about: AboutPads, { people, addresses }: Forgotten): boolean {
  const isNamed = ({ by, address }: InvitationRecord): boolean =>
    isIn(people, by) || addresses.has(comparableAddress(address));
  return (
    about.links.some(({ by }) => isIn(people, by)) ||
    about.requests.some(({ user }) => isIn(people, user)) ||
    about.invitations.some(isNamed)
  );
}

/**
 * Links and invitations stay, for those who use them, and do not say any more who made them. Requests of removed
 * people and invitations of removed addresses (`ended`: their ids) end.
 */
export function aboutWithout(
  about: AboutPads,
  { people, addresses }: Forgotten,
): { about: AboutPads; ended: string[] } {
  const withoutMaker = <Made extends { by: string | null }>(made: Made): Made =>
    isIn(people, made.by) ? { ...made, by: null } : made;
  const isGone = ({ address }: InvitationRecord): boolean => addresses.has(comparableAddress(address));
  return {
    about: {
      links: about.links.map(withoutMaker),
      invitations: about.invitations.filter((one) => !isGone(one)).map(withoutMaker),
      requests: about.requests.filter(({ user }) => !isIn(people, user)),
    },
    ended: about.invitations.filter(isGone).map(({ _id }) => _id),
  };
}
