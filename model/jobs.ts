/**
 * Removal, so that a crash in the middle leaves nothing half-removed. What is to be removed is written down first; from then on it
 * is closed to everybody; the note goes last. Notes that an earlier run of the server left are worked off at the start, before
 * anybody can look; the editor's part of them follows in the background, one pad after another.
 */
import { setTimeout as pause } from 'node:timers/promises';
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
  /**
   * The editor says that a pad of it is gone, perhaps without our doing: a moment later, unless another has taken its place by then, the
   * record goes too. Resolves then.
   */
  padVanished(id: string): Promise<void>;
  /** Resolves when nothing goes on behind an answer any more. */
  idle(): Promise<void>;
  /** Breaks off what goes on; the next start goes on with it. Resolves when nothing does any more. */
  stop(): Promise<void>;
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

/** What stands in the note about a pad. The earlier generation wrote the bare id; that there is a note at all is what counts. */
interface PadNote {
  pad: string;
}

type Noted = 'pads' | 'groups' | 'vanished';

/** Which notes there are, so that the start need not look through all keys. */
type Pending = Record<Noted, string[]> & {
  /** Notes of the earlier generation stand on no list: have they been looked for? */
  searched?: boolean;
};

/** Milliseconds after which a pad that the editor has removed is not about to be replaced by a copy of another. */
const replacement = 1000;

