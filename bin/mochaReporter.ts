/** Prints mocha's `spec` report, and writes the outcome of each test as JSON to the file `OUTCOMES` for bin/test.ts. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import Mocha from 'mocha';

export interface Outcome {
  state: 'passed' | 'failed' | 'skipped';
  /** The full title of the test, or what else failed. */
  title: string;
  message?: string | undefined;
  /** The test file, relative to the project. Hooks in mocha's workers have none. */
  file?: string | undefined;
}

/** The message with the actual value, because "expected [ Array(1) ]" alone says too little. */
function messageWithValue({ message, actual }: Error & { actual?: unknown }): string {
  const found = typeof actual === 'object' ? JSON.stringify(actual) : String(actual ?? '');
  return found === '' ? message : `${message} (found: ${found.replaceAll(/\s+/g, ' ').slice(0, 500)})`;
}

/** Ends a process that does not end by itself. `report` gets what keeps it running: an open server or connection. */
function endLateProcess(report: (why: string) => void): void {
  const limit = 30_000;
  const timer = setTimeout(() => {
    const handles = (
      process as unknown as { _getActiveHandles(): Record<string, unknown>[] }
    )._getActiveHandles();
    const names = handles.map(
      (handle) => `${handle.constructor.name} ${handle.spawnargs ?? handle.localPort ?? ''}`,
    );
    report(`still open ${limit / 1000} s after the last test: ${names.join(', ')}`);
    process.exit();
  }, limit);
  timer.unref();
}

class OutcomeReporter extends Mocha.reporters.Spec {
  constructor(runner: Mocha.Runner, options: Mocha.MochaOptions) {
    super(runner, options);
    const outcomes: Outcome[] = [];
    const keep =
      (state: Outcome['state']) =>
      (test: Mocha.Test, error?: Error): void => {
        const file = test.file && path.relative('', test.file);
        outcomes.push({ state, title: test.fullTitle(), message: error && messageWithValue(error), file });
      };
    runner.on('pass', keep('passed'));
    runner.on('fail', keep('failed'));
    runner.on('pending', keep('skipped'));
    const write = (): void => {
      if (process.env.OUTCOMES) writeFileSync(process.env.OUTCOMES, JSON.stringify(outcomes));
    };
    runner.once('end', () => {
      write();
      // In Node 20, a reset socket can keep the process in an endless loop although no work is left. So the process is
      // ended here.
      process.once('beforeExit', () => process.exit());
      endLateProcess((title) => {
        console.log(`  ${title}`);
        outcomes.push({ state: 'failed', title });
        write();
      });
    });
  }
}

module.exports = OutcomeReporter;
