/** The test files of `npm test`: in which order they run, and which of them share a process. */
import { readdirSync, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { fixedConcurrency } from './testJobs';

/** Test files that take longer than others of their size, and how many times longer. The first wait for databases. */
const slow: Readonly<Record<string, number>> = {
  'host/database': 99,
  'host/doctorDatabases': 99,
  'database/outage': 99,
  'api/administratorsOfPlugins': 8,
  'api/mailFailures': 10,
  'api/passwordFlood': 6,
  'browser/everywhere': 6,
  'editor/connection': 9,
  'unit/casFailures': 8,
  'unit/mailServerFailures': 8,
};

const slowness = (file: string): number => slow[file.replace(/^test\/|\.test\.ts$/g, '')] ?? 1;

/** Whether a test file mostly waits, so that others should run meanwhile. */
export const mostlyWaits = (file: string): boolean => slowness(file) >= 99;

/** About how long a test file takes, compared with others. */
const costOf = (file: string): number => statSync(file).size * slowness(file);

/** The test files of folders of test/, slowest first, so that the run does not have to wait for one at its end. */
export function testFiles(...folders: string[]): string[] {
  return folders
    .flatMap((folder) =>
      readdirSync(path.join('test', folder), { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.test.ts'))
        .map((name) => path.posix.join('test', folder, name)),
    )
    .sort((a, b) => costOf(b) - costOf(a));
}

/** As many lists as cores: more would only start more Etherpads and browsers, for up to 20 s of processor time each. */
const usualLists = Math.min(3, Math.max(2, availableParallelism()));

/**
 * Splits files into lists that take about the same time: as many as processes may share an Etherpad (and a browser)
 * each, or fewer if fewer processes run at a time.
 */
export function share(files: readonly string[], most = usualLists): string[][] {
  const lists = Array.from(
    { length: Math.min(most, files.length, fixedConcurrency ?? most) },
    (): string[] => [],
  );
  const cost = (list: readonly string[]): number => list.reduce((sum, file) => sum + costOf(file), 0);
  for (const file of files) lists.reduce((a, b) => (cost(b) < cost(a) ? b : a)).push(file);
  return lists;
}
