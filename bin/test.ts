/**
 * `npm test`: builds, then runs every part and adds up. `npm test host` runs one part. `SKIP=browser,host npm test` leaves parts out,
 * and the closing lines say so; a part that cannot run is a failure.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buildAll } from './build';
import type { Counts } from './mochaReporter';
import { findBrowser, findSlapd } from './programs';

const root = path.resolve(__dirname, '..');
const one: Counts = { passed: 1, failed: 0, skipped: 0, failures: [] };
const failure = (what: string): Counts => ({ passed: 0, failed: 1, skipped: 0, failures: [what] });

/** Runs a program of ours to its end and shows what it says. */
function succeeds(program: string, args: string[], env: NodeJS.ProcessEnv = {}): boolean {
  const file = path.join(root, 'node_modules', '.bin', program);
  const shell = process.platform === 'win32';
  return (
    spawnSync(file, args, { cwd: root, stdio: 'inherit', shell, env: { ...process.env, ...env } }).status ===
    0
  );
}

function cannotRun(why: string): Counts {
  console.error(why);
  return failure(why);
}

function check(): Counts {
  const results = [
    ['types', succeeds('tsc', ['--noEmit'])],
    ['lint', succeeds('biome', ['ci', '.'])],
  ] as const;
  for (const [name, good] of results) console.log(`  ${good ? '✔' : '✘'} ${name}`);
  return results.map(([name, good]) => (good ? one : failure(name))).reduce(add);
}

const filesOf = (part: string): string => `test/${part}/**/*.test.ts`;

function mocha(files: readonly string[], env: NodeJS.ProcessEnv = {}): Counts {
  const folder = mkdtempSync(path.join(tmpdir(), 'mypads-counts-'));
  const file = path.join(folder, 'counts.json');
  try {
    const good = succeeds('mocha', ['--reporter', './bin/mochaReporter.ts', ...files], {
      BUILT: '1',
      COUNTS: file,
      ...env,
    });
    const counts = JSON.parse(readFileSync(file, 'utf8')) as Counts;
    if (counts.passed + counts.failed === 0) return cannotRun(`There is no test in ${files.join(', ')}.`);
    return good || counts.failed > 0 ? counts : add(counts, failure('mocha did not end well'));
  } catch {
    return cannotRun(`The tests of ${files.join(', ')} did not come to an end.`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function browser(): Counts {
  const chrome = findBrowser();
  return chrome
    ? mocha([filesOf('browser')], { CHROME_PATH: chrome })
    : cannotRun('No Chromium found: install one, or set CHROME_PATH to a Chromium or Chrome.');
}

function withDirectory(files: string[], env?: NodeJS.ProcessEnv): Counts {
  return findSlapd() ? mocha(files, env) : cannotRun('No slapd found: install the package slapd (OpenLDAP).');
}

const parts = new Map<string, () => Counts>(
  Object.entries({
    check,
    unit: () => mocha([filesOf('unit')]),
    api: () => mocha([filesOf('api')]),
    // What speaks HTTP, once more: over the network, against the plugin in a real Etherpad.
    network: () => withDirectory([filesOf('api'), 'test/ldap/signIn.test.ts'], { API_HOST: '1' }),
    ldap: () => withDirectory([filesOf('ldap')]),
    database: () => mocha([filesOf('database')]),
    host: () => withDirectory([filesOf('host')]),
    browser,
  }),
);

function add(a: Counts, b: Counts): Counts {
  return {
    passed: a.passed + b.passed,
    failed: a.failed + b.failed,
    skipped: a.skipped + b.skipped,
    failures: [...a.failures, ...b.failures],
  };
}

/** `N passed, N failed`, and `, N skipped` where there are any. */
function say({ passed, failed, skipped }: Counts): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

async function test(wanted: string[]): Promise<number> {
  const names = [...parts.keys()];
  const unknown = wanted.filter((name) => !names.includes(name));
  if (unknown.length > 0) {
    console.error(`There is no part called ${unknown.join(', ')}; there are ${names.join(', ')}.`);
    return 2;
  }
  const left = (process.env.SKIP ?? '').split(',').map((name) => name.trim());
  const chosen = names.filter((name) => wanted.length === 0 || wanted.includes(name));
  const skipped = chosen.filter((name) => left.includes(name));
  console.log('Building …');
  await buildAll();
  let total: Counts = { passed: 0, failed: 0, skipped: skipped.length, failures: [] };
  const summary: string[] = [];
  for (const [name, run] of parts) {
    if (!chosen.includes(name) || skipped.includes(name)) continue;
    console.log(`\n── ${name} ──`);
    const started = Date.now();
    const counts = run();
    const seconds = Math.round((Date.now() - started) / 1000);
    summary.push(`${name}: ${say(counts)} (${seconds} s)`);
    total = add(total, { ...counts, failures: counts.failures.map((what) => `  ${name}: ${what}`) });
  }
  if (total.failures.length > 0) console.log(`\nFailed:\n${total.failures.join('\n')}`);
  console.log(`\n${summary.join('\n')}`);
  if (skipped.length > 0) console.log(`Left out with SKIP: ${skipped.join(', ')}`);
  console.log(say(total));
  return total.failed > 0 ? 1 : 0;
}

test(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    console.error(error);
    console.log(say(failure('the run')));
    process.exitCode = 1;
  },
);
