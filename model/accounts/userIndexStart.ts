/** The work of a start on the index: makes it complete, opens it, and then checks all accounts in the background. */
import type { Log, Schedule } from '../ports';
import { inBatches } from '../store/batches';
import type { UserRecord } from '../store/entities';
import { keys, type Store } from '../store/store';
import type { Directory } from './directory';
import type { NameEntries } from './nameEntries';
import { NameIndexCompletion } from './nameIndexCompletion';
import { createMilestone } from './waiting';

const retryAfter = 5_000;
/** With more new accounts than this, all index records are compared instead of one account after the other. */
const manyImported = 256;

export class UserIndexStart {
  private readonly closing = new AbortController();
  private readonly completion: NameIndexCompletion;
  private readonly built = createMilestone();
  private isBuilt = false;
  private isFirst = false;
  private building: Promise<void> | undefined;

  constructor(
    private readonly context: { store: Store; directory: Directory; schedule: Schedule; log: Log },
    private readonly entries: NameEntries,
  ) {
    this.completion = new NameIndexCompletion({ ...context, entries, signal: this.closing.signal });
    this.attempt();
  }

  /** Resolves when all accounts can be found. */
  get ready(): Promise<void> {
    return this.built.reached;
  }

  get isReady(): boolean {
    return this.isBuilt;
  }

  private attempt(): void {
    const { schedule, log } = this.context;
    this.building = this.build().catch((error: unknown) => {
      if (this.closing.signal.aborted) return;
      log.error('building the account index failed, retrying in 5 s', { error: String(error) });
      schedule.later('build the account index again', retryAfter, () => this.attempt());
    });
  }

  private async build(): Promise<void> {
    if (!this.isBuilt) await this.makeReady();
    this.isBuilt = true;
    this.built.reach();
    await this.verifyAll();
  }

  /**
   * Opens the index only when all accounts can be found. Otherwise an imported account could not be told from an
   * unknown one, and its names could be taken.
   */
  private async makeReady(): Promise<void> {
    const { directory } = this.context;
    const imported: UserRecord[] = [];
    this.isFirst = await directory.load(async (users) => {
      if (imported.length < manyImported) imported.push(...users);
    }, this.closing.signal);
    const compareAll = this.isFirst || imported.length >= manyImported;
    const added = await (compareAll
      ? this.completion.complete('first')
      : this.entries.addAllMissing(imported));
    this.logAdded(added);
    directory.markReady();
  }

  private logAdded(added: number): void {
    if (this.isFirst || added === 0) return;
    this.context.log.warn('index entries added for accounts that another program wrote', { added });
  }

  private async verifyAll(): Promise<void> {
    const { directory } = this.context;
    let added = 0;
    if (this.isFirst) await directory.save();
    await directory.verify(async (users) => {
      added += await this.entries.addAllMissing(users);
    }, this.closing.signal);
    if (!this.isFirst) this.logAdded(added + (await this.completion.complete('again')));
    this.isFirst = false;
    await this.removeOldIndex();
  }

  /** Removes the index of an earlier version. */
  private async removeOldIndex(): Promise<void> {
    const { store } = this.context;
    if ((await store.get(keys.oldNamesState)) === undefined) return;
    for (const prefix of keys.oldNames) {
      const old = (await store.scan(prefix)).filter((key) => key.startsWith(prefix));
      await inBatches(old, async (part) => void (await Promise.all(part.map((key) => store.remove(key)))), {
        signal: this.closing.signal,
      });
    }
    await store.remove(keys.oldNamesState);
  }

  /** Aborts the background work; the next start begins again. Resolves when it has stopped. */
  async close(): Promise<void> {
    this.closing.abort();
    await this.building;
  }
}
