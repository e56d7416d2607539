/** Up to 512 packed accounts, and their form in the database. */
import { promisify } from 'node:util';
import { deflate, inflate } from 'node:zlib';
import { isLine, type LineParts, partsOf } from './accountLine';
import type { Domains } from './domains';
import { type Pattern, SearchColumns, segmentSize, wordsPerSegment } from './searchColumns';

const compress = promisify<Buffer, Buffer>(deflate);
const decompress = promisify<Buffer, Buffer>(inflate);
const format = 1;

/** The accounts of one segment. A slot is the number of an account within its segment. */
export class AccountSegment {
  /** True when it differs from what `encode` returned last. */
  changed = false;
  readonly facts = new Uint8Array(segmentSize);
  readonly created = new Float64Array(segmentSize);
  /** End of each line. After the last account: the end of the last line. */
  private readonly ends = new Uint32Array(segmentSize);
  private columns: SearchColumns | undefined;

  /** `bytes` holds the lines, one after the other. */
  constructor(
    private readonly domains: Domains,
    public bytes: Buffer = Buffer.alloc(4096),
  ) {}

  private startOf(slot: number): number {
    return slot === 0 ? 0 : (this.ends[slot - 1] ?? 0);
  }

  /** `undefined` for a slot without an account. */
  parts(slot: number): LineParts | undefined {
    return partsOf(this.bytes, this.startOf(slot), this.ends[slot] ?? 0);
  }

  /** Whether the slot holds exactly this account. */
  equals(slot: number, line: Buffer, facts: number, created: number): boolean {
    if (this.facts[slot] !== facts || this.created[slot] !== created) return false;
    return line.compare(this.bytes, this.startOf(slot), this.ends[slot]) === 0;
  }

  /** Replaces a line and moves the lines after it. */
  write(slot: number, line: Buffer, facts: number, created: number): void {
    const { ends } = this;
    const start = this.startOf(slot);
    const end = ends[slot] ?? 0;
    const last = ends[segmentSize - 1] ?? 0;
    const growth = line.length - (end - start);
    if (last + growth > this.bytes.length) {
      const more = Buffer.alloc(Math.ceil((last + growth) * 1.25));
      this.bytes.copy(more, 0, 0, last);
      this.bytes = more;
    }
    this.bytes.copyWithin(end + growth, end, last);
    line.copy(this.bytes, start);
    for (let later = slot; later < segmentSize; later += 1) ends[later] = (ends[later] ?? 0) + growth;
    this.facts[slot] = facts;
    this.created[slot] = created;
    this.changed = true;
    if (this.columns) this.setColumns(this.columns, slot);
  }

  private setColumns(columns: SearchColumns, slot: number): void {
    const start = this.startOf(slot);
    if (isLine(start, this.ends[slot] ?? 0)) columns.set(slot, this.bytes, start, this.facts[slot] ?? 0);
    else columns.clear(slot);
  }

  /** Made by the first search, because a server that nobody searches needs no memory for it. */
  private searchColumns(): SearchColumns {
    if (this.columns) return this.columns;
    const columns = new SearchColumns(this.domains);
    for (let slot = 0; slot < segmentSize; slot += 1) this.setColumns(columns, slot);
    this.columns = columns;
    return columns;
  }

  /**
   * Searches the slots whose bits are set in `within`, and sets the bits of the matches in `found`. `first`: the index
   * of this segment's first word in both.
   */
  search(pattern: Pattern, within: Int32Array | undefined, found: Int32Array, first: number): void {
    const columns = this.searchColumns();
    for (let word = 0; word < wordsPerSegment; word += 1) {
      const among = within ? (within[first + word] ?? 0) : -1;
      found[first + word] = among === 0 ? 0 : columns.search(pattern, word, among, this.bytes, this.ends);
    }
  }

  matches(pattern: Pattern, slot: number): boolean {
    const columns = this.searchColumns();
    return columns.search(pattern, slot >> 5, 1 << (slot & 31), this.bytes, this.ends) !== 0;
  }

  /** The first `count` accounts for the database. Marks the segment as unchanged. */
  async encode(count: number): Promise<string> {
    const used = this.ends[count - 1] ?? 0;
    const numbers = Buffer.alloc(8 + count * 13);
    numbers.writeUInt32LE(format, 0);
    numbers.writeUInt32LE(count, 4);
    for (let slot = 0; slot < count; slot += 1) {
      numbers.writeUInt32LE(this.ends[slot] ?? 0, 8 + slot * 4);
      numbers.writeDoubleLE(this.created[slot] ?? 0, 8 + count * 4 + slot * 8);
      numbers.writeUInt8(this.facts[slot] ?? 0, 8 + count * 12 + slot);
    }
    const whole = Buffer.concat([numbers, this.bytes.subarray(0, used)]);
    this.changed = false;
    try {
      return (await compress(whole)).toString('base64');
    } catch (error) {
      this.changed = true;
      throw error;
    }
  }

  /** Reads what `encode` returned. Throws when it is damaged. */
  static async decode(text: string, domains: Domains): Promise<{ segment: AccountSegment; count: number }> {
    const whole = await decompress(Buffer.from(text, 'base64'));
    const count = whole.readUInt32LE(4);
    if (whole.readUInt32LE(0) !== format || count === 0 || count > segmentSize) {
      throw new Error('segment has an unknown format');
    }
    const segment = new AccountSegment(domains, Buffer.from(whole.subarray(8 + count * 13)));
    let before = 0;
    for (let slot = 0; slot < segmentSize; slot += 1) {
      const end = slot < count ? whole.readUInt32LE(8 + slot * 4) : before;
      if (end < before || end > segment.bytes.length) throw new Error('segment is damaged');
      segment.ends[slot] = end;
      before = end;
      if (slot >= count) continue;
      segment.created[slot] = whole.readDoubleLE(8 + count * 4 + slot * 8);
      segment.facts[slot] = whole.readUInt8(8 + count * 12 + slot);
    }
    return { segment, count };
  }
}
