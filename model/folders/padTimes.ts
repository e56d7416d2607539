/** When the text of a pad was changed last. */
import pLimit from 'p-limit';
import type { Events } from '../events';
import type { EditorPads, Log } from '../ports';
import type { PadRecord } from '../store/entities';
import { keys, type Store } from '../store/store';

export interface PadTimes {
  /**
   * Records that the text changed, to the minute. Ignores pads that are not managed here. Cheap enough for every
   * change.
   */
  touch(id: string): Promise<void>;
  /**
   * Time of the last change of each pad's text. Asks Etherpad if the record has none; `null` if nobody has written yet.
   */
  lastUpdates(pads: readonly PadRecord[]): Promise<Map<string, number | null>>;
}

interface PadTimesContext {
  store: Store;
  editorPads: Pick<EditorPads, 'lastEdited'>;
  events: Events;
  log: Log;
  now: () => number;
}

/** Minimum interval between two writes of the time of the last change, in milliseconds. */
const touchInterval = 60_000;
/** Parallel requests to Etherpad. */
const parallelRequests = 10;

export function createPadTimes({ store, editorPads, events, log, now }: PadTimesContext): PadTimes {
  /** When each pad was written about, the oldest first. */
  const touched = new Map<string, number>();

  async function lastEdited(id: string): Promise<number | null> {
    try {
      return await editorPads.lastEdited(id);
    } catch (error) {
      log.warn('reading the edit time of a pad failed', { pad: id, error: String(error) });
      return null;
    }
  }

  return {
    async touch(id) {
      const time = now();
      if (time - (touched.get(id) ?? Number.NEGATIVE_INFINITY) < touchInterval) return;
      for (const [other, last] of touched) {
        if (time - last < touchInterval) break;
        touched.delete(other);
      }
      touched.delete(id);
      touched.set(id, time);
      const pad = await store.update<PadRecord>(
        keys.pad(id),
        (current) => current && { ...current, lastUpdate: time },
      );
      if (pad !== undefined) events.emit('edited', { id, time });
    },
    async lastUpdates(pads) {
      const times = new Map<string, number | null>(pads.map((pad) => [pad._id, pad.lastUpdate ?? null]));
      const unknown = pads.filter((pad) => pad.lastUpdate === undefined);
      await pLimit(parallelRequests).map(unknown, async ({ _id }) => times.set(_id, await lastEdited(_id)));
      return times;
    },
  };
}
