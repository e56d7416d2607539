/**
 * The packed form of an account ("line"): 12 bytes with the lengths of the parts, then names, id, plain text for
 * searches (only when the names are not ASCII), and a fingerprint of each id that the account refers to.
 */
import { plainText } from '../ids';
import type { UserRecord } from '../store/entities';

/** State of an account; see `UserRecord`. */
export interface AccountFacts {
  active: boolean;
  /** True when an administrator closed the account. */
  closed: boolean;
  /** True while the account is not confirmed. */
  unconfirmed: boolean;
  /** Its address belongs to another account. */
  addressTaken: boolean;
}

export interface AccountEntry
  extends Pick<UserRecord, '_id' | 'login' | 'email' | 'firstname' | 'lastname' | 'ctime'>,
    AccountFacts {}

/** Start of each part of a line, counted in the buffer that holds the line. */
export interface LineParts {
  names: number;
  id: number;
  plain: number;
  references: number;
  end: number;
}

const headerSize = 12;
/**
 * Separators that do not occur in UTF-8: after a field, and between first and last name, which are searched as one
 * text.
 */
const fieldEnd = 0xff;
export const nameEnd = 0xfe;

/** The facts in the order of their bits. */
export const factNames = ['active', 'closed', 'unconfirmed', 'addressTaken'] as const;

/** FNV-1a hash of bytes, an unsigned 32-bit number. */
export function hashBytes(bytes: Uint8Array, start: number, end: number): number {
  let hash = 0x811c9dc5;
  for (let at = start; at < end; at += 1) hash = Math.imul(hash ^ (bytes[at] ?? 0), 0x01000193);
  return hash >>> 0;
}

const scratch = Buffer.alloc(256);

/** A 32-bit hash of an id. Two ids rarely have the same one. */
export function fingerprint(id: string): number {
  // UTF-8 needs at most three bytes per UTF-16 unit. Most ids fit into the shared buffer.
  const bytes = id.length * 3 <= scratch.length ? scratch : Buffer.alloc(id.length * 3);
  return hashBytes(bytes, 0, bytes.write(id));
}

/** The facts as bits, in the order of `factNames`. */
export const factsOf = (user: UserRecord): number =>
  (user.active ? 1 : 0) |
  (user.closed ? 2 : 0) |
  (user.unconfirmedUntil === undefined ? 0 : 4) |
  (user.addressTaken ? 8 : 0);

/** Ids of all records that the account refers to. */
function* referencesOf({ groups, bookmarks, userlists }: UserRecord): Iterable<string> {
  yield* groups;
  yield* bookmarks.groups;
  yield* bookmarks.pads;
  for (const list of Object.values(userlists)) {
    if (Array.isArray(list?.uids)) yield* list.uids.filter((id) => typeof id === 'string');
  }
}

/** Writes lines one after another into the same buffer, so that many lines create no garbage. */
class LineWriter {
  private bytes = Buffer.allocUnsafe(4096);
  private length = headerSize;

  private reserve(size: number): void {
    if (this.length + size <= this.bytes.length) return;
    const more = Buffer.allocUnsafe((this.length + size) * 2);
    this.bytes.copy(more, 0, 0, this.length);
    this.bytes = more;
  }

  /** Writes a text and the separator after it. Returns whether the text is ASCII. */
  private field(text: string, separator?: number): boolean {
    // UTF-8 needs at most three bytes per UTF-16 unit.
    this.reserve(text.length * 3 + 1);
    const written = this.bytes.write(text, this.length);
    this.length += written;
    if (separator !== undefined) this.length = this.bytes.writeUInt8(separator, this.length);
    return written === text.length;
  }

  /** Returns whether all names are ASCII. */
  private names({ login, email, firstname, lastname }: UserRecord): boolean {
    const isAscii = [this.field(login, fieldEnd), this.field(email, fieldEnd)];
    isAscii.push(this.field(firstname, nameEnd), this.field(lastname));
    return !isAscii.includes(false);
  }

  private plainNames({ login, email, firstname, lastname }: UserRecord): void {
    for (const text of [login, email, `${firstname} ${lastname}`]) this.field(plainText(text), fieldEnd);
  }

