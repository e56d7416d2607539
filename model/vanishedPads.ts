/**
 * Pads that the editor has removed without our doing: through its administration or its API. They disappear for everybody, and yet
 * may be back a moment later, because the editor replaces a pad by removing it and copying another into its place. However long that
 * takes, nobody may find the new text without the record that says who may read it. So the record is not thrown away at once: it moves
 * into the note that keeps the pad closed, and comes back with the pad. What does not come back within the hour, or before the next start,
 * is forgotten.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { GroupRecord, PadRecord } from './entities';
import type { Events } from './events';
import type { Forgetting } from './forgetting';
import type { PendingJobs } from './pendingJobs';
import type { EditorPads, Log } from './ports';
import { readGroup, readPad } from './records';
import { each } from './slices';
import { keys, type Store } from './store';

export interface VanishedPads {
  /** The editor says that a pad of it is gone. Resolves a moment later, when it is gone for everybody or has been replaced. */
  padVanished(id: string): Promise<void>;
  /** The editor says that it has made a pad. Gives it the record that it had, if it had one a while ago. */
  padAppeared(id: string): Promise<void>;
  /**
   * Looks at all of them again: what is back gets its record, what has been gone for long is forgotten (`all`: whatever is gone). Happens
   * by itself, in the background.
   */
  settleVanished(which: 'old' | 'all'): Promise<void>;
  close(): void;
}

export interface VanishedContext {
  store: Store;
  pending: PendingJobs;
  editorPads: EditorPads;
  forgetting: Forgetting;
  events: Events;
  log: Log;
  now: () => number;
  /** Takes pads off their groups' lists and removes their records. */
  forgetPads: (ids: readonly string[]) => Promise<void>;
  signal: AbortSignal;
}

/** In the place of the note about a removal: it closes the pad as that does. */
interface VanishedNote {
  pad: string;
  /** The record of the pad; `since` in milliseconds since 1970. */
  vanished: { record: PadRecord; since: number };
}

/** Milliseconds after which most pads that are replaced are there again. */
const replacement = 1_000;
const longest = 60 * 60_000;
const settleEvery = 10 * 60_000;

export function createVanishedPads(context: VanishedContext): VanishedPads {
  const { store, pending, editorPads, forgetting, events, log, now, forgetPads, signal } = context;

  async function noteOf(id: string): Promise<VanishedNote | undefined> {
    const note = await store.get<Partial<VanishedNote> | string>(keys.deletePad(id));
    return typeof note === 'object' && note.vanished ? (note as VanishedNote) : undefined;
  }

  /** Closes the pad and puts its record into the note. Without a record there is nothing to do. */
  async function putAway(id: string): Promise<boolean> {
    const note = await store.locked([keys.deletePad(id), keys.pad(id)], async () => {
      const record = readPad(id, await store.get(keys.pad(id)));
      if (record === undefined || (await store.get(keys.deletePad(id))) !== undefined) return undefined;
      const written: VanishedNote = { pad: id, vanished: { record, since: now() } };
      await store.set(keys.deletePad(id), written);
      return written;
    });
    if (note === undefined) return false;
    events.emit('pad', { id, group: note.vanished.record.group });
    await forgetPads([id]);
    return true;
  }

  /** The record first, the group's list next; the pad opens when the note goes. */
  async function bringBack({ pad: id, vanished }: VanishedNote): Promise<void> {
    const { group } = vanished.record;
    await store.locked([keys.group(group), keys.deletePad(id), keys.pad(id)], async () => {
      if ((await noteOf(id)) === undefined) return;
      await store.set(keys.pad(id), vanished.record);
      const stored = readGroup(group, await store.get(keys.group(group)));
      if (stored !== undefined && !stored.pads.includes(id)) {
        await store.set(keys.group(group), { ...stored, pads: [...stored.pads, id] } satisfies GroupRecord);
      }
      await store.remove(keys.deletePad(id));
    });
    await pending.strike('vanished', [id]);
    events.emit('pad', { id, group });
  }

  async function forget(id: string): Promise<void> {
    await forgetPads([id]);
    await forgetting.note({ pads: [id] });
    await editorPads.removeReadOnlyId(id);
    await store.remove(keys.deletePad(id));
    await pending.strike('vanished', [id]);
  }

  /** Throws when the editor cannot tell whether it has the pad. */
  async function look(id: string): Promise<void> {
    if (await editorPads.exists(id)) {
      const note = await noteOf(id);
      return note ? bringBack(note) : pending.strike('vanished', [id]);
    }
    if (!(await putAway(id))) {
      if ((await noteOf(id)) === undefined) await pending.strike('vanished', [id]);
      return;
    }
    // It may have come back right before there was a note, and nobody will say so again.
    if (await editorPads.exists(id)) await look(id);
  }

  async function settle(id: string, which: 'old' | 'all'): Promise<void> {
    const note = await noteOf(id);
    if ((await editorPads.exists(id)) || (which === 'old' && !note)) return look(id);
    if (which === 'old' && note && now() - note.vanished.since < longest) return;
    if (note || (await putAway(id))) await forget(id);
    else await pending.strike('vanished', [id]);
  }

  async function settleVanished(which: 'old' | 'all'): Promise<void> {
    await each((await pending.read()).vanished, async (id) => {
      if (signal.aborted) return;
      try {
        await settle(id, which);
      } catch (error) {
        log.error('a pad that the editor has removed could not be forgotten yet', {
          pad: id,
          error: String(error),
        });
      }
    });
  }

  const timer = setInterval(() => void settleVanished('old').catch(() => {}), settleEvery);
  timer.unref();

  return {
    async padVanished(id) {
      if (readPad(id, await store.get(keys.pad(id))) === undefined) return;
      await pending.enlist('vanished', [id]);
      await pause(replacement, undefined, { ref: false, signal }).catch(() => {});
      if (!signal.aborted) await look(id);
    },
    async padAppeared(id) {
      const note = await noteOf(id);
      if (note && (await editorPads.exists(id))) await bringBack(note);
    },
    settleVanished,
    close() {
      clearInterval(timer);
    },
  };
}
