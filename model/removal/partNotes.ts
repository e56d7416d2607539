/** Notes beside the links and invitations of groups: they say which group has the one that a secret belongs to. */
import { readPad } from '../store/records';
import { keys, type Store } from '../store/store';

export interface PartNote {
  /** The group when it was made. */
  group: string;
  /** The pad that it is for. It moves with the pad, so its group is that of the pad. */
  pad?: string | undefined;
}

/** The group of the note under this key. */
export async function groupOfNote(store: Pick<Store, 'get' | 'getMany'>, key: string) {
  const [group] = await groupsOfNotes(store, [await store.get<PartNote>(key)]);
  return group;
}

/** The group of each; `undefined` without a note, and when the pad is gone. */
export async function groupsOfNotes(
  store: Pick<Store, 'getMany'>,
  notes: readonly (PartNote | undefined)[],
): Promise<(string | undefined)[]> {
  const ids = [...new Set(notes.flatMap((note) => note?.pad ?? []))];
  const stored = ids.length === 0 ? [] : await store.getMany<unknown>(ids.map(keys.pad));
  const groups = new Map(ids.map((id, index) => [id, readPad(id, stored[index])?.group]));
  return notes.map((note) => (note?.pad === undefined ? note?.group : groups.get(note.pad)));
}
