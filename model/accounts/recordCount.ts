/** Counts the groups, and the pads that people can reach, while others write some of them. */
import { setImmediate as turn } from 'node:timers/promises';
import { readGroup, readPad } from '../store/records';
import { keys, type Store } from '../store/store';

type Kind = 'groups' | 'pads';

/** Number of keys, and number of keys with a valid record; for pads, also with a group. */
interface Count {
  keys: number;
  records: number;
}

export type RecordCounts = Record<Kind, Count> & {
  /** Keys of pads without a group when all were counted. They are not in the number of records. */
  unreachable: ReadonlySet<string>;
  /** Stored by a process that knew such pads: the next one must find them again. */
  isIncomplete?: boolean;
};

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
  groups: (stored) => readGroup('', stored) !== undefined,
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

/** What an unreachable pad adds to the counts. */
const keyOnly = ({ keys: number }: Count): Count => ({ keys: number, records: 0 });

const add = (count: Count, more: Count, less = zero): Count => ({
  keys: count.keys + more.keys - less.keys,
  records: count.records + more.records - less.records,
});

/** Earlier versions counted pads that nobody can reach, too. */
const format = 2;

interface StoredCounts extends Record<Kind, Count> {
  format: unknown;
  isIncomplete: unknown;
}

/** Without the keys, which would be traces of pads that are removed later. */
export const storedCounts = ({ groups, pads, unreachable }: RecordCounts): object => ({
  ...{ format, groups, pads },
  isIncomplete: unreachable.size > 0,
});

/** Stored counts; `undefined` when they are missing, damaged, or of an earlier version. */
export function readCounts(stored: unknown): RecordCounts | undefined {
  const { groups, pads, format: written, isIncomplete } = (stored ?? {}) as Partial<StoredCounts>;
  if (written !== format) return undefined;
  const isCount = (count: Count | undefined): boolean =>
    Number.isInteger(count?.keys) && Number.isInteger(count?.records);
  return groups && pads && isCount(groups) && isCount(pads)
    ? { groups, pads, unreachable: new Set(), isIncomplete: isIncomplete !== false }
    : undefined;
}

/** What a write changes; `undefined` if the key is not that of a group or pad. */
export function changeOf(key: string, before: unknown, after: unknown): CountChange | undefined {
  const [kind] = prefixes.find(([, prefix]) => key.startsWith(prefix)) ?? [];
  return kind && { key, kind, was: countOf(kind, before), is: countOf(kind, after) };
}

/** The counts after a change: the same object when none differs. */
export function withChange(counts: RecordCounts, { key, kind, was, is }: CountChange): RecordCounts {
  if (counts.unreachable.has(key)) {
    const unreachable = new Set([...counts.unreachable].filter((other) => other !== key));
    return { ...counts, [kind]: add(counts[kind], is, keyOnly(was)), unreachable };
  }
  if (was.keys === is.keys && was.records === is.records) return counts;
  return { ...counts, [kind]: add(counts[kind], is, was) };
}

/** One count of all records. Call `noteWritten` for each write between its creation and `total`. */
export class RecordCount {
  private readonly touched = new Map<string, Touched>();
  private readonly found: Record<Kind, readonly string[]> = { groups: [], pads: [] };
  private readonly counted: Record<Kind, Count> = { groups: zero, pads: zero };
  private readonly unreachable = new Set<string>();
  private readonly groups = new Set<string>();

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

  /** True when `findKeys` has found as many keys as these counts name, so that nothing has to be counted again. */
  hasAsManyKeysAs(counts: RecordCounts): boolean {
    return !counts.isIncomplete && prefixes.every(([kind]) => counts[kind].keys === this.found[kind].length);
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

  /** Groups are counted before pads. */
  private isReachable(stored: unknown): boolean {
    const group = keys.group(readPad('', stored)?.group ?? '');
    return this.groups.has(group) || this.touched.get(group)?.after.records === 1;
  }

  private countOne(kind: Kind, key: string, stored: unknown): Count {
    const count = countOf(kind, stored);
    if (kind === 'groups' && count.records === 1) this.groups.add(key);
    if (kind === 'groups' || count.records === 0 || this.isReachable(stored)) return count;
    this.unreachable.add(key);
    return keyOnly(count);
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
        else count = add(count, this.countOne(kind, key, records[index]));
      }
      await turn();
    }
    return count;
  }

  total(): RecordCounts {
    const counts = { ...this.counted };
    for (const [key, { kind, before, after, skipped }] of this.touched) {
      const counted = this.unreachable.delete(key) ? keyOnly(before) : before;
      counts[kind] = add(counts[kind], after, skipped ? zero : counted);
    }
    return { ...counts, unreachable: this.unreachable };
  }
}