export function createJobs({ store, users, editorPads, events, log, inBackground }: JobContext): Jobs {
  const stopping = new AbortController();
  const { signal } = stopping;
  /** What goes on behind answers. */
  const background = new Set<Promise<void>>();
  /** The last of the removals that follow one another. */
  let last: Promise<void> = Promise.resolve();

  function follow(work: Promise<void>): void {
    const settled = work.finally(() => background.delete(settled));
    background.add(settled);
  }

  // 1. Notes

  async function pending(): Promise<Pending> {
    const stored = await store.get<Partial<Pending>>(keys.pendingJobs);
    return { pads: [], groups: [], vanished: [], ...stored };
  }

  async function enlist(kind: Noted, ...ids: string[]): Promise<void> {
    await store.locked([keys.pendingJobs], async () => {
      const all = await pending();
      const next = [...new Set([...all[kind], ...ids])];
      if (next.length > all[kind].length) await store.set(keys.pendingJobs, { ...all, [kind]: next });
    });
  }

  async function strike(kind: Noted, ...ids: string[]): Promise<void> {
    await store.locked([keys.pendingJobs], async () => {
      const all = await pending();
      await store.set(keys.pendingJobs, { ...all, [kind]: all[kind].filter((id) => !ids.includes(id)) });
    });
  }

  // 2. Pads

  async function closePads(ids: readonly string[]): Promise<void> {
    await enlist('pads', ...ids);
    await Promise.all(ids.map((id) => store.set(keys.deletePad(id), { pad: id } satisfies PadNote)));
    const pads = await store.getMany<unknown>(ids.map(keys.pad));
    for (const [index, id] of ids.entries()) {
      events.emit('pad', { id, group: readPad(id, pads[index])?.group ?? '' });
    }
  }

  /** Takes pads off their groups' lists and removes their records, whatever groups they have moved to by then. */
  async function forgetPads(ids: readonly string[]): Promise<void> {
    const pads = await store.getMany<unknown>(ids.map(keys.pad));
    const byGroup = new Map<string, string[]>();
    for (const [index, id] of ids.entries()) {
      const group = readPad(id, pads[index])?.group;
      if (group !== undefined) byGroup.set(group, [...(byGroup.get(group) ?? []), id]);
    }
    for (const [group, own] of byGroup) await forgetPadsOf(group, own);
  }

  async function forgetPadsOf(groupId: string, ids: readonly string[]): Promise<void> {
    const moved = await store.locked([keys.group(groupId), ...ids.map(keys.pad)], async () => {
      const pads = await store.getMany<unknown>(ids.map(keys.pad));
      const still = ids.filter((id, index) => readPad(id, pads[index])?.group === groupId);
      const group = readGroup(groupId, await store.get(keys.group(groupId)));
      if (group?.pads.some((id) => still.includes(id))) {
        const kept = group.pads.filter((id) => !still.includes(id));
        await store.set(keys.group(groupId), { ...group, pads: kept });
      }
      await Promise.all(still.map((id) => store.remove(keys.pad(id))));
      return ids.filter((id) => !still.includes(id));
    });
    if (moved.length > 0) await forgetPads(moved);
  }

  /** What fails stays noted: the pad remains closed, and the next start tries again. */
  async function removeFromEditor(ids: readonly string[], leftovers: boolean): Promise<void> {
    const gone: string[] = [];
    for (const id of ids) {
      if (signal.aborted) break;
      try {
        await editorPads.remove(id, { leftovers, signal });
        gone.push(id);
      } catch (error) {
        if (signal.aborted) break;
        log.error('a pad could not be removed from the editor; it stays closed', {
          pad: id,
          error: String(error),
        });
      }
    }
    if (gone.length === 0) return;
    try {
      await Promise.all(gone.map((id) => store.remove(keys.deletePad(id))));
      await strike('pads', ...gone);
    } catch (error) {
      log.error('removals could not be struck off yet', { pads: gone, error: String(error) });
    }
  }

  /**
   * `now`: resolves when the editor's part is done too. `later`, `again`: that part waits for its turn behind the answer; `again` for
   * removals that may have been interrupted.
   */
  async function removePads(ids: readonly string[], when: 'now' | 'later' | 'again'): Promise<void> {
    await closePads(ids);
    await forgetPads(ids);
    if (when === 'now') return removeFromEditor(ids, false);
    for (const id of ids) last = last.then(() => removeFromEditor([id], when === 'again'));
    follow(last);
  }

  const when = (): 'now' | 'later' => (inBackground() ? 'later' : 'now');

  /** Throws when the editor cannot tell whether it has the pad. */
  async function forgetVanished(id: string, when: 'now' | 'again'): Promise<void> {
    if (!(await editorPads.exists(id))) await removePads([id], when);
    await strike('vanished', id);
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

  async function finishGroup(note: GroupNote, how: 'now' | 'later' | 'again'): Promise<void> {
    const pads = await store.getMany<unknown>(note.pads.map(keys.pad));
    const own = note.pads.filter((id, index) => readPad(id, pads[index])?.group === note._id);
    await removePads(own, how);
    for (const person of note.people) await users.removeGroup(person, note._id);
    await store.remove(keys.deleteGroup(note._id));
    await strike('groups', note._id);
  }

  async function resumeGroup(id: string): Promise<void> {
    const note = (await closeGroup(id)) ?? (await store.get<GroupNote>(keys.deleteGroup(id)));
    if (note === undefined) await strike('groups', id);
    else await finishGroup(note, 'again');
  }

  /** One note that cannot be worked off must not keep the server from starting. */
  async function attempt(what: string, id: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      log.error('an unfinished removal could not be finished', { [what]: id, error: String(error) });
    }
  }

  /** Slow on large databases: once for each, in the background. What is found is closed already. */
  async function searchOldNotes(): Promise<void> {
    try {
      const known = await pending();
      if (known.searched) return;
      const prefix = keys.deletePad('');
      const found = (await store.scan(prefix)).map((key) => key.slice(prefix.length));
      for (const id of found.filter((one) => !known.pads.includes(one))) {
        await attempt('pad', id, () => removePads([id], 'again'));
      }
      await store.locked([keys.pendingJobs], async () => {
        await store.set(keys.pendingJobs, { ...(await pending()), searched: true });
      });
    } catch (error) {
      log.warn('unfinished removals of the earlier generation could not be looked for', {
        error: String(error),
      });
    }
  }

  return {
    removePad: (id) => removePads([id], when()),
    async removeGroup(id) {
      const note = await closeGroup(id);
      if (note === undefined) {
        if ((await store.get(keys.deleteGroup(id))) === undefined) await strike('groups', id);
        throw new MyPadsError('BACKEND.ERROR.CONFIGURATION.KEY_NOT_FOUND', { key: id });
      }
      await finishGroup(note, when());
    },
    async resume() {
      const { pads, groups, vanished } = await pending();
      for (const id of groups) await attempt('group', id, () => resumeGroup(id));
      for (const id of pads) await attempt('pad', id, () => removePads([id], 'again'));
      for (const id of vanished) await attempt('pad', id, () => forgetVanished(id, 'again'));
      follow(searchOldNotes());
    },
    async padVanished(id) {
      if (readPad(id, await store.get(keys.pad(id))) === undefined) return;
      await enlist('vanished', id);
      await pause(replacement, undefined, { ref: false, signal }).catch(() => {});
      if (!signal.aborted) await forgetVanished(id, 'now');
    },
    async idle() {
      while (background.size > 0) await Promise.all(background);
    },
    async stop() {
      stopping.abort();
      while (background.size > 0) await Promise.all(background);
    },
  };
}
