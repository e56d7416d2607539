/**
 * `npm test` builds and runs all parts; `npm test host api` runs two. `SKIP=browser,host` leaves parts out. Tests that
 * need a missing program are left out too, or fail in CI; the last lines name what was left out.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import { defectsUntested } from '../test/support/defects';
import { buildAll } from './build';
import { installEtherpad1, ownEtherpad, packInto, UserError } from './etherpad';
import type { Counts } from './mochaReporter';
import { findBrowser, findNginx, findPromtool, findRedis, findSlapd, findSystemdAnalyze } from './programs';
import {
  add,
  afterRetry,
  describeFailure,
  failure,
  fixedConcurrency,
  type Job,
  noCounts,
  type Result,
  retryOf,
  runJob,
  share,
  slowestFirst,
  testFiles,
} from './testJobs';
import { jobQueue } from './testLoad';

/** What the checks of types and unused code store for their next run. */
const cache = path.join(__dirname, '..', 'node_modules', '.cache', 'ep_mypads');

const cores = Math.max(2, availableParallelism());

/**
 * For fast test files: one mocha process for all of them, with a worker per core and two more, because some tests wait.
 * More workers would be slower, because each of them loads the modules for three seconds.
 */
function inWorkers(names: readonly string[]): Job[] {
  const part = names.join(' and ');
  return [
    {
      part,
      name: part,
      program: 'mocha',
      args: ['--parallel', '--jobs', String(cores + 2), '--require', './bin/mochaWorker.ts'],
      files: slowestFirst(names.flatMap(testFiles)),
    },
  ];
}

/** For test files that start servers of their own: one process each. */
function onePerFile(part: string, files: string[] = testFiles(part)): Job[] {
  return files.map((file) => ({
    part,
    name: `${part}: ${path.basename(file, '.test.ts')}`,
    program: 'mocha',
    files: [file],
  }));
}

/**
 * Test files that share one Etherpad (and one browser) in each of three processes, or in one if there is only one
 * Etherpad.
 */
function sharedHost(part: string, files: string[], env: NodeJS.ProcessEnv): Job[] {
  return share(files, Math.min(3, fixedConcurrency ?? 3)).map((list, index) => ({
    part,
    name: `${part} ${index + 1}`,
    program: 'mocha',
    files: list,
    env,
  }));
}

/** Test files that share two Etherpads on one database. `severalProcessesKilled` must be the first of its process. */
const onPairs = [
  ['Killed', 'Proxy', 'Removals'],
  ['Pads', 'Redis', 'Suspended'],
].map((names) => names.map((name) => `test/host/severalProcesses${name}.test.ts`));

/**
 * API tests that run again over the network, against the plugin in a real Etherpad: those whose result can differ there
 * (sessions, headers, proxies, log, mail, restarts …), and each call once. `NETWORK=all` runs all of them there.
 */
const overNetwork = [
  'accountRemoval',
  'administrators',
  'administratorsAtEtherpad',
  'cas',
  'configuration',
  'defects',
  'deviceCookie',
  'entryCookie',
  'leaks',
  'log',
  'mail',
  'oldAccounts',
  'openapi',
  'openapiAnswers',
  'page',
  'sessionTokens',
  'signIn',
  'wire',
].map((name) => `test/api/${name}.test.ts`);

function network(): Job[] {
  const files = process.env.NETWORK === 'all' ? testFiles('api') : overNetwork;
  return sharedHost('network', [...files, 'test/ldap/signIn.test.ts'], { API_HOST: '1' });
}

/** Tests of `host` that need no special Etherpad, and leave it as it was. */
const withSharedHost = [
  'authors',
  'badInput',
  'concurrentUse',
  'hostApi',
  'identity',
  'largeImports',
  'lastEditor',
  'padRoutes',
  'peopleInPads',
  'readOnly',
  'readOnlyAddress',
  'revocation',
  'scripts',
  'serverFiles',
  'visits',
].map((name) => `test/host/${name}.test.ts`);

/** Pairs first, because they take longest. */
function host(): Job[] {
  const part = 'host';
  const pairs = onPairs.map((files, index) => ({
    part,
    name: `${part}: severalProcesses, pair ${index + 1}`,
    program: 'mocha' as const,
    files,
  }));
  const sharing = [...onPairs.flat(), ...withSharedHost];
  const others = testFiles(part).filter((file) => !sharing.includes(file));
  return [...pairs, ...sharedHost(part, withSharedHost, {}), ...onePerFile(part, others)];
}

/** Browser tests of open pads: the version of Etherpad matters most there. */
const inEditor = [
  'connection',
  'editor',
  'editorControls',
  'pad',
  'present',
  'readers',
  'session',
  'share',
  'story',
].map((name) => `test/browser/${name}.test.ts`);
const outsideEditor = (): string[] => testFiles('browser').filter((file) => !inEditor.includes(file));

