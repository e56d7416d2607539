/**
 * `npm run soak -- --minutes 30`: a load test like a school day, with hundreds of open editors and hostile guests,
 * against a real Etherpad. Prints a line each minute and exits with 1 if a goal is missed. See bench/README.md.
 */
import type { ChildProcess } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { temporaryFolder } from '../test/support/app';
import { answerOf, startChild } from './children';
import { countTo, Dataset, inParallel, type Person } from './dataset';
import { EmbeddedRecords } from './embeddedRecords';
import { closeConnections } from './http';
import { percentile } from './measure';
import { missed, type Result, report, writeResults } from './results';
import { Callers, type School } from './soakCallers';
import type { CrowdReport, Order, Seat } from './soakEditors';
import type { HostilityReport } from './soakHostile';
import { type ExplainedLosses, explainLosses } from './soakLosses';
import { openTarget, serverName, type Target } from './target';

const options = {
  minutes: { type: 'string', default: '30' },
  /** Open editors. */
  editors: { type: 'string', default: '500' },
  /** Editors for each pad. */
  'per-pad': { type: 'string', default: '8' },
  /** Share of the people who type at any time. */
  typing: { type: 'string', default: '0.08' },
  /** Seconds between two changes of a person. */
  pace: { type: 'string', default: '2' },
  /** Factor for the rate of API calls. */
  calls: { type: 'string', default: '1' },
  /** Folders with 5 pads for each of the twelve teachers. */
  folders: { type: 'string', default: '40' },
  /** Hostile messages per second; 0 for none. */
  hostile: { type: 'string', default: '3' },
  out: { type: 'string' },
} as const;
const { values } = parseArgs({ options });
const amount = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, Number(value)]));
const {
  minutes = 30,
  editors = 500,
  'per-pad': perPad = 8,
  typing = 0,
  pace = 1,
  calls = 1,
  hostile = 0,
} = amount;
const { folders: foldersOfEach = 40 } = amount;

const teachers = 12;
const mebibytes = (bytes: number): number => bytes / 1024 / 1024;

interface Worst {
  p99: number;
  max: number;
}

/** Values from soakProbe.cjs in the server: memory in bytes, the rest in milliseconds. */
interface Memory {
  rss: number;
  /** Live objects, after a garbage collection. */
  heapUsed: number;
  /** What V8 has reserved for objects, used or not. */
  heapTotal: number;
  /** Buffers outside of the heap. */
  external: number;
  late: Worst;
  work: Worst;
}

/** Measurements of one minute. */
interface Minute {
  arrivals: number[];
  memory: Memory;
  /** Memory of the embedded database in bytes. */
  records: number;
  crowd: CrowdReport;
  hostile: HostilityReport;
}

interface Place {
  school: School;
  seats: Seat[];
  hostilePad: string;
}

/** Creates teachers with their lists, classes with their pads, and guests. */
async function makeSchool(target: Target): Promise<Place> {
  const data = await Dataset.open(target);
  const owners = await inParallel(await data.people(teachers), (person) => data.signIn(person));
  const pupils = await inParallel(await data.people(teachers * perPad), (person) => data.signIn(person));
  const classes = countTo(teachers).map((index) => pupils.slice(index * perPad, (index + 1) * perPad));
  const idsOf = (people: readonly Person[] = []): string[] => people.map(({ id }) => id);
  const quietFolders = await inParallel(owners, (owner, index) =>
    data.filledFolder(owner, 100, { name: 'A quiet folder', users: idsOf(classes[index]) }),
  );
  await inParallel(
    owners.flatMap((owner, index) =>
      countTo(foldersOfEach).map(() => ({ owner, users: idsOf(classes[index]) })),
    ),
    ({ owner, users }) => data.filledFolder(owner, 5, { users }),
  );
  const working = await inParallel(owners, (owner, index) =>
    data.folder(owner, { name: 'Class', users: idsOf(classes[index]) }),
  );
  const everybody = await inParallel(owners, (owner) =>
    data.folder(owner, { name: 'Open', visibility: 'public' }),
  );
  const publicPads: string[] = [];
  const seats: Seat[] = [];
  while (seats.length < editors) {
    const number = seats.length / perPad;
    const room = number % teachers;
    // Every sixth pad is used by guests.
    const guests = number % 6 === 5;
    const pad = await data.pad((guests ? everybody : working)[room] ?? '');
    if (guests) publicPads.push(pad);
    for (const { cookie } of classes[room] ?? []) seats.push({ pad, cookie: guests ? undefined : cookie });
  }
  const hostilePad = await data.pad(everybody[0] ?? '');
  publicPads.push(hostilePad);
  const visitors = await data.people(20);
  const school = { data, owners, quietFolders, visitors, publicPads };
  return { school, seats: seats.slice(0, editors), hostilePad };
}

