/**
 * `ep-mypads doctor` checks the database for damage, and repairs it if asked to. `ep-mypads erase` removes the plugin's
 * data. Both run in Etherpad's folder. `ep-mypads rebuild-index` calls a running server. See docs/doctor.md. `ep-mypads
 * import` is in importPeople.ts, and `ep-mypads load` in load.ts.
 */
import { closeSync, existsSync, mkdtempSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import {
  describeFaultyLine,
  dropEarlierValues,
  type FaultyLine,
  faultyLines,
  leaveOutFaultyLines,
  writeReadableLines,
} from '../host/dirtyFile';
import { removeIndexFiles } from '../host/index/openIndex';
import { OperatorError, type Standalone } from '../host/standalone';
import { createStoredPads } from '../host/storedPads';
import { createDoctor, type Report } from '../model/doctor/doctor';
import { canRepair, type Finding, type Kind, kinds, orphanKinds } from '../model/doctor/findings';
import { eraseEverything } from '../model/store/erasure';
import { addressOf } from './adminCall';
import { end, fail, progressLine, say } from './console';
import { importPeople, importUsage } from './importPeople';
import { load, loadUsage } from './load';
import { examineOnline, rebuildIndex } from './onlineDoctor';
import { openHost } from './openHost';

const usage = `Usage: ep-mypads doctor [--repair [--keep <folder>]] [--orphans] [--all] [--force] [--settings <file>]
       ep-mypads doctor --online --url <https://pads.example.org>
       ep-mypads rebuild-index --url <https://pads.example.org>
       ep-mypads erase [--force] [--settings <file>]

Run it in Etherpad's folder, with Etherpad stopped. Without --repair nothing is changed.
  --repair    repair what can be repaired; the old values are written into a file in the current folder
  --keep      the folder for this file, if it is not the current one
  --orphans   with --repair: also delete pads that nobody can open, with their texts
  --all       list every finding, not only the first of each kind
  --force     change data although an Etherpad seems to use the database
  --settings  Etherpad's settings file, if it is not settings.json
  --online    ask a running server for its health check instead. Needs an API token of a server administrator with
              “administration”, in the file MYPADS_TOKEN_FILE or in MYPADS_TOKEN. Otherwise signs in with MYPADS_ADMIN
              and MYPADS_PASSWORD; asks if they are missing
  --url       with --online and rebuild-index: the address of Etherpad

rebuild-index builds the index of a running server again. Searches and lists of administrators need it. Signs in as above.
erase deletes accounts, folders and settings, but no texts. Run it before you uninstall the plugin on the command line.
It needs "ep_mypads": { "removeDataOnUninstall": true } in the settings file.`;

const everyUsage = [usage, loadUsage, importUsage].join('\n\n');

const commands = ['doctor', 'erase', 'rebuild-index'] as const;

interface Options {
  command: (typeof commands)[number];
  repair: boolean;
  orphans: boolean;
  all: boolean;
  force: boolean;
  settings: string | undefined;
  /** The folder for old values. */
  keep: string | undefined;
  /** The address of the running server to ask. */
  online: string | undefined;
}

/** All others are for the doctor that opens the database. */
const onlineOptions: readonly string[] = ['online', 'url'];
const eraseOptions: readonly string[] = ['force', 'settings'];

/** Findings of each kind that are listed without --all. */
const maxListed = 10;

function parse(args: readonly string[]): Options {
  const [name, ...rest] = args;
  const command = commands.find((one) => one === name);
  if (command === undefined) throw new OperatorError(everyUsage);
  const flag = { type: 'boolean', default: false } as const;
  const settings = { type: 'string', short: 's' } as const;
  try {
    const keep = { type: 'string' } as const;
    const options = { repair: flag, orphans: flag, all: flag, force: flag, settings, keep };
    const online = { online: flag, url: { type: 'string', default: '' } } as const;
    const { values } = parseArgs({ args: rest, options: { ...options, ...online } });
    const isOnline = values.online || command === 'rebuild-index';
    const address = isOnline ? addressOf(values.url) : undefined;
    if (isOnline !== (address !== undefined)) throw new Error();
    // Whoever writes an option expects that it has an effect.
    const known = isOnline ? onlineOptions : command === 'erase' ? eraseOptions : undefined;
    if (known && Object.entries(values).some(([name, value]) => value && !known.includes(name)))
      throw new Error();
    return { ...values, command, settings: values.settings, keep: values.keep, online: address };
  } catch {
    throw new OperatorError(usage);
  }
}

// 1. Reports

function groupByKind(findings: readonly Finding[]): Map<Kind, Finding[]> {
  const found = new Map<Kind, Finding[]>();
  for (const finding of findings) found.set(finding.kind, [...(found.get(finding.kind) ?? []), finding]);
  return found;
}

function list(findings: readonly Finding[], all: boolean): void {
  for (const [kind, ofKind] of groupByKind(findings)) {
    const repairOptions = orphanKinds.has(kind) ? ' [--repair --orphans]' : ' [--repair]';
    say(
      `  ${String(ofKind.length).padStart(5)}  ${kinds[kind]}${ofKind.some(canRepair) ? repairOptions : ''}`,
    );
    for (const { of, detail } of ofKind.slice(0, all ? ofKind.length : maxListed)) {
      say(`         ${of}${detail === undefined ? '' : `: ${detail}`}`);
    }
    if (!all && ofKind.length > maxListed) say(`         and ${ofKind.length - maxListed} more, see --all`);
  }
}

function describe({ numbers, findings, waiting }: Report, all: boolean): void {
  for (const [name, number] of Object.entries(numbers)) say(`  ${name.padEnd(8)}${number}`);
  if (waiting > 0)
    say(`  ${waiting} pads are being deleted. The deletion continues at the next start of Etherpad.`);
  say();
  if (findings.length === 0) say('Nothing is damaged.');
  else list(findings, all);
}

// 2. Commands

/**
 * Writes the value that each key had before its first change, as lines `{"key":…,"val":…}`. The file is created with
 * the first line.
 */
function openBackup(folder: string): {
  file: string;
  keep(key: string, value: unknown): Promise<void>;
  close(): void;
} {
  const file = path.join(folder, `ep_mypads-doctor-${new Date().toISOString().replace(/\W/g, '')}.db`);
  const keptKeys = new Set<string>();
  let handle: number | undefined;
  return {
    file,
    async keep(key, value) {
      if (keptKeys.has(key)) return;
      keptKeys.add(key);
      handle ??= openSync(file, 'wx', 0o600);
      writeSync(handle, `${JSON.stringify({ key, val: value })}\n`);
    },
    close() {
      if (handle !== undefined) closeSync(handle);
    },
  };
}

function listLines(lines: readonly FaultyLine[], all: boolean): void {
  for (const line of lines.slice(0, all ? lines.length : maxListed))
    say(`         ${describeFaultyLine(line)}`);
  if (!all && lines.length > maxListed) say(`         and ${lines.length - maxListed} more, see --all`);
}

/**
 * Opens the database, even if Etherpad could not. A file with lines that Etherpad cannot read is repaired with
 * `repair`; otherwise a temporary copy without these lines is opened. `faulty`: the number of lines that are left.
 * `orphans`: whether they may be deleted. Without the line of a folder, its pads look like some.
 */
async function openDatabase({ type, file, open }: Standalone, { repair, orphans, all }: Options) {
  const lines = type === 'dirty' && file !== undefined ? await faultyLines(file) : [];
  if (file === undefined || lines.length === 0) return { ...(await open()), faulty: 0, orphans };
  say(`\nEtherpad does not start with ${file}, because it cannot read ${lines.length} of its lines:`);
  listLines(lines, all);
  if (repair) {
    const copy = await leaveOutFaultyLines(file);
    say(`They are left out now. The file as it was is ${copy}. It contains secrets.\n`);
    if (orphans) say('--orphans has no effect in this run: the folder of a pad may be among these lines.\n');
    return { ...(await open()), faulty: 0, orphans: false };
  }
  say('Nothing was changed. --repair leaves them out and keeps a copy. Without them, the database has:\n');
  const folder = mkdtempSync(path.join(tmpdir(), 'ep_mypads-doctor-'));
  const remove = (): void => {
    for (let tries = 0; tries < 5 && existsSync(folder); tries += 1) {
      try {
        rmSync(folder, { recursive: true, force: true, maxRetries: 1 });
      } catch {
        // The driver has created the file once more at the same moment.
      }
    }
  };
  process.once('exit', remove);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => end(2));
  const readable = path.join(folder, 'readable.db');
  await writeReadableLines(file, readable);
  return { ...(await open(readable)), faulty: lines.length, orphans };
}

