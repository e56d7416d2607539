/**
 * Opens the index of this process in a file of its own. Where no file can be written, it is in memory and is built
 * again at each start.
 */
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type IndexFile, type IndexName, indexNames, type OpenIndex } from '../../model/ports';
import { order } from './indexThread';

/** Etherpad's folder for files that it makes has one of ours. */
export const indexFolderIn = (root: string): string => path.join(root, 'var', 'ep_mypads');

/** Processes that have a file in one folder at the same time. */
const maxFiles = 16;

/** Whether another process with this number runs. */
function isRunning(pid: number): boolean {
  // A note may be empty, after a full disk or a power cut. `kill` takes 0 for the processes of this group.
  if (!(pid > 0) || pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Milliseconds. Notes are renewed every hour. Longer than a clock is set forward, or a machine sleeps. */
const oldAge = 7 * 24 * 3600_000;

/**
 * Whether the process with this number runs that has made and renewed this note (a file or a folder). After a crash,
 * another program can get the number. `now`: milliseconds since 1970.
 */
export function isOwnerRunning(pid: number, note: string, now = Date.now()): boolean {
  const renewed = statSync(note, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return now - renewed < oldAge && isRunning(pid);
}

/** Files that this process has taken, so that a second index of the process gets another one. */
const taken = new Set<string>();

/** Milliseconds. A process needs less than this to take a file, unless it is killed meanwhile. */
const longestTaking = 60_000;

/** Notes beside the file that this process uses it. False if another one does, or is just finding out. */
function take(file: string, now = Date.now()): boolean {
  const [note, lock] = [`${file}.pid`, `${file}.taking`];
  if (taken.has(file)) return false;
  const since = statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? now;
  if (now - since > longestTaking) rmSync(lock, { recursive: true, force: true });
  try {
    // Reading a note and replacing it is not one step: of processes that start together, several could do it.
    mkdirSync(lock);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
  try {
    if (existsSync(note) && isOwnerRunning(Number(readFileSync(note, 'utf8')), note, now)) return false;
    writeFileSync(note, String(process.pid));
  } catch (error) {
    rmSync(note, { force: true });
    throw error;
  } finally {
    rmSync(lock, { recursive: true, force: true });
  }
  taken.add(file);
  return true;
}

function release(file: string): void {
  taken.delete(file);
  rmSync(`${file}.pid`, { force: true });
}

/** The first file of this name that no running process uses; `undefined` if none can be written. */
function takeFile(folder: string, name: IndexName): string | undefined {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    for (let number = 1; number <= maxFiles; number += 1) {
      const file = path.join(folder, `${name}-${number}.db`);
      if (take(file)) return file;
    }
  } catch {
    // The folder cannot be written.
  }
  return undefined;
}

let lastDatabase = 0;

/** `folder`: for the files; `undefined` keeps the index in memory. */
export const createOpenIndex =
  (folder: string | undefined): OpenIndex =>
  async ({ name = 'index', schema, afresh, inMemory }) => {
    lastDatabase += 1;
    const database = lastDatabase;
    let file = folder === undefined ? undefined : takeFile(folder, name);
    if (inMemory && file !== undefined) {
      // The one before, whose space others need.
      taken.delete(file);
      removeFile(file);
      file = undefined;
    }
    const open = (at: string) => order(database, { kind: 'open', file: at, schema, afresh });
    if (file === undefined) await open(':memory:');
    else {
      try {
        await open(file);
      } catch {
        release(file);
        file = undefined;
        await open(':memory:');
      }
    }
    return {
      inMemory: file === undefined,
      write: async (statements) => void (await order(database, { kind: 'write', statements })),
      read: async <Row extends object>(sql: string, values = []) =>
        (await order(database, { kind: 'read', sql, values })) as Row[],
      async close() {
        await order(database, { kind: 'close' }).finally(() => file && release(file));
      },
    } satisfies IndexFile;
  };

const filesIn = (folder: string): string[] =>
  indexNames.flatMap((name) =>
    Array.from({ length: maxFiles }, (_, index) => path.join(folder, `${name}-${index + 1}.db`)),
  );

function removeFile(file: string): void {
  for (const ending of ['', '-journal', '.lock', '.pid', '.taking']) {
    rmSync(file + ending, { recursive: true, force: true });
  }
}

/** Removes the files that no other running process uses, when the plugin is removed with its data. */
export function removeIndexFiles(folder: string | undefined): void {
  if (folder === undefined) return;
  for (const file of filesIn(folder)) {
    const note = `${file}.pid`;
    if (existsSync(note) && isOwnerRunning(Number(readFileSync(note, 'utf8')), note)) continue;
    removeFile(file);
  }
}

/** Milliseconds. After a restart, a process finds its file again. */
const unusedAge = 24 * 3600_000;

/** Milliseconds since 1970; 0 if there is no file. */
const lastUsed = (file: string): number =>
  Math.max(...[file, `${file}.pid`].map((name) => statSync(name, { throwIfNoEntry: false })?.mtimeMs ?? 0));

/**
 * Removes the files of processes that were not started again within a day: nothing that people delete is removed from
 * them. Call it every hour, because it also notes that this process uses its own. `now`: milliseconds since 1970.
 */
export function removeUnusedIndexFiles(folder: string | undefined, now: number): void {
  if (folder === undefined) return;
  for (const note of [...taken].map((file) => `${file}.pid`)) {
    // Somebody may have emptied the folder, which harms nothing.
    if (existsSync(note)) utimesSync(note, now / 1000, now / 1000);
  }
  for (const file of filesIn(folder)) {
    const used = lastUsed(file);
    // Taken first, so that no process that starts now opens it meanwhile.
    if (used === 0 || now - used < unusedAge || !take(file, now)) continue;
    taken.delete(file);
    removeFile(file);
  }
}
