/** The file of an index. When it cannot be used any more, the next use makes another one. */
import type { IndexFile, SqlStatement, SqlValue } from '../ports';

/** As SQLite says it. */
export const isDiskFull = (error: unknown): boolean => /\bfull\b/.test(String(error));

export class ReplaceableFile {
  private file: Promise<IndexFile> | undefined;
  private lost = false;
  private full = false;
  private closed = false;

  /**
   * `forget` is called when another file is made, in which nothing is. `isFull`: the disk had no room for the one
   * before.
   */
  constructor(
    private readonly open: (afresh: boolean, isFull: boolean) => Promise<IndexFile>,
    private readonly forget: () => void,
  ) {}

  /** The file is damaged, the disk is full, or somebody asked for another one: nothing of it is used. */
  get isLost(): boolean {
    return this.lost;
  }

  lose(isFull = false): void {
    this.lost = true;
    this.full = isFull;
  }

  isPresent(file: Promise<IndexFile>): boolean {
    return file === this.file;
  }

  opened(): Promise<IndexFile> {
    // A file that is opened now would stay taken until the process ends.
    if (this.closed) return Promise.reject(new Error('the index is closed'));
    if (this.lost) {
      const lost = this.file;
      this.lost = false;
      this.forget();
      this.file = Promise.resolve(lost?.then((file) => file.close()))
        .catch(() => {})
        .then(() => this.open(true, this.full));
    }
    this.file ??= this.open(false, false);
    return this.file;
  }

  private async use<Result>(work: (file: IndexFile) => Promise<Result>): Promise<Result> {
    const file = this.opened();
    try {
      return await work(await file);
    } catch (error) {
      // Not if another one has been opened meanwhile.
      if (this.isPresent(file)) this.lose(isDiskFull(error));
      throw error;
    }
  }

  read<Row extends object>(sql: string, values: readonly SqlValue[] = []): Promise<Row[]> {
    return this.use((file) => file.read<Row>(sql, values));
  }

  async write(statements: readonly SqlStatement[]): Promise<void> {
    if (statements.length > 0) await this.use((file) => file.write(statements));
  }

  async close(): Promise<void> {
    this.closed = true;
    await (await this.file?.catch(() => undefined))?.close();
  }
}
