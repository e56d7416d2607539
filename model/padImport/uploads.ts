/** Files that people upload. They are in a folder that only the server can read, and are deleted after use. */
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { randomText } from '../ids';

/** Milliseconds after which nobody uses a file any more that no import needs. */
const oldAge = 24 * 3600_000;

/** `needed`: the files of imports that are not finished. `folders`: as `uploadFolders` in ports.ts. */
export function createUploads(
  folders: readonly string[],
  { needed, now }: { needed: () => Promise<string[]>; now: () => number },
) {
  /** Each time, because somebody may delete old folders of temporary files while the server runs. */
  async function choose(): Promise<string> {
    let failure: unknown = new Error('there is no folder for uploads');
    for (const folder of folders) {
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        const { uid, mode } = await stat(folder);
        // In a folder that everybody can write in, somebody else may have made it.
        if (uid !== (process.getuid?.() ?? uid) || (mode & 0o077 & ~0o055) !== 0) continue;
        return folder;
      } catch (error) {
        failure = error;
      }
    }
    throw failure;
  }

  /** Deletes what a process that was killed has left. */
  async function sweep(): Promise<void> {
    // Where no folder can be written, nothing was left.
    const folder = await choose().catch(() => undefined);
    if (folder === undefined) return;
    const kept = new Set(await needed());
    for (const name of await readdir(folder)) {
      const file = path.join(folder, name);
      if (kept.has(file)) continue;
      const { mtimeMs } = await stat(file);
      if (now() - mtimeMs > oldAge) await rm(file, { force: true });
    }
  }

  return {
    /** The path for a new file, in a folder that exists. Rejects if no folder can be written. */
    async newFile(): Promise<string> {
      return path.join(await choose(), `${randomText(24)}.zip`);
    },
    remove: (file: string): Promise<void> => rm(file, { force: true }),
    sweep,
  };
}

export type Uploads = ReturnType<typeof createUploads>;
