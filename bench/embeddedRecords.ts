/**
 * Estimates the memory of the embedded database, which holds all records and grows with every change. It is subtracted
 * from the measured memory, because this growth is not a leak.
 */
import { createReadStream } from 'node:fs';

/**
 * Bytes of a record in addition to its text: headers of key and value, and the entry in the table. From a heap
 * snapshot.
 */
const overhead = 120;

export class EmbeddedRecords {
  private position = 0;
  private rest = '';
  private readonly sizes = new Map<string, number>();
  private bytes = 0;

  constructor(private readonly file: string) {}

  /** Reads new lines of the file. Returns the approximate memory of all records in bytes. */
  async size(): Promise<number> {
    // latin1, one character for each byte: only lengths count, and a chunk may end within a character.
    const options = { start: this.position, encoding: 'latin1', highWaterMark: 4 * 1024 * 1024 } as const;
    for await (const chunk of createReadStream(this.file, options) as AsyncIterable<string>) {
      this.position += chunk.length;
      const lines = (this.rest + chunk).split('\n');
      this.rest = lines.pop() ?? '';
      for (const line of lines) this.count(line);
    }
    return this.bytes + overhead * this.sizes.size;
  }

  private count(line: string): void {
    const [, key] = /^\{"key":"((?:[^"\\]|\\.)*)"/.exec(line) ?? [];
    if (key === undefined) return;
    this.bytes -= this.sizes.get(key) ?? 0;
    if (!line.includes('"val":', key.length)) {
      this.sizes.delete(key);
      return;
    }
    this.sizes.set(key, line.length);
    this.bytes += line.length;
  }
}
