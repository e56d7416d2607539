/**
 * Pads that Etherpad removed by itself (its admin page or API). Etherpad also replaces a pad by removing it and copying
 * another. To protect the new text, the pad's record is moved into a note that keeps the pad closed, and is restored
 * when the pad returns; after an hour it is deleted.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Events } from '../events';
import type { EditorPads, Log, Schedule } from '../ports';
import { forEachInBatches } from '../store/batches';
import type { GroupRecord, PadRecord } from '../store/entities';
import { readGroup, readPad } from '../store/records';
import { keys, type Store } from '../store/store';
import type { PendingJobs } from './pendingJobs';
import type { ReferenceCleanup } from './referenceCleanup';

export interface VanishedPads {
  /** Etherpad has removed a pad. Resolves shortly after, when the pad is closed or has been replaced. */
  padVanished(id: string): Promise<void>;
  /** Etherpad has created a pad. Restores the record if the pad was removed recently. */
  padAppeared(id: string): Promise<void>;
  /**
   * Checks all noted pads: restores those that are back, deletes those gone for an hour (`all`: all that are gone).
   * Runs automatically in the background.
   */
  settleVanished(which: 'old' | 'all'): Promise<void>;
  close(): void;
}

export interface VanishedContext {
  store: Store;
  pending: PendingJobs;
  editorPads: EditorPads;
  referenceCleanup: ReferenceCleanup;
  events: Events;
  schedule: Schedule;
  log: Log;
  now: () => number;
  /** Removes pads from their groups' lists and deletes their records. */
  removePadRecords: (ids: readonly string[]) => Promise<void>;
  signal: AbortSignal;
}

/** Stored under the key of a removal note, and closes the pad in the same way. */
interface VanishedNote {
  pad: string;
  /** The pad's record; `since` in milliseconds since 1970. */
  vanished: { record: PadRecord; since: number };
}

/** Milliseconds within which a replaced pad usually returns. */
const replaceDelay = 1_000;
const keepTime = 60 * 60_000;
const settleInterval = 10 * 60_000;

export function createVanishedPads(context: VanishedContext): VanishedPads {
  const { store, pending, editorPads, referenceCleanup, events, schedule, log, now } = context;
  const { removePadRecords, signal } = context;

  async function noteOf(id: string): Promise<VanishedNote | undefined> {
    const note = await store.get<Partial<VanishedNote> | string>(keys.deletePad(id));
    return typeof note === 'object' && note.vanished ? (note as VanishedNote) : undefined;
  }

  /** Closes the pad and moves its record into a note. Returns false when there is no record. */
  async function closeAndKeepRecord(id: string): Promise<boolean> {
    const note = await store.locked([keys.deletePad(id), keys.pad(id)], async () => {
      const record = readPad(id, await store.get(keys.pad(id)));
      if (record === undefined || (await store.get(keys.deletePad(id))) !== undefined) return undefined;
      const written: VanishedNote = { pad: id, vanished: { record, since: now() } };
      await store.set(keys.deletePad(id), written);
      return written;
    });
    if (note === undefined) return false;
    events.emit('pad', { id, group: note.vanished.record.group, access: true });
    await removePadRecords([id]);
    return true;
  }

  /** Restores the record, then the group's list. The pad opens when the note is deleted, last. */
  async function restore({ pad: id, vanished }: VanishedNote): Promise<void> {
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
    await pending.remove('vanished', [id]);
    events.emit('pad', { id, group, access: true });
  }

  async function removeForGood(id: string): Promise<void> {
    await removePadRecords([id]);
    await referenceCleanup.schedule({ pads: [id] });
    await editorPads.removeReadOnlyId(id);
    await store.remove(keys.deletePad(id));
    await pending.remove('vanished', [id]);
  }

  /** Throws when Etherpad cannot tell whether the pad exists. */
  async function checkPad(id: string): Promise<void> {
    if (await editorPads.exists(id)) {
      const note = await noteOf(id);
      return note ? restore(note) : pending.remove('vanished', [id]);
    }
    if (!(await closeAndKeepRecord(id))) {
      if ((await noteOf(id)) === undefined) await pending.remove('vanished', [id]);
      return;
    }
    // The pad may have returned right before the note existed. Etherpad does not report that again.
    if (await editorPads.exists(id)) await checkPad(id);
  }

  async function settlePad(id: string, which: 'old' | 'all'): Promise<void> {
    const note = await noteOf(id);
    if ((await editorPads.exists(id)) || (which === 'old' && !note)) return checkPad(id);
    if (which === 'old' && note && now() - note.vanished.since < keepTime) return;
    if (note || (await closeAndKeepRecord(id))) await removeForGood(id);
    else await pending.remove('vanished', [id]);
  }

  async function settleVanished(which: 'old' | 'all'): Promise<void> {
    await forEachInBatches((await pending.read()).vanished, async (id) => {
      if (signal.aborted) return;
      try {
        await settlePad(id, which);
      } catch (error) {
        log.error('removal of the record of a vanished pad failed, retrying later', {
          pad: id,
          error: String(error),
        });
      }
    });
  }

  const close = schedule.every('settle vanished pads', settleInterval, () => {
    settleVanished('old').catch(() => {});
  });

  return {
    async padVanished(id) {
      if (readPad(id, await store.get(keys.pad(id))) === undefined) return;
      await pending.add('vanished', [id]);
      await pause(replaceDelay, undefined, { ref: false, signal }).catch(() => {});
      if (!signal.aborted) await checkPad(id);
    },
    async padAppeared(id) {
      const note = await noteOf(id);
      if (note && (await editorPads.exists(id))) await restore(note);
    },
    settleVanished,
    close,
  };
}
