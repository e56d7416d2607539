/**
 * Files that a process makes for itself, in a folder named after it. They end with the process: a stop removes them,
 * and after a crash any process with this folder does.
 */
import { createWriteStream } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { OwnFiles, Ports } from '../model/ports';
import { isOwnerRunning, removeUnusedIndexFiles } from './index/openIndex';

/** Milliseconds. */
const cleanEvery = 3600_000;

/** Removes what ended processes have left. Call it every hour, because it also renews the folder of this process. */
export async function removeFilesOfEnded(folder: string | undefined): Promise<void> {
  if (folder === undefined) return;
  const time = new Date();
  // There is none if this process has made no file.
  await utimes(path.join(folder, String(process.pid)), time, time).catch(() => {});
  for (const name of await readdir(folder).catch(() => [])) {
    const owned = path.join(folder, name);
    if (name !== String(process.pid) && !isOwnerRunning(Number(name), owned))
      await rm(owned, { recursive: true, force: true });
  }
}

export class FilesOfProcess implements OwnFiles {
  private readonly own: string | undefined;
  private readonly cleaned: Promise<void>;

  /** `folder`: of all processes that share it; `undefined`: no file can be written. */
  constructor(folder: string | undefined) {
    this.own = folder === undefined ? undefined : path.join(folder, String(process.pid));
    this.cleaned = this.clean(folder).catch(() => {});
  }

  private async clean(folder: string | undefined): Promise<void> {
    // An ended process had the number of this one.
    if (this.own !== undefined) await rm(this.own, { recursive: true, force: true });
    await removeFilesOfEnded(folder);
  }

  /** Throws if no file can be written. */
  private async prepared(): Promise<string> {
    if (this.own === undefined) throw new Error('no folder for files');
    await this.cleaned;
    await mkdir(this.own, { recursive: true, mode: 0o700 });
    return this.own;
  }

  async usable(): Promise<boolean> {
    try {
      const probe = path.join(await this.prepared(), '.probe');
      await (await open(probe, 'w', 0o600)).close();
      // Another call may have removed it.
      await rm(probe, { force: true });
      return true;
    } catch {
      return false;
    }
  }

  async write(name: string, content: AsyncIterable<Uint8Array>): Promise<number> {
    const file = path.join(await this.prepared(), name);
    const part = `${file}.part`;
    try {
      await pipeline(Readable.from(content, { objectMode: false }), createWriteStream(part, { mode: 0o600 }));
      await rename(part, file);
      return (await stat(file)).size;
    } catch (error) {
      await rm(part, { force: true });
      throw error;
    }
  }

  async read(name: string): Promise<{ size: number; content: Readable } | undefined> {
    if (this.own === undefined) return undefined;
    // What is open can be read to its end, also if it is removed meanwhile.
    const file = await open(path.join(this.own, name)).catch(() => undefined);
    return file && { size: (await file.stat()).size, content: file.createReadStream() };
  }

  async remove(name: string): Promise<void> {
    if (this.own !== undefined) await rm(path.join(this.own, name), { force: true });
  }

  async close(): Promise<void> {
    // The next start removes what is left.
    if (this.own !== undefined) await rm(this.own, { recursive: true, force: true }).catch(() => {});
  }
}

/** Regularly removes from the disk what ended processes have left. Returns a function that ends it. */
export function cleanRegularly(
  folders: Record<'exports' | 'index', string | undefined>,
  context: Pick<Ports, 'schedule' | 'now' | 'log'> & { sweepUploads: () => Promise<void> },
): () => void {
  const { schedule, now, log, sweepUploads } = context;
  const clean = async (): Promise<void> => {
    await removeFilesOfEnded(folders.exports);
    await sweepUploads();
    // Last, because each needs a note, which cannot be written on a full disk before the others are gone.
    removeUnusedIndexFiles(folders.index, now());
  };
  return schedule.every('remove files of ended processes', cleanEvery, () => {
    clean().catch((error: unknown) => {
      log.warn('removing files of ended processes failed, retrying in an hour', { error: String(error) });
    });
  });
}
