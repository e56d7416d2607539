/**
 * Removal, so that a crash in the middle leaves nothing half-removed. What is to be removed is written down first; from then on it
 * is closed to everybody; the note goes last. Notes that an earlier run of the server left are worked off at the start, before
 * anybody can look.
 */
import type { PadRecord } from './entities';
import { MyPadsError } from './errors';
import type { Events } from './events';
import type { EditorPads, Log } from './ports';
import { peopleOf, readGroup, readPad } from './records';
import { keys, type Store } from './store';
import type { Users } from './user';

export interface Jobs {
  /** Does nothing when there is no such pad. Resolves when it is gone for everybody. */
  removePad(id: string): Promise<void>;
  /** A group with all its pads. Throws CONFIGURATION.KEY_NOT_FOUND. */
  removeGroup(id: string): Promise<void>;
  /** Works off what an earlier run has left. Resolves when all of that is gone for everybody; the editor's part follows behind. */
  resume(): Promise<void>;
  /** Resolves when nothing goes on behind an answer any more. */
  idle(): Promise<void>;
}

export interface JobContext {
  store: Store;
  users: Users;
  editorPads: EditorPads;
  events: Events;
  log: Log;
  /** Should the editor's part of a removal go on behind the answer? Big pads take long. */
  inBackground: () => boolean;
}

/** What stands in the note about a group: enough to finish without the group's record. */
interface GroupNote {
  _id: string;
  pads: string[];
  people: string[];
}

/** Which notes there are, so that the start need not look through all keys. */
interface Pending {
  pads: string[];
  groups: string[];
}

export function createJobs({ store, users, editorPads, events, log, inBackground }: JobContext): Jobs {
  const background = new Set<Promise<void>>();

  // 1. Notes

  async function pending(): Promise<Pending> {
    const stored = await store.get<Partial<Pending>>(keys.pendingJobs);
    return { pads: stored?.pads ?? [], groups: stored?.groups ?? [] };
  }

  async function enlist(kind: keyof Pending, id: string): Promise<void> {
    await store.locked([keys.pendingJobs], async () => {
      const all = await pending();
      if (!all[kind].includes(id)) await store.set(keys.pendingJobs, { ...all, [kind]: [...all[kind], id] });
    });
  }

  async function strike(kind: keyof Pending, id: string): Promise<void> {
    await store.locked([keys.pendingJobs], async () => {
      const all = await pending();
      await store.set(keys.pendingJobs, { ...all, [kind]: all[kind].filter((other) => other !== id) });
    });
  }

  // 2. Pads

  async function closePad(id: string): Promise<void> {
    await enlist('pads', id);
    await store.set(keys.deletePad(id), id);
    const group = (await store.get<Partial<PadRecord>>(keys.pad(id)))?.group;
    events.emit('pad', { id, group: typeof group === 'string' ? group : '' });
  }

  /** Takes a pad off its group's list and removes its record, whatever group it has moved to by then. */
  async function forgetPad(id: string): Promise<void> {
    const pad = readPad(id, await store.get(keys.pad(id)));
    if (pad === undefined) return;
    const done = await store.locked([keys.group(pad.group), keys.pad(id)], async () => {
      if (readPad(id, await store.get(keys.pad(id)))?.group !== pad.group) return false;
      const group = readGroup(pad.group, await store.get(keys.group(pad.group)));
      if (group?.pads.includes(id)) {
        await store.set(keys.group(group._id), {
          ...group,
          pads: group.pads.filter((other) => other !== id),
        });
      }
      await store.remove(keys.pad(id));
      return true;
    });
    if (!done) await forgetPad(id);
  }

  /** What fails stays noted: the pad remains closed, and the next start tries again. */
  async function removeFromEditor(id: string): Promise<void> {
    try {
      await editorPads.remove(id);
      await store.remove(keys.deletePad(id));
      await strike('pads', id);
    } catch (error) {
      log.error('a pad could not be removed from the editor; it stays closed', {
        pad: id,
        error: String(error),
      });
    }
  }

  async function emptyEditor(ids: readonly string[]): Promise<void> {
    for (const id of ids) await removeFromEditor(id);
  }

  /** `wait`: also for the editor's part. */
  async function removePads(ids: readonly string[], wait: boolean): Promise<void> {
    for (const id of ids) {
      await closePad(id);
      await forgetPad(id);
    }
    const rest = emptyEditor(ids);
    if (wait) return rest;
    const settled = rest.finally(() => background.delete(settled));
    background.add(settled);
  }

  // 3. Groups

  /** Notes the removal and removes the group's record: from here on it is gone, and its pads are closed. */
  async function closeGroup(id: string): Promise<GroupNote | undefined> {
    await enlist('groups', id);
    const note = await store.locked([keys.group(id)], async () => {
      const group = readGroup(id, await store.get(keys.group(id)));
      if (group === undefined) return undefined;
      const written: GroupNote = { _id: id, pads: group.pads, people: peopleOf(group) };
      await store.set(keys.deleteGroup(id), written);
      await store.remove(keys.group(id));
      return written;
    });
    if (note === undefined) return undefined;
    events.emit('group', { id });
    return note;
  }

  async function finishGroup(note: GroupNote, wait: boolean): Promise<void> {
    const pads = await store.getMany<unknown>(note.pads.map(keys.pad));
    const own = note.pads.filter((id, index) => readPad(id, pads[index])?.group === note._id);
    await removePads(own, wait);
    for (const person of note.people) await users.removeGroup(person, note._id);
    await store.remove(keys.deleteGroup(note._id));
    await strike('groups', note._id);
  }

  async function resumeGroup(id: string): Promise<void> {
    const note = (await closeGroup(id)) ?? (await store.get<GroupNote>(keys.deleteGroup(id)));
    if (note === undefined) await strike('groups', id);
    else await finishGroup(note, false);
  }

  /** One note that cannot be worked off must not keep the server from starting. */
  async function attempt(what: string, id: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      log.error('an unfinished removal could not be finished', { [what]: id, error: String(error) });
    }
  }

  return {
    removePad: (id) => removePads([id], !inBackground()),
    async removeGroup(id) {
      const note = await closeGroup(id);
      if (note === undefined) {
        if ((await store.get(keys.deleteGroup(id))) === undefined) await strike('groups', id);
        throw new MyPadsError('BACKEND.ERROR.CONFIGURATION.KEY_NOT_FOUND', { key: id });
      }
      await finishGroup(note, !inBackground());
    },
    async resume() {
      const { pads, groups } = await pending();
      for (const id of groups) await attempt('group', id, () => resumeGroup(id));
      for (const id of pads) await attempt('pad', id, () => removePads([id], false));
    },
    async idle() {
      while (background.size > 0) await Promise.all(background);
    },
  };
}
