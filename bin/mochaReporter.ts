/** mocha's own report, and the counts as JSON in the file that `COUNTS` names: bin/test.ts adds them up and names the failures once more. */
import { writeFileSync } from 'node:fs';
import Mocha from 'mocha';

export interface Counts {
  passed: number;
  failed: number;
  skipped: number;
  /** The full titles of the tests that failed, each with what was wrong. */
  failures: string[];
}

class CountingReporter extends Mocha.reporters.Spec {
  constructor(runner: Mocha.Runner, options: Mocha.MochaOptions) {
    super(runner, options);
    const broken: string[] = [];
    runner.on('fail', (test: Mocha.Test, error: Error) => {
      broken.push(`${test.fullTitle()}: ${error.message}`);
    });
    runner.once('end', () => {
      const { passes, failures, pending } = this.stats;
      const counts: Counts = {
        passed: passes,
        failed: failures,
        skipped: pending,
        failures: broken,
      };
      if (process.env.COUNTS) writeFileSync(process.env.COUNTS, JSON.stringify(counts));
    });
  }
}

module.exports = CountingReporter;
