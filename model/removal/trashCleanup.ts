/** Takes removed accounts out of what is in the trash. A group that they alone managed is removed for good. */
import { memberLists } from '../store/entities';
import { peopleOf } from '../store/records';
import { withoutGrants } from '../store/ruleGrants';
import { keys, type Store } from '../store/store';
import { readTrashedGroup, readTrashedPad, trashedGroupNote, trashedPadNote } from '../store/trashNotes';
import { aboutWithout, type Forgotten, isAffected, isIn, namesAny, padWithout } from './forgetting';
import type { Removals } from './removals';

export interface TrashCleanupContext {
  store: Store;
  removals: Pick<Removals, 'removeTrashed'>;
}

const endInvitations = async (store: Store, ended: readonly string[]): Promise<void> => {
  for (const id of ended) await store.remove(keys.invitation(id));
};

/** `stored`: a note about a pad, as it was read. */
export async function cleanUpTrashedPad(
  { store }: TrashCleanupContext,
  stored: unknown,
  gone: Forgotten,
): Promise<void> {
  const names = (note: ReturnType<typeof readTrashedPad>): note is NonNullable<typeof note> =>
    note !== undefined &&
    (isIn(gone.people, note.by) || namesAny(note.record, gone.people) || isAffected(note, gone));
  const found = readTrashedPad(stored);
  if (!names(found)) return;
  const key = keys.deletePad(found.record._id);
  await store.locked([key], async () => {
    const note = readTrashedPad(await store.get(key));
    if (!names(note)) return;
    const { about, ended } = aboutWithout(note, gone);
    const by = isIn(gone.people, note.by) ? null : note.by;
    const record = padWithout(note.record, gone.people);
    await store.set(key, trashedPadNote({ ...note, ...about, by, record }));
    await endInvitations(store, ended);
  });
}

/** `stored`: a note about a group, as it was read. */
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
    const by = isIn(gone.people, note.by) ? null : note.by;
    await store.set(keys.deleteGroup(id), trashedGroupNote({ ...note, by, record }));
    await endInvitations(store, ended);
    return record.admins.length === 0;
  });
  if (isOwnerless) await removals.removeTrashed({ pads: [], groups: [id] });
}
