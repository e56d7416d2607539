/**
 * `npx ep-mypads doctor`, in Etherpad's folder: looks through the database for damage, prints numbers, and mends what can be mended when
 * it is asked to. See docs/doctor.md.
 */
import { closeSync, openSync, writeSync } from 'node:fs';
import path from 'node:path';
import { answers, Complaint, loadHost, type Standalone, whoHasOpen } from '../host/standalone';
import { canMend, createDoctor, type Report } from '../model/doctor/doctor';
import type { Progress } from '../model/doctor/facts';
import { type Finding, type Kind, kinds, orphanKinds } from '../model/doctor/findings';

const usage = `Usage: npx ep-mypads doctor [--repair] [--orphans] [--all] [--force] [--settings <file>]

Run it in Etherpad's folder, with Etherpad stopped. Without --repair nothing is changed.
  --repair    mend what can be mended; every old value is kept in a file beside it
  --orphans   with --repair: also remove pads that nobody can reach, with their texts
  --all       list every finding, not only the first of each kind
  --force     although something answers where Etherpad would
  --settings  Etherpad's settings file, where it is not settings.json`;

interface Options {
  repair: boolean;
  orphans: boolean;
  all: boolean;
  force: boolean;
  settings: string | undefined;
}

/** Findings of one kind that are listed without --all. */
const mostListed = 10;

function parse(args: readonly string[]): Options {
  const options: Options = { repair: false, orphans: false, all: false, force: false, settings: undefined };
  const [command, ...rest] = args;
  if (command !== 'doctor') throw new Complaint(usage);
  for (let index = 0; index < rest.length; index++) {
    const argument = rest[index];
    if (argument === '--repair') options.repair = true;
    else if (argument === '--orphans') options.orphans = true;
    else if (argument === '--all') options.all = true;
    else if (argument === '--force') options.force = true;
    else if ((argument === '--settings' || argument === '-s') && rest[index + 1]) {
      index += 1;
      options.settings = rest[index];
    } else throw new Complaint(usage);
  }
  return options;
}

// 1. What is said. The host prints its own log to the same place: that is held back, and shown only when something fails.

const print = process.stdout.write.bind(process.stdout);
let heldBack = '';

function holdBack(): void {
  process.stdout.write = ((text: string | Uint8Array): boolean => {
    heldBack += typeof text === 'string' ? text : Buffer.from(text).toString('utf8');
    return true;
  }) as typeof process.stdout.write;
}

function say(line = ''): void {
  print(`${line}\n`);
}

/** One line that changes, where somebody looks; elsewhere a line every ten seconds. */
function progressLine(): { show: Progress; end(): void } {
  const { isTTY } = process.stderr;
  let last = Date.now();
  let used = false;
  return {
    show(what, done, total) {
      if (Date.now() - last < (isTTY ? 100 : 10_000)) return;
      last = Date.now();
      used = true;
      process.stderr.write(`${isTTY ? '\r\x1b[K' : ''}${what} ${done} of ${total}${isTTY ? '' : '\n'}`);
    },
    end() {
      if (used && isTTY) process.stderr.write('\r\x1b[K');
    },
  };
}

function byKind(findings: readonly Finding[]): Map<Kind, Finding[]> {
  const found = new Map<Kind, Finding[]>();
  for (const finding of findings) found.set(finding.kind, [...(found.get(finding.kind) ?? []), finding]);
  return found;
}

function list(findings: readonly Finding[], all: boolean): void {
  for (const [kind, ones] of byKind(findings)) {
    const how = ones.some(canMend) ? (orphanKinds.has(kind) ? ' [--repair --orphans]' : ' [--repair]') : '';
    say(`  ${String(ones.length).padStart(5)}  ${kinds[kind]}${how}`);
    for (const { of, detail } of ones.slice(0, all ? ones.length : mostListed)) {
      say(`         ${of}${detail === undefined ? '' : `: ${detail}`}`);
    }
    if (!all && ones.length > mostListed) say(`         and ${ones.length - mostListed} more, see --all`);
  }
}

