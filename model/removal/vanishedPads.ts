/**
 * Pads that Etherpad removed by itself (its admin page or API). Etherpad also replaces a pad by removing it and copying
 * another. To protect the new text, the pad's record is moved into a note that keeps the pad closed, and is restored
 * when the pad returns; after an hour it is deleted.
 */
import { byServer } from '../actor';
import type { Events } from '../events';
import type { EditorPads, Log, Schedule } from '../ports';
import { pauseOn } from '../schedule';
import { forEachInBatches } from '../store/batches';
import type { GroupRecord, PadRecord } from '../store/entities';
import type { FormerPads } from '../store/formerPads';
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
  formerPads: Pick<FormerPads, 'add'>;
  referenceCleanup: ReferenceCleanup;
  events: Events;
  /** Runs in the leader. */
  schedule: Schedule;
  /** Runs in each process: a pad is checked by the process that it vanished in. */
  localSchedule: Schedule;
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

class NotedPads implements VanishedPads {
  private readonly cancelTimer: () => void;

  constructor(private readonly context: VanishedContext) {
    this.cancelTimer = context.schedule.every('settle vanished pads', settleInterval, () => {
      this.settleVanished('old').catch(() => {});
    });
  }

  private async noteOf(id: string): Promise<VanishedNote | undefined> {
    const note = await this.context.store.get<Partial<VanishedNote> | string>(keys.deletePad(id));
    return typeof note === 'object' && note.vanished ? (note as VanishedNote) : undefined;
  }

  private removeFromList(id: string): Promise<void> {
    return this.context.pending.remove('vanished', [id]);
  }

  /** Closes the pad and moves its record into a note. Returns false when there is no record. */
  private async closeAndKeepRecord(id: string): Promise<boolean> {
    const { store, events, now, removePadRecords } = this.context;
    const note = await store.locked([keys.deletePad(id), keys.pad(id)], async () => {
      const record = readPad(id, await store.get(keys.pad(id)));
      if (record === undefined || (await store.get(keys.deletePad(id))) !== undefined) return undefined;
      const written: VanishedNote = { pad: id, vanished: { record, since: now() } };
      await store.set(keys.deletePad(id), written);
      return written;
    });
    if (note === undefined) return false;
    const facts = { about: 'pad', id, before: note.vanished.record, after: null, access: true } as const;
    events.emit({ ...facts, what: 'removed', by: byServer });
    await removePadRecords([id]);
    return true;
  }

  /** Restores the record, then the group's list. The pad opens when the note is deleted, last. */
  private async restore({ pad: id, vanished }: VanishedNote): Promise<void> {
    const { store, events } = this.context;
    const { group } = vanished.record;
    await store.locked([keys.group(group), keys.deletePad(id), keys.pad(id)], async () => {
      if ((await this.noteOf(id)) === undefined) return;
      await store.set(keys.pad(id), vanished.record);
      const stored = readGroup(group, await store.get(keys.group(group)));
      if (stored !== undefined && !stored.pads.includes(id)) {
        await store.set(keys.group(group), { ...stored, pads: [...stored.pads, id] } satisfies GroupRecord);
      }
      await store.remove(keys.deletePad(id));
    });
    await this.removeFromList(id);
    const after = readPad(id, vanished.record) ?? null;
    events.emit({ about: 'pad', what: 'restored', id, before: null, after, access: true, by: byServer });
  }

  private async removeForGood(id: string): Promise<void> {
    const { store, editorPads, formerPads, referenceCleanup, removePadRecords } = this.context;
    await removePadRecords([id]);
    await formerPads.add([id]);
    await referenceCleanup.schedule({ pads: [id] });
    await editorPads.removeReadOnlyId(id);
    await store.remove(keys.deletePad(id));
    await this.removeFromList(id);
  }

  /** Throws when Etherpad cannot tell whether the pad exists. */
  private async checkPad(id: string): Promise<void> {
    const { editorPads } = this.context;
    if (await editorPads.exists(id)) {
      const note = await this.noteOf(id);
      return note ? this.restore(note) : this.removeFromList(id);
    }
    if (!(await this.closeAndKeepRecord(id))) {
      if ((await this.noteOf(id)) === undefined) await this.removeFromList(id);
      return;
    }
    // The pad may have returned right before the note existed. Etherpad does not report that again.
    if (await editorPads.exists(id)) await this.checkPad(id);
  }

  private async settlePad(id: string, which: 'old' | 'all'): Promise<void> {
    const { editorPads, now } = this.context;
    const note = await this.noteOf(id);
    if ((await editorPads.exists(id)) || (which === 'old' && !note)) return this.checkPad(id);
    if (which === 'old' && note && now() - note.vanished.since < keepTime) return;
    if (note || (await this.closeAndKeepRecord(id))) await this.removeForGood(id);
    else await this.removeFromList(id);
  }

  async settleVanished(which: 'old' | 'all'): Promise<void> {
    const { pending, signal, log } = this.context;
    await forEachInBatches((await pending.read()).vanished, async (id) => {
      if (signal.aborted) return;
      try {
        await this.settlePad(id, which);
      } catch (error) {
        log.error('removal of the record of a vanished pad failed, retrying later', {
          pad: id,
          error: String(error),
        });
      }
    });
  }

  async padVanished(id: string): Promise<void> {
    const { store, pending, localSchedule, signal } = this.context;
    if (readPad(id, await store.get(keys.pad(id))) === undefined) return;
    await pending.add('vanished', [id]);
    await pauseOn(localSchedule, 'check vanished pad', replaceDelay, signal);
    if (!signal.aborted) await this.checkPad(id);
  }

  async padAppeared(id: string): Promise<void> {
    const note = await this.noteOf(id);
    if (note && (await this.context.editorPads.exists(id))) await this.restore(note);
  }

  close(): void {
    this.cancelTimer();
  }
}

/** Starts the timer that settles noted pads. */
export const createVanishedPads = (context: VanishedContext): VanishedPads => new NotedPads(context);
