/** The copy of the directory in the database, so that a start need not read every account. */
import { randomText } from '../ids';
import type { Log, Schedule } from '../ports';
import { keys, type Store } from '../store/store';
import { AccountOrder } from './accountOrder';
import { AccountTable } from './accountTable';

const format = 1;

interface SavedState {
  format: number;
  parts: number;
  /** Id of this copy. A part with another stamp belongs to an earlier copy. */
  stamp: string;
}

/** Changes are saved after this many milliseconds, or at once if there are this many. */
const saveAfter = 10 * 60_000;
const maxChanges = 2_000;

interface Content {
  table: AccountTable;
  order: AccountOrder;
}

export interface SavedContext {
  store: Store;
  schedule: Schedule;
  log: Log;
  /** Only one process saves. */
  isLeader: () => boolean;
}

/** Reads the copy, and saves what changes. Changed parts are written under the same stamp. */
export class SavedDirectory {
  /** `undefined` when everything must be saved again. */
  private stamp: string | undefined;
  private saving: Promise<void> | undefined;
  private changes = 0;
  private cancelTimer: (() => void) | undefined;
  private isActive = false;
  private isClosed = false;

  /** `content` returns what is to be saved. */
  constructor(
    private readonly context: SavedContext,
    private readonly content: () => Content,
  ) {}

  /** Resolves to `undefined` when nothing was saved. Throws when the copy is damaged. */
  async read(): Promise<Content | undefined> {
    this.stamp = undefined;
    const { store } = this.context;
    const state = await store.get<SavedState>(keys.directory);
    if (state?.format !== format || !Number.isInteger(state.parts) || state.parts > 100_000) return undefined;
    const numbers = Array.from({ length: state.parts }, (_, number) => number);
    const parts = await store.getMany<{ stamp?: unknown; data?: unknown }>(numbers.map(keys.directoryPart));
    const table = new AccountTable();
    for (const part of parts) {
      if (part?.stamp !== state.stamp || typeof part.data !== 'string')
        throw new Error('a part of the directory is missing');
      await table.decode(part.data);
    }
    const order = new AccountOrder(table);
    const stored = await store.get<{ data?: unknown }>(keys.directoryOrder);
    order.decode(typeof stored?.data === 'string' ? stored.data : '');
    this.stamp = state.stamp;
    return { table, order };
  }

  /** True when something has changed since the last save. */
  get isOutdated(): boolean {
    return this.changes > 0;
  }

  /** Saves changes from now on. */
  saveChanges(): void {
    this.isActive = true;
  }

  /** Call it after each change of an account. */
  noteChange(): void {
    this.changes += 1;
    if (this.isClosed || !this.isActive) return;
    if (this.changes >= maxChanges) this.scheduleSave(0);
    else if (this.cancelTimer === undefined) this.scheduleSave(saveAfter);
  }

  private scheduleSave(delay: number): void {
    this.cancelTimer?.();
    this.cancelTimer = this.context.schedule.later('save the directory', delay, () => {
      this.cancelTimer = undefined;
      this.save().catch((error: unknown) => {
        this.logFailure(error);
        if (!this.isClosed) this.scheduleSave(saveAfter);
      });
    });
  }

  private logFailure(error: unknown): void {
    this.context.log.warn('saving the account directory failed', { error: String(error) });
  }

  /** Saves the changed parts. A call during a save waits for that one. */
  save(): Promise<void> {
    this.saving ??= this.writeParts().finally(() => {
      this.saving = undefined;
    });
    return this.saving;
  }

  private async writeParts(): Promise<void> {
    const { store, isLeader } = this.context;
    if (!isLeader()) {
      // Another process saves. This process does not know which parts, so its own next save must write everything.
      this.stamp = undefined;
      this.changes = 0;
      return;
    }
    const { table, order } = this.content();
    await order.complete();
    const isWhole = this.stamp === undefined;
    const stamp = this.stamp ?? randomText(12);
    // If writing fails, it is not known which parts were written.
    this.stamp = undefined;
    const { changes } = this;
    this.changes = 0;
    try {
      // Segments that are added meanwhile are saved the next time.
      const parts = table.segmentCount;
      for (let index = 0; index < parts; index += 1) {
        if (!isWhole && !table.isChanged(index)) continue;
        await store.set(keys.directoryPart(index), { stamp, data: await table.encode(index) });
      }
      await store.set(keys.directoryOrder, { data: order.encode() });
      await store.set(keys.directory, { format, parts, stamp } satisfies SavedState);
    } catch (error) {
      this.changes += changes;
      throw error;
    }
    this.stamp = stamp;
  }

  /** Saves for the last time, after a save that is still running. */
  async close(): Promise<void> {
    this.isClosed = true;
    this.cancelTimer?.();
    // The caller of that save handles its error.
    await this.saving?.catch(() => {});
    if (!this.isActive || this.changes === 0) return;
    await this.save().catch((error: unknown) => this.logFailure(error));
  }
}
