/** Reads the catalogue at the first list, and afterwards what has changed. */
import type { Events } from '../events';
import type { Log } from '../ports';
import { inBatches } from '../store/batches';
import type { PadRecord } from '../store/entities';
import { readPad } from '../store/records';
import { keys, type Store } from '../store/store';
import { orBusy } from '../timeLimit';
import type { CatalogueLines, Table } from './catalogueLines';
import type { Pads } from './pad';
import { mergeSorted, sortInBatches } from './sorting';

/** Milliseconds that a list waits for the catalogue before it answers SERVER.BUSY. */
const waitLimit = 2_000;

export interface CatalogueContext {
  store: Store;
  pads: Pick<Pads, 'lastUpdates'>;
  events: Events;
  log: Log;
}

export class CatalogueReading {
  /** Ids of records that have changed and are not read again yet. */
  private readonly changed = { groups: new Set<string>(), pads: new Set<string>() };
  private readonly closing = new AbortController();
  private readonly unsubscribers: (() => void)[];
  private reading: Promise<void> | undefined;
  private isRead = false;
  /** Events of other processes were lost: every record is read again. */
  private isOutdated = false;

  constructor(
    private readonly context: CatalogueContext,
    private readonly lines: CatalogueLines,
  ) {
    const { events } = context;
    this.unsubscribers = [
      events.on('group', ({ id }) => this.note('groups', id)),
      events.on('pad', ({ id }) => this.note('pads', id)),
      events.on('text', ({ id, last }) => lines.noteTime(id, last)),
      events.onMissed(() => {
        this.isOutdated = true;
      }),
    ];
  }

  /** Before the first list nothing has been read, so no change needs to be noted. */
  private note(kind: keyof typeof this.changed, id: string): void {
    if (this.isRead || this.reading) this.changed[kind].add(id);
  }

  /** Reads these records again and updates the sorted ids. `readSome` returns the ids that are to be listed. */
  private async readInto<Line>(
    table: Table<Line>,
    ids: readonly string[],
    readSome: (ids: string[]) => Promise<string[]>,
  ): Promise<void> {
    const { signal } = this.closing;
    const present: string[] = [];
    await inBatches(ids, async (part) => void present.push(...(await readSome(part))), { signal });
    const touched = new Set(ids);
    const others = table.order.filter((id) => !touched.has(id));
    table.order = await mergeSorted(others, await sortInBatches(present));
  }

  private readGroups(ids: readonly string[]): Promise<void> {
    return this.readInto(this.lines.groups, ids, async (part) => {
      const stored = await this.context.store.getMany<unknown>(part.map(keys.group));
      return part.filter((id, index) => this.lines.putGroup(id, stored[index]));
    });
  }

  private readPads(ids: readonly string[]): Promise<void> {
    const { store } = this.context;
    return this.readInto(this.lines.pads, ids, async (part) => {
      const stored = await store.getMany<unknown>(part.map(keys.pad));
      const removals = await store.getMany<unknown>(part.map(keys.deletePad));
      return part.filter((id, index) => this.lines.putPad(id, stored[index], removals[index]));
    });
  }

  private async idsUnder(prefix: string): Promise<string[]> {
    return (await this.context.store.scan(prefix)).map((key) => key.slice(prefix.length));
  }

  private async readAll(): Promise<void> {
    const { groups, pads } = this.lines;
    // Known ids too: their records may have been removed.
    await this.readGroups([...new Set([...(await this.idsUnder(keys.group(''))), ...groups.order])]);
    await this.readPads([...new Set([...(await this.idsUnder(keys.pad(''))), ...pads.order])]);
    this.isRead = true;
    this.readEditTimes().catch((error: unknown) => {
      if (this.closing.signal.aborted) return;
      this.context.log.warn('reading the times of pads failed', { error: String(error) });
    });
  }

  /** Pad records of ep_mypads 1.x have no time of the last change. Etherpad is asked for it. */
  private async readEditTimes(): Promise<void> {
    const { store, pads } = this.context;
    await inBatches(
      this.lines.pads.order,
      async (part) => {
        const stored = await store.getMany<unknown>(part.map(keys.pad));
        const unknown = part
          .map((id, index) => readPad(id, stored[index]))
          .filter((pad): pad is PadRecord => pad !== undefined && pad.lastUpdate === undefined);
        for (const [id, time] of await pads.lastUpdates(unknown)) {
          if (time !== null) this.lines.noteTime(id, time);
        }
      },
      { signal: this.closing.signal },
    );
  }

  private async takeChanges(noted: Set<string>, readAgain: (ids: string[]) => Promise<void>): Promise<void> {
    const ids = [...noted];
    noted.clear();
    await readAgain(ids).catch((error: unknown) => {
      for (const id of ids) noted.add(id);
      throw error;
    });
  }

  private async readChanges(): Promise<void> {
    if (!this.isRead || this.isOutdated) {
      this.isOutdated = false;
      await this.readAll().catch((error: unknown) => {
        this.isOutdated = true;
        throw error;
      });
    }
    const { groups, pads } = this.changed;
    while (groups.size + pads.size > 0 && !this.closing.signal.aborted) {
      await this.takeChanges(groups, (ids) => this.readGroups(ids));
      await this.takeChanges(pads, (ids) => this.readPads(ids));
    }
  }

  private startReading(): Promise<void> {
    const reading = this.readChanges().finally(() => {
      this.reading = undefined;
    });
    reading.catch((error: unknown) =>
      this.context.log.warn('reading the catalogue failed', { error: String(error) }),
    );
    return reading;
  }

  /**
   * Waits until all changes are read. Throws SERVER.BUSY after `waitLimit`; the reading continues in the background.
   */
  async waitUntilCurrent(): Promise<void> {
    this.reading ??= this.startReading();
    await orBusy(this.reading, waitLimit);
  }

  close(): void {
    this.closing.abort();
    for (const unsubscribe of this.unsubscribers) unsubscribe();
  }
}
