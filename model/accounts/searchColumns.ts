/**
 * Bits that rule out accounts of one segment in a search: one bit for each account and letter, and for each account and
 * pair of letters. Many accounts are ruled out with one operation. For single letters and domains the texts are not
 * read.
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
const livingColumn = letterCount + pairCount;
const firstFact = livingColumn + 1;
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
  for (let place = start; place < end; place += 1) {
    const letter = byteAt(fold, byteAt(bytes, place));
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
  for (let place = start; place <= last; place += 1) {
    const letter = bytes[place];
    if (letter !== wanted && letter !== capital) continue;
    let more = 1;
    while (more < length && byteAt(fold, byteAt(bytes, place + more)) === text[more]) more += 1;
    if (more === length) return true;
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
  const columns = new Set([livingColumn]);
  const without: number[] = [];
  // Only the part before the first @ must be outside the domain.
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

  /** Takes over the line at this place of the segment. */
  set(place: number, bytes: Buffer, start: number, facts: number): void {
    this.clear(place);
    const mark = (column: number): void => this.mark(column, place);
    const [from, end] = [searchedStart(bytes, start), searchedEnd(bytes, start)];
    const domain = domainIn(bytes, from);
    const number = this.domains.numberOf(bytes.toString('utf8', domain.start, domain.end).toLowerCase());
    this.domainNumbers[place] = number;
    if (number === noDomain) eachColumn(bytes, from, end, mark);
    else {
      eachColumn(bytes, from, domain.start, mark);
      eachColumn(bytes, domain.end, end, mark);
    }
    mark(livingColumn);
    for (const index of factNames.keys()) if ((facts & (1 << index)) !== 0) mark(firstFact + index);
  }

  /** The account at this place was removed. */
  clear(place: number): void {
    const [word, bit] = [place >> 5, 1 << (place & 31)];
    for (let column = 0; column < columnCount; column += 1) {
      this.bits[column * wordsPerSegment + word] = this.bitsAt(column * wordsPerSegment + word) & ~bit;
    }
    this.domainNumbers[place] = noDomain;
  }

  private bitsAt(place: number): number {
    return this.bits[place] as number;
  }

  private mark(column: number, place: number): void {
    const word = column * wordsPerSegment + (place >> 5);
    this.bits[word] = this.bitsAt(word) | (1 << (place & 31));
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
      const place = word * 32 + 31 - Math.clz32(bit);
      const start = place === 0 ? 0 : (ends[place - 1] as number);
      if (includes(bytes, searchedStart(bytes, start), searchedEnd(bytes, start), text)) found |= bit;
    }
    return found;
  }

  /** Accounts in the wanted state. */
  private allowed({ columns, without }: Pattern, word: number, among: number): number {
    let allowed = among;
    for (const column of columns) {
      if (column >= livingColumn) allowed &= this.bitsAt(column * wordsPerSegment + word);
    }
    for (const column of without) allowed &= ~this.bitsAt(column * wordsPerSegment + word);
    return allowed;
  }

  private ofDomains(word: number, domains: DomainMatches, among: number): number {
    let found = 0;
    if (among === 0) return found;
    for (let place = 0; place < 32; place += 1) {
      if (domains.has(this.domainNumbers[word * 32 + place] as number)) found |= 1 << place;
    }
    return found & among;
  }
}
