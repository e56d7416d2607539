/** Removes the texts and chats that Etherpad stores. */
import type { Coordination, EditorPads, Log } from '../ports';
import { keys, type Store } from '../store/store';
import type { PendingJobs } from './pendingJobs';

export interface EditorRemoval {
  /**
   * Removes pads whose removal is noted. After a failure the note stays: the pad remains closed, and the removal is
   * retried. `leftovers`: also what an interrupted removal may have left.
   */
  removePads(ids: readonly string[], leftovers: boolean): Promise<void>;
  /** Removes the first `count` messages of a chat, or all. After a failure it is retried. */
  removeOldChat(padId: string, count: number | undefined): Promise<void>;
}

/** Pads that Etherpad removes at the same time. */
export const removalBatch = 20;

export function createEditorRemoval(context: {
  store: Store;
  pending: PendingJobs;
  editorPads: EditorPads;
  coordination: Pick<Coordination, 'tryLock'>;
  log: Log;
  signal: AbortSignal;
}): EditorRemoval {
  const { store, pending, editorPads, coordination, log, signal } = context;

  async function removePads(ids: readonly string[], leftovers: boolean): Promise<void> {
    const removed: string[] = [];
    const removeOne = async (id: string): Promise<void> => {
      const release = await coordination.tryLock(keys.removalOfText(id));
      // Somebody is removing it now. Two removals at once could create the pad again.
      if (!release) return;
      try {
        signal.throwIfAborted();
        await editorPads.remove(id, { leftovers, signal });
        removed.push(id);
      } catch (error) {
        if (signal.aborted) return;
        log.error('pad not removed from Etherpad, stays closed, retrying later', {
          pad: id,
          error: String(error),
        });
      } finally {
        release();
      }
    };
    for (let start = 0; start < ids.length && !signal.aborted; start += removalBatch) {
      await Promise.all(ids.slice(start, start + removalBatch).map(removeOne));
    }
    if (removed.length === 0) return;
    try {
      await Promise.all(removed.map((id) => store.remove(keys.deletePad(id))));
      await pending.remove('pads', removed);
    } catch (error) {
      log.error('removal notes not deleted, retrying later', { pads: removed, error: String(error) });
    }
  }

  async function removeOldChat(padId: string, count: number | undefined): Promise<void> {
    try {
      await editorPads.removeOldChat(padId, { count, signal });
      await pending.remove('chats', [padId]);
    } catch (error) {
      if (signal.aborted) return;
      log.error('old chat messages not removed, retrying later', {
        pad: padId,
        error: String(error),
      });
    }
  }

  return { removePads, removeOldChat };
}