function describe({ numbers, findings, waiting }: Report, all: boolean): void {
  for (const [name, number] of Object.entries(numbers)) say(`  ${name.padEnd(8)}${number}`);
  if (waiting > 0)
    say(`  ${waiting} pads wait for their removal, which goes on at the next start of Etherpad.`);
  say();
  if (findings.length === 0) say('Nothing is damaged.');
  else list(findings, all);
}

// 2. What is done

/** In words, why nothing may be changed now; `undefined` when nothing is known against it. */
async function inUse({ file, ip, port }: Standalone): Promise<string | undefined> {
  const processes = file === undefined ? [] : whoHasOpen(file);
  if (processes && processes.length > 0) return `Process ${processes.join(', ')} has ${file} open.`;
  if (await answers(ip, port)) return `Something answers on port ${port}, where this Etherpad would.`;
  if (processes === undefined || file === undefined) {
    say('Whether an Etherpad works with this database cannot be told for sure: make certain that none does.');
  }
  return undefined;
}

/** Takes the old value of each key that changes, once, one `{"key":…,"val":…}` a line. The file is made when the first comes. */
function openKeep(folder: string): {
  file: string;
  keep(key: string, value: unknown): Promise<void>;
  close(): void;
} {
  const file = path.join(folder, `ep_mypads-doctor-${new Date().toISOString().replace(/\W/g, '')}.db`);
  const kept = new Set<string>();
  let handle: number | undefined;
  return {
    file,
    async keep(key, value) {
      if (kept.has(key)) return;
      kept.add(key);
      handle ??= openSync(file, 'wx', 0o600);
      writeSync(handle, `${JSON.stringify({ key, val: value })}\n`);
    },
    close() {
      if (handle !== undefined) closeSync(handle);
    },
  };
}

/** Returns the exit code: 0 nothing is damaged (any more), 1 something is that can be mended. */
async function run(args: readonly string[]): Promise<number> {
  const options = parse(args);
  const folder = process.cwd();
  holdBack();
  const host = loadHost(folder, options.settings);
  say(`Etherpad ${host.version}, database ${host.type}${host.file === undefined ? '' : ` in ${host.file}`}`);
  const against = await inUse(host);
  if (against !== undefined && options.repair && !options.force) {
    throw new Complaint(`${against} Stop Etherpad first; nothing was changed.`);
  }
  if (against !== undefined) say(`${against} What follows may be old already.`);
  const { database, close } = await host.open();
  const line = progressLine();
  try {
    const doctor = createDoctor({ database, now: Date.now });
    const isOpen = (finding: Finding): boolean =>
      canMend(finding) && (options.orphans || !orphanKinds.has(finding.kind));
    const report = await doctor.examine(line.show);
    line.end();
    describe(report, options.all);
    if (report.findings.some(({ kind }) => kind === 'unreadable')) return 2;
    const open = report.findings.filter(isOpen).length;
    if (!options.repair) {
      if (open > 0) say(`\nNothing was changed. With --repair, ${open} of these are mended.`);
      return open > 0 ? 1 : 0;
    }
    if (open === 0) return 0;
    const { file, keep, close: closeKeep } = openKeep(folder);
    const mended = await doctor.repair({ orphans: options.orphans, keep, progress: line.show });
    closeKeep();
    line.end();
    say(`\nMended ${mended.length}.`);
    say(`\nThe values from before are in ${file}; they hold what people keep secret.\n`);
    const after = await doctor.examine(line.show);
    line.end();
    say('Afterwards:');
    describe(after, options.all);
    return after.findings.some(isOpen) ? 1 : 0;
  } finally {
    await close();
  }
}

let told = false;

/** Etherpad ends the process itself when its database cannot be opened, and says why where it is held back. */
process.once('exit', () => {
  if (!told) print(heldBack);
});

function end(code: number): void {
  told = true;
  process.exit(code);
}

run(process.argv.slice(2)).then(end, (error: unknown) => {
  // Not by the console: Etherpad may have put its own log in its place.
  if (!(error instanceof Complaint)) print(heldBack);
  const text = error instanceof Error ? (error instanceof Complaint ? error.message : error.stack) : error;
  process.stderr.write(`${text}\n`);
  end(2);
});
