/**
 * A pad's record, with what its group has about this pad alone, moves into the note that closes the pad, and back. All
 * under the locks of group, note and pad.
 */

import type { GroupRecord, PadRecord } from '../store/entities';
import { type AboutPads, readGroup, splitByPads, storedGroup } from '../store/records';
import { keys, type Store } from '../store/store';
import { readTrashedGroup, trashedGroupNote } from '../store/trashNotes';

/** A group, also one in the trash, and how to store it there. Call it while the key of the group is locked. */
export async function groupOrTrashed(
  store: Store,
  id: string,
): Promise<{ group: GroupRecord; write(changed: GroupRecord): Promise<void> } | undefined> {
  const [stored, note] = await store.getMany<unknown>([keys.group(id), keys.deleteGroup(id)]);
  const group = readGroup(id, stored);
  if (group) return { group, write: (changed) => store.set(keys.group(id), storedGroup(changed)) };
  const trashed = readTrashedGroup(note);
  if (trashed === undefined) return undefined;
  const write = (record: GroupRecord) =>
    store.set(keys.deleteGroup(id), trashedGroupNote({ ...trashed, record }));
  return { group: trashed.record, write };
}

/** An interrupted move may have left something in both. */
function united(first: AboutPads, second: AboutPads): AboutPads {
  const both = <One extends { _id: string }>(ones: readonly One[], others: readonly One[]): One[] => [
    ...ones,
    ...others.filter(({ _id }) => !ones.some((one) => one._id === _id)),
  ];
  return {
    links: both(first.links, second.links),
    invitations: both(first.invitations, second.invitations),
    requests: both(first.requests, second.requests),
  };
}

/** `noted`: what the note has already. `noteWith`: the note with all of it. */
export async function moveIntoNote(
  store: Store,
  { _id: id, group: groupId }: PadRecord,
  noted: AboutPads,
  noteWith: (about: AboutPads) => object,
): Promise<void> {
  const found = await groupOrTrashed(store, groupId);
  const group = found?.group;
  const { left, kept } = group ? splitByPads(group, (pad) => pad === id) : { left: noted, kept: noted };
  await store.set(keys.deletePad(id), noteWith(united(left, noted)));
  if (group?.pads.includes(id)) {
    const pads = group.pads.filter((other) => other !== id);
    await found?.write({ ...group, pads, ...kept });
  }
  await store.remove(keys.pad(id));
}

/** The group with a pad that returns. */
export const withPad = (group: GroupRecord, id: string, noted: AboutPads): GroupRecord => ({
  ...group,
  pads: [...new Set([...group.pads, id])],
  ...united(group, noted),
});

/** The keys of the notes beside links and invitations. */
export const partNotes = ({ links, invitations }: Pick<AboutPads, 'links' | 'invitations'>): string[] => [
  ...links.map(({ _id }) => keys.link(_id)),
  ...invitations.map(({ _id }) => keys.invitation(_id)),
];

/** Removes the notes beside links and invitations. */
export async function removePartNotes(store: Store, about: Parameters<typeof partNotes>[0]): Promise<void> {
  await Promise.all(partNotes(about).map((note) => store.remove(note)));
}
