/** The files that somebody chooses or drops, with their paths, as one ZIP. */
import { zipLimits } from '../../../../model/limits';
import { ApiError } from '../../data/client';

interface ChosenFile {
  path: string;
  file: File;
}

/** What is sent to the server. */
export interface Chosen {
  zip: Blob;
  /** What the person would call it. */
  name: string;
}

/** CRC-32, as ZIPs have it. */
const table = Array.from({ length: 256 }, (_, value) => {
  let result = value;
  for (let bit = 0; bit < 8; bit += 1) result = result & 1 ? (result >>> 1) ^ 0xedb88320 : result >>> 1;
  return result;
});

function checksumOf(bytes: Uint8Array): number {
  let result = 0xffffffff;
  for (const byte of bytes) result = (result >>> 8) ^ (table[(result ^ byte) & 255] ?? 0);
  return (result ^ 0xffffffff) >>> 0;
}

/** Numbers of two or four bytes, the lowest byte first. */
function numbers(...values: readonly (readonly [2 | 4, number])[]): Uint8Array<ArrayBuffer> {
  const bytes = new DataView(new ArrayBuffer(values.reduce((sum, [size]) => sum + size, 0)));
  let at = 0;
  for (const [size, value] of values) {
    if (size === 2) bytes.setUint16(at, value, true);
    else bytes.setUint32(at, value, true);
    at += size;
  }
  return new Uint8Array(bytes.buffer);
}

/** A ZIP without compression. The files are read one after the other, only for their checksums. */
async function zipOf(files: readonly ChosenFile[]): Promise<Blob> {
  const content: BlobPart[] = [];
  const list: BlobPart[] = [];
  let [start, listed] = [0, 0];
  for (const { path, file } of files) {
    const name = new TextEncoder().encode(path);
    const checksum = checksumOf(new Uint8Array(await file.arrayBuffer()));
    // Names are UTF-8 (0x800); the date is 1980-01-01.
    const facts = numbers(
      ...([
        [2, 20],
        [2, 0x800],
        [2, 0],
        [2, 0],
        [2, 33],
        [4, checksum],
      ] as const),
      ...([
        [4, file.size],
        [4, file.size],
        [2, name.length],
        [2, 0],
      ] as const),
    );
    content.push(numbers([4, 0x04034b50]), facts, name, file);
    const rest = numbers([2, 0], [2, 0], [2, 0], [4, 0], [4, start]);
    list.push(numbers([4, 0x02014b50], [2, 20]), facts, rest, name);
    start += 4 + facts.length + name.length + file.size;
    listed += 6 + facts.length + rest.length + name.length;
  }
  const count = files.length;
  const end = numbers(
    [4, 0x06054b50],
    [2, 0],
    [2, 0],
    [2, count],
    [2, count],
    [4, listed],
    [4, start],
    [2, 0],
  );
  return new Blob([...content, ...list, end], { type: 'application/zip' });
}

/** Characters that the server refuses in paths. Two files must not have the same path. */
function withSafePaths(files: readonly ChosenFile[]): ChosenFile[] {
  const taken = new Set<string>();
  return files.map(({ path, file }) => {
    const [, before = '', ending = ''] = /^(.*?)(\.[^./]*)?$/s.exec(path.replace(/[\\:\p{Cc}]/gu, '_')) ?? [];
    let safe = before + ending;
    for (let number = 2; taken.has(safe.normalize('NFC').toLowerCase()); number += 1)
      safe = `${before} (${number})${ending}`;
    taken.add(safe.normalize('NFC').toLowerCase());
    return { path: safe, file };
  });
}

const isZip = ({ name }: File): boolean => /\.zip$/i.test(name);

/** A single ZIP is sent as it is. Throws IMPORT.TOO_LARGE before files are read that the server would not take. */
async function chosenOf(files: readonly ChosenFile[]): Promise<Chosen | undefined> {
  const [first] = files;
  if (first === undefined) return undefined;
  const { file, path } = first;
  const size = files.reduce((sum, one) => sum + one.file.size, 0);
  if (size > zipLimits.upload) throw new ApiError('BACKEND.ERROR.IMPORT.TOO_LARGE');
  if (files.length === 1 && isZip(file))
    return { zip: file.slice(0, file.size, 'application/zip'), name: file.name };
  const name = path.includes('/') ? '' : file.name.replace(/\.[^.]*$/, '');
  return { zip: await zipOf(withSafePaths(files)), name };
}

/** The choice of a file field. */
export const chosenIn = (files: Iterable<File>): Promise<Chosen | undefined> =>
  chosenOf([...files].map((file) => ({ path: file.webkitRelativePath || file.name, file })));

async function filesBelow(entry: FileSystemEntry): Promise<ChosenFile[]> {
  const path = entry.fullPath.replace(/^\//, '');
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) =>
      (entry as FileSystemFileEntry).file(resolve, reject),
    );
    return [{ path, file }];
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  const found: ChosenFile[] = [];
  // Browsers return at most 100 at a time.
  for (;;) {
    const part = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (part.length === 0) return found;
    for (const inner of part) found.push(...(await filesBelow(inner)));
  }
}

/** Files and folders that were dropped. Call it while the event is handled: the browser forgets them afterwards. */
export async function chosenByDrop({ items }: DataTransfer): Promise<Chosen | undefined> {
  const entries = [...items].flatMap((item) => item.webkitGetAsEntry() ?? []);
  const files: ChosenFile[] = [];
  for (const entry of entries) files.push(...(await filesBelow(entry)));
  return chosenOf(files);
}
