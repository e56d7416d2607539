/** Closes pads that are to be removed, and deletes our records of them. */

import type { Basics } from '../store/basics';
import { forEachInBatches, inBatches } from '../store/batches';
import type { FormerPads } from '../store/formerPads';
import { readPad, splitByPads } from '../store/records';
import { keys } from '../store/store';
import { readTrashedPad, readVanishedPad } from '../store/trashNotes';
import { groupOrTrashed, partNotes, removePartNotes } from './padParts';

/** Note about the removal of a pad. ep_mypads 1.x stored only the id. What counts is that the note exists. */
interface PadNote {
  pad: string;
  /** Keys of the notes about its links and invitations, which are removed after this note is stored. */
  more?: string[];
}

export interface PadRecordContext extends Pick<Basics, 'store' | 'events'> {
  formerPads: Pick<FormerPads, 'add'>;
}

function createMarking({ store, events, formerPads }: PadRecordContext) {
  /** Stores a note for each pad. From here on nobody can open them. */
  async function mark(ids: readonly string[]): Promise<void> {
    // Of thousands of writes at once, a slow database would not end the last ones in time, at each attempt.
    await Promise.all([inBatches(ids, markSome), formerPads.add(ids)]);
  }

  async function markSome(ids: readonly string[]): Promise<void> {
    await Promise.all(ids.map((id) => store.set(keys.deletePad(id), { pad: id } satisfies PadNote)));
    const pads = await store.getMany<unknown>(ids.map(keys.pad));
    for (const [index, id] of ids.entries()) {
      const before = readPad(id, pads[index]) ?? null;
      events.emit({ about: 'pad', what: 'removed', id, before, after: null, access: true });
    }
  }

  /** As `mark`, for those whose removal is noted. Resolves to these. */
  async function markAgain(ids: readonly string[]): Promise<string[]> {
    const notes = await store.getMany<unknown>(ids.map(keys.deletePad));
    const isNoted = (note: unknown): boolean =>
      note !== undefined && !readTrashedPad(note) && !readVanishedPad(note);
    const noted = ids.filter((_, index) => isNoted(notes[index]));
    await Promise.all(notes.flatMap((note) => (note as PadNote | undefined)?.more ?? []).map(store.remove));
    await mark(noted);
    return noted;
  }

  /** Returns false for a pad that is not in the trash any more. */
  async function markOne(id: string): Promise<boolean> {
    const { trashed, isLeft } = await store.locked([keys.deletePad(id)], async () => {
      const note = await store.get<unknown>(keys.deletePad(id));
      const trashed = readTrashedPad(note);
      if (trashed) {
        const more = partNotes(trashed);
        await store.set(keys.deletePad(id), { pad: id, more } satisfies PadNote);
        await Promise.all(more.map(store.remove));
      }
      return { trashed, isLeft: note !== undefined };
    });
    const before = trashed?.record;
    if (before) events.emit({ about: 'pad', what: 'removed', id, before, after: null, access: true });
    return isLeft;
  }

  /** As `mark`, for pads in the trash. Resolves to those that were not restored meanwhile. */
  async function markTrashed(ids: readonly string[]): Promise<string[]> {
    const left: string[] = [];
    await forEachInBatches(ids, async (id) => {
      if (await markOne(id)) left.push(id);
    });
    await formerPads.add(left);
    return left;
  }

  return { mark, markAgain, markTrashed };
}

export function createPadRecordRemoval(context: PadRecordContext) {
  const { store } = context;

  /**
   * Removes pads with their links, invitations and requests from their groups and deletes their records, also when they
   * have moved to another group.
   */
  const remove = (ids: readonly string[]): Promise<void> => inBatches(ids, removeSome);

  async function removeSome(ids: readonly string[]): Promise<void> {
    const pads = await store.getMany<unknown>(ids.map(keys.pad));
    const byGroup = new Map<string, string[]>();
    for (const [index, id] of ids.entries()) {
      const group = readPad(id, pads[index])?.group;
      if (group === undefined) continue;
      const own = byGroup.get(group) ?? [];
      own.push(id);
      byGroup.set(group, own);
    }
    await Promise.all([...byGroup].map(([group, own]) => removeFrom(group, own)));
  }

  async function removeFrom(groupId: string, ids: readonly string[]): Promise<void> {
    const moved = await store.locked([keys.group(groupId), ...ids.map(keys.pad)], async () => {
      const pads = await store.getMany<unknown>(ids.map(keys.pad));
      const still = new Set(ids.filter((id, index) => readPad(id, pads[index])?.group === groupId));
      const found = await groupOrTrashed(store, groupId);
      const group = found?.group;
      if (group?.pads.some((id) => still.has(id))) {
        const pads = group.pads.filter((id) => !still.has(id));
        const { left, kept } = splitByPads(group, (id) => !pads.includes(id));
        await found?.write({ ...group, pads, ...kept });
        await removePartNotes(store, left);
      }
      await Promise.all([...still].map((id) => store.remove(keys.pad(id))));
      return ids.filter((id) => !still.has(id));
    });
    if (moved.length > 0) await remove(moved);
  }

  return { ...createMarking(context), remove };
}