const parts: Record<string, () => Job[]> = {
  // First, because they take longest of those that need no build.
  unit: () => inWorkers(['unit']),
  api: () => inWorkers(['api']),
  check: () => [
    {
      part: 'check',
      name: 'types',
      program: 'tsc',
      args: ['--noEmit', '--incremental', '--tsBuildInfoFile', path.join(cache, 'types.tsbuildinfo')],
    },
    { part: 'check', name: 'lint', program: 'biome', args: ['ci', '.'] },
    {
      part: 'check',
      name: 'unused code',
      program: 'knip',
      args: ['--no-progress', '--cache', '--cache-location', path.join(cache, 'knip')],
    },
  ],
  tools: () => onePerFile('tools'),
  database: () => onePerFile('database'),
  host,
  editor: () => sharedHost('editor', inEditor, {}),
  browser: () => sharedHost('browser', outsideEditor(), {}),
  network,
  ldap: () => onePerFile('ldap'),
};
/** The parts of `npm run test:fast`, which has fewer random requests. */
const fast = ['unit', 'api', 'check'];

/** The jobs of these parts. `unit` and `api` share their workers, so that no core waits for the end of one of them. */
function jobsOf(names: readonly string[]): Job[] {
  const shared = ['unit', 'api'];
  if (!shared.every((name) => names.includes(name))) return names.flatMap((name) => parts[name]?.() ?? []);
  return names.flatMap((name) => {
    if (name === 'unit') return inWorkers(shared);
    return name === 'api' ? [] : (parts[name]?.() ?? []);
  });
}

const needBuild = ['host', 'editor', 'browser', 'network', 'database', 'ldap'];

/** A program that some test files need. */
interface Need {
  what: string;
  find: () => string | undefined;
  isFor: (file: string) => boolean;
}
const withRedis = [
  'test/host/doctor.test.ts',
  'test/database/redisConnections.test.ts',
  'test/database/redisCoordination.test.ts',
];
const needs: Need[] = [
  {
    what: 'Chromium (install one, or set CHROME_PATH to a Chromium or Chrome)',
    find: findBrowser,
    isFor: (file) => file.startsWith('test/browser/'),
  },
  {
    what: 'the LDAP server slapd (install the package slapd)',
    find: findSlapd,
    isFor: (file) => file.startsWith('test/ldap/') || file === 'test/host/directory.test.ts',
  },
  {
    what: 'nginx (install the package nginx-light)',
    find: findNginx,
    isFor: (file) => file.startsWith('test/host/severalProcesses') || file === 'test/tools/deploy.test.ts',
  },
  {
    what: 'systemd-analyze (install the package systemd)',
    find: findSystemdAnalyze,
    isFor: (file) => file === 'test/tools/systemdUnit.test.ts',
  },
  {
    what: 'promtool (install the package prometheus)',
    find: findPromtool,
    isFor: (file) => file === 'test/tools/alerts.test.ts',
  },
  {
    what: 'Redis (install the package redis-server)',
    find: findRedis,
    isFor: (file) => file.startsWith('test/host/severalProcesses') || withRedis.includes(file),
  },
];

/** Removes test files whose program is missing. `strict`: counts this as a failure. */
function withoutMissing(jobs: Job[], strict: boolean): { jobs: Job[]; leftOut: Counts; notices: string[] } {
  let leftOut = noCounts;
  const notices: string[] = [];
  let runnable = jobs;
  for (const { what, find, isFor } of needs) {
    const files = runnable.flatMap((job) => job.files ?? []).filter(isFor);
    if (files.length === 0 || find()) continue;
    const sentence = `${what} is missing and cannot be installed here. Left out: ${files.join(', ')}.`;
    notices.push(sentence);
    leftOut = add(leftOut, strict ? failure(sentence) : { ...noCounts, skipped: files.length });
    runnable = runnable
      .map((job) => (job.files ? { ...job, files: job.files.filter((file) => !isFor(file)) } : job))
      .filter(({ files: kept }) => kept === undefined || kept.length > 0);
  }
  return { jobs: runnable, leftOut, notices };
}

/** `N passed, N failed`, and `, N skipped` where there are any. */
function summary({ passed, failed, skipped }: Counts): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

/** Runs a job and prints its output when it ends. */
async function runAndPrint(job: Job): Promise<Result> {
  const result = await runJob(job);
  console.log(`\n── ${job.name}: ${summary(result)} (${result.seconds} s) ──\n${result.output}`);
  return result;
}

/** Builds the plugin for the jobs that need it, and packs it once for all of them. */
async function buildInto(packed: string): Promise<void> {
  console.log('Building …');
  await buildAll();
  await packInto(packed);
  process.env.PACKED = packed;
  // Before the processes begin: two processes that install at the same time would overwrite each other's files.
  if (!process.env.ETHERPAD) await installEtherpad1();
}

