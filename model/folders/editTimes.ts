/**
 * When pads were last written. Pad records of ep_mypads 1.x do not have this time: it is in the last revision of the
 * editor's pad. It is copied into our records in the background after the first start, and whenever Etherpad reports
 * it.
 */

import { byServer } from '../actor';
import type { Basics } from '../store/basics';
import { inBatches } from '../store/batches';
import type { PadRecord } from '../store/entities';
import { readPad } from '../store/records';
import { keys } from '../store/store';
import { UntilDone } from '../untilDone';
import type { Pads } from './pad';

interface EditTimesContext extends Pick<Basics, 'store' | 'events' | 'log' | 'schedule'> {
  pads: Pick<Pads, 'lastUpdates'>;
}

const retryAfter = 60_000;

export class EditTimes {
  private readonly closing = new AbortController();
  private readonly writing = new Set<Promise<void>>();
  private filled = false;
  private readonly filling: UntilDone;

  constructor(private readonly context: EditTimesContext) {
    const { schedule, log } = context;
    this.filling = new UntilDone({
      name: 'read times of pads again',
      schedule,
      retryAfter,
      work: () => this.fill(),
      failed: (error) =>
        log.warn('reading the edit times of pads failed, retrying in a minute', { error: String(error) }),
    });
  }

  /**
   * True when a record without a time means that nobody has written in the pad. False for a while after the first
   * start with a database of ep_mypads 1.x: its records have no times.
   */
  isComplete(): boolean {
    return this.filled;
  }

  /** Keeps a time that was stored meanwhile, because it is newer. */
  private async keep(id: string, time: number): Promise<void> {
    const { store, events } = this.context;
    let isStored = false;
    await store.update<PadRecord>(keys.pad(id), (current) => {
      const pad = readPad(id, current);
      isStored = pad !== undefined && pad.lastUpdate === undefined;
      return isStored && current ? { ...current, lastUpdate: time } : undefined;
    });
    if (isStored) events.emit({ about: 'text', what: 'edited', id, last: time, by: byServer });
  }

  /** `keepAll` stores the times that the records did not have. */
  private async learn(asked: readonly PadRecord[]) {
    const times = await this.context.pads.lastUpdates(asked);
    const news = asked.flatMap(({ _id, lastUpdate }): [string, number][] => {
      const time = lastUpdate === undefined ? times.get(_id) : undefined;
      return typeof time === 'number' ? [[_id, time]] : [];
    });
    return { times, keepAll: () => Promise.all(news.map(([id, time]) => this.keep(id, time))) };
  }

  /**
   * When each pad was last written, as `Pads.lastUpdates`. What it had to ask the editor for is stored in the
   * background, so that the caller does not wait for the writes.
   */
  async lastUpdates(asked: readonly PadRecord[]): Promise<Map<string, number | null>> {
    const { times, keepAll } = await this.learn(asked);
    if (this.closing.signal.aborted) return times;
    const work = keepAll()
      .then(() => {})
      .catch((error: unknown) => {
        this.context.log.warn('storing the edit times of pads failed', { error: String(error) });
      })
      .finally(() => this.writing.delete(work));
    this.writing.add(work);
    return times;
  }

  /** The same pads with their times. Asks the editor only until `isComplete`. */
  async complete(found: ReadonlyMap<string, PadRecord>): Promise<ReadonlyMap<string, PadRecord>> {
    if (this.filled) return found;
    const times = await this.lastUpdates([...found.values()]);
    return new Map(
      [...found].map(([id, pad]) => {
        const time = times.get(id);
        return [id, typeof time === 'number' ? { ...pad, lastUpdate: time } : pad];
      }),
    );
  }

  private async fill(): Promise<void> {
    const { store } = this.context;
    const state = await store.get<{ complete?: unknown }>(keys.editTimes);
    if (state?.complete !== true) {
      const prefix = keys.pad('');
      const found = (await store.scan(prefix)).filter((key) => key.startsWith(prefix));
      const fillSome = async (part: string[]): Promise<void> => {
        const stored = await store.getMany<unknown>(part);
        const records = part.flatMap((key, index) => readPad(key.slice(prefix.length), stored[index]) ?? []);
        const { times, keepAll } = await this.learn(records);
        await keepAll();
        // Otherwise their times would be missing for good: the times are said to be complete only once.
        if (times.size < records.length) throw new Error('the editor could not be asked about all pads');
      };
      await inBatches(found, fillSome, { signal: this.closing.signal });
      await store.set(keys.editTimes, { complete: true });
    }
    this.filled = true;
  }

  /** Begins the background work. */
  start(): void {
    void this.filling.attempt();
  }

  /** Aborts the background work; the next start begins again. Resolves when nothing is written any more. */
  async close(): Promise<void> {
    const ended = this.filling.end();
    this.closing.abort();
    await ended;
    await Promise.all(this.writing);
  }
}