/**
 * Returns the exit code. 0: nothing is left that these options can repair. 1: something is. 2: some records were
 * unreadable, so nothing was repaired.
 */
async function examine(options: Options): Promise<number> {
  const folder = process.cwd();
  const keepFolder = path.resolve(options.keep ?? folder);
  if (!statSync(keepFolder, { throwIfNoEntry: false })?.isDirectory())
    throw new OperatorError(`There is no folder ${keepFolder}.`);
  const host = await openHost(options, folder, options.repair);
  const { database, close, faulty, orphans } = await openDatabase(host, options);
  const line = progressLine();
  try {
    const doctor = createDoctor({
      database,
      storedPads: createStoredPads,
      presets: host.plugin,
      now: Date.now,
    });
    const isRepairable = (finding: Finding): boolean =>
      canRepair(finding) && (orphans || !orphanKinds.has(finding.kind));
    const report = await doctor.examine(line.show);
    line.end();
    describe(report, options.all);
    if (report.findings.some(({ kind }) => kind === 'unreadable')) return 2;
    const repairable = report.findings.filter(isRepairable).length;
    if (!options.repair) {
      if (repairable > 0) say(`\nNothing was changed. --repair can repair ${repairable} of these.`);
      return repairable + faulty > 0 ? 1 : 0;
    }
    if (repairable === 0) return 0;
    const { file, keep, close: closeBackup } = openBackup(keepFolder);
    // Said before, for a repair that breaks off because the disk is full or the database does not answer.
    say(`\nThe old values are written into ${file}. This file contains secrets.`);
    const repaired = await doctor.repair({ orphans, keep, progress: line.show });
    closeBackup();
    line.end();
    say(`\nRepaired: ${repaired.length}.\n`);
    const after = await doctor.examine(line.show);
    line.end();
    say('After the repair:');
    describe(after, options.all);
    return after.findings.some(isRepairable) ? 1 : 0;
  } finally {
    await close();
  }
}

