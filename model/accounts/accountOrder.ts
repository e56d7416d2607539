/** Account numbers sorted by login, and by age where old accounts share a login. Sorts in slices with yields. */
import { nextSlice, sliceUsed } from '../store/timeSlice';
import type { AccountTable } from './accountTable';

const collator = new Intl.Collator('en', { numeric: true });

interface Sortable {
  number: number;
  login: string;
  createdAt: number;
}

const compare = (one: Sortable, other: Sortable): number =>
  collator.compare(one.login, other.login) || one.createdAt - other.createdAt;

/** Merges two sorted lists. */
async function merge(one: readonly Sortable[], other: readonly Sortable[]): Promise<Sortable[]> {
  const merged: Sortable[] = [];
  let next = 0;
  for (const item of one) {
    for (let later = other[next]; later !== undefined && compare(later, item) < 0; later = other[next]) {
      merged.push(later);
      next += 1;
    }
    merged.push(item);
    if (sliceUsed()) await nextSlice();
  }
  for (; next < other.length; next += 1) merged.push(other[next] as Sortable);
  return merged;
}

/** Merge sort. Sorted runs in the input are used as they are. */
async function sort(items: Iterable<Sortable>): Promise<Sortable[]> {
  let runs: Sortable[][] = [];
  let run: Sortable[] = [];
  for (const item of items) {
    const before = run.at(-1);
    if (before !== undefined && compare(before, item) > 0) {
      runs.push(run);
      run = [];
    }
    run.push(item);
    if (sliceUsed()) await nextSlice();
  }
  runs.push(run);
  while (runs.length > 1) {
    const merged: Sortable[][] = [];
    for (let index = 0; index < runs.length; index += 2) {
      merged.push(await merge(runs[index] ?? [], runs[index + 1] ?? []));
    }
    runs = merged;
  }
  return runs[0] ?? [];
}

/** The order of one table. */
export class AccountOrder {
  /** Some of the numbers may be free. */
  private sorted = new Uint32Array(0);
  /** Numbers that are not in `sorted` yet, or at a wrong position. */
  private readonly unplaced = new Set<number>();
  private inserting: Promise<void> | undefined;
  private removals = 0;

  constructor(private readonly table: AccountTable) {}

  /** The account is new or has another login. */
  loginChanged(number: number): void {
    this.unplaced.add(number);
  }

  removed(): void {
    this.removals += 1;
  }

  get isComplete(): boolean {
    return this.unplaced.size === 0 && this.inserting === undefined;
  }

  /** All accounts in order, and possibly free numbers. Complete after `complete`. It is not changed afterwards. */
  get numbers(): Uint32Array {
    return this.sorted;
  }

  /** Inserts all new accounts. */
  complete(): Promise<void> {
    this.inserting ??= this.insertAll().finally(() => {
      this.inserting = undefined;
    });
    return this.inserting;
  }

  private async insertAll(): Promise<void> {
    while (this.unplaced.size > 0) {
      const moved = new Set(this.unplaced);
      this.unplaced.clear();
      const { removals } = this;
      const items = await sort(this.sortables(moved));
      this.sorted = await this.inserted(items, moved);
      // A number that became free during the search for its position had no login to compare with.
      if (this.removals !== removals) for (const number of moved) this.unplaced.add(number);
    }
  }

  private sortableOf(number: number): Sortable {
    return { number, login: this.table.loginOf(number), createdAt: this.table.createdAt(number) };
  }

  private *sortables(numbers: Iterable<number>): Iterable<Sortable> {
    for (const number of numbers) if (this.table.isUsed(number)) yield this.sortableOf(number);
  }

  private async inserted(
    items: readonly Sortable[],
    moved: ReadonlySet<number>,
  ): Promise<Uint32Array<ArrayBuffer>> {
    const others = this.sorted.filter((number) => !moved.has(number) && this.table.isUsed(number));
    const all = new Uint32Array(others.length + items.length);
    let [taken, length] = [0, 0];
    for (const item of items) {
      const position = this.positionOf(item, others, taken);
      all.set(others.subarray(taken, position), length);
      length += position - taken;
      all[length] = item.number;
      length += 1;
      taken = position;
      if (sliceUsed()) await nextSlice();
    }
    all.set(others.subarray(taken), length);
    return all;
  }

  private positionOf(item: Sortable, numbers: Uint32Array, first: number): number {
    let [low, high] = [first, numbers.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (compare(this.sortableOf(numbers[middle] ?? 0), item) <= 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** The order in Base64, for the database. */
  encode(): string {
    const { buffer, byteOffset, byteLength } = this.sorted;
    return Buffer.from(buffer, byteOffset, byteLength).toString('base64');
  }

  /** Takes over a saved order. An account that is missing in it is inserted by the next `complete`. */
  decode(text: string): void {
    const bytes = Buffer.from(text, 'base64');
    const seen = new Uint8Array(this.table.capacity);
    const numbers: number[] = [];
    for (let at = 0; at + 4 <= bytes.length; at += 4) {
      const number = bytes.readUInt32LE(at);
      if (number >= seen.length || seen[number] === 1) continue;
      seen[number] = 1;
      numbers.push(number);
    }
    this.sorted = Uint32Array.from(numbers);
    for (let number = 0; number < seen.length; number += 1) if (seen[number] !== 1) this.unplaced.add(number);
  }
}
