/**
 * `ep-mypads import people.csv` creates accounts and folders through the API of a running server, as a server
 * administrator. Existing ones are not changed, so it can be run again; only letters that an import has lost come back.
 * See docs/administrators.md.
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { OperatorError } from '../host/standalone';
import { type Answer, addressOf, type Call, signIn } from './adminCall';
import { progressLine, say } from './console';
import { decode, type Fault, type PersonRow, readPeople } from './importFile';

export const importUsage = `Usage: ep-mypads import <file.csv> --url <https://pads.example.org> [--dry-run]

Creates the accounts and folders of a file on a running server. Existing ones are not changed.
  --url      the address of Etherpad
  --dry-run  only show what would be done
Needs an API token of a server administrator with all scopes, in the file MYPADS_TOKEN_FILE or in MYPADS_TOKEN.
Otherwise signs in with MYPADS_ADMIN and MYPADS_PASSWORD; asks if they are missing.
Columns: login, email, and optionally firstname, lastname, organization, lang, password, groups, administers.`;

const reasonOf = ({ error = '', field, key, scope }: Answer): string =>
  [error.replace('BACKEND.ERROR.', ''), (field ?? scope) && `(${field ?? scope})`, key && `“${key}”`]
    .filter(Boolean)
    .join(' ');

interface Run {
  call: Call;
  dryRun: boolean;
  faults: Fault[];
  /** Numbers of finished actions by their description. */
  counts: Map<string, number>;
}

const count = ({ counts }: Run, what: string, more = 1): void =>
  void counts.set(what, (counts.get(what) ?? 0) + more);

/** How a text was stored by earlier versions from a file that was not UTF-8: without its letters beyond ASCII. */
const withLostLetters = (text: string): string => text.normalize().replace(/[^\0-\x7f]/gu, '\ufffd');

const hasLostLetters = (stored: unknown, text: string): boolean =>
  stored !== text && stored === withLostLetters(text);

/** Gives an existing account the letters in its names that an earlier import has lost. */
async function restoreNames(
  { call, dryRun }: Run,
  { account }: PersonRow,
  stored: Record<string, unknown>,
): Promise<Answer | undefined> {
  const lost = (['firstname', 'lastname', 'organization'] as const).flatMap((name) => {
    const text = account[name];
    return text !== undefined && hasLostLetters(stored[name], text) ? [[name, text] as const] : [];
  });
  if (lost.length === 0) return undefined;
  return dryRun ? {} : call('PUT', `user/${encodeURIComponent(account.login)}`, Object.fromEntries(lost));
}

/** Counts an account that existed before the import, and repairs it. */
async function keepPerson(run: Run, row: PersonRow, stored: unknown): Promise<boolean> {
  const restored = await restoreNames(run, row, stored as Record<string, unknown>);
  if (restored?.error) {
    run.faults.push({ line: row.line, what: `${row.account.login}: ${reasonOf(restored)}` });
    return false;
  }
  count(run, 'accounts that already existed');
  if (restored) count(run, run.dryRun ? 'accounts to correct' : 'accounts corrected');
  return true;
}

/** Returns whether the account exists, was created, or could be created. */
async function importPerson(run: Run, row: PersonRow): Promise<boolean> {
  const { line, account } = row;
  const { call, dryRun, faults } = run;
  const fail = (what: string): false => {
    faults.push({ line, what });
    return false;
  };
  if (!dryRun) {
    const invite = account.password === undefined;
    const answer = await call('POST', 'user', {
      ...account,
      ...(invite ? { invite } : {}),
      ifExists: 'answer',
    });
    if (answer.error) return fail(`${account.login}: ${reasonOf(answer)}`);
    if (!answer.made) return keepPerson(run, row, answer.value);
    count(run, 'accounts created');
    return true;
  }
  const existing = await call('GET', `user/${encodeURIComponent(account.login)}`);
  if (existing.error === 'BACKEND.ERROR.USER.NOT_FOUND') {
    count(run, 'accounts to create');
    return true;
  }
  if (existing.error) return fail(`${account.login}: ${reasonOf(existing)}`);
  const { email } = existing.value as { email: string };
  if (email.toLowerCase() !== account.email.toLowerCase()) {
    return fail(`${account.login}: USER.ALREADY_EXISTS with another address`);
  }
  return keepPerson(run, row, existing.value);
}

interface Folder {
  name: string;
  /** The first line of the file that names the folder. */
  line: number;
  admins: string[];
  users: string[];
}

