/**
 * The records of the index: which accounts have a login or an address. A name is found by a digest, so that old names
 * of any length and with any character fit.
 */
import { sha256 } from '../sha256';
import type { UserRecord } from '../store/entities';
import { keys } from '../store/store';
import { comparableAddress, comparableLogin } from './accountNames';

/** Index entry of a login or address (in normal form). */
export interface Name {
  /** Key of the index record that contains the entry. */
  key: string;
  tag: string;
}

/** An index record: one `<tag> <id>` per line. One text needs much less memory than an array. */
export interface NamesRecord {
  names?: unknown;
}

/** Hexadecimal digits of the digest that select the record. */
const digits = 3;
const tagLength = 12;

/** How many index records there are. */
export const recordCount = 16 ** digits;

/** The key of an index record, by its number below `recordCount`. */
export const recordKey = (number: number): string => keys.names(number.toString(16).padStart(digits, '0'));

function nameOf(kind: 'login' | 'mail', comparable: string): Name {
  const digest = sha256(`${kind}:${comparable}`);
  return { key: keys.names(digest.slice(0, digits)), tag: digest.slice(digits, digits + tagLength) };
}

export const loginName = (login: string): Name => nameOf('login', comparableLogin(login));
export const mailName = (email: string): Name => nameOf('mail', comparableAddress(email));

/** The index entries of an account. */
export function namesOf({
  login,
  email,
  addressTaken,
}: Pick<UserRecord, 'login' | 'email' | 'addressTaken'>): Name[] {
  return email === '' || addressTaken ? [loginName(login)] : [loginName(login), mailName(email)];
}

/** True when the account still has this name. */
export const includesName = (user: UserRecord, { key, tag }: Name): boolean =>
  namesOf(user).some((name) => name.key === key && name.tag === tag);

/**
 * The line of an account with this name. Ids of ep_mypads 1.x may contain any character; an unpaired surrogate cannot
 * be encoded, so it is replaced first.
 */
export const lineOf = (tag: string, id: string): string =>
  `${tag} ${encodeURIComponent(Buffer.from(id).toString())}`;

/** The valid lines of an index record. */
export function linesOf(record: NamesRecord | undefined): string[] {
  const { names } = record ?? {};
  return typeof names === 'string' ? names.split('\n').filter((line) => /^[0-9a-f]+ \S+$/.test(line)) : [];
}

function idOf(line: string): string[] {
  try {
    return [decodeURIComponent(line.slice(tagLength + 1))];
  } catch {
    return [];
  }
}

/** Ids of the accounts with this name. */
export const idsOf = (record: NamesRecord | undefined, tag: string): string[] =>
  linesOf(record)
    .filter((line) => line.startsWith(`${tag} `))
    .flatMap(idOf);

export const idsOfAll = (record: NamesRecord | undefined): string[] => linesOf(record).flatMap(idOf);

/** The tag and the account of a line that `lineOf` has made. */
export const nameOfLine = (line: string): { tag: string; id: string } => ({
  tag: line.slice(0, tagLength),
  id: idOf(line)[0] ?? '',
});

/** The lines that each index record must contain for these accounts. */
export function linesByKey(users: Iterable<UserRecord>): Map<string, string[]> {
  const wanted = new Map<string, string[]>();
  for (const user of users) addLines(wanted, user);
  return wanted;
}

/** Adds the lines of one account. */
export function addLines(wanted: Map<string, string[]>, user: UserRecord): void {
  for (const { key, tag } of namesOf(user)) {
    const line = lineOf(tag, user._id);
    const lines = wanted.get(key);
    if (lines) lines.push(line);
    else wanted.set(key, [line]);
  }
}

export const namesRecord = (lines: readonly string[]): { names: string } => ({ names: lines.join('\n') });