  /** The line is valid until the next call. */
  write(user: UserRecord): Buffer {
    this.length = headerSize;
    const isAscii = this.names(user);
    const id = this.length;
    this.field(user._id);
    const plain = this.length;
    if (!isAscii) this.plainNames(user);
    const references = this.length;
    for (const reference of referencesOf(user)) {
      this.reserve(4);
      this.length = this.bytes.writeUInt32LE(fingerprint(reference), this.length);
    }
    this.bytes.writeUInt32LE(id - headerSize, 0);
    this.bytes.writeUInt32LE(plain - id, 4);
    this.bytes.writeUInt32LE(references - plain, 8);
    return this.bytes.subarray(0, this.length);
  }
}

const writer = new LineWriter();

/** The packed form of an account. Copy it: the next call overwrites it. */
export const lineOf = (user: UserRecord): Buffer => writer.write(user);

/**
 * Reads a position that is known to exist. Called for every letter of every account. For bytes only: V8 is several
 * times slower where one expression reads many kinds of arrays.
 */
export const byteAt = (bytes: Uint8Array, offset: number): number => bytes[offset] as number;

const lengthAt = (bytes: Uint8Array, offset: number): number =>
  byteAt(bytes, offset) |
  (byteAt(bytes, offset + 1) << 8) |
  (byteAt(bytes, offset + 2) << 16) |
  (byteAt(bytes, offset + 3) << 24);

/** Whether these bytes hold a line. A number without an account has an empty one. */
export const isLine = (start: number, end: number): boolean => end - start >= headerSize;

/** The parts of the line between two positions; `undefined` for an empty line. */
export function partsOf(bytes: Uint8Array, start: number, end: number): LineParts | undefined {
  if (!isLine(start, end)) return undefined;
  const names = start + headerSize;
  const id = names + lengthAt(bytes, start);
  const plain = id + lengthAt(bytes, start + 4);
  return { names, id, plain, references: plain + lengthAt(bytes, start + 8), end };
}

/**
 * Start of the text that searches compare. `searchedEnd` gives its end. Both read the header only, because they are
 * called for each account.
 */
export const searchedStart = (bytes: Uint8Array, start: number): number => {
  const names = start + headerSize;
  const isPlain = lengthAt(bytes, start + 8) === 0;
  return isPlain ? names : names + lengthAt(bytes, start) + lengthAt(bytes, start + 4);
};

export const searchedEnd = (bytes: Uint8Array, start: number): number => {
  const id = start + headerSize + lengthAt(bytes, start);
  const plain = lengthAt(bytes, start + 8);
  return plain === 0 ? id : id + lengthAt(bytes, start + 4) + plain;
};

/** Where the domain of the address starts and ends within the searched text; both `0` without a domain. */
export function domainIn(bytes: Uint8Array, from: number): { start: number; end: number } {
  const email = bytes.indexOf(fieldEnd, from) + 1;
  const end = bytes.indexOf(fieldEnd, email);
  const sign = bytes.lastIndexOf(64, end);
  return sign < email ? { start: 0, end: 0 } : { start: sign + 1, end };
}

/** The login in a line. */
export const loginIn = (bytes: Buffer, { names }: LineParts): string =>
  bytes.toString('utf8', names, bytes.indexOf(fieldEnd, names));

/** Reads an account from its line, and from the state and the time that are kept beside it. */
export function entryIn(
  bytes: Buffer,
  { names, id, plain }: LineParts,
  facts: number,
  ctime: number,
): AccountEntry {
  const loginEnd = bytes.indexOf(fieldEnd, names);
  const emailEnd = bytes.indexOf(fieldEnd, loginEnd + 1);
  const firstEnd = bytes.indexOf(nameEnd, emailEnd + 1);
  return {
    _id: bytes.toString('utf8', id, plain),
    login: bytes.toString('utf8', names, loginEnd),
    email: bytes.toString('utf8', loginEnd + 1, emailEnd),
    firstname: bytes.toString('utf8', emailEnd + 1, firstEnd),
    lastname: bytes.toString('utf8', firstEnd + 1, id),
    ctime,
    active: (facts & 1) !== 0,
    closed: (facts & 2) !== 0,
    unconfirmed: (facts & 4) !== 0,
    addressTaken: (facts & 8) !== 0,
  };
}
