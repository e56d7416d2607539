/** Finds the accounts that the index lacks, and adds them. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Store } from '../store/store';
import type { Directory } from './directory';
import type { NameEntries } from './nameEntries';
import {
  lineOf,
  linesOf,
  type Name,
  type NamesRecord,
  namesOf,
  namesRecord,
  recordCount,
  recordKey,
  recordNumber,
} from './nameRecords';

/** Index records checked at the same time. */
const batchSize = 256;
/** Milliseconds between two batches of the check, if there are many names. */
const verifyPause = 20;
const manyNames = 2_000;

/**
 * `first`: no account can change in this process yet, so each record is written at once. `again`: one by one, after
 * reading the account.
 */
type Completion = 'first' | 'again';

/** Account numbers, grouped by index record. Typed arrays, because there may be many. */
class NumbersByRecord {
  private constructor(
    private readonly starts: Uint32Array,
    private readonly numbers: Uint32Array,
  ) {}

  /** `records` and `accounts`: for each name, the number of its record and of its account. */
  static of(records: readonly number[], accounts: readonly number[]): NumbersByRecord {
    const starts = new Uint32Array(recordCount + 1);
    for (const record of records) starts[record + 1] = (starts[record + 1] ?? 0) + 1;
    for (let record = 0; record < recordCount; record += 1) {
      starts[record + 1] = (starts[record + 1] ?? 0) + (starts[record] ?? 0);
    }
    const next = starts.slice();
    const numbers = new Uint32Array(accounts.length);
    for (const [index, record] of records.entries()) {
      const at = next[record] ?? 0;
      numbers[at] = accounts[index] ?? 0;
      next[record] = at + 1;
    }
    return new NumbersByRecord(starts, numbers);
  }

  get count(): number {
    return this.numbers.length;
  }

  /** The records from `start` to before `end` that have accounts. */
  recordsIn(start: number, end: number): number[] {
    const found: number[] = [];
    for (let record = start; record < end; record += 1) {
      if ((this.starts[record + 1] ?? 0) > (this.starts[record] ?? 0)) found.push(record);
    }
    return found;
  }

  /** The accounts of a record, each once. */
  accountsOf(record: number): number[] {
    return [...new Set(this.numbers.subarray(this.starts[record], this.starts[record + 1]))];
  }
}

interface Entry {
  name: Name;
  id: string;
}

export class NameIndexCompletion {
  constructor(
    private readonly context: {
      store: Store;
      directory: Pick<Directory, 'each' | 'entry'>;
      entries: NameEntries;
      signal: AbortSignal;
    },
  ) {}

  /** Adds missing entries and returns their number. Throws when the signal is aborted. */
  async complete(how: Completion): Promise<number> {
    const { signal } = this.context;
    const numbers = await this.numbersByRecord();
    let added = 0;
    for (let record = 0; record < recordCount; record += batchSize) {
      signal.throwIfAborted();
      if (how === 'again' && numbers.count > manyNames) await pause(verifyPause, undefined, { signal });
      const part = numbers.recordsIn(record, Math.min(record + batchSize, recordCount));
      const counts = await Promise.all(
        part.map((number) => this.completeRecord(recordKey(number), numbers.accountsOf(number), how)),
      );
      for (const count of counts) added += count;
    }
    return added;
  }

  private async numbersByRecord(): Promise<NumbersByRecord> {
    const { directory, signal } = this.context;
    const [records, accounts]: [number[], number[]] = [[], []];
    await directory.each((entry, number) => {
      for (const { key } of namesOf(entry)) {
        records.push(recordNumber(key));
        accounts.push(number);
      }
    }, signal);
    return NumbersByRecord.of(records, accounts);
  }

  private async completeRecord(key: string, accounts: readonly number[], how: Completion): Promise<number> {
    const lines = linesOf(await this.context.store.get<NamesRecord>(key));
    const known = new Set(lines);
    const missing = this.entriesOf(key, accounts).filter(({ name, id }) => !known.has(lineOf(name.tag, id)));
    if (missing.length === 0) return 0;
    if (how === 'again') return this.addEach(missing);
    const newLines = missing.map(({ name, id }) => lineOf(name.tag, id));
    // Under its lock, because people may register in other processes.
    await this.context.store.update<NamesRecord>(key, (now) =>
      namesRecord([...new Set([...linesOf(now), ...newLines])]),
    );
    return missing.length;
  }

  private entriesOf(key: string, accounts: readonly number[]): Entry[] {
    return accounts.flatMap((number) => {
      const account = this.context.directory.entry(number);
      const names = account ? namesOf(account).filter((name) => name.key === key) : [];
      return names.map((name) => ({ name, id: account?._id ?? '' }));
    });
  }

  private async addEach(missing: readonly Entry[]): Promise<number> {
    let added = 0;
    for (const { name, id } of missing) if (await this.context.entries.addMissing(name, id)) added += 1;
    return added;
  }
}
