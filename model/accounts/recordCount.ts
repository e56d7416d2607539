/** Counts the records of groups and pads, while others write some of them. */
import { setImmediate as turn } from 'node:timers/promises';
import { readGroup, readPad } from '../store/records';
import { keys, type Store } from '../store/store';

type Kind = 'groups' | 'pads';

/** Number of keys, and number of keys with a valid record. */
interface Count {
  keys: number;
  records: number;
}

export type RecordCounts = Record<Kind, Count>;

/** One record was written. */
export interface CountChange {
  key: string;
  kind: Kind;
  was: Count;
  is: Count;
}

/** A record that was written during the count. */
interface Touched {
  kind: Kind;
  before: Count;
  after: Count;
  /** True if it was written before the count reached it. The count leaves it out, so `before` is not subtracted. */
  skipped: boolean;
}

/** Records read at the same time. */
const batchSize = 200;

const exists = (stored: unknown): boolean => stored !== undefined && stored !== null;

const readable: Record<Kind, (stored: unknown) => boolean> = {
  groups: (stored) => (readGroup('', stored)?.name ?? '') !== '',
  pads: (stored) => (readPad('', stored)?.group ?? '') !== '',
};

const prefixes: readonly (readonly [Kind, string])[] = [
  ['groups', keys.group('')],
  ['pads', keys.pad('')],
];

const countOf = (kind: Kind, stored: unknown): Count => ({
  keys: exists(stored) ? 1 : 0,
  records: readable[kind](stored) ? 1 : 0,
});

const zero: Count = { keys: 0, records: 0 };

const add = (count: Count, more: Count, less = zero): Count => ({
  keys: count.keys + more.keys - less.keys,
  records: count.records + more.records - less.records,
});

/** Stored counts; `undefined` when they are missing or damaged. */
export function readCounts(stored: unknown): RecordCounts | undefined {
  const { groups, pads } = (stored ?? {}) as Partial<RecordCounts>;
  const isCount = (count: Count | undefined): boolean =>
    Number.isInteger(count?.keys) && Number.isInteger(count?.records);
  return groups && pads && isCount(groups) && isCount(pads) ? { groups, pads } : undefined;
}

/** What a write changes; `undefined` if the key is not that of a group or pad. */
export function changeOf(key: string, before: unknown, after: unknown): CountChange | undefined {
  const [kind] = prefixes.find(([, prefix]) => key.startsWith(prefix)) ?? [];
  return kind && { key, kind, was: countOf(kind, before), is: countOf(kind, after) };
}

/** The counts after a change: the same object when none differs. */
export function withChange(counts: RecordCounts, { kind, was, is }: CountChange): RecordCounts {
  if (was.keys === is.keys && was.records === is.records) return counts;
  return { ...counts, [kind]: add(counts[kind], is, was) };
}

/** One count of all records. Call `noteWritten` for each write between its creation and `total`. */
export class RecordCount {
  private readonly touched = new Map<string, Touched>();
  private readonly found: Record<Kind, readonly string[]> = { groups: [], pads: [] };
  private readonly counted: RecordCounts = { groups: zero, pads: zero };

  constructor(
    private readonly store: Pick<Store, 'scan' | 'getMany'>,
    private readonly signal: AbortSignal,
  ) {}

  noteWritten({ key, kind, was, is }: CountChange): void {
    const known = this.touched.get(key);
    if (known) known.after = is;
    else this.touched.set(key, { kind, before: was, after: is, skipped: false });
  }

  async findKeys(): Promise<void> {
    for (const [kind, prefix] of prefixes) {
      this.found[kind] = (await this.store.scan(prefix)).filter((key) => key.startsWith(prefix));
    }
  }

  /** True when `findKeys` has found as many keys as these counts name. */
  hasAsManyKeysAs(counts: RecordCounts): boolean {
    return prefixes.every(([kind]) => counts[kind].keys === this.found[kind].length);
  }

  /** Reads the records of the keys that `findKeys` has found. Throws when the signal is aborted. */
  async readRecords(): Promise<void> {
    this.ignoreRemoved();
    for (const [kind] of prefixes) this.counted[kind] = await this.countRecords(kind);
  }

  /** Records whose keys were removed before the scan came to them are not counted, so nothing may be subtracted. */
  private ignoreRemoved(): void {
    const missing = new Set(this.touched.keys());
    for (const [kind] of prefixes) for (const key of this.found[kind]) missing.delete(key);
    for (const key of missing) Object.assign(this.touched.get(key) ?? {}, { before: zero });
  }

  private async countRecords(kind: Kind): Promise<Count> {
    const found = this.found[kind];
    let count = zero;
    for (let start = 0; start < found.length; start += batchSize) {
      this.signal.throwIfAborted();
      const part = found.slice(start, start + batchSize);
      const records = await this.store.getMany<unknown>(part);
      for (const [index, key] of part.entries()) {
        const known = this.touched.get(key);
        if (known) known.skipped = true;
        else count = add(count, countOf(kind, records[index]));
      }
      await turn();
    }
    return count;
  }

  total(): RecordCounts {
    const counts = { ...this.counted };
    for (const { kind, before, after, skipped } of this.touched.values()) {
      counts[kind] = add(counts[kind], after, skipped ? zero : before);
    }
    return counts;
  }
}
