/**
 * `npm run bench` runs all scripts, `npm run bench lists flood` only these. `-- --out <file>` stores the results, `--
 * --against <file>` compares them with an earlier run. See bench/README.md.
 */
import { parseArgs } from 'node:util';
import { accounts } from './accounts';
import { directory } from './directory';
import { exports } from './exports';
import { flood } from './flood';
import { guesses } from './guesses';
import { closeConnections } from './http';
import { lists } from './lists';
import { openEditors } from './openEditors';
import { padVisit } from './padVisit';
import { compareWith, missedGoals, writeResults } from './results';
import { scaling } from './scaling';
import { slowBrowser } from './slowBrowser';
import { plainEtherpad, serverName, stopPlainEtherpad } from './target';
import { texts } from './texts';

const scripts: Record<string, () => Promise<void>> = {
  lists,
  padVisit,
  slowBrowser,
  openEditors,
  accounts,
  directory,
  texts,
  exports,
  flood,
  guesses,
  scaling,
};

function chosen(names: readonly string[]): string[] {
  const known = Object.keys(scripts);
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0) throw new Error(`No script ${unknown.join(', ')}. There are: ${known.join(', ')}.`);
  return known.filter((name) => names.length === 0 || names.includes(name));
}

async function run(): Promise<void> {
  const options = { out: { type: 'string' }, against: { type: 'string' } } as const;
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  const names = chosen(positionals);
  if (values.against !== undefined) compareWith(values.against);
  console.log(`Measured: ${serverName}`);
  // In an existing Etherpad folder, the server without the plugin must start before the plugin is installed.
  await plainEtherpad();
  try {
    for (const name of names) await scripts[name]?.();
  } finally {
    await stopPlainEtherpad();
    closeConnections();
    if (values.out !== undefined) writeResults(values.out, serverName);
  }
  const goals = missedGoals();
  if (goals.length > 0) console.log(`\nGoals that were missed:\n  ${goals.join('\n  ')}`);
}

run().catch((error: unknown) => {
  console.error(error);
  // A child process that is still connected would keep this one running.
  process.exit(1);
});
