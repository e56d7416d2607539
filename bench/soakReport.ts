/** The results of the load test: a line each minute, and the tables at the end. */
import { type ProbeValues, percentile } from './measure';
import { type Result, report } from './results';
import type { Callers } from './soakCallers';
import type { CrowdReport } from './soakEditors';
import type { HostilityReport } from './soakHostile';
import { type ExplainedLosses, explainLosses } from './soakLosses';
import { serverName } from './target';

const mebibytes = (bytes: number): number => bytes / 1024 / 1024;

/** Measurements of one minute. */
export interface Minute {
  server: ProbeValues;
  /** Memory of the embedded database in bytes. */
  records: number;
  crowd: CrowdReport;
  hostile: HostilityReport;
}

/**
 * Errors in Etherpad's log that are expected: no internet, a newer npm, and messages of the hostile guests: requests
 * for revisions that do not exist and, in 2.x and 3.x, refused messages. A refused message of anybody else would show
 * as a lost connection or a lost change.
 */
const expectedErrors =
  /update check|npm warn|Error handling pad message from|Error while handling a changeset request/;

/** Error lines of the log without numbers and ids, and how often each occurs. */
function errorsIn(log: string): Map<string, number> {
  const found = new Map<string, number>();
  for (const line of log.split('\n')) {
    if (!/\[(ERROR|FATAL)\]/.test(line) || expectedErrors.test(line)) continue;
    const text = line
      .replace(/^.*?\[(?:ERROR|FATAL)\]\S*\s*/, '')
      .replace(/[A-Za-z0-9_-]{16,}|\d+/g, '…')
      .slice(0, 160);
    found.set(text, (found.get(text) ?? 0) + 1);
  }
  return found;
}

const fixed = (value: number): string => value.toFixed(value < 10 ? 1 : 0);

/** One line about a minute of the test. */
export function printMinute(
  number: number,
  { crowd, server, records, hostile: guests }: Minute,
  callers: Callers,
): void {
  const { arrivals } = crowd;
  const times = [0.5, 0.95, 0.99, 1].map((share) => fixed(percentile(arrivals, share))).join('/');
  const wrong = [...callers.wrong.values()].reduce((sum, count) => sum + count, 0);
  console.log(
    [
      `minute ${number}: ${arrivals.length} arrivals ${times} ms (p50/p95/p99/max), ${crowd.vanished} vanished`,
      `server late ${fixed(server.late.p99)}/${fixed(server.late.max)} ms (p99/max), works in one go ${fixed(server.work.p99)}/${fixed(server.work.max)} ms, this side late ${fixed(crowd.late)} ms`,
      `RSS ${fixed(mebibytes(server.rss))}, heap ${fixed(mebibytes(server.heapUsed))} of ${fixed(mebibytes(server.heapTotal))}, buffers ${fixed(mebibytes(server.external))}, records ${fixed(mebibytes(records))} MiB`,
      `${crowd.open} open, ${crowd.lost.length} lost`,
      `${guests.sent} hostile messages, ${guests.ended} ended, ${guests.refused.length} not let in`,
      `${wrong} wrong so far`,
    ].join('; '),
  );
}

/** Growth over the last two thirds in per cent, by the line of best fit. */
function growthOf(points: readonly number[]): number {
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

/** Empty if the run is too short to show a growth. */
function growthRows(measured: readonly Minute[]): Result[] {
  if (measured.length < 6) return [];
  const rowOf = (name: string, of: (server: ProbeValues) => number, goal: number): Result => ({
    name: `growth of the ${name} in the last two thirds, records aside, per cent`,
    value: growthOf(measured.map(({ server, records }) => of(server) - records)),
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
  const arrivals = measured.flatMap(({ crowd }) => crowd.arrivals);
  const worst = (name: string, of: (minute: Minute) => number): Result =>
    row(name, Math.max(...measured.map(of)), 'ms');
  return [
    row('changes that arrived', arrivals.length, ''),
    row('until a change arrives, median', percentile(arrivals, 0.5), 'ms'),
    row('until a change arrives, p95', percentile(arrivals, 0.95), 'ms'),
    row('until a change arrives, p99', percentile(arrivals, 0.99), 'ms', 30),
    row('until a change arrives, worst', percentile(arrivals, 1), 'ms'),
    worst('timers of the server are late, p99 of the worst minute', ({ server }) => server.late.p99),
    worst('timers of the server are late, worst', ({ server }) => server.late.max),
    worst('the server works in one go, p99 of the worst minute', ({ server }) => server.work.p99),
    worst('the server works in one go, worst', ({ server }) => server.work.max),
    worst('timers of the editors’ process are late, p99 of the worst minute', ({ crowd }) => crowd.late),
  ];
}

function memoryRows(measured: readonly Minute[]): Result[] {
  const last = measured.at(-1)?.server;
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
    row(
      'until somebody who lost the right is disconnected, worst',
      Math.max(0, ...callers.closedAfterRemoval),
      'ms',
      1_000,
    ),
    row('people who lost the right', callers.closedAfterRemoval.length, ''),
    row('kinds of wrong answers and other unexpected results', callers.wrong.size, '', 0),
    row('kinds of errors in Etherpad’s log', errors.size, '', 0),
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

interface Run {
  /** Open editors. */
  editors: number;
  measured: readonly Minute[];
  callers: Callers;
  /** The log of Etherpad. */
  log: string;
}

/** The tables at the end. */
export function printResults({ editors, measured, callers, log }: Run): void {
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
    ['Errors in Etherpad’s log', errors],
  ]);
}

function tally(texts: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
}
