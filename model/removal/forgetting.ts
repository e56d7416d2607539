/** Takes removed accounts and their addresses out of the records of groups and pads, also of those that may return. */
import { comparableAddress } from '../accounts/accountNames';
import { type InvitationRecord, memberLists } from '../store/entities';
import { type AboutPads, peopleOf } from '../store/records';
import { withoutGrants } from '../store/ruleGrants';
import { keys, type Store } from '../store/store';
import {
  readTrashedGroup,
  readTrashedPad,
  readVanishedPad,
  trashedGroupNote,
  trashedPadNote,
  vanishedPadNote,
} from '../store/trashNotes';
import type { Removals } from './removals';

export type Ids = ReadonlySet<string>;

export interface Forgotten {
  people: Ids;
  /** As `comparableAddress` returns them, and when the account was removed. Later invitations are for somebody new. */
  addresses: ReadonlyMap<string, number>;
}

const isFor = (addresses: Forgotten['addresses'], { address, created }: InvitationRecord): boolean =>
  created <= (addresses.get(comparableAddress(address)) ?? Number.NEGATIVE_INFINITY);

/** The parts of a stored pad that may name people. */
export interface StoredPad {
  users?: unknown;
  lastEditor?: unknown;
  people?: Record<string, unknown>;
}

const isIn = (ids: Ids, value: unknown): boolean => typeof value === 'string' && ids.has(value);

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
  return (
    about.links.some(({ by }) => isIn(people, by)) ||
    about.requests.some(({ user }) => isIn(people, user)) ||
    about.invitations.some((one) => isIn(people, one.by) || isFor(addresses, one))
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
  const isGone = (one: InvitationRecord): boolean => isFor(addresses, one);
  return {
    about: {
      links: about.links.map(withoutMaker),
      invitations: about.invitations.filter((one) => !isGone(one)).map(withoutMaker),
      requests: about.requests.filter(({ user }) => !isIn(people, user)),
    },
    ended: about.invitations.filter(isGone).map(({ _id }) => _id),
  };
}

export interface TrashCleanupContext {
  store: Store;
  removals: Pick<Removals, 'removeTrashed'>;
}

const endInvitations = async (store: Store, ended: readonly string[]): Promise<void> => {
  for (const id of ended) await store.remove(keys.invitation(id));
};

/** The record of a pad in the trash, or of one that Etherpad removed. */
const padIn = (note: unknown) => readTrashedPad(note) ?? readVanishedPad(note);

/** `stored`: a note about a pad, as it was read. */
export async function cleanUpTrashedPad(
  { store }: TrashCleanupContext,
  stored: unknown,
  gone: Forgotten,
): Promise<void> {
  const isBy = (note: object): boolean => 'by' in note && isIn(gone.people, note.by);
  const names = (note: ReturnType<typeof padIn>): note is NonNullable<typeof note> =>
    note !== undefined && (isBy(note) || namesAny(note.record, gone.people) || isAffected(note, gone));
  const found = padIn(stored);
  if (!names(found)) return;
  const key = keys.deletePad(found.record._id);
  await store.locked([key], async () => {
    const note = padIn(await store.get(key));
    if (!names(note)) return;
    const { about, ended } = aboutWithout(note, gone);
    const left = { record: padWithout(note.record, gone.people), ...about };
    const written =
      'since' in note
        ? vanishedPadNote({ ...note, ...left })
        : trashedPadNote({ ...note, ...left, by: isBy(note) ? null : note.by });
    await store.set(key, written);
    await endInvitations(store, ended);
  });
}

/** `stored`: a note about a group, as it was read. A group that they alone managed is removed for good. */
export async function cleanUpTrashedGroup(
  { store, removals }: TrashCleanupContext,
  stored: unknown,
  gone: Forgotten,
): Promise<void> {
  const names = (note: ReturnType<typeof readTrashedGroup>): note is NonNullable<typeof note> =>
    note !== undefined &&
    (isIn(gone.people, note.by) ||
      peopleOf(note.record).some((person) => gone.people.has(person)) ||
      isAffected(note.record, gone));
  const found = readTrashedGroup(stored);
  if (!names(found)) return;
  const { _id: id } = found.record;
  const isOwnerless = await store.locked([keys.group(id)], async () => {
    const note = readTrashedGroup(await store.get(keys.deleteGroup(id)));
    if (!names(note)) return false;
    const { about, ended } = aboutWithout(note.record, gone);
    const left = Object.fromEntries(
      memberLists.map((list) => [list, note.record[list].filter((person) => !gone.people.has(person))]),
    );
    const record = { ...note.record, ...about, ...left, ...withoutGrants(note.record, gone.people) };
    // The note stays as it is, so that this is repeated if the removal fails.
    if (record.admins.length === 0 && note.record.admins.length > 0) return true;
    const by = isIn(gone.people, note.by) ? null : note.by;
    await store.set(keys.deleteGroup(id), trashedGroupNote({ ...note, by, record }));
    await endInvitations(store, ended);
    return false;
  });
  if (isOwnerless) await removals.removeTrashed({ pads: [], groups: [id] });
}
