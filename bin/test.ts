/**
 * `npm test` builds and runs all parts; `npm test host api` runs two. `SKIP=browser,host` leaves parts out. Tests that
 * need a missing program are left out too, or fail in CI; the last lines name what was left out.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import { answersMissing } from '../test/support/answered';
import { codesIn, defectsUntested } from '../test/support/defects';
import { buildAll } from './build';
import { installEtherpad1, ownEtherpad, packInto, UserError } from './etherpad';
import type { Outcome } from './mochaReporter';
import {
  findBrowser,
  findCurl,
  findHelm,
  findNginx,
  findPromtool,
  findPython,
  findRedis,
  findSlapd,
  findSystemdAnalyze,
} from './programs';
import { mostlyWaits, share, testFiles } from './testFiles';
import { failed, failure, type Job, type Result, retry, runInParallel, skip, summary } from './testJobs';

/** What the checks of types and unused code store for their next run. */
const cache = 'node_modules/.cache/ep_mypads';

/** The folders of the parts whose files need neither a build nor an Etherpad. */
const inWorkers: Record<string, string[]> = {
  unit: ['unit'],
  api: ['api', 'network'],
  tools: ['tools'],
  ldap: ['ldap'],
  database: ['database'],
};

/** The files of part `network`. `NETWORK=all` runs all API tests there. */
const networkFiles = (): string[] =>
  process.env.NETWORK === 'all'
    ? [...testFiles('network', 'api'), 'test/ldap/signIn.test.ts']
    : testFiles('network');

/** Whether part `network` has all tests of a file, which then need not run in the process too. */
const runsInEtherpad = (file: string): boolean =>
  networkFiles().includes(file) && !readFileSync(file, 'utf8').includes('inProcessOnly');

/**
 * One mocha process for all of these parts, so that no core waits for the end of one of them. A worker per core and two
 * more, because some tests wait; more would be slower, because each of them loads the modules for three seconds.
 */
function workers(names: readonly string[], withNetwork: boolean): Job[] {
  const part = names.join(', ');
  const jobs = String(Math.max(2, availableParallelism()) + 2);
  const files = testFiles(...names.flatMap((name) => inWorkers[name] ?? [])).filter(
    (file) => !withNetwork || !runsInEtherpad(file),
  );
  return names.length === 0
    ? []
    : [{ part, name: part, program: 'mocha', args: ['--parallel', '--jobs', jobs], files }];
}

/** A mocha process for each of these lists of files. Each takes seconds to load the modules and install the plugin. */
function mochas(part: string, lists: readonly string[][], env?: NodeJS.ProcessEnv): Job[] {
  return lists.map((files) => {
    const [first = ''] = files;
    const others = files.length > 1 ? ` and ${files.length - 1} more` : '';
    const name = `${part}: ${path.basename(first, '.test.ts')}${others}`;
    return { part, name, program: 'mocha', files, env, needsBuild: true };
  });
}

const onePerFile = (files: readonly string[]): string[][] => files.map((file) => [file]);

/**
 * What a file calls says whether it shares two Etherpads on one database, shares one, or starts its own. Alone are
 * files that wait long, and those that leave a plugin for several processes behind.
 */
