/**
 * Pads that Etherpad removed by itself (its admin page or API). Etherpad also replaces a pad by removing it and copying
 * another. To protect the new text, the pad's record, with its links, invitations and requests, is moved into a note
 * that keeps the pad closed, and is restored when the pad returns; after an hour it is deleted.
 */

import { byServer } from '../actor';
import type { JobQueue, JobRun, Jobs } from '../jobs/types';
import type { EditorPads } from '../ports';
import { pauseOn } from '../schedule';
import type { Basics } from '../store/basics';
import { inBatches } from '../store/batches';
import type { FormerPads } from '../store/formerPads';
import { readPad, texts } from '../store/records';
import { keys } from '../store/store';
import { readTrashedPad, readVanishedPad, type VanishedPad, vanishedPadNote } from '../store/trashNotes';
import { groupOrTrashed, moveIntoNote, removePartNotes, withPad } from './padParts';
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

/** Milliseconds within which a replaced pad usually returns. */
const replaceDelay = 1_000;
const keepTime = 60 * 60_000;
/** Milliseconds between two looks whether a pad has returned without a report. */
const lookAgainAfter = 10 * 60_000;

/** Takes each of `gone` away once. */
function withoutEach(ids: readonly string[], gone: readonly string[]): string[] {
  const left = new Map<string, number>();
  for (const id of gone) left.set(id, (left.get(id) ?? 0) + 1);
  return ids.filter((id) => {
    const count = left.get(id) ?? 0;
    left.set(id, count - 1);
    return count <= 0;
  });
}

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
        // A pad is in the list each time that it vanishes: also again while a run has just found it.
        merge: ({ pads }, more) => ({ pads: [...texts(pads), ...more.pads] }),
        without({ pads }, done) {
          const left = withoutEach(texts(pads), done.pads);
          return left.length === 0 ? undefined : { pads: left };
        },
      },
    });
  }

  private async noteOf(id: string): Promise<VanishedPad | undefined> {
    return readVanishedPad(await this.context.store.get(keys.deletePad(id)));
  }

  /** Closes the pad by a note. Returns false when there is no record, or a note already. */
  private async close(id: string): Promise<boolean> {
    const { store, events, now } = this.context;
    const before = await store.locked([keys.deletePad(id), keys.pad(id)], async () => {
      const record = readPad(id, await store.get(keys.pad(id)));
      if (record === undefined || (await store.get(keys.deletePad(id))) !== undefined) return undefined;
      const about = { links: [], invitations: [], requests: [] };
      await store.set(keys.deletePad(id), vanishedPadNote({ record, since: now(), ...about }));
      return record;
    });
    if (before === undefined) return false;
    const facts = { about: 'pad', id, before, after: null, access: true } as const;
    events.emit({ ...facts, what: 'removed', by: byServer });
    return true;
  }

  /** Moves the record into the note, if there is one. */
  private async moveAway(id: string): Promise<void> {
    const { store } = this.context;
    const from = readPad(id, await store.get(keys.pad(id)))?.group;
    if (from === undefined) return;
    const isDone = await store.locked([keys.group(from), keys.deletePad(id), keys.pad(id)], async () => {
      const record = readPad(id, await store.get(keys.pad(id)));
      const note = await this.noteOf(id);
      if (record === undefined || note === undefined) return true;
      if (record.group !== from) return false;
      await moveIntoNote(store, record, note, (about) => vanishedPadNote({ ...note, record, ...about }));
      return true;
    });
    if (!isDone) await this.moveAway(id);
  }

  /** Restores the record, then the list of its group, also in the trash. The note, which closes it, is deleted last. */
  private async restore({ record: after }: VanishedPad): Promise<void> {
    const { store, events } = this.context;
    const { _id: id, group } = after;
    await store.locked([keys.group(group), keys.deletePad(id), keys.pad(id)], async () => {
      const note = await this.noteOf(id);
      if (note === undefined) return;
      await store.set(keys.pad(id), note.record);
      const found = await groupOrTrashed(store, group);
      if (found) await found.write(withPad(found.group, id, note));
      else await removePartNotes(store, note);
      await store.remove(keys.deletePad(id));
    });
    events.emit({ about: 'pad', what: 'restored', id, before: null, after, access: true, by: byServer });
  }

  private async removeForGood(id: string): Promise<void> {
    const { store, editorPads, formerPads, referenceCleanup, removePadRecords } = this.context;
    await removePadRecords([id]);
    await formerPads.add([id]);
    await referenceCleanup.schedule({ pads: [id] });
    await editorPads.removeReadOnlyId(id);
    await store.locked([keys.deletePad(id)], async () => {
      const note = await this.noteOf(id);
      if (note === undefined) return;
      await removePartNotes(store, note);
      await store.remove(keys.deletePad(id));
    });
  }

  /** Closes the pad, restores it, or removes it from the trash. Throws when Etherpad cannot tell whether it exists. */
  private async checkPad(id: string): Promise<void> {
    const { store, editorPads, pads } = this.context;
    if (await editorPads.exists(id)) {
      const note = await this.noteOf(id);
      if (note) await this.restore(note);
      return;
    }
    if (readTrashedPad(await store.get(keys.deletePad(id)))) {
      await pads.begin({ pads: [id], trashed: true, isDecided: true });
      return;
    }
    // The pad may have returned right before the note existed. Etherpad does not report that again.
    const isClosed = await this.close(id);
    await this.moveAway(id);
    if (isClosed && (await editorPads.exists(id))) await this.checkPad(id);
  }

  /** Returns false while the pad may return. */
  private async settle(id: string, isOver: (since: number) => boolean): Promise<boolean> {
    await this.checkPad(id);
    const note = await this.noteOf(id);
    if (note === undefined) return true;
    if (!isOver(note.since)) return false;
    await this.removeForGood(id);
    return true;
  }

  private async settleAll({ pads }: VanishedFacts, { reason, signal, did }: JobRun): Promise<void> {
    const { now, sharesDatabase } = this.context;
    // With one process, nobody creates the pad again after a restart.
    const isOver = (since: number): boolean =>
      now() - since >= keepTime || (reason === 'resumed' && !sharesDatabase);
    const settled = new Set<string>();
    await inBatches(
      [...new Set(texts(pads))],
      async (part) => {
        const done = await Promise.all(part.map((id) => this.settle(id, isOver)));
        for (const [index, id] of part.entries()) if (done[index]) settled.add(id);
      },
      { signal },
    );
    did({ pads: texts(pads).filter((id) => settled.has(id)) });
  }

  /**
   * Etherpad has removed a pad. Resolves shortly after, when the pad is closed or has been replaced: then to true, and
   * its text is another one, of which Etherpad has reported no change.
   */
  async padVanished(id: string): Promise<boolean> {
    const { store, schedule, signal, editorPads } = this.context;
    const [record, note] = await store.getMany<unknown>([keys.pad(id), keys.deletePad(id)]);
    if (readPad(id, record) === undefined && readTrashedPad(note) === undefined) return false;
    await this.queue.begin({ pads: [id] });
    await pauseOn(schedule, 'check vanished pad', replaceDelay, signal);
    if (signal.aborted) return false;
    await this.checkPad(id);
    return editorPads.exists(id);
  }

  /** Etherpad has created a pad. Restores the record if the pad was removed recently. */
  async padAppeared(id: string): Promise<void> {
    const note = await this.noteOf(id);
    if (!note || !(await this.context.editorPads.exists(id))) return;
    await this.restore(note);
  }
}
