/** ZIPs: as programs write them, byte by byte as attackers do, and read as their central directory describes them. */
import { crc32, deflateRawSync, inflateRawSync } from 'node:zlib';
import type { Test } from 'supertest';
import { ZipFile } from 'yazl';
import type { TestApp } from './app';

/** A ZIP of these files, by path. */
export async function zipOf(files: Readonly<Record<string, string | Buffer>>): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [path, content] of Object.entries(files)) zip.addBuffer(Buffer.from(content), path);
  zip.end();
  const pieces: Buffer[] = [];
  for await (const piece of zip.outputStream) pieces.push(piece as Buffer);
  return Buffer.concat(pieces);
}

/** An entry of a ZIP, and what its headers say of it, if that differs. */
export interface RawEntry {
  name: string | Buffer;
  content?: string | Buffer;
  /** The content is deflated already. */
  packed?: Buffer;
  size?: number;
  checksum?: number;
  flags?: number;
  attributes?: number;
  /** Whose data it has: the number of an earlier entry. */
  sameAs?: number;
}

/** Numbers of 2 or 4 bytes, and bytes as they are. */
const bytes = (...parts: (readonly [2 | 4, number] | Buffer)[]): Buffer =>
  Buffer.concat(
    parts.map((part) => {
      if (Buffer.isBuffer(part)) return part;
      const [size, value] = part;
      const buffer = Buffer.alloc(size);
      buffer.writeUIntLE(value, 0, size);
      return buffer;
    }),
  );

/** `count`: how many entries the ZIP says that it has. */
export function rawZip(entries: readonly RawEntry[], { count = entries.length } = {}): Buffer {
  const locals: Buffer[] = [];
  const starts: number[] = [];
  const central = entries.map((entry) => {
    const content = Buffer.from(entry.content ?? '');
    const packed = entry.packed ?? deflateRawSync(content);
    const name = Buffer.from(entry.name);
    const facts = bytes(
      [2, entry.flags ?? 0x800],
      [2, 8],
      [4, 0],
      [4, entry.checksum ?? crc32(content)],
      [4, packed.length],
      [4, entry.size ?? content.length],
      [2, name.length],
      [2, 0],
    );
    const own = locals.reduce((sum, { length }) => sum + length, 0);
    const start = entry.sameAs === undefined ? own : (starts[entry.sameAs] ?? 0);
    starts.push(start);
    if (entry.sameAs === undefined) locals.push(bytes([4, 0x04034b50], [2, 20], facts, name, packed));
    const rest = bytes([2, 0], [2, 0], [2, 0], [4, entry.attributes ?? 0], [4, start]);
    return bytes([4, 0x02014b50], [2, 0x031e], [2, 20], facts, rest, name);
  });
  const files = Buffer.concat(locals);
  const list = Buffer.concat(central);
  const end = bytes(
    [4, 0x06054b50],
    [2, 0],
    [2, 0],
    [2, count],
    [2, count],
    [4, list.length],
    [4, files.length],
    [2, 0],
  );
  return Buffer.concat([files, list, end]);
}

/** `POST imports`. */
export const sendZip = (
  app: TestApp,
  token: string | undefined,
  zip: Buffer,
  query: Readonly<Record<string, string>> = {},
): Test => {
  const call = app.agent.post('/api/imports').query(query).set('Content-Type', 'application/zip');
  if (token !== undefined) call.set('Authorization', `Bearer ${token}`);
  return call.send(zip);
};

/**
 * The files by name, in their order (APPNOTE 4.3.12), without a library that would tidy them up. Throws if it is no
 * complete ZIP file.
 */
export function readZip(archive: Buffer): Map<string, Buffer> {
  const end = archive.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'));
  if (end < 0) throw new Error('no ZIP file');
  const files = new Map<string, Buffer>();
  let at = archive.readUInt32LE(end + 16);
  for (let left = archive.readUInt16LE(end + 10); left > 0; left -= 1) {
    if (archive.readUInt32LE(at) !== 0x02014b50) throw new Error('damaged central directory');
    const [method, packed] = [archive.readUInt16LE(at + 10), archive.readUInt32LE(at + 20)];
    const [name, extra, comment] = [28, 30, 32].map((field) => archive.readUInt16LE(at + field));
    const local = archive.readUInt32LE(at + 42);
    const path = archive.toString('utf8', at + 46, at + 46 + (name ?? 0));
    const start = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28);
    const content = archive.subarray(start, start + packed);
    if (files.has(path)) throw new Error(`${path} is there twice`);
    files.set(path, method === 0 ? content : inflateRawSync(content));
    at += 46 + (name ?? 0) + (extra ?? 0) + (comment ?? 0);
  }
  return files;
}