async function askProbe(target: Target, file: string): Promise<Memory> {
  rmSync(file, { force: true });
  process.kill(target.pid() ?? 0, 'SIGUSR2');
  for (let tries = 0; !existsSync(file); tries += 1) {
    if (tries === 3_000) throw new Error('the server does not answer for a minute');
    await pause(20);
  }
  return JSON.parse(readFileSync(file, 'utf8')) as Memory;
}

/** Pauses typing during the garbage collection, because its delay would be measured too. */
async function lookAtMemory(crowd: ChildProcess, target: Target, file: string): Promise<Memory> {
  crowd.send({ hold: true } satisfies Order);
  await pause(1_000);
  try {
    return await askProbe(target, file);
  } finally {
    await pause(500);
    crowd.send({ hold: false } satisfies Order);
  }
}

/**
 * Error lines of Etherpad that are expected: no internet, a newer npm, and (2.x, 3.x) messages of the hostile guests
 * that it refuses. For other people, a refused message would show as a lost connection or change.
 */
const ofTheHost = /update check|npm warn|Error handling pad message from/;

/** Error lines of the log without numbers and ids, and how often each occurs. */
function errorsIn(log: string): Map<string, number> {
  const found = new Map<string, number>();
  for (const line of log.split('\n')) {
    if (!/\[(ERROR|FATAL)\]/.test(line) || ofTheHost.test(line)) continue;
    const text = line
      .replace(/^.*?\[(?:ERROR|FATAL)\]\S*\s*/, '')
      .replace(/[A-Za-z0-9_-]{16,}|\d+/g, '…')
      .slice(0, 160);
    found.set(text, (found.get(text) ?? 0) + 1);
  }
  return found;
}

const fixed = (value: number): string => value.toFixed(value < 10 ? 1 : 0);

function tell(number: number, { crowd, memory, records, hostile: guests }: Minute, callers: Callers): void {
  const { arrivals } = crowd;
  const times = [0.5, 0.95, 0.99, 1].map((share) => fixed(percentile(arrivals, share))).join('/');
  const counted = [...callers.wrong.values()].reduce((sum, count) => sum + count, 0);
  console.log(
    [
      `minute ${number}: ${arrivals.length} arrivals ${times} ms (p50/p95/p99/max), ${crowd.vanished} vanished`,
      `server late ${fixed(memory.late.p99)}/${fixed(memory.late.max)} ms (p99/max), works in one go ${fixed(memory.work.p99)}/${fixed(memory.work.max)} ms, this side late ${fixed(crowd.late)} ms`,
      `RSS ${fixed(mebibytes(memory.rss))}, heap ${fixed(mebibytes(memory.heapUsed))} of ${fixed(mebibytes(memory.heapTotal))}, buffers ${fixed(mebibytes(memory.external))}, records ${fixed(mebibytes(records))} MiB`,
      `${crowd.open} open, ${crowd.lost.length} lost`,
      `${guests.sent} hostile messages, ${guests.ended} ended, ${guests.refused.length} not let in`,
      `${counted} wrong so far`,
    ].join('; '),
  );
}

