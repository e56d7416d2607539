/**
 * Prints mocha's `spec` report, and writes the counts as JSON to the file `COUNTS`. bin/test.ts adds up the counts of
 * all files, and lists the failures again at the end.
 */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import Mocha from 'mocha';
import { codesIn } from '../test/support/defects';
import { timeLimitFactor } from './mochaWorker';

const root = path.resolve(__dirname, '..');

/** The message with the actual value, because "expected [ Array(1) ]" alone says too little. */
function messageWithValue({ message, actual }: Error & { actual?: unknown }): string {
  const found = typeof actual === 'object' ? JSON.stringify(actual) : String(actual ?? '');
  return found === '' ? message : `${message} (found: ${found.replaceAll(/\s+/g, ' ').slice(0, 500)})`;
}

export interface Failure {
  /** The full title of the test, or what else failed. */
  title: string;
  message?: string;
  /** The test file, relative to the project. */
  file?: string;
}

export interface Counts {
  passed: number;
  failed: number;
  skipped: number;
  failures: Failure[];
  /** Codes of old defects (test/support/defects.ts) in the titles of passed tests. */
  defects: string[];
}

function widenTimeLimits(runner: Mocha.Runner): void {
  const widened = new WeakSet<Mocha.Runnable>();
  function widen(runnable: Mocha.Runnable): void {
    // Tests from mocha's workers are plain data: they have run already (mochaWorker.ts widens their limits).
    if (typeof runnable.timeout !== 'function' || widened.has(runnable)) return;
    widened.add(runnable);
    runnable.timeout(runnable.timeout() * timeLimitFactor);
  }
  runner.on('hook', widen);
  runner.on('test', widen);
}

/** Milliseconds until a process must have ended after its last test. */
const endLimit = 30_000;

/** Ends a process that does not end by itself. `report` gets what keeps it running: an open server or connection. */
function endLateProcess(report: (why: string) => void): void {
  const timer = setTimeout(() => {
    const handles = (process as unknown as { _getActiveHandles(): object[] })._getActiveHandles();
    const names = handles.map((handle) => {
      const { spawnargs, remotePort, localPort } = handle as Record<string, unknown>;
      const facts = Array.isArray(spawnargs) ? spawnargs.join(' ') : [localPort, remotePort].join(' → ');
      return `${handle.constructor.name} ${facts}`.trim();
    });
    report(`still open ${endLimit / 1000} s after the last test: ${names.join(', ')}`);
    process.exit();
  }, endLimit);
  timer.unref();
}

class CountingReporter extends Mocha.reporters.Spec {
  constructor(runner: Mocha.Runner, options: Mocha.MochaOptions) {
    super(runner, options);
    widenTimeLimits(runner);
    const failed: Failure[] = [];
    runner.on('fail', (test: Mocha.Test, error: Error) => {
      const file = test.file && path.relative(root, test.file).split(path.sep).join('/');
      failed.push({ title: test.fullTitle(), message: messageWithValue(error), ...(file && { file }) });
    });
    const defects = new Set<string>();
    runner.on('pass', (test: Mocha.Test) => {
      for (const code of codesIn(test.fullTitle())) defects.add(code);
    });
    runner.once('end', () => {
      const { passes, failures, pending } = this.stats;
      const counts: Counts = {
        passed: passes,
        failed: failures,
        skipped: pending,
        failures: failed,
        defects: [...defects],
      };
      const write = (): void => {
        if (process.env.COUNTS) writeFileSync(process.env.COUNTS, JSON.stringify(counts));
      };
      write();
      // In Node 20, a reset socket can keep the process in an endless loop although no work is left. So the process is
      // ended here.
      process.once('beforeExit', () => process.exit());
      endLateProcess((title) => {
        console.log(`  ${title}`);
        counts.failed += 1;
        counts.failures.push({ title });
        write();
      });
    });
  }
}

module.exports = CountingReporter;
