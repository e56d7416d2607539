/**
 * Pads that Etherpad removed by itself (its admin page or API). Etherpad also replaces a pad by removing it and copying
 * another. To protect the new text, the pad's record is moved into a note that keeps the pad closed, and is restored
 * when the pad returns; after an hour it is deleted.
 */

import { byServer } from '../actor';
import type { JobQueue, JobRun, Jobs } from '../jobs/types';
import type { EditorPads } from '../ports';
import { pauseOn } from '../schedule';
import type { Basics } from '../store/basics';
import { inBatches } from '../store/batches';
import type { PadRecord } from '../store/entities';
import type { FormerPads } from '../store/formerPads';
import { readGroup, readPad, storedGroup, texts } from '../store/records';
import { keys } from '../store/store';
import { readTrashedPad } from '../store/trashNotes';
import type { PadRemovalFacts } from './padRemoval';
import type { ReferenceCleanup } from './referenceCleanup';

export interface VanishedFacts {
  pads: string[];
}

export interface VanishedContext extends Pick<Basics, 'store' | 'events' | 'now' | 'schedule'> {
  jobs: Pick<Jobs, 'define'>;
  editorPads: EditorPads;
  formerPads: Pick<FormerPads, 'add'>;
  referenceCleanup: Pick<ReferenceCleanup, 'schedule'>;
  /** Another process may have removed the pad, and create it again. */
  sharesDatabase?: true | undefined;
  /** Aborted when the server stops. */
  signal: AbortSignal;
  /** Removes pads from their groups' lists and deletes their records. */
  removePadRecords: (ids: readonly string[]) => Promise<void>;
  pads: Pick<JobQueue<PadRemovalFacts, string[]>, 'begin'>;
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
/** Milliseconds between two looks whether a pad has returned without a report. */
const lookAgainAfter = 10 * 60_000;

export class VanishedPads {
  readonly queue: JobQueue<VanishedFacts>;

  constructor(private readonly context: VanishedContext) {
    // A start waits for the first look. Another process may still be waiting for a pad to return.
    this.queue = context.jobs.define<VanishedFacts>({
      type: 'vanishedPads',
      first: async (facts, run) => (run.reason === 'resumed' ? this.settleAll(facts, run) : undefined),
      run: async (facts, run) => (run.reason === 'resumed' ? undefined : this.settleAll(facts, run)),
      shared: {
        delay: lookAgainAfter,
        waits: true,
        merge: ({ pads }, more) => ({ pads: [...new Set([...texts(pads), ...more.pads])] }),
        without({ pads }, done) {
          const left = texts(pads).filter((id) => !done.pads.includes(id));
          return left.length === 0 ? undefined : { pads: left };
        },
      },
    });
  }

  private async noteOf(id: string): Promise<VanishedNote | undefined> {
    const note = await this.context.store.get<Partial<VanishedNote> | string>(keys.deletePad(id));
    return typeof note === 'object' && note.vanished ? (note as VanishedNote) : undefined;
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
        await store.set(keys.group(group), storedGroup({ ...stored, pads: [...stored.pads, id] }));
      }
      await store.remove(keys.deletePad(id));
    });
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
  }

  /** Closes the pad, or restores it. Throws when Etherpad cannot tell whether the pad exists. */
  private async checkPad(id: string): Promise<void> {
    const { editorPads } = this.context;
    if (await editorPads.exists(id)) {
      const note = await this.noteOf(id);
      if (note) await this.restore(note);
      return;
    }
    // The pad may have returned right before the note existed. Etherpad does not report that again.
    if ((await this.closeAndKeepRecord(id)) && (await editorPads.exists(id))) await this.checkPad(id);
  }

  /** Returns false while the pad may return. */
  private async settle(id: string, isOver: (since: number) => boolean): Promise<boolean> {
    await this.checkPad(id);
    const note = await this.noteOf(id);
    if (note === undefined) return true;
    if (!isOver(note.vanished.since)) return false;
    await this.removeForGood(id);
    return true;
  }

  private async settleAll({ pads }: VanishedFacts, { reason, signal, did }: JobRun): Promise<void> {
    const { now, sharesDatabase } = this.context;
    // With one process, nobody creates the pad again after a restart.
    const isOver = (since: number): boolean =>
      now() - since >= keepTime || (reason === 'resumed' && !sharesDatabase);
    const settled: string[] = [];
    await inBatches(
      texts(pads),
      async (part) => {
        const done = await Promise.all(part.map((id) => this.settle(id, isOver)));
        settled.push(...part.filter((_, index) => done[index]));
      },
      { signal },
    );
    did({ pads: settled });
  }

  /**
   * Etherpad has removed a pad. Resolves shortly after, when the pad is closed or has been replaced: then to true, and
   * its text is another one, of which Etherpad has reported no change.
   */
  async padVanished(id: string): Promise<boolean> {
    const { store, schedule, signal, editorPads, pads } = this.context;
    const isTrashed = readTrashedPad(await store.get(keys.deletePad(id))) !== undefined;
    if (!isTrashed && readPad(id, await store.get(keys.pad(id))) === undefined) return false;
    if (!isTrashed) await this.queue.begin({ pads: [id] });
    await pauseOn(schedule, 'check vanished pad', replaceDelay, signal);
    if (signal.aborted) return false;
    if (!isTrashed) await this.checkPad(id);
    const isReplaced = await editorPads.exists(id);
    if (isTrashed && !isReplaced) await pads.begin({ pads: [id], trashed: true });
    return isReplaced;
  }

  /** Etherpad has created a pad. Restores the record if the pad was removed recently. */
  async padAppeared(id: string): Promise<void> {
    const note = await this.noteOf(id);
    if (!note || !(await this.context.editorPads.exists(id))) return;
    await this.restore(note);
  }
}