/** Growth from the end of the first third to the end in per cent, from the line of best fit. */
function growth(points: readonly number[]): number {
  const kept = points.slice(Math.floor(points.length / 3));
  const mean = (numbers: readonly number[]): number =>
    numbers.reduce((sum, one) => sum + one, 0) / numbers.length;
  const middle = (kept.length - 1) / 2;
  const average = mean(kept);
  const slope =
    mean(kept.map((value, index) => (index - middle) * (value - average))) /
    mean(kept.map((_, index) => (index - middle) ** 2));
  const first = average - slope * middle;
  return (100 * slope * (kept.length - 1)) / first;
}

/** No rows if the run is too short. */
function growthRows(measured: readonly Minute[]): Result[] {
  if (measured.length < 6) return [];
  const rowOf = (name: string, of: (memory: Memory) => number, goal: number): Result => ({
    name: `growth of the ${name} in the last two thirds, records aside, per cent`,
    value: growth(measured.map(({ memory, records }) => of(memory) - records)),
    unit: '',
    goal,
  });
  return [rowOf('heap', ({ heapUsed }) => heapUsed, 5), rowOf('process', ({ rss }) => rss, 10)];
}

const row = (name: string, value: number, unit: Result['unit'], goal?: number): Result => ({
  name,
  value,
  unit,
  goal,
});

/** How fast changes arrived, and how late the timers of both processes were. */
function speedRows(measured: readonly Minute[]): Result[] {
  const arrivals = measured.flatMap((minute) => minute.arrivals);
  const worst = (of: (minute: Minute) => number): number => Math.max(...measured.map(of));
  return [
    row('changes that arrived', arrivals.length, ''),
    row('a change arrives after, median', percentile(arrivals, 0.5), 'ms'),
    row('a change arrives after, p95', percentile(arrivals, 0.95), 'ms'),
    row('a change arrives after, p99', percentile(arrivals, 0.99), 'ms', 30),
    row('a change arrives after, worst', percentile(arrivals, 1), 'ms'),
    row(
      'timers of the server are late, p99 of the worst minute',
      worst(({ memory }) => memory.late.p99),
      'ms',
    ),
    row(
      'timers of the server are late, worst',
      worst(({ memory }) => memory.late.max),
      'ms',
    ),
    row(
      'the server works in one go, p99 of the worst minute',
      worst(({ memory }) => memory.work.p99),
      'ms',
    ),
    row(
      'the server works in one go, worst',
      worst(({ memory }) => memory.work.max),
      'ms',
    ),
    row(
      'timers of the editors’ process are late, p99 of the worst minute',
      worst(({ crowd }) => crowd.late),
      'ms',
    ),
  ];
}

function memoryRows(measured: readonly Minute[]): Result[] {
  const last = measured.at(-1)?.memory;
  return [
    row('memory of the process at the end', mebibytes(last?.rss ?? 0), 'MiB'),
    row('heap at the end', mebibytes(last?.heapUsed ?? 0), 'MiB'),
    ...growthRows(measured),
  ];
}

/** What must not happen, and how often it had a chance to. */
function faultRows(
  measured: readonly Minute[],
  callers: Callers,
  errors: ReadonlyMap<string, number>,
  { unexpected, races }: ExplainedLosses,
): Result[] {
  const sum = (of: (minute: Minute) => number): number =>
    measured.reduce((total, minute) => total + of(minute), 0);
  return [
    row(
      'changes that nobody got in ten seconds',
      sum(({ crowd }) => crowd.vanished),
      '',
      0,
    ),
    row('connections lost that nobody closed', unexpected.length, '', 0),
    row('connections that Etherpad itself ended while somebody joined the pad', races, ''),
    row(
      'hostile messages',
      sum(({ hostile }) => hostile.sent),
      '',
    ),
    row(
      'hostile guests not let in again',
      sum(({ hostile }) => hostile.refused.length),
      '',
      0,
    ),
    row('who loses the right is out after, worst', Math.max(0, ...callers.closedAfterRemoval), 'ms', 1_000),
    row('people who lost the right', callers.closedAfterRemoval.length, ''),
    row('kinds of answers and things that are wrong', callers.wrong.size, '', 0),
    row('kinds of errors in the log of the host', errors.size, '', 0),
  ];
}