function foldersOf(rows: readonly PersonRow[]): Folder[] {
  const folders = new Map<string, Folder>();
  for (const { line, account, groups, administers } of rows) {
    for (const name of new Set([...groups, ...administers])) {
      const folder = folders.get(name) ?? { name, line, admins: [], users: [] };
      folders.set(name, folder);
      (administers.includes(name) ? folder.admins : folder.users).push(account.login);
    }
  }
  return [...folders.values()];
}

/** The folders with this name. Without one, those whose name lacks letters because of an earlier import. */
async function foldersNamed({ call }: Run, name: string): Promise<Answer> {
  const find = (wanted: string) => call('GET', `admin/groups?limit=1&name=${encodeURIComponent(wanted)}`);
  const found = await find(name);
  return found.count === 0 && withLostLetters(name) !== name ? find(withLostLetters(name)) : found;
}

/** Finds or creates the folder. Returns its id; `undefined` on an error and in a dry run without such a folder. */
async function findFolder(run: Run, { name, line, admins }: Folder): Promise<string | undefined> {
  const { call, dryRun, faults } = run;
  const found = await foldersNamed(run, name);
  const [group] = (found.groups as { _id: string; name: string }[] | undefined) ?? [];
  const [admin] = admins;
  const fail = (what: string): undefined => void faults.push({ line, what: `folder “${name}”: ${what}` });
  if (found.error) return fail(reasonOf(found));
  if (Number(found.count) > 1) return fail(`there are ${found.count} folders with this name`);
  if (group) {
    if (hasLostLetters(group.name, name)) {
      const renamed = dryRun ? {} : await call('PUT', `group/${group._id}`, { name });
      if (renamed.error) return fail(reasonOf(renamed));
      count(run, dryRun ? 'folders to correct' : 'folders corrected');
    }
    count(run, 'folders that already existed');
    return group._id;
  }
  if (admin === undefined) return fail('it does not exist, and the file names no manager for it');
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
  for (const [index, folder] of folders.entries()) {
    line.show('Folders', index, folders.length);
    const id = await findFolder(run, folder);
    if (id !== undefined && !run.dryRun) await fillFolder(run, id, folder);
  }
  line.end();
}

function list(faults: readonly Fault[]): void {
  for (const { line, what } of faults) say(`  line ${line}: ${what}`);
}

function optionsOf(args: readonly string[]): { file: string; base: string; dryRun: boolean } {
  const options = { url: { type: 'string' }, 'dry-run': { type: 'boolean' } } as const;
  try {
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
    const [file, ...more] = positionals;
    const { url = '' } = values;
    const base = addressOf(url);
    if (file === undefined || more.length > 0 || base === undefined) throw new Error();
    return { file, base, dryRun: values['dry-run'] === true };
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
    if (error === 'BACKEND.ERROR.USER.NOT_FOUND') return row;
  }
  return undefined;
}

/** Throws an OperatorError if the file has people to invite and the server cannot send them a link. */
async function requireMail(call: Call, rows: readonly PersonRow[]): Promise<void> {
  const { value = {}, error } = await call('GET', 'configuration');
  const settings = value as Record<string, unknown>;
  if (error || settings.passwordRecovery === true) return;
  const person = await firstInvited(call, rows);
  if (!person) return;
  const missing = ['rootUrl', 'SMTPHost', 'SMTPEmailFrom'].filter((name) => !settings[name]);
  const reason =
    settings.authMethod === 'internal'
      ? `email is not set up${missing.length > 0 ? ` (${missing.join(', ')})` : ''}`
      : `passwords are those of ${String(settings.authMethod)}`;
  throw new OperatorError(
    `Nothing was done. Line ${person.line} has no password, so the person would get a link by email to choose one, but ${reason}.`,
  );
}

/**
 * Returns the exit code. 0: every line was imported, or with --dry-run could be. 1: some lines failed. 2: the file is
 * invalid and nothing was done.
 */
export async function importPeople(args: readonly string[]): Promise<number> {
  const { file, base, dryRun } = optionsOf(args);
  const decoded = decode(bytesOf(file));
  const { rows, faults } =
    'fault' in decoded ? { rows: [], faults: [decoded.fault] } : readPeople(decoded.text);
  if (faults.length > 0) {
    say(`Nothing was done. ${file}:`);
    list(faults);
    return 2;
  }
  const run: Run = { call: await signIn(base), dryRun, faults: [], counts: new Map() };
  await requireMail(run.call, rows);
  await importAll(run, rows);
  for (const [what, number] of run.counts) say(`  ${String(number).padStart(6)}  ${what}`);
  if (dryRun) say('Nothing was changed.');
  if (run.faults.length === 0) return 0;
  say(`Failed: ${run.faults.length}.`);
  list(run.faults);
  return 1;
}
