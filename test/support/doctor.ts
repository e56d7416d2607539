/** `ep-mypads doctor` as an operator runs it, and an Etherpad's database reached with Etherpad's own modules. */
import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type EtherpadFolder, projectRoot } from '../../bin/etherpad';

export interface DoctorRun {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs a command of the built program in Etherpad's folder. */
export function runCommand(
  { root, node }: EtherpadFolder,
  settingsFile: string,
  [command = '', ...args]: string[],
): DoctorRun {
  const program = path.join(projectRoot, 'dist', 'doctor.js');
  const all = [program, command, '--settings', settingsFile, ...args];
  const { status, stdout, stderr } = spawnSync(node, all, { cwd: root, encoding: 'utf8', timeout: 120_000 });
  return { code: status, stdout, stderr };
}

export const runDoctor = (etherpad: EtherpadFolder, settingsFile: string, args: string[]): DoctorRun =>
  runCommand(etherpad, settingsFile, ['doctor', ...args]);

/** The same, while this process goes on: the doctor may reach a server through it. Returns the exit code. */
export async function runDoctorAsync(
  { root, node }: EtherpadFolder,
  settingsFile: string,
  args: string[],
): Promise<{ code: number; stdout: string }> {
  const program = path.join(projectRoot, 'dist', 'doctor.js');
  const all = [program, 'doctor', '--settings', settingsFile, ...args];
  return new Promise((resolve) => {
    execFile(node, all, { cwd: root }, (error, stdout) =>
      resolve({ code: Number(error?.code ?? 0), stdout }),
    );
  });
}

export interface KeepFiles {
  /** The names of the files. */
  list(): string[];
  remove(): void;
}

/**
 * The files in which doctors keep what they remove, from now on. Etherpad's folder may contain earlier ones, if other
 * tests use it too.
 */
export function keepFilesIn(root: string): KeepFiles {
  const earlier = new Set(readdirSync(root));
  const list = (): string[] =>
    readdirSync(root).filter((name) => name.startsWith('ep_mypads-doctor-') && !earlier.has(name));
  return {
    list,
    remove() {
      for (const name of list()) rmSync(path.join(root, name));
    },
  };
}

/** Opens Etherpad's database as Etherpad does, writes records into it, and then writes all its records into a file. */
const script = `
(async () => {
  const [, settings, source, from, to] = process.argv;
  process.argv = [process.argv[0], 'script', '--settings', settings];
  const { readFileSync, writeFileSync } = require('node:fs');
  const host = require('node:module').createRequire(source + '/package.json');
  try { host('tsx/cjs'); } catch {}
  const database = host('./node/db/DB');
  await database.init();
  const records = JSON.parse(readFileSync(from, 'utf8'));
  await Promise.all(records.map(([key, value]) => database.set(key, value)));
  // On Redis ueberDB keeps lists of keys beside the records.
  const keys = ((await database.findKeys('*', null)) ?? []).filter((key) => !key.startsWith('ueberDB:'));
  const found = await Promise.all(keys.map(async (key) => [key, await database.get(key)]));
  writeFileSync(to, JSON.stringify(found));
  await database.shutdown('shutdown', {});
  process.exit(0);
})().catch((error) => {
  // Not console.error, because Etherpad has replaced the console by its own log.
  process.stderr.write(String(error?.stack ?? error), () => process.exit(1));
});
`;

/** Writes `records` into the database and returns everything in it, by key. Throws the errors of Etherpad's modules. */
export function putIntoDatabase(
  { root, node, major }: EtherpadFolder,
  settingsFile: string,
  records: Iterable<readonly [string, unknown]> = [],
): Map<string, unknown> {
  const folder = mkdtempSync(path.join(tmpdir(), 'mypads-records-'));
  const [from, to] = [path.join(folder, 'from.json'), path.join(folder, 'to.json')];
  const source = path.join(root, 'src');
  try {
    writeFileSync(from, JSON.stringify([...records]));
    const { status, stderr, stdout } = spawnSync(node, ['-e', script, settingsFile, source, from, to], {
      cwd: major === 1 ? root : source,
      encoding: 'utf8',
      timeout: 120_000,
      env: { ...process.env, NODE_ENV: 'production' },
    });
    if (status !== 0) throw new Error(`the database could not be written:\n${stdout}\n${stderr}`);
    const found = JSON.parse(readFileSync(to, 'utf8')) as [string, unknown][];
    return new Map(found.filter(([, value]) => value !== null && value !== undefined));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
