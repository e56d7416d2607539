/**
 * `ep-mypads load` copies the file of Etherpad's embedded database into the database of the settings file. Etherpad's
 * own programs for this copy nothing (2.x), write ten records a second, or do not start (3.x). See docs/backup.md.
 */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { describeFaultyLine, faultyLines, readRecords } from '../host/dirtyFile';
import { OperatorError, processesWithOpen } from '../host/standalone';
import type { Database } from '../model/ports';
import { progressLine, say } from './console';
import { openHost } from './openHost';

export const loadUsage = `Usage: ep-mypads load <var/dirty.db> [--settings <file>]

Copies the file of an embedded database of type “dirty”, with all pads and accounts, into the database that the settings
file names. That must have no pads and accounts. Run it in Etherpad's folder, with Etherpad stopped.`;

/** Records that are written at the same time. Etherpad's database confirms them together. */
const batchSize = 1000;

/** What every Etherpad has after a while, and this plugin from its first start. */
const usual = ['pad:*', 'globalAuthor:*', 'mypads:*'];

function parse(args: string[]): { file: string; settings: string | undefined } {
  try {
    const options = { settings: { type: 'string', short: 's' } } as const;
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
    const [file, ...others] = positionals;
    if (file === undefined || others.length > 0) throw new Error();
    return { file: path.resolve(file), settings: values.settings };
  } catch {
    throw new OperatorError(loadUsage);
  }
}

/** Throws an OperatorError if something uses the file, or if Etherpad could not read it. */
async function requireUsable(file: string): Promise<void> {
  if (!existsSync(file)) throw new OperatorError(`There is no ${file}.`);
  const users = processesWithOpen(file) ?? [];
  if (users.length > 0)
    throw new OperatorError(`Process ${users.join(', ')} has ${file} open. Stop Etherpad first.`);
  const [fault] = await faultyLines(file);
  if (fault)
    throw new OperatorError(
      `Nothing was copied, because Etherpad cannot read ${file} (${describeFaultyLine(fault)}). “ep-mypads doctor --repair” repairs it, with a settings file that names it.`,
    );
}

async function requireEmpty(database: Database): Promise<void> {
  for (const pattern of usual) {
    const { length } = await database.findKeys(pattern, null);
    if (length > 0)
      throw new OperatorError(
        `Nothing was copied, because the database is not empty: it has ${length} records “${pattern}”. Empty it first.`,
      );
  }
}

/** Returns the keys of the records that were written. */
async function copy(file: string, database: Database): Promise<string[]> {
  const written: string[] = [];
  const line = progressLine();
  await readRecords(file, batchSize, async (records, total) => {
    await Promise.all(
      records.map(({ key, val }) =>
        database.set(key, val).catch((error: unknown) => {
          const reason = error instanceof Error ? error.message : error;
          throw new OperatorError(
            `The database does not take ${key}: ${reason}. Empty it before you try again.`,
          );
        }),
      ),
    );
    for (const { key } of records) written.push(key);
    line.show('copied', written.length, total);
  });
  line.end();
  return written;
}

/** Returns the exit code. */
export async function load(args: string[]): Promise<number> {
  const { file, settings } = parse(args);
  const host = await openHost({ settings, force: false, mayBeNew: true }, process.cwd(), true);
  if (host.type === 'dirty')
    throw new OperatorError(
      'The settings file names a database of type “dirty”. Write the new database into it first.',
    );
  await requireUsable(file);
  const { database, close } = await host.open();
  try {
    await requireEmpty(database);
    const written = await copy(file, database);
    const found = new Set(await database.findKeys('*', null));
    const missing = written.filter((key) => !found.has(key));
    if (missing.length > 0)
      throw new OperatorError(`${missing.length} records are missing in the database, first ${missing[0]}.`);
    say(`Copied ${written.length} records. ${file} is as it was; keep it until everything works.`);
    return 0;
  } finally {
    await close();
  }
}
