/**
 * Estimates the memory of the embedded database, which holds all records and grows with every change. It is subtracted
 * from the measured memory, because this growth is not a leak.
 */
import { open } from 'node:fs/promises';

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
    const handle = await open(this.file);
    try {
      const buffer = Buffer.alloc(4 * 1024 * 1024);
      for (;;) {
        const { bytesRead } = await handle.read(buffer, 0, buffer.length, this.position);
        if (bytesRead === 0) break;
        this.position += bytesRead;
        // latin1, one character for each byte: only lengths count, and a chunk may end within a character.
        const lines = (this.rest + buffer.toString('latin1', 0, bytesRead)).split('\n');
        this.rest = lines.pop() ?? '';
        for (const line of lines) this.count(line);
      }
    } finally {
      await handle.close();
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
