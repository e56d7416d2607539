/**
 * Reads a ZIP of somebody who may be hostile. What its headers say is never trusted: files are unpacked in memory, one
 * at a time and up to a limit, and nothing is written under a name that the ZIP chooses.
 */

import * as zlib from 'node:zlib';
import type { Entry, ZipFile } from 'yauzl';
import { cutText } from '../cutText';
import { MyPadsError } from '../errors';
import { zipLimits } from '../limits';

export interface ZipEntry {
  /** With `/` between the parts, without one at the beginning. */
  path: string;
  source: Entry;
}

export interface Zip {
  /** Its files, without folders. */
  entries: readonly ZipEntry[];
  /** Unpacks a file. Throws IMPORT.TOO_LARGE, IMPORT.NOT_ZIP. */
  read(entry: ZipEntry): Promise<Buffer>;
  close(): void;
}

interface Limits {
  entries: number;
  unpacked: number;
  entry: number;
}

export type ZipLimit = 'upload' | 'entries' | 'unpacked' | 'entry' | 'ratio' | 'pads' | 'folders';

export const tooLarge = (limit: ZipLimit): MyPadsError =>
  new MyPadsError('BACKEND.ERROR.IMPORT.TOO_LARGE', { limit });

const notZip = (): MyPadsError => new MyPadsError('BACKEND.ERROR.IMPORT.NOT_ZIP');

const unzip = (): typeof import('./unzip') => require('./unzip.js');

/** `undefined` before Node 20.15, which cannot calculate it. */
const crc32 = (piece: Buffer, before: number): number | undefined =>
  (zlib as { crc32?: (piece: Buffer, before: number) => number }).crc32?.(piece, before);

/** Errors of yauzl name bytes and offsets of the ZIP. People get the sentence of our error instead. */
const asNotZip = (error: unknown): never => {
  throw error instanceof MyPadsError ? error : notZip();
};

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * `undefined` if it is not UTF-8, or too long: the normal form of 60 kB takes seconds. Not every program that writes
 * UTF-8 says so in the ZIP.
 */
function decoded(raw: Buffer): string | undefined {
  if (raw.length > 4 * zipLimits.path) return undefined;
  try {
    return decoder.decode(raw).normalize('NFC');
  } catch {
    return undefined;
  }
}

/** Upper 16 bits of the attributes: the file type of Unix. */
const isLink = ({ externalFileAttributes }: Entry): boolean =>
  ((externalFileAttributes >>> 16) & 0o170_000) === 0o120_000;

/** Does the path stay in the ZIP, on every system? */
const isSafe = (path: string): boolean =>
  path.length <= zipLimits.path &&
  !/[\\\p{Cc}]|^\/|^[a-z]:/iu.test(path) &&
  path.split('/').every((part) => part !== '' && part !== '.' && part !== '..');

/** Throws for an entry that no honest program writes. */
function checkedPath(entry: Entry, seen: Set<string>): string {
  const name = decoded(entry.fileNameRaw);
  const unsafe = (): MyPadsError =>
    new MyPadsError('BACKEND.ERROR.IMPORT.UNSAFE', { name: cutText(name ?? '', 100) });
  if (entry.isEncrypted()) throw new MyPadsError('BACKEND.ERROR.IMPORT.ENCRYPTED');
  if (name === undefined || isLink(entry)) throw unsafe();
  const path = name.replace(/\/$/, '');
  // Systems that ignore letter case could make one file of two.
  const comparable = path.toLowerCase();
  if (!isSafe(path) || seen.has(comparable)) throw unsafe();
  seen.add(comparable);
  return path;
}

async function listEntries(file: ZipFile, limits: Limits): Promise<ZipEntry[]> {
  if (file.entryCount > limits.entries) throw tooLarge('entries');
  const seen = new Set<string>();
  const entries: ZipEntry[] = [];
  for await (const source of file.eachEntry()) {
    const path = checkedPath(source, seen);
    if (source.fileNameRaw.at(-1) !== '/'.charCodeAt(0)) entries.push({ path, source });
  }
  return entries;
}

/** `source`: the path of a file, or the content of one. Throws IMPORT.*. */
export async function openZip(source: string | Buffer, limits: Limits = zipLimits): Promise<Zip> {
  const options = { autoClose: false, decodeStrings: false, validateEntrySizes: true };
  const file = await (typeof source === 'string'
    ? unzip().openPromise(source, options)
    : unzip().fromBufferPromise(source, options)
  ).catch(asNotZip);
  const counted = new Set<string>();
  let unpacked = 0;

  async function unpack({ path, source: entry }: ZipEntry): Promise<Buffer> {
    const pieces: Buffer[] = [];
    let size = 0;
    const isNew = !counted.has(path);
    counted.add(path);
    let checksum = 0;
    for await (const piece of await file.openReadStreamPromise(entry)) {
      pieces.push(piece);
      size += piece.length;
      checksum = crc32(piece, checksum) ?? entry.crc32;
      if (isNew) unpacked += piece.length;
      if (size > limits.entry) throw tooLarge('entry');
      if (unpacked > limits.unpacked) throw tooLarge('unpacked');
      if (size > zipLimits.unsuspicious && size > entry.compressedSize * zipLimits.ratio)
        throw tooLarge('ratio');
    }
    if (checksum !== entry.crc32) throw notZip();
    return Buffer.concat(pieces);
  }

  try {
    return {
      entries: await listEntries(file, limits),
      read: (entry) => unpack(entry).catch(asNotZip),
      close: () => file.close(),
    };
  } catch (error) {
    file.close();
    return asNotZip(error);
  }
}
