/**
 * Reads records that other processes have written, many at a time. Read one after the other, they would be late while
 * another process writes many.
 */

const batchSize = 50;

interface Found {
  value: unknown;
  /** This process has written the record after the read began, so `value` may be older. */
  isOld: boolean;
}

export class ReadAhead {
  /** Keys of records that are not read yet, in the order of their messages. */
  private waiting = new Set<string>();
  /** Records that are being read, or that are read and not taken yet. */
  private readonly batch = new Map<string, Found>();

  constructor(private readonly read: (keys: readonly string[]) => Promise<unknown[]>) {}

  /** Returns false when the record is going to be read for an earlier message: do not take it for this one. */
  announce(key: string): boolean {
    if (this.waiting.has(key)) return false;
    this.waiting.add(key);
    return true;
  }

  /** Call it when this process has written the record. */
  written(key: string): void {
    const found = this.batch.get(key);
    if (found) found.isOld = true;
  }

  /** Call it in the order of the messages. `undefined`: this process has written the record meanwhile. */
  async take(key: string): Promise<{ value: unknown } | undefined> {
    while (!this.batch.has(key) && this.waiting.has(key)) await this.readBatch();
    const found = this.batch.get(key);
    this.batch.delete(key);
    return found?.isOld ? undefined : found;
  }

  private async readBatch(): Promise<void> {
    const wanted = [...this.waiting].slice(0, batchSize);
    const batch = wanted.map((key) => [key, { value: undefined, isOld: false }] as [string, Found]);
    for (const [key, found] of batch) {
      this.waiting.delete(key);
      this.batch.set(key, found);
    }
    try {
      const values = await this.read(wanted);
      for (const [index, [, found]] of batch.entries()) found.value = values[index];
    } catch (error) {
      for (const key of wanted) this.batch.delete(key);
      // The first one has failed with this error. The others are tried again when they are taken.
      this.waiting = new Set([...wanted.slice(1), ...this.waiting]);
      throw error;
    }
  }
}
