/** Searches over the account table. Results are kept, and every change of an account updates them. */
import type { AccountSorting } from '../sortings';
import { nextSlice, sliceUsed } from '../store/timeSlice';
import type { AccountOrder } from './accountOrder';
import {
  type AccountEntry,
  type AccountFacts,
  type AccountTable,
  type Pattern,
  wordsPerSegment,
} from './accountTable';

/** One search result. */
export interface DirectoryEntry extends AccountEntry {
  /**
   * True when an older account has the same login. Sign-in with that login means the older account. Only in the order
   * by login.
   */
  second?: boolean;
}

/** One page of the matches. */
export interface Page {
  sort?: AccountSorting;
  descending?: boolean;
  offset: number;
  limit: number;
}

export interface Found {
  /** One page. */
  entries: DirectoryEntry[];
  /** Total number of matches. */
  count: number;
}

interface Result {
  readonly text: string;
  readonly filter: string;
  readonly pattern: Pattern;
  /** One bit for each account. */
  bits: Int32Array;
  isComplete: boolean;
  complete: Promise<void>;
  /** Searches that read it at the moment. */
  readers: number;
}

/** Results that are kept. With one more letter in the text, only the accounts of the earlier result are searched. */
const maxResults = 16;

/** In seconds since 1970, the year 2106. Up to it, the sort keys of two million accounts are exact floats. */
const latestSecond = 2 ** 32;

function countBits(words: Int32Array): number {
  let count = 0;
  for (const word of words) {
    let rest = word - ((word >>> 1) & 0x55555555);
    rest = (rest & 0x33333333) + ((rest >>> 2) & 0x33333333);
    count += Math.imul((rest + (rest >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
  }
  return count;
}

const includes = (bits: Int32Array, number: number): boolean =>
  ((bits[number >> 5] ?? 0) & (1 << (number & 31))) !== 0;

/** Searches of one table. */
export class AccountSearch {
  private results: Result[] = [];

  constructor(
    private readonly table: AccountTable,
    private readonly order: AccountOrder,
  ) {}

  /** Call it after each change of an account, also when it was removed. */
  changed(number: number): void {
    for (const result of this.results) {
      const [word, bit] = [number >> 5, 1 << (number & 31)];
      if (word >= result.bits.length) this.lengthen(result);
      const others = (result.bits[word] ?? 0) & ~bit;
      result.bits[word] = this.table.matches(number, result.pattern) ? others | bit : others;
    }
  }

  private lengthen(result: Result): void {
    const more = new Int32Array(this.table.segmentCount * wordsPerSegment);
    more.set(result.bits);
    result.bits = more;
  }

  /** Plain text, see `plainText`; `''` finds everybody. */
  async search(text: string, facts: Partial<AccountFacts>, page: Page): Promise<Found> {
    const result = this.resultOf(text, facts);
    result.readers += 1;
    try {
      if (!result.isComplete) await result.complete;
      const count = countBits(result.bits);
      return { entries: await this.page(result, count, page), count };
    } finally {
      result.readers -= 1;
    }
  }

  private resultOf(text: string, facts: Partial<AccountFacts>): Result {
    const filter = JSON.stringify([facts.active, facts.closed, facts.unconfirmed, facts.addressTaken]);
    const known = this.results.find((result) => result.text === text && result.filter === filter);
    if (known) return known;
    const wider = this.results.findLast(
      (result) => result.isComplete && result.filter === filter && text.includes(result.text),
    );
    const result: Result = {
      text,
      filter,
      pattern: this.table.pattern(text, facts),
      bits: new Int32Array(this.table.segmentCount * wordsPerSegment),
      isComplete: false,
      complete: Promise.resolve(),
      readers: 0,
    };
    this.results = [...this.results, result];
    result.complete = this.fill(result, wider);
    this.dropOldest();
    return result;
  }

  /** Keeps results that are being read, because `changed` must update them. */
  private dropOldest(): void {
    while (this.results.length > maxResults) {
      const oldest = this.results.findIndex((result) => result.isComplete && result.readers === 0);
      if (oldest < 0) return;
      this.results.splice(oldest, 1);
    }
  }

  /** An account that changes meanwhile is set by `changed`, before or after its segment is searched. */
  private async fill(result: Result, wider: Result | undefined): Promise<void> {
    if (wider) wider.readers += 1;
    for (let segment = 0; segment < this.table.segmentCount; segment += 1) {
      if ((segment + 1) * wordsPerSegment > result.bits.length) this.lengthen(result);
      this.table.searchSegment(segment, result.pattern, wider?.bits, result.bits);
      if (sliceUsed()) await nextSlice();
    }
    if (wider) wider.readers -= 1;
    result.isComplete = true;
  }

  private async page(
    { bits }: Result,
    count: number,
    { sort = 'login', descending = false, offset, limit }: Page,
  ): Promise<DirectoryEntry[]> {
    const entries: DirectoryEntry[] = [];
    const numbers = sort === 'login' ? this.order.numbers : await this.byAge();
    let passed = 0;
    for (let step = 0; step < numbers.length && passed < count && entries.length < limit; step += 1) {
      const index = descending ? numbers.length - 1 - step : step;
      const number = numbers[index] ?? 0;
      if (!includes(bits, number)) continue;
      passed += 1;
      if (passed <= offset) continue;
      const entry = this.table.entry(number);
      if (entry) entries.push(sort === 'login' ? { ...entry, second: this.isSecond(index) } : entry);
      if (sliceUsed()) await nextSlice();
    }
    return entries;
  }

  private isSecond(index: number): boolean {
    const { numbers } = this.order;
    return this.table.loginOf(numbers[index - 1] ?? -1) === this.table.loginOf(numbers[index] ?? -1);
  }

  /** All account numbers, the oldest account first. One float for each account sorts without a comparing function. */
  private async byAge(): Promise<Float64Array> {
    const { capacity } = this.table;
    const keys = Float64Array.from(this.order.numbers);
    for (const [index, number] of keys.entries()) {
      const seconds = Math.floor(this.table.createdAt(number) / 1000);
      keys[index] = Math.min(Math.max(seconds, 0), latestSecond) * capacity + number;
      if (sliceUsed()) await nextSlice();
    }
    return keys.sort().map((key) => key % capacity);
  }
}
