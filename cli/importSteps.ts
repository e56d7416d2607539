/** The steps of `ep-mypads import`, with and without `--sync`. */
import { OperatorError } from '../host/standalone';
import { limits } from '../model/limits';
import type { Answer, Call } from './adminCall';
import type { Fault, PersonRow } from './importFile';

export const reasonOf = ({ error = '', field, key, scope }: Answer): string =>
  [error.replace('BACKEND.ERROR.', ''), (field ?? scope) && `(${field ?? scope})`, key && `“${key}”`]
    .filter(Boolean)
    .join(' ');

export const notFound = 'BACKEND.ERROR.USER.NOT_FOUND';
export const addressTaken = 'BACKEND.ERROR.USER.EMAIL_ALREADY_EXISTS';

export const nameTooLong = `the name has more than ${limits.name} characters`;

type Settings = Record<string, unknown>;

export interface Run {
  call: Call;
  /** What `GET configuration` says. */
  settings: Settings;
  dryRun: boolean;
  faults: Fault[];
  /** Numbers of finished actions by their description. */
  counts: Map<string, number>;
  /** What a person should look at before the import. */
  notes: string[];
}

export async function settingsOf(call: Call): Promise<Settings> {
  const answer = await call('GET', 'configuration');
  if (answer.error) throw new OperatorError(`Nothing was done: ${reasonOf(answer)}`);
  return answer.value as Settings;
}

/** Whether a new account can have the password of the line. Without one, the person gets a link. */
export function hasUsablePassword({ settings }: Run, { account: { password } }: PersonRow): boolean {
  const [min, max] = [Number(settings.passwordMin), Number(settings.passwordMax)];
  return password === undefined || (password.length >= min && password.length <= Math.max(min, max));
}
export const unusablePassword = 'TYPE.PASSWORD_SIZE (password)';

/** When the server stops answering, what was done before is reported as after an import with failed lines. */
export async function untilNoAnswer({ faults }: Run, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    faults.push({ line: 0, what: `${error.message} The import ended here; run it again to complete it.` });
  }
}

export const count = ({ counts }: Run, what: string): void =>
  void counts.set(what, (counts.get(what) ?? 0) + 1);

/** How a text was stored by earlier versions from a file that was not UTF-8: without its letters beyond ASCII. */
const withLostLetters = (text: string): string => text.normalize().replace(/[^\0-\x7f]/gu, '\ufffd');

export const hasLostLetters = (stored: unknown, text: string): boolean =>
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

/** USER.EMAIL_ALREADY_EXISTS if an account has this address. */
export async function addressError({ call }: Run, email: string): Promise<Answer | undefined> {
  const { users = {}, ...others } = await call('GET', `search-users/${encodeURIComponent(email)}`);
  const addresses = Object.values(users as Record<string, { email: string }>).map((user) => user.email);
  const isTaken = addresses.some((address) => address.toLowerCase() === email.toLowerCase());
  if (isTaken) return { error: addressTaken, field: 'email' };
  return others.error === undefined ? undefined : others;
}

/** The account with this username. Without one, USER.EMAIL_ALREADY_EXISTS or USER.NOT_FOUND, as a new one would get. */
export async function findAccount(run: Run, { login, email }: PersonRow['account']): Promise<Answer> {
  const found = await run.call('GET', `user/${encodeURIComponent(login)}`);
  return found.error === notFound ? ((await addressError(run, email)) ?? found) : found;
}

/** Returns whether the account exists, was created, or could be created. */
export async function importPerson(run: Run, row: PersonRow): Promise<boolean> {
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
  const existing = await findAccount(run, account);
  if (existing.error === notFound) {
    if (!hasUsablePassword(run, row)) return fail(`${account.login}: ${unusablePassword}`);
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

export interface Folder {
  name: string;
  /** The first line of the file that names the folder. */
  line: number;
  admins: string[];
  users: string[];
}

/** Two spellings of a letter in Unicode mean the same folder, with the name as it comes first. */
export function foldersOf(rows: readonly PersonRow[]): Folder[] {
  const folders = new Map<string, Folder>();
  for (const { line, account, groups, administers } of rows) {
    const managed = new Set(administers.map((name) => name.normalize()));
    const names = [...groups, ...administers].map((name) => [name.normalize(), name] as const);
    for (const [key, name] of new Map(names)) {
      const folder = folders.get(key) ?? { name, line, admins: [], users: [] };
      folders.set(key, folder);
      (managed.has(key) ? folder.admins : folder.users).push(account.login);
    }
  }
  return [...folders.values()];
}

/** The folders with this name. Without one, those whose name lacks letters because of an earlier import. */
export async function foldersNamed({ call }: Run, name: string): Promise<Answer> {
  const find = (wanted: string) => call('GET', `admin/groups?limit=1&name=${encodeURIComponent(wanted)}`);
  const found = await find(name);
  return found.count === 0 && withLostLetters(name) !== name ? find(withLostLetters(name)) : found;
}

export const inTrash = 'it is in the trash. Restore it, or delete it for good';

/** The names of the folders in the trash, or the error. Somebody may restore one: then two would have its name. */
export async function namesInTrash({ call }: Run): Promise<Set<string> | Answer> {
  const names = new Set<string>();
  for (let offset = 0; ; offset += limits.adminPage) {
    const answer = await call('GET', `trash?limit=${limits.adminPage}&offset=${offset}`);
    if (answer.error) return answer;
    const entries = answer.entries as { kind: string; name: string }[];
    for (const { kind, name } of entries) if (kind === 'group') names.add(name.normalize());
    if (entries.length < limits.adminPage) return names;
  }
}

export const keyOf = (login: string): string => login.normalize().toLowerCase();

/** The managers of a folder of `foldersNamed` whom the file names as such, and the others. */
export function managersOf(found: unknown, { admins }: Folder): { named: string[]; others: string[] } {
  const isNamed = new Set(admins.map(keyOf));
  const logins = (found as { admins: { login: string }[] }).admins.map(({ login }) => login);
  return {
    named: logins.filter((login) => isNamed.has(keyOf(login))),
    others: logins.filter((login) => !isNamed.has(keyOf(login))),
  };
}

export const managedBy = (others: readonly string[]): string =>
  `there is one already, managed by ${others.join(', ')}. Name them as its managers, or rename it`;

/** Throws an OperatorError if there is somebody to invite and the server cannot send them a link. */
export async function requireMail(
  { settings }: Run,
  firstInvited: () => Promise<PersonRow | undefined>,
): Promise<void> {
  if (settings.passwordRecovery === true) return;
  const person = await firstInvited();
  if (!person) return;
  const missing = ['rootUrl', 'SMTPHost', 'SMTPEmailFrom'].filter((name) => !settings[name]);
  const reason =
    settings.storesPasswords === true
      ? `email is not set up${missing.length > 0 ? ` (${missing.join(', ')})` : ''}`
      : `passwords are those of ${String(settings.authMethod)}`;
  throw new OperatorError(
    `Nothing was done. Line ${person.line} has no password, so the person would get a link by email to choose one, but ${reason}.`,
  );
}
