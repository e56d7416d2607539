/**
 * Bits that make searches in one segment fast: one bit for each account and letter, and for each account and pair of
 * letters. An operation on these bits rules out 32 accounts at once. For single letters and domains, the bits are
 * enough, and no text is read.
 */
import { byteAt, domainIn, factNames, nameEnd, searchedEnd, searchedStart } from './accountLine';
import { DomainMatches, type Domains, noDomain } from './domains';

/** A search text, and which accounts to search. */
export interface Pattern {
  readonly text: Uint8Array;
  /** Columns that an account with the text has. Not those of a domain. */
  readonly columns: readonly number[];
  /** True when the columns are enough, and the text need not be compared. */
  readonly isExact: boolean;
  /** Columns of facts that an account must not have. */
  readonly without: readonly number[];
  /** The domains with the text; `undefined` without a text. */
  readonly domains: DomainMatches | undefined;
}

/** Accounts in one segment. */
export const segmentSize = 512;
/** Numbers with one bit for each account of a segment. */
export const wordsPerSegment = segmentSize / 32;

const [firstLetter, letterCount, pairCount] = [32, 96, 256];
/** Bits of the slots that hold an account. */
const usedColumn = letterCount + pairCount;
const firstFact = usedColumn + 1;
const columnCount = firstFact + factNames.length;
const atSign = 64;

/** Folds ASCII to lower case, and the separator between first and last name to a blank. */
const fold = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte >= 65 && byte <= 90) return byte + 32;
  return byte === nameEnd ? 32 : byte;
});

const isLetter = (byte: number): boolean => byte >= firstLetter && byte < firstLetter + letterCount;
const letterColumn = (byte: number): number => byte - firstLetter;
const pairColumn = (one: number, other: number): number =>
  letterCount + (Math.imul(one * 31 + other, 0x9e3779b1) >>> 24);

/** Calls `visit` with the column of each letter and each pair of letters. */
function eachColumn(bytes: Uint8Array, start: number, end: number, visit: (column: number) => void): void {
  let before = -1;
  for (let offset = start; offset < end; offset += 1) {
    const letter = byteAt(fold, byteAt(bytes, offset));
    if (isLetter(letter)) visit(letterColumn(letter));
    if (before >= 0) visit(pairColumn(before, letter));
    before = letter;
  }
}

/** As `String.prototype.includes`, over folded bytes. */
function includes(bytes: Uint8Array, start: number, end: number, text: Uint8Array): boolean {
  const { length } = text;
  const wanted = byteAt(text, 0);
  const last = end - length;
  let capital = wanted;
  if (wanted >= 97 && wanted <= 122) capital = wanted - 32;
  else if (wanted === 32) capital = nameEnd;
  for (let offset = start; offset <= last; offset += 1) {
    const letter = bytes[offset];
    if (letter !== wanted && letter !== capital) continue;
    let matched = 1;
    while (matched < length && byteAt(fold, byteAt(bytes, offset + matched)) === text[matched]) matched += 1;
    if (matched === length) return true;
  }
  return false;
}

/** `text` is plain text; `facts` the wanted state of accounts. */
export function patternOf(
  text: string,
  facts: Partial<Record<(typeof factNames)[number], boolean>>,
  domains: Domains,
): Pattern {
  const bytes = Buffer.from(text);
  const columns = new Set([usedColumn]);
  const without: number[] = [];
  // What follows the first @ may be in the domain, whose letters have no columns.
  const sign = bytes.indexOf(atSign);
  eachColumn(bytes, 0, sign < 0 ? bytes.length : sign + 1, (column) => columns.add(column));
  for (const [index, name] of factNames.entries()) {
    if (facts[name] === true) columns.add(firstFact + index);
    if (facts[name] === false) without.push(firstFact + index);
  }
  const isExact = bytes.length === 0 || (bytes.length === 1 && isLetter(byteAt(bytes, 0)));
  const matches = bytes.length === 0 ? undefined : new DomainMatches(bytes.toString(), domains);
  return { text: bytes, columns: [...columns], isExact, without, domains: matches };
}

/** The columns of one segment. */
export class SearchColumns {
  private readonly bits = new Int32Array(columnCount * wordsPerSegment);
  private readonly domainNumbers = new Uint16Array(segmentSize);

  constructor(private readonly domains: Domains) {}

  /** Sets the bits of the account in this slot, from its line in `bytes`. */
  set(slot: number, bytes: Buffer, start: number, facts: number): void {
    this.clear(slot);
    const mark = (column: number): void => this.mark(column, slot);
    const [from, end] = [searchedStart(bytes, start), searchedEnd(bytes, start)];
    const domain = domainIn(bytes, from);
    const number = this.domains.numberOf(bytes.toString('utf8', domain.start, domain.end).toLowerCase());
    this.domainNumbers[slot] = number;
    if (number === noDomain) eachColumn(bytes, from, end, mark);
    else {
      eachColumn(bytes, from, domain.start, mark);
      eachColumn(bytes, domain.end, end, mark);
    }
    mark(usedColumn);
    for (const index of factNames.keys()) if ((facts & (1 << index)) !== 0) mark(firstFact + index);
  }

  /** Clears the bits of a slot whose account was removed. */
  clear(slot: number): void {
    const [word, bit] = [slot >> 5, 1 << (slot & 31)];
    for (let column = 0; column < columnCount; column += 1) {
      this.bits[column * wordsPerSegment + word] = this.bitsAt(column * wordsPerSegment + word) & ~bit;
    }
    this.domainNumbers[slot] = noDomain;
  }

  private bitsAt(index: number): number {
    return this.bits[index] as number;
  }

  private mark(column: number, slot: number): void {
    const word = column * wordsPerSegment + (slot >> 5);
    this.bits[word] = this.bitsAt(word) | (1 << (slot & 31));
  }

  /** Bits of the accounts in one word that match, of those in `among`. */
  search(pattern: Pattern, word: number, among: number, bytes: Uint8Array, ends: Uint32Array): number {
    const { domains, columns, without, text } = pattern;
    const byDomain = domains ? this.ofDomains(word, domains, this.allowed(pattern, word, among)) : 0;
    let open = among & ~byDomain;
    for (const column of columns) open &= this.bitsAt(column * wordsPerSegment + word);
    for (const column of without) open &= ~this.bitsAt(column * wordsPerSegment + word);
    if (pattern.isExact) return byDomain | open;
    let found = byDomain;
    while (open !== 0) {
      const bit = open & -open;
      open &= ~bit;
      const slot = word * 32 + 31 - Math.clz32(bit);
      const start = slot === 0 ? 0 : (ends[slot - 1] as number);
      if (includes(bytes, searchedStart(bytes, start), searchedEnd(bytes, start), text)) found |= bit;
    }
    return found;
  }

  /** Accounts in the wanted state. */
  private allowed({ columns, without }: Pattern, word: number, among: number): number {
    let allowed = among;
    for (const column of columns) {
      if (column >= usedColumn) allowed &= this.bitsAt(column * wordsPerSegment + word);
    }
    for (const column of without) allowed &= ~this.bitsAt(column * wordsPerSegment + word);
    return allowed;
  }

  /** Bits of the accounts in one word whose domain matches, of those in `among`. */
  private ofDomains(word: number, domains: DomainMatches, among: number): number {
    let found = 0;
    if (among === 0) return found;
    for (let index = 0; index < 32; index += 1) {
      if (domains.has(this.domainNumbers[word * 32 + index] as number)) found |= 1 << index;
    }
    return found & among;
  }
}
