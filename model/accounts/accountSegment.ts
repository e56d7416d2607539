/** Up to 512 packed accounts, and their form in the database. */
import { promisify } from 'node:util';
import { deflate, inflate } from 'node:zlib';
import { isLine, type LineParts, partsOf } from './accountLine';
import type { Domains } from './domains';
import { type Pattern, SearchColumns, segmentSize, wordsPerSegment } from './searchColumns';

const compress = promisify<Buffer, Buffer>(deflate);
const decompress = promisify<Buffer, Buffer>(inflate);
const format = 1;

/** The accounts of one segment. A place is the number of an account within its segment. */
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

  private startOf(place: number): number {
    return place === 0 ? 0 : (this.ends[place - 1] ?? 0);
  }

  /** `undefined` for a place without an account. */
  parts(place: number): LineParts | undefined {
    return partsOf(this.bytes, this.startOf(place), this.ends[place] ?? 0);
  }

  /** Whether the place holds exactly this. */
  equals(place: number, line: Buffer, facts: number, created: number): boolean {
    if (this.facts[place] !== facts || this.created[place] !== created) return false;
    return line.compare(this.bytes, this.startOf(place), this.ends[place]) === 0;
  }

  /** Replaces a line and moves the lines after it. */
  write(place: number, line: Buffer, facts: number, created: number): void {
    const { ends } = this;
    const start = this.startOf(place);
    const end = ends[place] ?? 0;
    const last = ends[segmentSize - 1] ?? 0;
    const growth = line.length - (end - start);
    if (last + growth > this.bytes.length) {
      const more = Buffer.alloc(Math.ceil((last + growth) * 1.25));
      this.bytes.copy(more, 0, 0, last);
      this.bytes = more;
    }
    this.bytes.copyWithin(end + growth, end, last);
    line.copy(this.bytes, start);
    for (let later = place; later < segmentSize; later += 1) ends[later] = (ends[later] ?? 0) + growth;
    this.facts[place] = facts;
    this.created[place] = created;
    this.changed = true;
    if (this.columns) this.setColumns(this.columns, place);
  }

  private setColumns(columns: SearchColumns, place: number): void {
    const start = this.startOf(place);
    if (isLine(start, this.ends[place] ?? 0)) columns.set(place, this.bytes, start, this.facts[place] ?? 0);
    else columns.clear(place);
  }

  /** Made by the first search, because a server that nobody searches needs no memory for it. */
  private searchColumns(): SearchColumns {
    if (this.columns) return this.columns;
    const columns = new SearchColumns(this.domains);
    for (let place = 0; place < segmentSize; place += 1) this.setColumns(columns, place);
    this.columns = columns;
    return columns;
  }

  /** Searches the places of which `within` has the bit, from its number `first` on, and writes the bits to `found`. */
  search(pattern: Pattern, within: Int32Array | undefined, found: Int32Array, first: number): void {
    const columns = this.searchColumns();
    for (let word = 0; word < wordsPerSegment; word += 1) {
      const among = within ? (within[first + word] ?? 0) : -1;
      found[first + word] = among === 0 ? 0 : columns.search(pattern, word, among, this.bytes, this.ends);
    }
  }

  matches(pattern: Pattern, place: number): boolean {
    const columns = this.searchColumns();
    return columns.search(pattern, place >> 5, 1 << (place & 31), this.bytes, this.ends) !== 0;
  }

  /** The first `count` accounts for the database. Marks the segment as unchanged. */
  async encode(count: number): Promise<string> {
    const used = this.ends[count - 1] ?? 0;
    const numbers = Buffer.alloc(8 + count * 13);
    numbers.writeUInt32LE(format, 0);
    numbers.writeUInt32LE(count, 4);
    for (let place = 0; place < count; place += 1) {
      numbers.writeUInt32LE(this.ends[place] ?? 0, 8 + place * 4);
      numbers.writeDoubleLE(this.created[place] ?? 0, 8 + count * 4 + place * 8);
      numbers.writeUInt8(this.facts[place] ?? 0, 8 + count * 12 + place);
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
    for (let place = 0; place < segmentSize; place += 1) {
      const end = place < count ? whole.readUInt32LE(8 + place * 4) : before;
      if (end < before || end > segment.bytes.length) throw new Error('segment is damaged');
      segment.ends[place] = end;
      before = end;
      if (place >= count) continue;
      segment.created[place] = whole.readDoubleLE(8 + count * 4 + place * 8);
      segment.facts[place] = whole.readUInt8(8 + count * 12 + place);
    }
    return { segment, count };
  }
}
