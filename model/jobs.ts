/**
 * Removal, so that a crash in the middle leaves nothing half-removed. What is to be removed is written down first; from then on it
 * is closed to everybody; the note goes last. Notes that an earlier run of the server left are worked off at the start, before
 * anybody can look; the editor's part of them follows in the background, a few pads at a time.
 */
import { MyPadsError } from './errors';
import type { Events } from './events';
import type { Forgetting } from './forgetting';
import { createPendingJobs, type Pending } from './pendingJobs';
import type { EditorPads, Log } from './ports';
import { peopleOf, readGroup, readPad } from './records';
import { each } from './slices';
import { keys, type Store } from './store';
import type { Users } from './user';
import { createVanishedPads, type VanishedPads } from './vanishedPads';

export interface Jobs extends Pick<VanishedPads, 'padVanished' | 'padAppeared' | 'settleVanished'> {
  /** Does nothing when there is no such pad. Resolves when it is gone for everybody. */
  removePad(id: string): Promise<void>;
  /** A group with all its pads. Throws CONFIGURATION.KEY_NOT_FOUND. */
  removeGroup(id: string): Promise<void>;
  /** Resolves when nobody is shown the chat of this pad any more; what is said from then on stays. */
  removeChat(padId: string): Promise<void>;
  /** Works off what an earlier run has left. Resolves when all of that is gone for everybody; the editor's part follows behind. */
  resume(): Promise<void>;
  /** Tries again what had failed by the last call already, when the database or the editor was away. To be called every few minutes. */
  retry(): Promise<void>;
  /** Resolves when nothing goes on behind an answer any more. */
  idle(): Promise<void>;
  /** Breaks off what goes on; the next start goes on with it. Resolves when nothing does any more. */
  stop(): Promise<void>;
}

