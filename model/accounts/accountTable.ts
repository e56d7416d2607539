/**
 * Names, state and references of every account, packed into a few buffers: 100,000 accounts as objects would need ten
 * times as much memory. Has no access to the database.
 */
import { plainText } from '../ids';
import type { UserRecord } from '../store/entities';
import {
  type AccountEntry,
  type AccountFacts,
  entryIn,
  factsOf,
  fingerprint,
  hashBytes,
  type LineParts,
  lineOf,
  loginIn,
} from './accountLine';
import { AccountNumbers } from './accountNumbers';
import { AccountSegment } from './accountSegment';
import { Domains } from './domains';
import { type Pattern, patternOf, segmentSize, wordsPerSegment } from './searchColumns';

export { type AccountEntry, type AccountFacts, fingerprint } from './accountLine';
export { type Pattern, wordsPerSegment } from './searchColumns';

const emptyLine = Buffer.alloc(0);

/** Accounts by number. A number stays while the account exists, and is used again afterwards. */
export class AccountTable {
  private readonly segments: AccountSegment[] = [];
  private readonly free: number[] = [];
  private readonly numbers = new AccountNumbers();
  private readonly domains = new Domains();
  private readonly scratch = Buffer.alloc(256);
  private numbersInUse = 0;
  private end = 0;

  /** How many accounts it holds. */
  get size(): number {
    return this.numbersInUse;
  }

  /** All account numbers are smaller than this. Some of them may be free. */
  get capacity(): number {
    return this.end;
  }

  get segmentCount(): number {
    return this.segments.length;
  }

  private segmentOf(number: number): AccountSegment | undefined {
    return this.segments[Math.floor(number / segmentSize)];
  }

  private partsOf(number: number): LineParts | undefined {
    if (number < 0 || number >= this.end) return undefined;
    return this.segmentOf(number)?.parts(number % segmentSize);
  }

  // 1. Numbers

  private isId(number: number, id: Uint8Array, start: number, end: number): boolean {
    const parts = this.partsOf(number);
    const bytes = this.segmentOf(number)?.bytes;
    if (parts === undefined || bytes === undefined || parts.plain - parts.id !== end - start) return false;
    let offset = 0;
    while (offset < end - start && bytes[parts.id + offset] === id[start + offset]) offset += 1;
    return offset === end - start;
  }

  private numberOfBytes(id: Uint8Array, start: number, end: number, hash: number): number {
    return this.numbers.find(hash, (number) => this.isId(number, id, start, end));
  }

  /** The number of an account; `-1` when it is unknown. */
  numberOf(id: string): number {
    // UTF-8 needs at most three bytes per UTF-16 unit. Most ids fit into the shared buffer.
    const bytes = id.length * 3 <= this.scratch.length ? this.scratch : Buffer.alloc(id.length * 3);
    const length = bytes.write(id);
    return this.numberOfBytes(bytes, 0, length, hashBytes(bytes, 0, length));
  }

  private newNumber(): number {
    const used = this.free.pop();
    if (used !== undefined) return used;
    if (this.end === this.segments.length * segmentSize) this.segments.push(new AccountSegment(this.domains));
    this.end += 1;
    return this.end - 1;
  }

  private write(number: number, line: Buffer, facts: number, created: number): void {
    const segment = this.segmentOf(number);
    if (segment === undefined) throw new Error(`no segment for account ${number}`);
    segment.write(number % segmentSize, line, facts, created);
  }

  // 2. Accounts

  /** Adds or replaces an account. Returns whether anything changed. */
  put(user: UserRecord): boolean {
    const [line, facts] = [lineOf(user), factsOf(user)];
    const known = this.numberOf(user._id);
    if (this.segmentOf(known)?.equals(known % segmentSize, line, facts, user.ctime)) return false;
    const number = known < 0 ? this.newNumber() : known;
    this.write(number, line, facts, user.ctime);
    if (known >= 0) return true;
    this.numbers.add(number, fingerprint(user._id));
    this.numbersInUse += 1;
    return true;
  }

