/** Removes groups: first the record, then the pads and what refers to the group. */

import { changedForEverybody } from '../access/accessChange';
import type { Users } from '../accounts/user';
import { asPartOf } from '../actor';
import { recordNotFound } from '../errors';
import type { RecordIndex } from '../index/recordIndex';
import type { JobQueue, JobRun, Jobs } from '../jobs/types';
import type { Basics } from '../store/basics';
import { forEachInBatches, inBatches } from '../store/batches';
import type { GroupRecord } from '../store/entities';
import { peopleOf, readGroup, readPad } from '../store/records';
import { keys, type Store } from '../store/store';
import { readTrashedGroup } from '../store/trashNotes';
import type { PadRemovalFacts } from './padRemoval';
import { groupsOfNotes, type PartNote } from './partNotes';
import type { ReferenceCleanup } from './referenceCleanup';

/** Throws if the caller may not remove the group, as it is now. */
export type GroupCheck = (group: GroupRecord) => void;

export interface GroupRemovalFacts {
  group: string;
  /** It is in the trash. If it is not any more, it stays. */
  trashed?: true;
  /** It is removed with this account, which alone manages it. If another account manages it by now, it stays. */
  onlyManager?: string;
}

/** Note about the removal of a group: enough to finish it without the group's record. */
interface GroupNote {
  _id: string;
  pads: string[];
  people: string[];
  /** Missing in notes of an earlier version. */
  links?: string[];
  invitations?: string[];
}

interface GroupRemovalContext extends Pick<Basics, 'store' | 'events'> {
  users: Pick<Users, 'removeGroup' | 'findMany'>;
  jobs: Pick<Jobs, 'define'>;
  referenceCleanup: Pick<ReferenceCleanup, 'schedule'>;
  pads: JobQueue<PadRemovalFacts, string[]>;
  recordIndex: Pick<RecordIndex, 'trashedPadsOf'>;
}

const noteAbout = (group: GroupRecord): GroupNote => ({
  _id: group._id,
  pads: group.pads,
  people: peopleOf(group),
  links: group.links.map((link) => link._id),
  invitations: group.invitations.map((invitation) => invitation._id),
});

async function noteOf(store: Store, id: string): Promise<GroupNote | undefined> {
  const note = await store.get<GroupNote>(keys.deleteGroup(id));
  return readTrashedGroup(note) ? undefined : note;
}

/** Whether it is not to be removed any more: see `GroupRemovalFacts`. */
async function isManaged(
  { admins }: GroupRecord,
  { onlyManager }: GroupRemovalFacts,
  users: Pick<Users, 'findMany'>,
): Promise<boolean> {
  if (onlyManager === undefined) return false;
  return (await users.findMany(admins.filter((admin) => admin !== onlyManager))).size > 0;
}

/** Nothing was noted: the call that began the removal failed, and its caller may not want it any more. */
const hasNotBegun = ({ reason }: JobRun, noted: unknown) =>
  reason !== 'begun' && (noted === undefined || readTrashedGroup(noted) !== undefined);

async function removePads(
  note: GroupNote,
  { store, pads: queue }: Pick<GroupRemovalContext, 'store' | 'pads'>,
): Promise<Promise<void>[]> {
  const pads = await store.getMany<unknown>(note.pads.map(keys.pad));
  const own = note.pads.filter((id, index) => readPad(id, pads[index])?.group === note._id);
  if (own.length === 0) return [];
  const begin = () => queue.begin({ pads: own, isDecided: true }, { name: note._id });
  return [(await asPartOf('groupRemoval', begin)).ended];
}

/** Links and invitations to a pad that has moved belong to another group, also if a failed move has left them here. */
function removeNotesBeside({ _id, links = [], invitations = [] }: GroupNote, store: Store): Promise<void> {
  return inBatches([...links.map(keys.link), ...invitations.map(keys.invitation)], async (part) => {
    const groups = await groupsOfNotes(store, await store.getMany<PartNote>(part));
    const own = part.filter((_, index) => groups[index] === undefined || groups[index] === _id);
    await Promise.all(own.map((key) => store.remove(key)));
  });
}

/** Pads that were in the trash of a removed group. What the index cannot say now, `Trash.sweep` finds. */
async function removeTrashOf(
  group: string,
  { recordIndex, pads: queue }: Pick<GroupRemovalContext, 'recordIndex' | 'pads'>,
): Promise<void> {
  const pads = await recordIndex.trashedPadsOf(group).catch(() => []);
  if (pads.length === 0) return;
  const begin = () => queue.begin({ pads, trashed: true, isDecided: true }, { name: `trash of ${group}` });
  await (await asPartOf('groupRemoval', begin)).ended;
}

/** `removed`: the end of the removal of the group's pads. Without a result, there was nothing to remove. */
type Removed = { removed: Promise<void> } | undefined;

/** Throws CONFIGURATION.KEY_NOT_FOUND, but not about a group in the trash or with `onlyManager`. */
export function defineGroupRemoval(
  context: GroupRemovalContext,
): JobQueue<GroupRemovalFacts, Removed, GroupCheck> {
  const { store, users, jobs, referenceCleanup, events } = context;

  /** Stores a note and removes the group's record. From here on, nobody can see the group or open its pads. */
  async function mark(
    facts: GroupRemovalFacts,
    run: JobRun,
    check: GroupCheck | undefined,
  ): Promise<GroupNote | undefined> {
    const { group: id, trashed } = facts;
    let before: GroupRecord | undefined;
    const note = await store.locked([keys.group(id)], async () => {
      const [stored, noted] = await store.getMany<unknown>([keys.group(id), keys.deleteGroup(id)]);
      const inTrash = stored === undefined ? readTrashedGroup(noted)?.record : undefined;
      const group = trashed ? inTrash : readGroup(id, stored);
      const stays =
        group !== undefined && (hasNotBegun(run, noted) || (await isManaged(group, facts, users)));
      if (group === undefined || stays) {
        // An interrupted restore has left it, or an earlier run that could not remove the record.
        const isLeft = stays ? noted !== undefined && !trashed : trashed && readTrashedGroup(noted);
        if (isLeft) await store.remove(keys.deleteGroup(id));
        return undefined;
      }
      check?.(group);
      const written = noteAbout(group);
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

  async function finish(note: GroupNote): Promise<Promise<void>[]> {
    const leave = forEachInBatches(note.people, async (person) => {
      await users.removeGroup(person, note._id, 'groups');
      await users.removeGroup(person, note._id, 'readerOf');
    });
    const [removals] = await Promise.all([
      removePads(note, context),
      leave,
      removeNotesBeside(note, store),
      referenceCleanup.schedule({ groups: [note._id] }),
    ]);
    await store.remove(keys.deleteGroup(note._id));
    return removals;
  }

  return jobs.define<GroupRemovalFacts, Removed, GroupCheck>({
    type: 'removeGroup',
    async first(facts, run, check) {
      const { group: id, trashed, onlyManager } = facts;
      const note = (await mark(facts, run, check)) ?? (await noteOf(store, id));
      const mayBeGone = trashed || onlyManager !== undefined;
      if (note === undefined && run.reason === 'begun' && !mayBeGone) throw recordNotFound(id);
      if (note === undefined) return undefined;
      const removals = await finish(note);
      const removed = Promise.all([...removals, removeTrashOf(id, context)]).then(() => {});
      // `run` may wait for other removals, and Etherpad ends at a rejection that nobody handles.
      removed.catch(() => {});
      return { removed };
    },
    run: async (_facts, _run, result) => result?.removed,
  });
}
