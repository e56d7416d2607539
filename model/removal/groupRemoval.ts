/** Removes groups: first the record, then the pads and what refers to the group. */
import { changedForEverybody } from '../access/accessChange';
import type { Users } from '../accounts/user';
import { asPartOf } from '../actor';
import { MyPadsError } from '../errors';
import type { Events } from '../events';
import { forEachInBatches } from '../store/batches';
import type { GroupRecord } from '../store/entities';
import { peopleOf, readGroup, readPad } from '../store/records';
import { keys, type Store } from '../store/store';
import type { PendingJobs } from './pendingJobs';
import type { ReferenceCleanup } from './referenceCleanup';

/** Note about the removal of a group: enough to finish it without the group's record. */
interface GroupNote {
  _id: string;
  pads: string[];
  people: string[];
}

/**
 * `foreground`: before the answer. `background`: after it. `resumed`: in the background, after a possible interruption.
 */
export type RemovalMode = 'foreground' | 'background' | 'resumed';

interface GroupRemovalContext {
  store: Store;
  pending: PendingJobs;
  users: Pick<Users, 'removeGroup'>;
  referenceCleanup: ReferenceCleanup;
  events: Events;
  removePads(ids: readonly string[], mode: RemovalMode): Promise<void>;
}

export interface GroupRemoval {
  /** Throws CONFIGURATION.KEY_NOT_FOUND. */
  remove(id: string, mode: RemovalMode): Promise<void>;
  /** Finishes a removal that was noted earlier. */
  resume(id: string): Promise<void>;
}

export function createGroupRemoval(context: GroupRemovalContext): GroupRemoval {
  const { store, pending, users, referenceCleanup, events, removePads } = context;

  /** Stores a note and removes the group's record. From here on, nobody can see the group or open its pads. */
  async function mark(id: string): Promise<GroupNote | undefined> {
    await pending.add('groups', [id]);
    let before: GroupRecord | undefined;
    const note = await store.locked([keys.group(id)], async () => {
      const group = readGroup(id, await store.get(keys.group(id)));
      if (group === undefined) return undefined;
      const written: GroupNote = { _id: id, pads: group.pads, people: peopleOf(group) };
      await store.set(keys.deleteGroup(id), written);
      await store.remove(keys.group(id));
      before = group;
      return written;
    });
    if (note === undefined) return undefined;
    const record = { about: 'group', id, before: before ?? null, after: null } as const;
    events.emit({ ...record, what: 'removed', access: changedForEverybody });
    return note;
  }

  async function finish(note: GroupNote, mode: RemovalMode): Promise<void> {
    const pads = await store.getMany<unknown>(note.pads.map(keys.pad));
    const own = note.pads.filter((id, index) => readPad(id, pads[index])?.group === note._id);
    const leave = forEachInBatches(note.people, (person) => users.removeGroup(person, note._id));
    const removal = asPartOf('groupRemoval', () => removePads(own, mode));
    await Promise.all([leave, referenceCleanup.schedule({ groups: [note._id] }), removal]);
    await store.remove(keys.deleteGroup(note._id));
    await pending.remove('groups', [note._id]);
  }

  return {
    async remove(id, mode) {
      const note = await mark(id);
      if (note === undefined) {
        if ((await store.get(keys.deleteGroup(id))) === undefined) await pending.remove('groups', [id]);
        throw new MyPadsError('BACKEND.ERROR.CONFIGURATION.KEY_NOT_FOUND', { key: id });
      }
      await finish(note, mode);
    },
    async resume(id) {
      const note = (await mark(id)) ?? (await store.get<GroupNote>(keys.deleteGroup(id)));
      if (note === undefined) await pending.remove('groups', [id]);
      else await finish(note, 'resumed');
    },
  };
}
