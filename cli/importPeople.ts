/**
 * `ep-mypads import people.csv` creates accounts and folders through the API of a running server, as a server
 * administrator. Existing ones are not changed, so it can be run again; only letters that an import has lost come back.
 * With `--sync`, they become as the file says. See docs/administrators.md.
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { OperatorError } from '../host/standalone';
import { limits } from '../model/limits';
import { addressOf, type Call, signIn } from './adminCall';
import { progressLine, say } from './console';
import { decode, type Fault, type People, type PersonRow, readPeople } from './importFile';
import {
  count,
  type Folder,
  foldersNamed,
  foldersOf,
  hasLostLetters,
  importPerson,
  inTrash,
  managedBy,
  managersOf,
  namesInTrash,
  nameTooLong,
  notFound,
  type Run,
  reasonOf,
  requireMail,
  settingsOf,
  untilNoAnswer,
} from './importSteps';
import { syncPeople } from './syncPeople';

export const importUsage = `Usage: ep-mypads import <file.csv> --url <https://pads.example.org> [--dry-run] [--sync [--limit <20>] [--confirm]]

Creates the accounts and folders of a file on a running server. Existing ones are not changed.
  --url      the address of Etherpad
  --dry-run  only show what would be done
  --sync     also change names, addresses and roles, and deactivate who is missing, as far as earlier syncs brought them
  --limit    take roles or accounts from at most so many people
  --confirm  take them from any number of people
Needs an API token of a server administrator with all scopes, in the file MYPADS_TOKEN_FILE or in MYPADS_TOKEN.
Otherwise signs in with MYPADS_ADMIN and MYPADS_PASSWORD; asks if they are missing.
Columns: login, email, and optionally firstname, lastname, organization, lang, password, groups, administers.`;

/**
 * Finds or creates the folder. Returns its id; `undefined` on an error and in a dry run without such a folder. It is an
 * error if others manage it than the file says: anyone can have made it, and would read what a class writes.
 */
async function findFolder(
  run: Run,
  folder: Folder,
  trashed: Awaited<ReturnType<typeof namesInTrash>>,
): Promise<string | undefined> {
  const { name, line, admins } = folder;
  const { call, dryRun, faults } = run;
  const found = await foldersNamed(run, name);
  const [group] = (found.groups as { _id: string; name: string }[] | undefined) ?? [];
  const [admin] = admins;
  const fail = (what: string): undefined => void faults.push({ line, what: `folder “${name}”: ${what}` });
  if (found.error) return fail(reasonOf(found));
  if (Number(found.count) > 1) return fail(`there are ${found.count} folders with this name`);
  if (group) {
    const { named, others } = managersOf(group, folder);
    // Without a named manager, people may be added to any folder. With one, colleagues may have joined.
    if (admins.length > 0 && named.length === 0 && others.length > 0) return fail(managedBy(others));
    if (others.length > 0) run.notes.push(`“${name}”: ${others.join(', ')}`);
    if (hasLostLetters(group.name, name)) {
      const renamed = dryRun ? {} : await call('PUT', `group/${group._id}`, { name });
      if (renamed.error) return fail(reasonOf(renamed));
      count(run, dryRun ? 'folders to correct' : 'folders corrected');
    }
    count(run, 'folders that already existed');
    return group._id;
  }
  if (admin === undefined) return fail('it does not exist, and the file names no manager for it');
  if (name.length > limits.name) return fail(nameTooLong);
  if (!(trashed instanceof Set)) return fail(reasonOf(trashed));
  if (trashed.has(name.normalize())) return fail(inTrash);
  if (dryRun) return void count(run, 'folders to create');
  const made = await call('POST', 'group', { name, admin, ifExists: 'answer' });
  if (made.error) return fail(reasonOf(made));
  count(run, 'folders created');
  return String(made.key);
}

/** People that are added with one call. */
const batchSize = 500;

async function fillFolder(run: Run, id: string, folder: Folder): Promise<void> {
  for (const [loginsOrEmails, admin] of [
    [folder.admins, true],
    [folder.users, false],
  ] as const) {
    for (let start = 0; start < loginsOrEmails.length; start += batchSize) {
      const body = { loginsOrEmails: loginsOrEmails.slice(start, start + batchSize), admin };
      const answer = await run.call('POST', `group/${id}/members`, body);
      if (answer.error)
        run.faults.push({ line: folder.line, what: `folder “${folder.name}”: ${reasonOf(answer)}` });
    }
  }
}