  /** Returns whether the account was in the table. */
  remove(id: string): boolean {
    const number = this.numberOf(id);
    if (number < 0) return false;
    this.numbers.remove(number);
    this.write(number, emptyLine, 0, 0);
    this.free.push(number);
    this.numbersInUse -= 1;
    return true;
  }

  /** `undefined` for a number that is free. */
  entry(number: number): AccountEntry | undefined {
    const parts = this.partsOf(number);
    const segment = this.segmentOf(number);
    if (parts === undefined || segment === undefined) return undefined;
    const slot = number % segmentSize;
    return entryIn(segment.bytes, parts, segment.facts[slot] ?? 0, segment.created[slot] ?? 0);
  }

  isUsed(number: number): boolean {
    return this.partsOf(number) !== undefined;
  }

  idOf(number: number): string | undefined {
    const parts = this.partsOf(number);
    return parts && this.segmentOf(number)?.bytes.toString('utf8', parts.id, parts.plain);
  }

  /** `''` for a number that is free. */
  loginOf(number: number): string {
    const parts = this.partsOf(number);
    const bytes = this.segmentOf(number)?.bytes;
    return parts && bytes ? loginIn(bytes, parts) : '';
  }

  createdAt(number: number): number {
    return this.segmentOf(number)?.created[number % segmentSize] ?? 0;
  }

  /** True when the account may refer to an id with one of these fingerprints. Rare false positives are possible. */
  mayReferTo(number: number, references: ReadonlySet<number>): boolean {
    const parts = this.partsOf(number);
    const bytes = this.segmentOf(number)?.bytes;
    if (parts === undefined || bytes === undefined) return false;
    for (let at = parts.references; at < parts.end; at += 4) {
      if (references.has(bytes.readUInt32LE(at))) return true;
    }
    return false;
  }

  // 3. Searching

  /** Letter case and accents of the text do not matter. */
  pattern(text: string, facts: Partial<AccountFacts>): Pattern {
    return patternOf(plainText(text), facts, this.domains);
  }

  /**
   * Searches one segment, or only the accounts whose bit is set in `within`. Writes a bit for each account of the
   * segment to `found`.
   */
  searchSegment(index: number, pattern: Pattern, within: Int32Array | undefined, found: Int32Array): void {
    this.segments[index]?.search(pattern, within, found, index * wordsPerSegment);
  }

  /** Whether one account matches. */
  matches(number: number, pattern: Pattern): boolean {
    return this.segmentOf(number)?.matches(pattern, number % segmentSize) ?? false;
  }

  // 4. The copy in the database

  isChanged(segment: number): boolean {
    return this.segments[segment]?.changed ?? false;
  }

  /** Encodes a segment for the database, and marks it as unchanged. */
  encode(index: number): Promise<string> {
    const segment = this.segments[index];
    if (segment === undefined) throw new Error(`no segment ${index}`);
    return segment.encode(Math.min(this.end - index * segmentSize, segmentSize));
  }

  /** Appends an encoded segment. Throws when the text was not made by `encode`. */
  async decode(text: string): Promise<void> {
    const { segment, count } = await AccountSegment.decode(text, this.domains);
    if (this.end !== this.segments.length * segmentSize) {
      throw new Error('segment follows one that is not full');
    }
    const base = this.end;
    this.segments.push(segment);
    this.end += count;
    for (let number = base; number < this.end; number += 1) this.addDecoded(number, segment);
  }

  private addDecoded(number: number, { bytes }: AccountSegment): void {
    const parts = this.partsOf(number);
    const hash = parts ? hashBytes(bytes, parts.id, parts.plain) : 0;
    const isTwice = parts !== undefined && this.numberOfBytes(bytes, parts.id, parts.plain, hash) >= 0;
    // The account moved to another segment, and only one of the two segments was saved.
    if (isTwice) this.write(number, emptyLine, 0, 0);
    if (isTwice || parts === undefined) {
      this.free.push(number);
      return;
    }
    this.numbers.add(number, hash);
    this.numbersInUse += 1;
  }
}
