/** mocha's own report, and the counts as JSON in the file that `COUNTS` names: bin/test.ts adds them up. */
import { writeFileSync } from 'node:fs';
import Mocha from 'mocha';

export interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}

class CountingReporter extends Mocha.reporters.Spec {
  constructor(runner: Mocha.Runner, options: Mocha.MochaOptions) {
    super(runner, options);
    runner.once('end', () => {
      const { passes, failures, pending } = this.stats;
      const counts: Counts = { passed: passes, failed: failures, skipped: pending };
      if (process.env.COUNTS) writeFileSync(process.env.COUNTS, JSON.stringify(counts));
    });
  }
}

module.exports = CountingReporter;
