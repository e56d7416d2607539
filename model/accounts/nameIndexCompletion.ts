/** Finds the accounts that the index of names lacks, and adds them. */
import { setTimeout as pause } from 'node:timers/promises';
import type { UserRecord } from '../store/entities';
import type { Store } from '../store/store';
import type { NameEntries } from './nameEntries';
import {
  addLines,
  idsOfAll,
  linesOf,
  type NamesRecord,
  nameOfLine,
  namesRecord,
  recordCount,
  recordKey,
} from './nameRecords';

/** Index records checked at the same time. */
const batchSize = 256;
/** Milliseconds between two batches. */
const batchPause = 5;
/** More missing entries than this in one record are written at once; fewer one by one, after reading the account. */
const manyMissing = 8;

export interface Completed {
  /** How many entries were missing. */
  added: number;
  /** There was no entry at all, as in a database of ep_mypads 1.x. */
  wasEmpty: boolean;
}

export class NameIndexCompletion {
  private isEmpty = true;

  /** The lines that each index record must contain, by its key. */
  private wanted = new Map<string, string[]>();

  constructor(
    private readonly context: {
      store: Store;
      entries: NameEntries;
      signal: AbortSignal;
    },
  ) {}

  /** Ids of all accounts in the index. */
  async knownIds(): Promise<Set<string>> {
    const { store, signal } = this.context;
    const ids = new Set<string>();
    for (let record = 0; record < recordCount; record += batchSize) {
      signal.throwIfAborted();
      const keys = Array.from({ length: Math.min(batchSize, recordCount - record) }, (_, number) =>
        recordKey(record + number),
      );
      for (const found of await store.getMany<NamesRecord>(keys)) {
        for (const id of idsOfAll(found)) ids.add(id);
        this.isEmpty &&= ids.size === 0;
      }
    }
    return ids;
  }

  /** Notes what the index must contain for these accounts. */
  note(users: readonly UserRecord[]): void {
    for (const user of users) addLines(this.wanted, user);
  }

  /** Adds what is missing of all that was noted, and forgets it. */
  async complete(): Promise<Completed> {
    const wanted = [...this.wanted];
    this.wanted = new Map();
    let added = 0;
    for (let start = 0; start < wanted.length; start += batchSize) {
      if (start > 0) await pause(batchPause);
      this.context.signal.throwIfAborted();
      const part = wanted.slice(start, start + batchSize);
      const counts = await Promise.all(part.map(([key, lines]) => this.completeRecord(key, lines)));
      for (const count of counts) added += count;
    }
    const wasEmpty = this.isEmpty;
    this.isEmpty = false;
    return { added, wasEmpty };
  }

  private async completeRecord(key: string, lines: readonly string[]): Promise<number> {
    const { store, entries } = this.context;
    const known = new Set(linesOf(await store.get<NamesRecord>(key)));
    if (known.size > 0) this.isEmpty = false;
    const missing = lines.filter((line) => !known.has(line));
    if (missing.length > manyMissing) {
      // Under its lock, because people may register meanwhile, also in other processes.
      await store.update<NamesRecord>(key, (now) => namesRecord([...new Set([...linesOf(now), ...missing])]));
      return missing.length;
    }
    let added = 0;
    for (const line of missing) {
      const { tag, id } = nameOfLine(line);
      if (await entries.addMissing({ key, tag }, id)) added += 1;
    }
    return added;
  }
}
