/** The work of a start on the index of names: completes it, opens it, and checks all accounts in the background. */
import { setImmediate as turn } from 'node:timers/promises';
import type { RecordIndex } from '../index/recordIndex';
import type { Log, Schedule } from '../ports';
import type { UserRecord } from '../store/entities';
import { readUser } from '../store/records';
import { keys, type Store } from '../store/store';
import { UntilDone } from '../untilDone';
import { createMilestone } from '../waiting';
import type { NameEntries } from './nameEntries';
import { type Completed, NameIndexCompletion } from './nameIndexCompletion';

/** Up to so many accounts are all read at each start. With more, only those that are not in the index. */
const manyAccounts = 2_000;
/** With more new accounts than this, all are read. */
const manyImported = 256;
/** Accounts read at the same time. */
const batchSize = 500;

export class UserIndexStart {
  private readonly closing = new AbortController();
  private readonly completion: NameIndexCompletion;
  private readonly built = createMilestone();
  /** True when all accounts have been read and compared. */
  private isCompared = false;
  private readonly building: UntilDone;

  constructor(
    private readonly context: { store: Store; recordIndex: RecordIndex; schedule: Schedule; log: Log },
    entries: NameEntries,
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
    return this.built.isReached;
  }

  private async build(): Promise<void> {
    const { recordIndex } = this.context;
    if (!this.isReady) {
      await this.makeReady();
      this.built.reach();
      recordIndex.start((users) => {
        if (!this.isCompared) this.completion.note(users);
      });
    }
    if (!this.isCompared) {
      await recordIndex.whenVerified(this.closing.signal);
      this.logAdded(await this.completion.complete());
      this.isCompared = true;
    }
  }

  /**
   * Opens the index only when all accounts can be found. Otherwise an imported account could not be told from an
   * unknown one, and its names could be taken.
   */
  private async makeReady(): Promise<void> {
    const prefix = keys.user('');
    const found = await this.context.store.scan(prefix);
    const ids = found.filter((key) => key.startsWith(prefix)).map((key) => key.slice(prefix.length));
    let missing = ids;
    if (ids.length > manyAccounts) {
      const known = await this.completion.knownIds();
      missing = ids.filter((id) => !known.has(id));
    }
    this.isCompared = ids.length <= manyAccounts || missing.length > manyImported;
    await this.read(this.isCompared ? ids : missing);
    this.logAdded(await this.completion.complete());
  }

  private async read(ids: readonly string[]): Promise<void> {
    const { store, log } = this.context;
    for (let start = 0; start < ids.length; start += batchSize) {
      if (start > 0) await turn();
      this.closing.signal.throwIfAborted();
      const part = ids.slice(start, start + batchSize);
      const records = await store.getMany<unknown>(part.map(keys.user));
      const users: UserRecord[] = [];
      for (const [index, id] of part.entries()) {
        const user = readUser(id, records[index]);
        if (user) users.push(user);
        else if (records[index] !== undefined) {
          log.warn('damaged account record ignored', { key: keys.user(id) });
        }
      }
      this.completion.note(users);
    }
  }

  private logAdded({ added, wasEmpty }: Completed): void {
    if (added === 0 || wasEmpty) return;
    this.context.log.warn('index entries added for accounts that another program wrote', { added });
  }

  /** Aborts the background work; the next start begins again. Resolves when it has stopped. */
  async close(): Promise<void> {
    const ended = this.building.end();
    this.closing.abort();
    await ended;
  }
}