async function importAll(run: Run, rows: readonly PersonRow[]): Promise<void> {
  const line = progressLine();
  const imported: PersonRow[] = [];
  for (const [index, row] of rows.entries()) {
    line.show('People', index, rows.length);
    if (await importPerson(run, row)) imported.push(row);
  }
  const folders = foldersOf(imported);
  const trashed = folders.length === 0 ? new Set<string>() : await namesInTrash(run);
  for (const [index, folder] of folders.entries()) {
    line.show('Folders', index, folders.length);
    const id = await findFolder(run, folder, trashed);
    if (id !== undefined && !run.dryRun) await fillFolder(run, id, folder);
  }
  line.end();
}

function list(faults: readonly Fault[]): void {
  for (const { line, what } of faults) say(line === 0 ? `  ${what}` : `  line ${line}: ${what}`);
}

interface Options {
  file: string;
  base: string;
  dryRun: boolean;
  /** Missing: only what does not exist yet is created. */
  sync?: { limit: number; confirmed: boolean };
}

function optionsOf(args: readonly string[]): Options {
  const options = {
    url: { type: 'string' },
    'dry-run': { type: 'boolean' },
    sync: { type: 'boolean' },
    limit: { type: 'string' },
    confirm: { type: 'boolean' },
  } as const;
  try {
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
    const [file, ...more] = positionals;
    const { url = '', sync = false, limit, confirm: confirmed = false } = values;
    const base = addressOf(url);
    if (file === undefined || more.length > 0 || base === undefined) throw new Error();
    if (!sync && (limit !== undefined || confirmed)) throw new Error();
    if (limit !== undefined && !/^\d{1,6}$/.test(limit)) throw new Error();
    const given = { file, base, dryRun: values['dry-run'] === true };
    return sync ? { ...given, sync: { limit: Number(limit ?? 20), confirmed } } : given;
  } catch {
    throw new OperatorError(importUsage);
  }
}

function bytesOf(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new OperatorError(`${file} cannot be read: ${error instanceof Error ? error.message : error}`);
  }
}

/** The first person who has no account yet and no password: they get a link by mail. */
async function firstInvited(call: Call, rows: readonly PersonRow[]): Promise<PersonRow | undefined> {
  for (const row of rows) {
    if (row.account.password !== undefined) continue;
    const { error } = await call('GET', `user/${encodeURIComponent(row.account.login)}`);
    if (error === notFound) return row;
  }
  return undefined;
}

/** The people of a file, or all errors in it. */
function readFile(file: string): People {
  const decoded = decode(bytesOf(file));
  if ('fault' in decoded) return { rows: [], hasFolders: false, faults: [decoded.fault] };
  const people = readPeople(decoded.text);
  // A program that has failed may write such a file.
  if (people.rows.length === 0 && people.faults.length === 0)
    return { ...people, faults: [{ line: 0, what: 'it names nobody' }] };
  return people;
}

function sayResult({ counts, notes, faults, dryRun }: Run): void {
  for (const [what, number] of counts) say(`  ${String(number).padStart(6)}  ${what}`);
  if (dryRun && notes.length > 0) {
    say('Existing folders, with their managers whom the file does not name as such:');
    for (const note of notes) say(`  ${note}`);
  }
  if (dryRun) say('Nothing was changed.');
  if (faults.length === 0) return;
  say(`Failed: ${faults.length}.`);
  list(faults);
}

/**
 * Returns the exit code. 0: every line was imported, or with --dry-run could be. 1: some lines failed. 2: the file is
 * invalid and nothing was done. 3: no line failed, but a sync has taken nothing, because of too many people. Throws an
 * OperatorError if the server refuses the token or does not answer, and nothing was done.
 */
export async function importPeople(args: readonly string[]): Promise<number> {
  const { file, base, dryRun, sync } = optionsOf(args);
  const { rows, hasFolders, faults } = readFile(file);
  if (faults.length > 0) {
    say(`Nothing was done. ${file}:`);
    list(faults);
    return 2;
  }
  const call = await signIn(base);
  // Guests can make some of the calls that follow, so a token that has ended must be noticed here.
  const answer = await call('GET', 'admin/groups?limit=1');
  if (answer.error) throw new OperatorError(`Nothing was done: ${reasonOf(answer)}`);
  const settings = await settingsOf(call);
  const run: Run = { call, settings, dryRun, faults: [], counts: new Map(), notes: [] };
  let complete = true;
  if (sync) complete = await syncPeople(run, rows, { ...sync, hasFolders });
  else {
    await requireMail(run, () => firstInvited(run.call, rows));
    await untilNoAnswer(run, () => importAll(run, rows));
  }
  sayResult(run);
  if (run.faults.length > 0) return 1;
  return complete ? 0 : 3;
}