export interface JobContext {
  store: Store;
  users: Users;
  editorPads: EditorPads;
  forgetting: Forgetting;
  events: Events;
  log: Log;
  now: () => number;
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

/** `now`: before the answer. `later`: behind it. `again`: behind, and it may have been interrupted before. */
type When = 'now' | 'later' | 'again';

/** Pads that the editor removes at the same time; it takes the slices of all of them in turn. */
const together = 20;

export function createJobs(context: JobContext): Jobs {
  const { store, users, editorPads, forgetting, events, log, now, inBackground } = context;
  const stopping = new AbortController();
  const { signal } = stopping;
  const pending = createPendingJobs(store);
  const vanished = createVanishedPads({
    store,
    pending,
    editorPads,
    forgetting,
    events,
    log,
    now,
    forgetPads,
    signal,
  });
  /** What goes on behind answers. */
  const background = new Set<Promise<void>>();
  /** What was to be done at the last `retry`. What is new since then may still be under way. */
  let leftBefore: Pick<Pending, 'pads' | 'groups' | 'chats'> = { pads: [], groups: [], chats: [] };
  /** The last of the removals that follow one another. */
  let last: Promise<void> = Promise.resolve();

  function follow(work: Promise<void>): void {
    const settled = work.finally(() => background.delete(settled));
    background.add(settled);
  }

  const when = (): When => (inBackground() ? 'later' : 'now');

  // 1. Pads

  async function closePads(ids: readonly string[]): Promise<void> {
    await pending.enlist('pads', ids);
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
    await Promise.all([...byGroup].map(([group, own]) => forgetPadsOf(group, own)));
  }

  async function forgetPadsOf(groupId: string, ids: readonly string[]): Promise<void> {
    const moved = await store.locked([keys.group(groupId), ...ids.map(keys.pad)], async () => {
      const pads = await store.getMany<unknown>(ids.map(keys.pad));
      const still = new Set(ids.filter((id, index) => readPad(id, pads[index])?.group === groupId));
      const group = readGroup(groupId, await store.get(keys.group(groupId)));
      if (group?.pads.some((id) => still.has(id))) {
        const kept = group.pads.filter((id) => !still.has(id));
        await store.set(keys.group(groupId), { ...group, pads: kept });
      }
      await Promise.all([...still].map((id) => store.remove(keys.pad(id))));
      return ids.filter((id) => !still.has(id));
    });
    if (moved.length > 0) await forgetPads(moved);
  }

  /** What fails stays noted: the pad remains closed, and it is tried again. */
  async function removeFromEditor(ids: readonly string[], leftovers: boolean): Promise<void> {
    const gone: string[] = [];
    const removeOne = async (id: string): Promise<void> => {
      try {
        await editorPads.remove(id, { leftovers, signal });
        gone.push(id);
      } catch (error) {
        if (signal.aborted) return;
        log.error('a pad could not be removed from the editor; it stays closed', {
          pad: id,
          error: String(error),
        });
      }
    };
    for (let start = 0; start < ids.length && !signal.aborted; start += together) {
      await Promise.all(ids.slice(start, start + together).map(removeOne));
    }
    if (gone.length === 0) return;
    try {
      await Promise.all(gone.map((id) => store.remove(keys.deletePad(id))));
      await pending.strike('pads', gone);
    } catch (error) {
      log.error('removals could not be struck off yet', { pads: gone, error: String(error) });
    }
  }

  async function removePads(ids: readonly string[], how: When): Promise<void> {
    if (ids.length === 0) return;
    await closePads(ids);
    await Promise.all([forgetPads(ids), forgetting.note({ pads: ids })]);
    if (how === 'now') {
      const work = removeFromEditor(ids, false);
      follow(work);
      return work;
    }
    for (let start = 0; start < ids.length; start += together) {
      const part = ids.slice(start, start + together);
      last = last.then(() => removeFromEditor(part, how === 'again'));
    }
    follow(last);
  }

  // 2. Groups

  /** Notes the removal and removes the group's record: from here on it is gone, and its pads are closed. */
  async function closeGroup(id: string): Promise<GroupNote | undefined> {
    await pending.enlist('groups', [id]);
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

  async function finishGroup(note: GroupNote, how: When): Promise<void> {
    const pads = await store.getMany<unknown>(note.pads.map(keys.pad));
    const own = note.pads.filter((id, index) => readPad(id, pads[index])?.group === note._id);
    const leave = each(note.people, (person) => users.removeGroup(person, note._id));
    await Promise.all([leave, forgetting.note({ groups: [note._id] }), removePads(own, how)]);
    await store.remove(keys.deleteGroup(note._id));
    await pending.strike('groups', [note._id]);
  }

  async function resumeGroup(id: string): Promise<void> {
    const note = (await closeGroup(id)) ?? (await store.get<GroupNote>(keys.deleteGroup(id)));
    if (note === undefined) await pending.strike('groups', [id]);
    else await finishGroup(note, 'again');
  }

  // 3. Chat histories

  async function removeOldChat(padId: string, count: number | undefined): Promise<void> {
    try {
      await editorPads.removeOldChat(padId, { count, signal });
      await pending.strike('chats', [padId]);
    } catch (error) {
      if (signal.aborted) return;
      log.error('old chat messages are still in the database; they will be tried again', {
        pad: padId,
        error: String(error),
      });
    }
  }

  // 4. After a restart, or when it failed

  /** One note that cannot be worked off must not keep the server from starting. */
  async function attempt(what: string, ids: string | readonly string[], work: () => Promise<void>) {
    try {
      await work();
    } catch (error) {
      log.error('an unfinished removal could not be finished', { [what]: ids, error: String(error) });
    }
  }

  /** Slow on large databases: once for each, in the background. What is found is closed already. */
  async function searchOldNotes(): Promise<void> {
    try {
      if ((await pending.read()).searched) return;
      const prefix = keys.deletePad('');
      const found = await store.scan(prefix);
      // Read after the search: a note of ours is on a list before it is written.
      const known = await pending.read();
      const listed = new Set([...known.pads, ...known.vanished].map(keys.deletePad));
      const old = found.filter((key) => !listed.has(key)).map((key) => key.slice(prefix.length));
      await attempt('pads', old, () => removePads(old, 'again'));
      await pending.noteSearched();
    } catch (error) {
      log.warn('unfinished removals of the earlier generation could not be looked for', {
        error: String(error),
      });
    }
  }

  async function goOnWith({
    pads,
    groups,
    chats,
  }: Pick<Pending, 'pads' | 'groups' | 'chats'>): Promise<void> {
    for (const id of groups) await attempt('group', id, () => resumeGroup(id));
    await attempt('pads', pads, () => removePads(pads, 'again'));
    for (const id of chats) last = last.then(() => removeOldChat(id, undefined));
    follow(last);
  }

  return {
    removePad: (id) => removePads([id], when()),
    async removeGroup(id) {
      const note = await closeGroup(id);
      if (note === undefined) {
        if ((await store.get(keys.deleteGroup(id))) === undefined) await pending.strike('groups', [id]);
        throw new MyPadsError('BACKEND.ERROR.CONFIGURATION.KEY_NOT_FOUND', { key: id });
      }
      await finishGroup(note, when());
    },
    async removeChat(padId) {
      await pending.enlist('chats', [padId]);
      const count = await editorPads.emptyChat(padId);
      if (when() === 'now') return removeOldChat(padId, count);
      last = last.then(() => removeOldChat(padId, count));
      follow(last);
    },
    async resume() {
      await goOnWith(await pending.read());
      await attempt('kind', 'vanished', () => vanished.settleVanished('all'));
      follow(searchOldNotes());
    },
    async retry() {
      if (background.size > 0) return;
      const [before, left] = [leftBefore, await pending.read()];
      leftBefore = left;
      const still = (kind: 'pads' | 'groups' | 'chats') =>
        left[kind].filter((id) => before[kind].includes(id));
      await goOnWith({ pads: still('pads'), groups: still('groups'), chats: still('chats') });
    },
    padVanished: vanished.padVanished,
    padAppeared: vanished.padAppeared,
    settleVanished: vanished.settleVanished,
    async idle() {
      while (background.size > 0) await Promise.all(background);
    },
    async stop() {
      stopping.abort();
      vanished.close();
      while (background.size > 0) await Promise.all(background);
    },
  };
}
