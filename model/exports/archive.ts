/** Writes a ZIP file piece by piece, so that an export of any size needs little memory. */
import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { ZipFile } from 'yazl';

export interface Archive {
  /** Resolves when the file is in the archive. `path`: with `/`, below the root. */
  add(path: string, content: string | readonly Buffer[]): Promise<void>;
}

/**
 * The bytes of the archive that `fill` makes. What `fill` throws is thrown to the reader. When the reader stops, the
 * running `add` rejects.
 */
export async function* archiveOf(
  fill: (archive: Archive) => Promise<void>,
  { now, signal }: { now: number; signal: AbortSignal },
): AsyncGenerator<Buffer> {
  const zip = new ZipFile();
  const output = zip.outputStream as Readable;
  let source: Readable | undefined;
  const archive: Archive = {
    async add(path, content) {
      signal.throwIfAborted();
      const pieces = typeof content === 'string' ? [Buffer.from(content)] : content;
      source = Readable.from(pieces, { objectMode: false });
      const read = finished(source);
      zip.addReadStream(source, path, { mtime: new Date(now), mode: 0o100644 });
      await read;
    },
  };
  const filled = fill(archive).then(() => zip.end());
  filled.catch((error) => output.destroy(error as Error));
  try {
    for await (const chunk of output) {
      signal.throwIfAborted();
      yield chunk as Buffer;
    }
    await filled;
  } finally {
    source?.destroy(new Error('the archive is not read any more'));
  }
}
