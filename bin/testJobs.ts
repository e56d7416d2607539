/** Runs the processes of `npm test`: prints the output of each when it ends, and reads the outcomes of its tests. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import path from 'node:path';
import pLimit, { type LimitFunction } from 'p-limit';
import type { Outcome } from './mochaReporter';

/** A process to run. */
export interface Job {
  part: string;
  name: string;
  /** Of node_modules/.bin. */
  program: string;
  args?: string[];
  /** Mocha's test files, relative to the project. A job without files only succeeds or fails. */
  files?: string[];
  env?: NodeJS.ProcessEnv | undefined;
  needsBuild?: boolean;
}

export interface Result {
  part: string;
  outcomes: Outcome[];
  /** Tests that failed while others ran, and passed at the second attempt. */
  passedAlone: Outcome[];
  seconds: number;
}

export const failure = (title: string): Outcome => ({ state: 'failed', title });
export const skip = (title: string): Outcome => ({ state: 'skipped', title });
export const failed = (outcomes: readonly Outcome[]): Outcome[] =>
  outcomes.filter(({ state }) => state === 'failed');

/** `N passed, N failed`, and `, N skipped` where there are any. */
export function summary(outcomes: readonly Outcome[]): string {
  const count = (wanted: string): number => outcomes.filter(({ state }) => state === wanted).length;
  const skipped = count('skipped');
  return `${count('passed')} passed, ${count('failed')} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

/** A run of mocha without outcomes, or that fails without a failed test, counts as a failure. */
function readOutcomes({ name, files }: Job, file: string, status: number | null): Outcome[] {
  if (!files) return [{ state: status === 0 ? 'passed' : 'failed', title: name }];
  const names = files.join(', ');
  if (!existsSync(file)) return [failure(`The tests of ${names} did not come to an end.`)];
  const outcomes = JSON.parse(readFileSync(file, 'utf8')) as Outcome[];
  if (outcomes.length === 0) return [failure(`There is no test in ${names}.`)];
  if (status === 0 || failed(outcomes).length > 0) return outcomes;
  return [...outcomes, failure(`${names}: mocha ended with ${status}`)];
}

/** Milliseconds without output after which a job is stopped, such as mocha that waits for an open server. */
const outputTimeout = 12 * 60_000;

/** Runs a job until it ends. A job without output for a long time is stopped. */
async function runJob(job: Job): Promise<Result> {
  const { part, name, program, args = [], files, env } = job;
  const started = performance.now();
  const folder = mkdtempSync(path.join(tmpdir(), 'mypads-outcomes-'));
  const outcomesFile = path.join(folder, 'outcomes.json');
  const options = ['--reporter', './bin/mochaReporter.ts', '--require', './bin/mochaLimits.ts'];
  if (process.stdout.isTTY) options.push('--color');
  const child = spawn(
    path.join('node_modules', '.bin', program),
    [...(files ? options : []), ...args, ...(files ?? [])],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, BUILT: '1', OUTCOMES: outcomesFile, ...env },
    },
  );
  let output = '';
  const endedEarly: Outcome[] = [];
  const end = (): void => {
    endedEarly.push(failure(`${name} printed nothing for ${outputTimeout / 60_000} minutes and was ended`));
    // Mocha passes only this signal on to the process that it has started.
    child.kill('SIGINT');
    setTimeout(() => {
      child.kill('SIGKILL');
      for (const stream of [child.stdout, child.stderr]) stream.destroy();
    }, 5_000).unref();
  };
  const timer = setTimeout(end, outputTimeout);
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      timer.refresh();
    });
  }
  try {
    const [status] = (await once(child, 'close')) as [number | null];
    const outcomes = [...readOutcomes(job, outcomesFile, status), ...endedEarly];
    const seconds = Math.round((performance.now() - started) / 1000);
    console.log(`\n── ${name}: ${summary(outcomes)} (${seconds} s) ──\n${output}`);
    return { part, outcomes, seconds, passedAlone: [] };
  } finally {
    clearTimeout(timer);
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * How many jobs run at a time, if that is fixed: by TEST_JOBS, or one if `ETHERPAD` names an Etherpad, because all jobs
 * use that one.
 */
export const fixedConcurrency = process.env.ETHERPAD ? 1 : Number(process.env.TEST_JOBS) || undefined;

/**
 * Many jobs wait for time limits and for servers, others need a whole core. So one more job starts when more than 20 %
 * of the processor time was unused, up to three times the first number, and one fewer runs when less than 3 % was.
 */
function followLoad(limit: LimitFunction): NodeJS.Timeout {
  const fewest = limit.concurrency;
  // A new job needs about as long until it uses the processors fully.
  const interval = 4_000;
  const idleTime = (): number => cpus().reduce((sum, { times }) => sum + times.idle, 0);
  let before = idleTime();
  return setInterval(() => {
    const unused = (idleTime() - before) / (interval * cpus().length);
    before = idleTime();
    if (unused < 0.03) limit.concurrency = Math.max(fewest, limit.activeCount - 1);
    else if (unused > 0.2 && limit.pendingCount > 0) {
      limit.concurrency = Math.min(3 * fewest, limit.activeCount + 1);
    }
  }, interval);
}

/** Runs the jobs in parallel as far as the machine allows. The results have the order of the jobs. */
export async function runInParallel(jobs: readonly Job[], build: () => Promise<void>): Promise<Result[]> {
  const limit = pLimit(fixedConcurrency ?? Math.max(3, availableParallelism()));
  const timer = fixedConcurrency === undefined ? followLoad(limit) : undefined;
  const built = jobs.some(({ needsBuild }) => needsBuild) ? limit(build) : undefined;
  const run = async (job: Job): Promise<Result> => {
    if (job.needsBuild) await built;
    return limit(runJob, job);
  };
  const results = await Promise.allSettled(jobs.map(run));
  clearInterval(timer);
  return results.map((result) => {
    if (result.status === 'rejected') throw result.reason;
    return result.value;
  });
}

/** Runs files with failed tests a second time, alone: on a busy machine a test can miss a time limit. */
export async function retry(job: Job, first: Result): Promise<Result> {
  const failures = failed(first.outcomes);
  if (failures.length === 0 || !job.files) return first;
  const known = job.files.filter((name) => failures.some(({ file }) => file === name));
  const files = failures.every(({ file = '' }) => known.includes(file)) ? known : job.files;
  const second = await runJob({ ...job, name: `${job.name}, second attempt`, files });
  const still = failed(second.outcomes).map(({ title }) => title);
  const others = first.outcomes.filter(({ file }) => file !== undefined && !files.includes(file));
  return {
    part: job.part,
    outcomes: [...others, ...second.outcomes],
    passedAlone: failures.filter(({ title }) => !still.includes(title)),
    seconds: first.seconds + second.seconds,
  };
}
