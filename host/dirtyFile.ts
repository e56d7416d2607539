/**
 * Reads and repairs the file of Etherpad's embedded database (`dirty`): one JSON object a line, `{"key":…,"val":…}`,
 * where later lines replace earlier ones. Etherpad does not start if it cannot read a single line.
 */
import { createReadStream, createWriteStream } from 'node:fs';
import { chmod, chown, copyFile, link, realpath, rename, rm, stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';

/** A line that Etherpad cannot read. One with `no line end` is complete otherwise, and a repair keeps it. */
export interface FaultyLine {
  /** Counted from 1. */
  line: number;
  what: 'no key' | 'not readable' | 'empty' | 'no line end';
  /** The record that the line is about, where its beginning says that. */
  key?: string;
}

type Fault = Omit<FaultyLine, 'line'>;

interface Line {
  bytes: Buffer;
  /** Does a line end follow? */
  ended: boolean;
}

const newline = 0x0a;

/** The lines as bytes, because text may contain other characters that Node takes for the end of a line. */
async function* linesOf(file: string): AsyncGenerator<Line> {
  let begun: Buffer[] = [];
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
    let from = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, from)) {
      yield { bytes: Buffer.concat([...begun, chunk.subarray(from, end)]), ended: true };
      begun = [];
      from = end + 1;
    }
    if (from < chunk.length) begun.push(chunk.subarray(from));
  }
  if (begun.length > 0) yield { bytes: Buffer.concat(begun), ended: false };
}

/** The beginning of a line that ends too early. Its value is not shown, because it may be a secret. */
function keyIn(text: string): { key?: string } {
  const [, key] = /^\{"key":("(?:[^"\\]|\\.)*")/.exec(text) ?? [];
  return key === undefined ? {} : { key: key.slice(1, -1) };
}

function faultOf({ bytes, ended }: Line): Fault | undefined {
  if (bytes.length === 0) return { what: 'empty' };
  const text = bytes.toString('utf8');
  let row: unknown;
  try {
    row = JSON.parse(text);
  } catch {
    return { what: 'not readable', ...keyIn(text) };
  }
  // A search for keys would end the process at a key that is no text.
  const { key } = (row ?? {}) as { key?: unknown };
  if (typeof key !== 'string') return { what: 'no key' };
  return ended ? undefined : { what: 'no line end', key };
}

/** All lines that Etherpad cannot read. */
export async function faultyLines(file: string): Promise<FaultyLine[]> {
  const found: FaultyLine[] = [];
  let number = 0;
  for await (const line of linesOf(file)) {
    number += 1;
    const fault = faultOf(line);
    if (fault) found.push({ line: number, ...fault });
  }
  return found;
}

/** Writes some lines, numbered from 1, into another file of the same owner, which must not exist. */
async function writeLines(
  file: string,
  to: string,
  keeps: (line: Line, number: number) => boolean,
): Promise<void> {
  const { mode, uid, gid } = await stat(file);
  async function* kept(): AsyncGenerator<Buffer> {
    let number = 0;
    for await (const line of linesOf(file)) {
      number += 1;
      if (keeps(line, number)) yield Buffer.concat([line.bytes, Buffer.of(newline)]);
    }
  }
  await pipeline(kept(), createWriteStream(to, { flags: 'wx', mode, flush: true }));
  // For the user that runs Etherpad. Somebody else, as root, may repair it.
  const made = await stat(to);
  if (made.uid !== uid || made.gid !== gid) await chown(to, uid, gid);
  await chmod(to, mode);
}

/** Writes the lines that Etherpad can read into another file of the same owner, which must not exist. */
export const writeReadableLines = (file: string, to: string): Promise<void> =>
  writeLines(file, to, (line) => (faultOf(line) ?? { what: 'no line end' }).what === 'no line end');

/** The numbers of the lines that have the present value of a record. All lines must be readable. */
async function currentLines(file: string): Promise<ReadonlySet<number>> {
  const current = new Map<string, number>();
  let number = 0;
  for await (const { bytes } of linesOf(file)) {
    number += 1;
    const { key, val } = JSON.parse(bytes.toString('utf8')) as { key: string; val?: unknown };
    if (val === undefined || val === null) current.delete(key);
    else current.set(key, number);
  }
  return new Set(current.values());
}

/** Reads the present values from a file whose lines can all be read. `next` gets batches of at most `size` records. */
export async function readRecords(
  file: string,
  size: number,
  next: (records: { key: string; val: unknown }[], total: number) => Promise<void>,
): Promise<void> {
  const current = await currentLines(file);
  let batch: { key: string; val: unknown }[] = [];
  let number = 0;
  for await (const { bytes } of linesOf(file)) {
    number += 1;
    if (!current.has(number)) continue;
    batch.push(JSON.parse(bytes.toString('utf8')));
    if (batch.length < size) continue;
    await next(batch, current.size);
    batch = [];
  }
  await next(batch, current.size);
}

/** Replaces the file, whose lines can all be read, by one without earlier values and deleted records. */
export async function dropEarlierValues(file: string): Promise<void> {
  const real = await realpath(file);
  const numbers = await currentLines(real);
  const smaller = `${real}.smaller`;
  await rm(smaller, { force: true });
  await writeLines(real, smaller, (_, at) => numbers.has(at));
  await rename(smaller, real);
}

/** Replaces the file by one without the lines that Etherpad cannot read. Returns the path of the old one. */
export async function leaveOutFaultyLines(file: string): Promise<string> {
  const real = await realpath(file);
  const copy = `${real}.damaged-${new Date().toISOString().replace(/\W/g, '')}`;
  const repaired = `${copy}.repaired`;
  try {
    await writeReadableLines(real, repaired);
    await link(real, copy).catch(() => copyFile(real, copy));
    // At each moment there is a complete file: without one, Etherpad would start with an empty database.
    await rename(repaired, real);
  } catch (error) {
    await rm(repaired, { force: true });
    throw error;
  }
  return copy;
}

/** One line for the operator about each of the lines, without their values. */
export const describeFaultyLine = ({ line, what, key }: FaultyLine): string =>
  `line ${line}: ${what}${key === undefined ? '' : `, of ${key}`}`;
