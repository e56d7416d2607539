/** Removes pads: closes them, deletes our records of them, then the texts and histories that Etherpad stores. */

import type { JobQueue, Jobs, RunReason } from '../jobs/types';
import type { Coordination, EditorPads } from '../ports';
import type { Basics } from '../store/basics';
import { keys } from '../store/store';
import { createPadRecordRemoval, type PadRecordContext } from './padRecordRemoval';
import type { ReferenceCleanup } from './referenceCleanup';

export interface PadRemovalFacts {
  pads: string[];
  /** An earlier removal may have left something: from ep_mypads 1.x. */
  leftovers?: true;
  /** They are in the trash. Those that are not any more stay. */
  trashed?: true;
  /** Nobody can keep them: their group is removed, or their creation has failed. Other removals begin with a note. */
  isDecided?: true;
}

interface PadRemovalContext extends PadRecordContext, Pick<Basics, 'store' | 'log'> {
  jobs: Pick<Jobs, 'define'>;
  editorPads: EditorPads;
  referenceCleanup: Pick<ReferenceCleanup, 'schedule'>;
  coordination: Pick<Coordination, 'tryLock'>;
}

/** Pads that Etherpad removes at the same time. */
const batchSize = 20;
/**
 * Milliseconds between two writes of what is left. All jobs are in one record, so each of them writes the thousands of
 * pads that others have to remove.
 */
const keepEvery = 5_000;

export function definePadRemoval(context: PadRemovalContext): {
  queue: JobQueue<PadRemovalFacts, string[]>;
  /** Removes pads from their groups' lists and deletes their records. */
  removeRecords(ids: readonly string[]): Promise<void>;
} {
  const { store, jobs, editorPads, referenceCleanup, coordination, log } = context;
  const records = createPadRecordRemoval(context);

  /** Returns false when the pad stays closed, and its removal is to be repeated. */
  async function removeOne(
    id: string,
    options: { leftovers: boolean; signal: AbortSignal },
  ): Promise<boolean> {
    const release = await coordination.tryLock(keys.removalOfText(id));
    // Somebody else is removing it now. Two removals at once could create the pad again.
    if (!release) return (await store.get(keys.deletePad(id))) === undefined;
    try {
      options.signal.throwIfAborted();
      await editorPads.remove(id, options);
      await store.remove(keys.deletePad(id));
      return true;
    } catch (error) {
      if (!options.signal.aborted)
        log.error('pad not removed from Etherpad, stays closed, retrying later', {
          pad: id,
          error: String(error),
        });
      return false;
    } finally {
      release();
    }
  }

  /** Closes the pads. Resolves to those that are to be removed. */
  async function close({ pads, trashed, isDecided }: PadRemovalFacts, reason: RunReason): Promise<string[]> {
    // Without a note, the call that began the removal failed, and its caller may not want it any more.
    if (reason !== 'begun' && !isDecided) return records.markAgain(pads);
    if (trashed) return records.markTrashed(pads);
    await records.mark(pads);
    return pads;
  }

  const queue = jobs.define<PadRemovalFacts, string[]>({
    type: 'removePads',
    // Without the lock of the pad: a process that holds it and stops must not keep the pad open.
    async first(facts, { reason }) {
      const pads = await close(facts, reason);
      await Promise.all([records.remove(pads), referenceCleanup.schedule({ pads })]);
      return pads;
    },
    async run({ pads: _, ...facts }, { isRepeated, signal, progress, keep }, pads) {
      const leftovers = facts.leftovers === true || isRepeated;
      const failed: string[] = [];
      let keptAt = performance.now();
      for (let start = 0; start < pads.length; start += batchSize) {
        // Pads that are removed should not be closed again, so they are taken off the job.
        if (start > 0 && (signal.aborted || performance.now() - keptAt >= keepEvery)) {
          await keep({ ...facts, pads: [...failed, ...pads.slice(start)] });
          keptAt = performance.now();
        }
        signal.throwIfAborted();
        const batch = pads.slice(start, start + batchSize);
        const removed = await Promise.all(batch.map((id) => removeOne(id, { leftovers, signal })));
        failed.push(...batch.filter((_, index) => !removed[index]));
        progress(start + batch.length, pads.length);
      }
      signal.throwIfAborted();
      if (failed.length === 0) return;
      await keep({ ...facts, pads: failed });
      throw new Error(`${failed.length} pads not removed from Etherpad`);
    },
  });

  return { queue, removeRecords: records.remove };
}