function host(): Job[] {
  const files = testFiles('host');
  const left = new Set(files);
  const take = (isWanted: (file: string) => boolean): string[] => {
    const found = [...left].filter(isWanted);
    for (const file of found) left.delete(file);
    return found;
  };
  const calling = (call: RegExp) => (file: string) => call.test(readFileSync(file, 'utf8'));
  // `severalProcessesKilled`, the largest of them, must be the first of its process.
  const onPairs = take(calling(/sharedPair\(\)|useTwoProcesses\(\)/));
  const alone = [...take(mostlyWaits), ...take(calling(/startSeveral\(|withCommands/))];
  const onAttacked = take(calling(/useAttackedEtherpad\(\)/));
  const onShared = take(calling(/useEtherpad\(\)/));
  return mochas('host', [
    ...share(onPairs, 2),
    ...onePerFile(alone),
    ...share(onAttacked, 1),
    ...share([...left]),
    ...share(onShared),
  ]);
}

/** Over the network, against the plugin in a real Etherpad. */
const network = (): Job[] => mochas('network', share(networkFiles()), { API_HOST: '1' });

const checks: Record<string, [program: string, ...args: string[]]> = {
  // Each of several checkers works out most types anew: four of them need four times the processor time of one.
  types: [
    'tsc',
    '--noEmit',
    '--checkers',
    '1',
    '--incremental',
    '--tsBuildInfoFile',
    `${cache}/types.tsbuildinfo`,
  ],
  lint: ['biome', 'ci', '.'],
  spelling: ['cspell', '--no-progress', '--no-summary'],
  'unused code': ['knip', '--no-progress', '--cache', '--cache-location', `${cache}/knip`],
};

const parts: Record<string, () => Job[]> = {
  check: () =>
    Object.entries(checks).map(([name, [program, ...args]]) => ({ part: 'check', name, program, args })),
  // First, because these wait for much of their time.
  editor: () => mochas('editor', share(testFiles('editor'))),
  // Three, because an Etherpad lets only 100 people register in an hour.
  browser: () => mochas('browser', share(testFiles('browser'), 3)),
  host,
  network,
};
/** What takes longest or waits most comes first, so that no core waits for it at the end. */
const names = [...Object.keys(inWorkers), ...Object.keys(parts)];
/** The parts of `npm run test:fast`, which has fewer random requests. */
const fast = ['unit', 'api', 'check'];

/** Programs, how to get each of them, and the test files that need it. */
const needs: [what: string, find: () => string | undefined, files: RegExp][] = [
  [
    'Chromium (install one, or set CHROME_PATH to a Chromium or Chrome)',
    findBrowser,
    /^test\/(browser|editor)\//,
  ],
  ['the LDAP server slapd (install the package slapd)', findSlapd, /^test\/(ldap\/|host\/directory)/],
  ['nginx (install the package nginx-light)', findNginx, /\/(severalProcesses|tools\/(deploy|proxySignIn))/],
  ['systemd-analyze (install the package systemd)', findSystemdAnalyze, /\/systemdUnit/],
  ['Python (install the package python3)', findPython, /\/pythonExample/],
  ['curl (install the package curl)', findCurl, /\/apiExamples/],
  [
    'Helm (install helm and unzip; npm has it for 64-bit Intel only)',
    findHelm,
    /\/(severalProcessesC|c)hart/,
  ],
  ['promtool (install the package prometheus)', findPromtool, /\/alerts/],
  [
    'Redis (install the package redis-server)',
    findRedis,
    /\/(severalProcesses|host\/doctor\.|database\/redis)/,
  ],
];

/** Removes test files whose program is missing. `strict`: counts this as a failure. */
function withoutMissing(
  jobs: Job[],
  strict: boolean,
): { jobs: Job[]; leftOut: Outcome[]; notices: string[] } {
  const files = jobs.flatMap((job) => job.files ?? []);
  const missing = needs
    .map(([what, find, pattern]) => ({ what, find, of: files.filter((file) => pattern.test(file)) }))
    .filter(({ find, of }) => of.length > 0 && !find());
  const lost = missing.flatMap(({ of }) => of);
  const noticeOf = ({ what, of }: { what: string; of: string[] }): string =>
    `${what} is missing and cannot be installed here. Left out: ${of.join(', ')}.`;
  const notices = missing.map(noticeOf);
  const runnable = jobs
    .map((job) => (job.files ? { ...job, files: job.files.filter((file) => !lost.includes(file)) } : job))
    .filter((job) => job.files?.length !== 0);
  const leftOut = strict ? notices.map(failure) : [...new Set(lost)].map(skip);
  return { jobs: runnable, leftOut, notices };
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

/** Runs the jobs, and files with failed tests twice. */
async function runAll(jobs: Job[], build: () => Promise<void>): Promise<Result[]> {
  const first = await runInParallel(jobs, build);
  const results: Result[] = [];
  for (const [index, job] of jobs.entries()) results.push(await retry(job, first[index] as Result));
  return results;
}

/** The result of a check of a whole run, by what the run lacks. */
function checkOfRun(part: string, missing: readonly string[]): Result {
  const outcomes: Outcome[] =
    missing.length > 0 ? missing.map(failure) : [{ state: 'passed', title: 'all are tested' }];
  return { part, outcomes, passedAlone: [], seconds: 0 };
}

function defectsOf(results: readonly Result[]): Result {
  const passed = results.flatMap(({ outcomes }) => outcomes).filter(({ state }) => state === 'passed');
  return checkOfRun('defects', defectsUntested(passed.flatMap(({ title }) => codesIn(title))));
}

function printResults(results: readonly Result[]): void {
  const list = (title: string, of: (result: Result) => Outcome[]): void => {
    const lines = results.flatMap((result) =>
      of(result).map((one) => `  ${result.part}: ${one.title}${one.message ? `: ${one.message}` : ''}`),
    );
    if (lines.length > 0) console.log(`\n${title}:\n${lines.join('\n')}`);
  };
  list('Failed while other tests ran, passed alone at the second attempt', ({ passedAlone }) => passedAlone);
  list('Failed', ({ outcomes }) => failed(outcomes));
  console.log('');
  for (const part of new Set(results.map((result) => result.part))) {
    const its = results.filter((result) => result.part === part);
    const seconds = its.reduce((sum, result) => sum + result.seconds, 0);
    console.log(
      `${part}: ${summary(its.flatMap(({ outcomes }) => outcomes))} (${seconds} s in all processes)`,
    );
  }
}

async function test(words: string[]): Promise<number> {
  const wanted = words.flatMap((word) => (word === 'fast' ? fast : [word]));
  if (words.includes('fast')) process.env.RUNS ??= '15';
  const leftOut = (process.env.SKIP ?? '').split(/[\s,]+/).filter(Boolean);
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
  const jobs = [
    ...workers(
      running.filter((name) => inWorkers[name]),
      running.includes('network'),
    ),
    ...running.flatMap((name) => parts[name]?.() ?? []),
  ];
  const runnable = withoutMissing(jobs, Boolean(process.env.CI) || wanted.length > 0);
  // An Etherpad that cannot be started is named before anything runs.
  ownEtherpad();
  const packed = mkdtempSync(path.join(tmpdir(), 'ep_mypads-'));
  const answers = mkdtempSync(path.join(tmpdir(), 'mypads-answers-'));
  process.env.ANSWERS = answers;
  try {
    const results = await runAll(runnable.jobs, () => buildInto(packed));
    if (running.includes('api')) results.push(checkOfRun('answers', answersMissing(answers)));
    if (running.length === names.length && runnable.notices.length === 0) results.push(defectsOf(results));
    printResults(results);
    if (skipped.length > 0) console.log(`Left out with SKIP: ${skipped.join(', ')}`);
    for (const sentence of runnable.notices) console.log(sentence);
    console.log(`${Math.round((performance.now() - started) / 1000)} s`);
    const total = [...results.flatMap(({ outcomes }) => outcomes), ...runnable.leftOut, ...skipped.map(skip)];
    console.log(summary(total));
    return failed(total).length > 0 ? 1 : 0;
  } finally {
    for (const folder of [packed, answers]) rmSync(folder, { recursive: true, force: true });
  }
}

test(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    console.error(error instanceof UserError ? error.message : error);
    console.log(summary([failure('the run')]));
    process.exitCode = 1;
  },
);