/** Prints each list that is not empty, up to 30 lines of it. */
function printCounts(lists: readonly [string, Iterable<[string, number]>][]): void {
  for (const [title, found] of lists) {
    for (const [index, [text, count]] of [...found].slice(0, 30).entries()) {
      if (index === 0) console.log(`\n${title}`);
      console.log(`  ${count} × ${text}`);
    }
  }
}

function conclude(measured: readonly Minute[], callers: Callers, log: string): void {
  const errors = errorsIn(log);
  const losses = explainLosses(
    measured.flatMap(({ crowd }) => crowd.lost),
    log,
  );
  report(`soak: ${editors} editors, ${measured.length} minutes, ${serverName}`, [
    ...speedRows(measured),
    ...memoryRows(measured),
    ...faultRows(measured, callers, errors, losses),
  ]);
  console.log('\nAnswers, with the slowest of each');
  for (const [name, { count, slowest }] of [...callers.answers].sort()) {
    console.log(`  ${name.padEnd(40)} ${String(count).padStart(6)}  ${fixed(slowest)} ms`);
  }
  printCounts([
    ['Wrong', callers.wrong],
    ['Lost connections', tally(losses.unexpected)],
    ['Hostile guests not let in', tally(measured.flatMap(({ hostile }) => hostile.refused))],
    ['Errors in the log of the host', errors],
  ]);
}

function tally(texts: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
}

async function soak(): Promise<void> {
  const folder = temporaryFolder();
  const file = path.join(folder.path, 'memory.json');
  const NODE_OPTIONS = `--require ${path.join(__dirname, 'soakProbe.cjs')}`;
  const settings = { loglevel: 'WARN' };
  const target = await openTarget({
    settings,
    env: { NODE_OPTIONS, SOAK_FILE: file, STALL_FILE: undefined },
  });
  const { own } = target;
  if (own === undefined)
    throw new Error('The load test starts its own server: BASE is only for the benchmarks.');
  const [crowd, guests] = [startChild('soakEditors.ts'), startChild('soakHostile.ts')];
  try {
    console.log(`${serverName}: making a school for ${editors} editors …`);
    const { school, seats, hostilePad } = await makeSchool(target);
    const { url, major } = target;
    console.log('Everybody opens a pad …');
    await answerOf(crowd, { open: { url, major, seats, typing, pace, reloadInterval: 2 } } satisfies Order);
    if (hostile > 0) guests.send({ place: { url, major, pad: hostilePad }, perSecond: hostile });
    const callers = new Callers(school);
    callers.start(calls);
    const records = new EmbeddedRecords(own.databaseFile);
    // LatencySamples, so that cold code and first connections are not measured.
    await pause(20_000);
    await answerOf<CrowdReport>(crowd, 'report' satisfies Order);
    await lookAtMemory(crowd, target, file);
    const measured: Minute[] = [];
    while (measured.length < minutes) {
      await pause(60_000);
      const report = await answerOf<CrowdReport>(crowd, 'report' satisfies Order);
      const minute: Minute = {
        arrivals: report.arrivals,
        crowd: report,
        hostile: await answerOf<HostilityReport>(guests, 'report'),
        memory: await lookAtMemory(crowd, target, file),
        records: await records.size(),
      };
      measured.push(minute);
      tell(measured.length, minute, callers);
    }
    callers.stop();
    conclude(measured, callers, own.log());
  } catch (error) {
    console.error(own.log().slice(-4_000));
    // SIGKILL, because it may hang and ignore SIGTERM.
    await own.kill9();
    throw error;
  } finally {
    crowd.disconnect();
    guests.disconnect();
    await target.close();
    closeConnections();
    folder.remove();
    if (values.out !== undefined) writeResults(values.out, serverName);
  }
  const goals = missed();
  if (goals.length === 0) return console.log('\nAll goals are met.');
  console.log(`\nGoals that were missed:\n  ${goals.join('\n  ')}`);
  process.exitCode = 1;
}

soak().catch((error: unknown) => {
  console.error(error);
  process.exit(1);
});
