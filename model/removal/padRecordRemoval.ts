/** Closes pads that are to be removed, and deletes our records of them. */
import type { Events } from '../events';
import type { FormerPads } from '../store/formerPads';
import { readGroup, readPad, splitByPads } from '../store/records';
import { keys, type Store } from '../store/store';

/** Note about the removal of a pad. ep_mypads 1.x stored only the id. What counts is that the note exists. */
interface PadNote {
  pad: string;
}

export interface PadRecordRemoval {
  /** Stores a note for each pad. From here on nobody can open them. */
  mark(ids: readonly string[]): Promise<void>;
  /**
   * Removes pads with their links, invitations and requests from their groups and deletes their records, also when they
   * have moved to another group.
   */
  remove(ids: readonly string[]): Promise<void>;
}

export interface PadRecordContext {
  store: Store;
  events: Events;
  formerPads: Pick<FormerPads, 'add'>;
}

export function createPadRecordRemoval(context: PadRecordContext): PadRecordRemoval {
  const { store, events, formerPads } = context;

  async function mark(ids: readonly string[]): Promise<void> {
    const notes = ids.map((id) => store.set(keys.deletePad(id), { pad: id } satisfies PadNote));
    await Promise.all([...notes, formerPads.add(ids)]);
    const pads = await store.getMany<unknown>(ids.map(keys.pad));
    for (const [index, id] of ids.entries()) {
      const before = readPad(id, pads[index]) ?? null;
      events.emit({ about: 'pad', what: 'removed', id, before, after: null, access: true });
    }
  }

  async function remove(ids: readonly string[]): Promise<void> {
    const pads = await store.getMany<unknown>(ids.map(keys.pad));
    const byGroup = new Map<string, string[]>();
    for (const [index, id] of ids.entries()) {
      const group = readPad(id, pads[index])?.group;
      if (group !== undefined) byGroup.set(group, [...(byGroup.get(group) ?? []), id]);
    }
    await Promise.all([...byGroup].map(([group, own]) => removeFrom(group, own)));
  }

  async function removeFrom(groupId: string, ids: readonly string[]): Promise<void> {
    const moved = await store.locked([keys.group(groupId), ...ids.map(keys.pad)], async () => {
      const pads = await store.getMany<unknown>(ids.map(keys.pad));
      const still = new Set(ids.filter((id, index) => readPad(id, pads[index])?.group === groupId));
      const group = readGroup(groupId, await store.get(keys.group(groupId)));
      if (group?.pads.some((id) => still.has(id))) {
        const pads = group.pads.filter((id) => !still.has(id));
        const { left, kept } = splitByPads(group, (id) => !pads.includes(id));
        await store.set(keys.group(groupId), { ...group, pads, ...kept });
        const notes = [
          ...left.links.map(({ _id }) => keys.link(_id)),
          ...left.invitations.map(({ _id }) => keys.invitation(_id)),
        ];
        await Promise.all(notes.map((note) => store.remove(note)));
      }
      await Promise.all([...still].map((id) => store.remove(keys.pad(id))));
      return ids.filter((id) => !still.has(id));
    });
    if (moved.length > 0) await remove(moved);
  }

  return { mark, remove };
}