/** Returns the exit code. */
async function erase(options: Options): Promise<number> {
  const host = await openHost(options, process.cwd(), true);
  if (host.plugin.removeDataOnUninstall !== true) {
    throw new OperatorError(
      'Nothing was deleted: the settings file does not say "ep_mypads": { "removeDataOnUninstall": true }.',
    );
  }
  const { database, close } = await host.open();
  let records: number;
  try {
    records = await eraseEverything(database);
    removeIndexFiles(host.indexFolder);
  } finally {
    await close();
  }
  // Etherpad only appends to this file. A process that has it open would go on to write into the old one.
  if (host.type === 'dirty' && host.file !== undefined && !options.force) await dropEarlierValues(host.file);
  say(`Deleted ${records} records. The texts of pads were kept.`);
  say('Uninstall the plugin now. If it starts again, it creates new data.');
  return 0;
}

async function run(args: readonly string[]): Promise<number> {
  if (args.includes('--help') || args.includes('-h')) {
    say(args[0] === 'import' ? importUsage : args[0] === 'load' ? loadUsage : everyUsage);
    return 0;
  }
  if (args[0] === 'import') return importPeople(args.slice(1));
  if (args[0] === 'load') return load(args.slice(1));
  const options = parse(args);
  if (options.command === 'erase') return erase(options);
  if (options.online === undefined) return examine(options);
  return options.command === 'doctor' ? examineOnline(options.online) : rebuildIndex(options.online);
}

run(process.argv.slice(2)).then(end, (error: unknown) => fail(error, error instanceof OperatorError));
