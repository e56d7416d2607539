/** The work of a start on the index: makes it complete, opens it, and then checks all accounts in the background. */
import type { Log, Schedule } from '../ports';
import { inBatches } from '../store/batches';
import type { UserRecord } from '../store/entities';
import { keys, type Store } from '../store/store';
import { UntilDone } from '../untilDone';
import type { Directory } from './directory';
import type { NameEntries } from './nameEntries';
import { NameIndexCompletion } from './nameIndexCompletion';
import { createMilestone } from './waiting';

/** With more new accounts than this, all index records are compared instead of one account after the other. */
const manyImported = 256;

export class UserIndexStart {
  private readonly closing = new AbortController();
  private readonly completion: NameIndexCompletion;
  private readonly built = createMilestone();
  private isBuilt = false;
  private isFirst = false;
  private readonly building: UntilDone;

  constructor(
    private readonly context: { store: Store; directory: Directory; schedule: Schedule; log: Log },
    private readonly entries: NameEntries,
  ) {
    this.completion = new NameIndexCompletion({ ...context, entries, signal: this.closing.signal });
    const { schedule, log } = context;
    this.building = new UntilDone({
      name: 'build the account index again',
      schedule,
      work: () => this.build(),
      failed: (error) =>
        log.error('building the account index failed, retrying in 5 s', { error: String(error) }),
    });
    void this.building.attempt();
  }

  /** Resolves when all accounts can be found. */
  get ready(): Promise<void> {
    return this.built.reached;
  }

  get isReady(): boolean {
    return this.isBuilt;
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
    const ended = this.building.end();
    this.closing.abort();
    await ended;
  }
}
