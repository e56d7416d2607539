/** Jobs of `npm test`: processes that run in parallel. The output of each is collected and its tests are counted. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Counts, Failure } from './mochaReporter';

const root = path.resolve(__dirname, '..');

/** A process to run. */
export interface Job {
  part: string;
  name: string;
  program: 'mocha' | 'tsc' | 'biome' | 'knip';
  args?: string[];
  /** Mocha's test files, relative to the project. A job without files only succeeds or fails. */
  files?: string[];
  env?: NodeJS.ProcessEnv;
}

export interface Result extends Counts {
  seconds: number;
  output: string;
}

/**
 * How many jobs run at a time, if that is fixed: by TEST_JOBS, or one if `ETHERPAD` names an Etherpad, because all jobs
 * use that one.
 */
export const fixedConcurrency = process.env.ETHERPAD ? 1 : Number(process.env.TEST_JOBS) || undefined;

export const noCounts: Counts = { passed: 0, failed: 0, skipped: 0, failures: [], defects: [] };
export const failure = (title: string): Counts => ({ ...noCounts, failed: 1, failures: [{ title }] });

export const describeFailure = ({ title, message }: Failure): string =>
  message === undefined ? title : `${title}: ${message}`;

export function add(a: Counts, b: Counts): Counts {
  return {
    passed: a.passed + b.passed,
    failed: a.failed + b.failed,
    skipped: a.skipped + b.skipped,
    failures: [...a.failures, ...b.failures],
    defects: [...a.defects, ...b.defects],
  };
}

const sizeOf = (file: string): number => statSync(path.join(root, file)).size;

/**
 * Files that wait for time limits of databases. They start first, so that the run does not have to wait for them at its
 * end.
 */
const longest = [
  'test/host/database.test.ts',
  'test/database/outage.test.ts',
  'test/host/doctorDatabases.test.ts',
];

/** Test files that take longer than others of their size, and how many times longer. */
const slow: Readonly<Record<string, number>> = {
  'test/api/administratorsOfPlugins.test.ts': 8,
  'test/api/cas.test.ts': 4,
  'test/api/mailFailures.test.ts': 10,
  'test/api/passwordFlood.test.ts': 6,
  'test/api/random.test.ts': 4,
  'test/browser/connection.test.ts': 9,
  'test/browser/everywhere.test.ts': 6,
  'test/browser/widths.test.ts': 3,
  'test/unit/accountSearch.test.ts': 3,
  'test/unit/casFailures.test.ts': 8,
  'test/unit/mailServerFailures.test.ts': 8,
};

/** About how long a test file takes, compared with others. */
const costOf = (file: string): number => sizeOf(file) * (slow[file] ?? 1);

/** Sorts test files so that the run does not have to wait for a slow one at its end. */
export function slowestFirst(files: readonly string[]): string[] {
  return [...files]
    .sort((a, b) => costOf(b) - costOf(a))
    .sort((a, b) => Number(longest.includes(b)) - Number(longest.includes(a)));
}

/** The test files of a folder of test/: the slowest first. */
export function testFiles(folder: string): string[] {
  const names = readdirSync(path.join(root, 'test', folder), { recursive: true, encoding: 'utf8' });
  return slowestFirst(
    names
      .filter((name) => name.endsWith('.test.ts'))
      .map((name) => path.posix.join('test', folder, name.split(path.sep).join('/'))),
  );
}

/** Splits files into at most `lists` lists that take about the same time. */
export function share(files: readonly string[], lists: number): string[][] {
  const shared = Array.from({ length: Math.min(lists, files.length) }, () => ({
    cost: 0,
    files: [] as string[],
  }));
  for (const file of files) {
    const cheapest = shared.reduce((a, b) => (b.cost < a.cost ? b : a));
    cheapest.files.push(file);
    cheapest.cost += costOf(file);
  }
  return shared.map((list) => list.files);
}

/** The counts of mocha. A run without counts, or that fails without a failed test, counts as a failure. */
function readCounts(file: string, status: number | null, files: readonly string[]): Counts {
  const names = files.join(', ');
  try {
    const counts = JSON.parse(readFileSync(file, 'utf8')) as Counts;
    if (counts.passed + counts.failed + counts.skipped === 0) return failure(`There is no test in ${names}.`);
    return status === 0 || counts.failed > 0
      ? counts
      : add(counts, failure(`${names}: mocha ended with ${status}`));
  } catch {
    return failure(`The tests of ${names} did not come to an end.`);
  }
}

/** Milliseconds without output after which a job is stopped, such as mocha that waits for an open server. */
const outputTimeout = 12 * 60_000;

/** Runs a job until it ends. A job without output for a long time is stopped. */
export async function runJob({ name, program, args = [], files, env }: Job): Promise<Result> {
  const started = performance.now();
  const folder = mkdtempSync(path.join(tmpdir(), 'mypads-counts-'));
  const countsFile = path.join(folder, 'counts.json');
  const mocha = files
    ? ['--reporter', './bin/mochaReporter.ts', ...(process.stdout.isTTY ? ['--color'] : [])]
    : [];
  const child = spawn(
    path.join(root, 'node_modules', '.bin', program),
    [...mocha, ...args, ...(files ?? [])],
    {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      shell: process.platform === 'win32',
      env: { ...process.env, BUILT: '1', COUNTS: countsFile, ...env },
    },
  );
  let output = '';
  let endedEarly = noCounts;
  const end = (): void => {
    endedEarly = failure(`${name} printed nothing for ${outputTimeout / 60_000} minutes and was ended`);
    // Mocha passes only this signal on to the process that it has started.
    child.kill('SIGINT');
    setTimeout(() => {
      child.kill('SIGKILL');
      for (const stream of [child.stdout, child.stderr]) stream.destroy();
    }, 5_000).unref();
  };
  let timer = setTimeout(end, outputTimeout);
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      clearTimeout(timer);
      timer = setTimeout(end, outputTimeout);
    });
  }
  try {
    const [status] = (await once(child, 'close')) as [number | null];
    const done = status === 0 ? { ...noCounts, passed: 1 } : failure(name);
    const counts = files ? readCounts(countsFile, status, files) : done;
    return { ...add(counts, endedEarly), output, seconds: Math.round((performance.now() - started) / 1000) };
  } finally {
    clearTimeout(timer);
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * What to run a second time after a failed job: the test files with failures, or all files if the failures are unknown.
 */
export function retryOf(job: Job, { failures }: Counts): Job | undefined {
  if (failures.length === 0 || job.files === undefined) return undefined;
  const failed = failures.map(({ file }) => file);
  const files = failed.includes(undefined) ? job.files : job.files.filter((file) => failed.includes(file));
  return files.length > 0 ? { ...job, name: `${job.name}, second attempt`, files } : undefined;
}

/** The counts of a job after the second attempt of some of its files. */
export function afterRetry(job: Job, first: Counts, retried: Job, second: Counts): Counts {
  if (retried.files?.length === job.files?.length) return second;
  return {
    passed: first.passed + first.failed - second.failed,
    failed: second.failed,
    skipped: first.skipped,
    failures: second.failures,
    defects: [...first.defects, ...second.defects],
  };
}