/** Runs the jobs in parallel as far as the machine allows. Those that need no build run while `build` works. */
async function runInParallel(jobs: Job[], build: () => Promise<void>): Promise<Result[]> {
  const { limit, stop } = jobQueue(fixedConcurrency);
  const results = new Map<Job, Result>();
  const run = async (job: Job): Promise<void> => void results.set(job, await limit(runAndPrint, job));
  const late = jobs.filter(({ part }) => needBuild.includes(part));
  const early = jobs.filter((job) => !late.includes(job));
  try {
    const built = late.length > 0 ? limit(build) : undefined;
    const done = await Promise.allSettled([
      ...early.map(run),
      built?.then(async () => void (await Promise.all(late.map(run)))),
    ]);
    for (const one of done) if (one.status === 'rejected') throw one.reason;
  } finally {
    stop();
  }
  return jobs.map((job) => results.get(job) as Result);
}

/**
 * Runs the jobs. Files with failed tests run a second time, alone: on a busy machine a test can miss a time limit.
 * Tests that pass only then are named at the end.
 */
async function runAll(jobs: Job[], whole: boolean, build: () => Promise<void>): Promise<Counts> {
  const results = await runInParallel(jobs, build);
  const sums = new Map<string, Counts & { seconds: number }>();
  const passedAlone: string[] = [];
  for (const [index, job] of jobs.entries()) {
    let result = results[index] as Result;
    const retried = retryOf(job, result);
    if (retried) {
      const second = await runAndPrint(retried);
      const still = new Set(second.failures.map(({ title }) => title));
      const passedLater = result.failures.filter(({ title }) => !still.has(title));
      passedAlone.push(...passedLater.map((what) => `  ${job.part}: ${describeFailure(what)}`));
      result = {
        ...second,
        ...afterRetry(job, result, retried, second),
        seconds: result.seconds + second.seconds,
      };
    }
    const before = sums.get(job.part) ?? { ...noCounts, seconds: 0 };
    sums.set(job.part, { ...add(before, result), seconds: before.seconds + result.seconds });
  }
  if (whole) {
    const { defects } = [...sums.values()].reduce<Counts>(add, noCounts);
    const untested = defectsUntested(defects);
    const counts =
      untested.length === 0 ? { ...noCounts, passed: 1 } : untested.map(failure).reduce(add, noCounts);
    sums.set('defects', { ...counts, seconds: 0 });
  }
  const total = [...sums.values()].reduce<Counts>(add, noCounts);
  if (passedAlone.length > 0) {
    console.log(
      `\nFailed while other tests ran, passed alone at the second attempt:\n${passedAlone.join('\n')}`,
    );
  }
  if (total.failures.length > 0) {
    console.log('\nFailed:');
    for (const [part, { failures }] of sums) {
      for (const what of failures) console.log(`  ${part}: ${describeFailure(what)}`);
    }
  }
  console.log('');
  for (const [part, sum] of sums) console.log(`${part}: ${summary(sum)} (${sum.seconds} s in all processes)`);
  return total;
}

async function test(words: string[]): Promise<number> {
  const names = Object.keys(parts);
  const wanted = words.flatMap((word) => (word === 'fast' ? fast : [word]));
  if (words.includes('fast')) process.env.RUNS ??= '15';
  const leftOut = (process.env.SKIP ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean);
  const unknown = [...wanted, ...leftOut].filter((name) => !names.includes(name));
  if (unknown.length > 0) {
    console.error(
      `There is no part called ${unknown.join(', ')}; there are ${names.join(', ')}, and fast for ${fast.join(', ')}.`,
    );
    return 2;
  }
  const started = performance.now();
  const chosen = names.filter((name) => wanted.length === 0 || wanted.includes(name));
  const skipped = chosen.filter((name) => leftOut.includes(name));
  const running = chosen.filter((name) => !skipped.includes(name));
  const runnable = withoutMissing(jobsOf(running), Boolean(process.env.CI) || wanted.length > 0);
  // An Etherpad that cannot be started is named before anything runs.
  ownEtherpad();
  const packed = mkdtempSync(path.join(tmpdir(), 'ep_mypads-'));
  try {
    const whole = running.length === names.length && runnable.notices.length === 0;
    const results = await runAll(runnable.jobs, whole, () => buildInto(packed));
    const counts = add(results, runnable.leftOut);
    const total = { ...counts, skipped: counts.skipped + skipped.length };
    if (skipped.length > 0) console.log(`Left out with SKIP: ${skipped.join(', ')}`);
    for (const sentence of runnable.notices) console.log(sentence);
    console.log(`${Math.round((performance.now() - started) / 1000)} s`);
    console.log(summary(total));
    return total.failed > 0 ? 1 : 0;
  } finally {
    rmSync(packed, { recursive: true, force: true });
  }
}

test(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    console.error(error instanceof UserError ? error.message : error);
    console.log(summary(failure('the run')));
    process.exitCode = 1;
  },
);
