/**
 * `ep-mypads import --sync`: accounts and roles become as the file says. First makes a plan from what earlier syncs
 * have given, then follows it. What a run did not finish, the next one plans again.
 */
import { randomUUID } from 'node:crypto';
import { OperatorError } from '../host/standalone';
import { limits } from '../model/limits';
import type { Answer } from './adminCall';
import { progressLine, say } from './console';
import type { PersonRow } from './importFile';
import {
  addressError,
  addressTaken,
  type Folder,
  findAccount,
  foldersNamed,
  foldersOf,
  hasUsablePassword,
  inTrash,
  keyOf,
  managedBy,
  managersOf,
  nameTooLong,
  notFound,
  type Run,
  reasonOf,
  requireMail,
  untilNoAnswer,
  unusablePassword,
} from './importSteps';

type Role = 'manager' | 'writer';

/** An account that a sync has made. */
interface KnownAccount {
  login: string;
  email: string;
  firstname: string;
  lastname: string;
  organization: string;
  active: boolean;
  /** A sync has deactivated it. */
  closedBySync: boolean;
}

interface KnownFolder {
  _id: string;
  name: string;
  /** With the role by the file, and the one that they have without it. */
  people: { login: string; role: Role; otherwise: Role | 'reader' | null }[];
}

/** The answer to `GET admin/import`. */
interface ImportState {
  accounts: KnownAccount[];
  folders: KnownFolder[];
  /** Names of folders in the trash that come back with roles by the file. */
  trashed: string[];
}

type Changes = Record<string, string>;

export interface SyncOptions {
  /** From how many people roles or accounts are taken without `confirmed`. */
  limit: number;
  confirmed: boolean;
  /** Whether the file has a column with folders. Otherwise roles stay. */
  hasFolders: boolean;
}

interface PlannedPerson {
  row: PersonRow;
  isNew: boolean;
  changes: Changes;
  /** The one that the account has, in lower case, if it gets another one. */
  address?: string;
}

interface RoleChange {
  login: string;
  before: Role | undefined;
  after: Role | undefined;
  /** The person can do more, or less, than before. Otherwise people have given the same. */
  isGain: boolean;
  isLoss: boolean;
}

interface PlannedFolder {
  /** 0: the file does not name it. */
  line: number;
  name: string;
  /** Missing: it is to be made. */
  id?: string;
  changes: RoleChange[];
}

interface Plan {
  people: PlannedPerson[];
  folders: PlannedFolder[];
  activate: string[];
  deactivate: string[];
  /** Who loses a role or is deactivated. */
  taken: ReadonlySet<string>;
}

const same = (stored: string, text: string): boolean => stored.normalize() === text.normalize();

const ranks = { manager: 3, writer: 2, reader: 1 };
const rankOf = (...roles: (keyof typeof ranks | null | undefined)[]): number =>
  Math.max(...roles.map((role) => (role ? ranks[role] : 0)));

/** What the file says otherwise than the account. Empty cells say nothing. */
function changesOf({ account }: PersonRow, stored: KnownAccount): Changes {
  const names = (['firstname', 'lastname', 'organization'] as const).flatMap((field) => {
    const text = account[field];
    return text === undefined || same(stored[field], text) ? [] : [[field, text] as const];
  });
  const isMoved = stored.email.toLowerCase() !== account.email.toLowerCase();
  return { ...Object.fromEntries(names), ...(isMoved && { email: account.email }) };
}

/** `undefined` after an error. */
async function planPerson(
  run: Run,
  row: PersonRow,
  known: KnownAccount | undefined,
  freed: ReadonlySet<string>,
): Promise<PlannedPerson | undefined> {
  const { line, account } = row;
  const fail = (what: string): undefined => void run.faults.push({ line, what: `${account.login}: ${what}` });
  const isFreed = freed.has(account.email.toLowerCase());
  if (known) {
    const changes = changesOf(row, known);
    // Otherwise the change itself is refused.
    const taken = run.dryRun && changes.email && !isFreed && (await addressError(run, changes.email));
    if (taken) fail(reasonOf(taken));
    return { row, isNew: false, changes, ...(changes.email && { address: known.email.toLowerCase() }) };
  }
  const found = await findAccount(run, account);
  if (found.error === notFound || (found.error === addressTaken && isFreed))
    return hasUsablePassword(run, row) ? { row, isNew: true, changes: {} } : fail(unusablePassword);
  if (found.error) return fail(reasonOf(found));
  const changes = changesOf(row, found.value as KnownAccount);
  // Somebody else has made the account, perhaps for another person with this username.
  if (changes.email !== undefined) return fail('USER.ALREADY_EXISTS with another address');
  return { row, isNew: false, changes };
}

type WantedRoles = ReadonlyMap<string, { login: string; role: Role }>;

function roleChanges(stored: KnownFolder['people'], wanted: WantedRoles): RoleChange[] {
  const known = new Map(stored.map((person) => [keyOf(person.login), person]));
  return [...new Set([...known.keys(), ...wanted.keys()])].flatMap((key) => {
    const { role: before, otherwise } = known.get(key) ?? {};
    const after = wanted.get(key)?.role;
    if (before === after) return [];
    const gain = rankOf(after, otherwise) - rankOf(before, otherwise);
    const login = wanted.get(key)?.login ?? known.get(key)?.login ?? key;
    return [{ login, before, after, isGain: gain > 0, isLoss: gain < 0 }];
  });
}

function wantedRoles({ admins, users }: Folder): WantedRoles {
  const wanted = new Map<string, { login: string; role: Role }>();
  for (const login of admins) wanted.set(keyOf(login), { login, role: 'manager' });
  for (const login of users) wanted.set(keyOf(login), { login, role: 'writer' });
  return wanted;
}

/**
 * The id of the folder; `null`: it is to be made. `undefined` after an error, also for a folder with a manager whom the
 * file does not name as such: anyone can have made it, and would read what a class writes.
 */
async function folderNamed(
  run: Run,
  folder: Folder,
  trashed: readonly string[],
): Promise<string | null | undefined> {
  const { name, line } = folder;
  const found = await foldersNamed(run, name);
  const fail = (what: string): undefined => void run.faults.push({ line, what: `folder “${name}”: ${what}` });
  if (found.error) return fail(reasonOf(found));
  if (Number(found.count) > 1) return fail(`there are ${found.count} folders with this name`);
  const [group] = found.groups as { _id: string }[];
  if (!group && name.length > limits.name) return fail(nameTooLong);
  if (!group && trashed.some((one) => same(one, name))) return fail(inTrash);
  if (!group) return null;
  const { others } = managersOf(group, folder);
  return others.length > 0 ? fail(managedBy(others)) : group._id;
}

async function planFolders(
  run: Run,
  rows: readonly PersonRow[],
  { folders: stored, trashed }: ImportState,
): Promise<PlannedFolder[]> {
  const planned: PlannedFolder[] = [];
  const settled = new Set<string>();
  for (const wanted of foldersOf(rows)) {
    const { name, line, admins } = wanted;
    const known = stored.filter((folder) => same(folder.name, name));
    const [only] = known;
    const id = only && known.length === 1 ? only._id : await folderNamed(run, wanted, trashed);
    // After an error, nobody loses a role there.
    for (const { _id } of known) if (id === undefined || _id === id) settled.add(_id);
    if (id === undefined) continue;
    if (id === null && admins.length === 0) {
      run.faults.push({
        line,
        what: `folder “${name}”: it does not exist, and the file names no manager for it`,
      });
      continue;
    }
    const people = stored.find(({ _id }) => _id === id)?.people ?? [];
    const changes = roleChanges(people, wantedRoles(wanted));
    planned.push({ name, line, ...(id !== null && { id }), changes });
  }
  const left = stored.filter(({ _id }) => !settled.has(_id));
  const none: WantedRoles = new Map();
  return [
    ...planned,
    ...left.map(({ _id, name, people }) => ({ name, line: 0, id: _id, changes: roleChanges(people, none) })),
  ];
}

async function planOf(run: Run, sent: readonly PersonRow[], hasFolders: boolean): Promise<Plan> {
  const answer = await run.call('GET', 'admin/import');
  if (answer.error) throw new OperatorError(`Nothing was done: ${reasonOf(answer)}`);
  const state = answer as unknown as ImportState;
  const known = new Map(state.accounts.map((account) => [keyOf(account.login), account]));
  // Letter case does not distinguish people, but calls need the username as it is stored.
  const rows = sent.map((row) => {
    const { login = row.account.login } = known.get(keyOf(row.account.login)) ?? {};
    return { ...row, account: { ...row.account, login } };
  });
  const named = new Set(rows.map(({ account }) => keyOf(account.login)));
  // Addresses that people of the file have now, and give up.
  const freed = new Set(
    rows.flatMap((row) => {
      const account = known.get(keyOf(row.account.login));
      return account && changesOf(row, account).email ? [account.email.toLowerCase()] : [];
    }),
  );
  const people: PlannedPerson[] = [];
  const line = progressLine();
  for (const [index, row] of rows.entries()) {
    line.show('Plan', index, rows.length);
    const person = await planPerson(run, row, known.get(keyOf(row.account.login)), freed);
    if (person) people.push(person);
  }
  // Whoever has an account with a failed line keeps their roles, and gets none: it may be somebody else's.
  const planned = new Set(people.map(({ row }) => row));
  const failed = new Set(rows.flatMap((row) => (planned.has(row) ? [] : [keyOf(row.account.login)])));
  const folders = (hasFolders ? await planFolders(run, rows, state) : []).map((folder) => ({
    ...folder,
    changes: folder.changes.filter(({ login }) => !failed.has(keyOf(login))),
  }));
  line.end();
  const isNamed = ({ login }: KnownAccount): boolean => named.has(keyOf(login));
  const logins = (accounts: KnownAccount[]): string[] => accounts.map(({ login }) => login);
  const activate = logins(state.accounts.filter((one) => one.closedBySync && isNamed(one)));
  const deactivate = logins(state.accounts.filter((one) => one.active && !isNamed(one)));
  const losing = folders.flatMap(({ changes }) => changes.flatMap((one) => (one.isLoss ? [one.login] : [])));
  return { people, folders, activate, deactivate, taken: new Set([...losing, ...deactivate].map(keyOf)) };
}

function sayPart(title: string, lines: readonly string[]): void {
  if (lines.length === 0) return;
  say(`${title}: ${lines.length}`);
  for (const line of lines) say(`  ${line}`);
}

function sayPlan({ people, folders, activate, deactivate }: Plan): void {
  const changed = people.filter(({ changes }) => Object.keys(changes).length > 0);
  const roles = (which: 'isGain' | 'isLoss'): string[] =>
    folders.flatMap(({ name, changes }) =>
      changes
        .filter((change) => change[which])
        .map(({ login, before, after }) =>
          [`${name}: ${login}`, before, before && '→', after ?? 'none'].filter(Boolean).join(' '),
        ),
    );
  sayPart(
    'New accounts',
    people.flatMap(({ isNew, row: { account } }) => (isNew ? [`${account.login} ${account.email}`] : [])),
  );
  sayPart(
    'Changed accounts',
    changed.map(({ row, changes }) => {
      const fields = Object.entries(changes).map(([field, text]) => `${field} “${text}”`);
      return `${row.account.login}: ${fields.join(', ')}`;
    }),
  );
  sayPart('Activated accounts', activate);
  sayPart(
    'New folders',
    folders.flatMap(({ id, name }) => (id === undefined ? [name] : [])),
  );
  sayPart('Roles given', roles('isGain'));
  sayPart('Roles taken', roles('isLoss'));
  sayPart('Deactivated accounts', deactivate);
}

async function savePerson({ call }: Run, { row, isNew, changes }: PlannedPerson): Promise<Answer> {
  const { account } = row;
  const invite = account.password === undefined ? { invite: true } : {};
  if (isNew) return call('POST', 'user', { ...account, ...invite, sync: true, ifExists: 'answer' });
  if (Object.keys(changes).length === 0) return {};
  return call('PUT', `user/${encodeURIComponent(account.login)}`, changes);
}

/** Whoever has an address comes before whoever gets it. `rings`: of people who all wait for another, the last one. */
function inOrder(people: readonly PlannedPerson[]): { ordered: PlannedPerson[]; rings: PlannedPerson[] } {
  const holders = new Map(people.flatMap((person) => (person.address ? [[person.address, person]] : [])));
  const ordered: PlannedPerson[] = [];
  const rings: PlannedPerson[] = [];
  const begun = new Set<PlannedPerson>();
  for (const first of people) {
    const chain: PlannedPerson[] = [];
    let next: PlannedPerson | undefined = first;
    while (next && !begun.has(next)) {
      begun.add(next);
      chain.push(next);
      const { isNew, row, changes }: PlannedPerson = next;
      next = holders.get((isNew ? row.account.email : changes.email)?.toLowerCase() ?? '');
    }
    if (next === first && chain.length > 0) rings.push(first);
    ordered.push(...chain.reverse());
  }
  return { ordered, rings };
}

/** Returns who has no account. Addresses can go from person to person. */
async function savePeople(
  run: Run,
  people: readonly PlannedPerson[],
  onPerson: () => void = () => {},
): Promise<PlannedPerson[]> {
  const refused: { person: PlannedPerson; answer: Answer }[] = [];
  for (const person of inOrder(people).ordered) {
    onPerson();
    const answer = await savePerson(run, person);
    if (answer.error) refused.push({ person, answer });
  }
  const waiting = refused.flatMap(({ person, answer }) => (answer.error === addressTaken ? [person] : []));
  const rings = waiting.length === people.length ? inOrder(waiting).rings : [];
  for (const ring of rings) {
    await savePerson(run, { ...ring, changes: { email: `${randomUUID()}@moving.invalid` } });
    delete ring.address;
  }
  const isOver = waiting.length === people.length && rings.length === 0;
  const failed = refused.filter(({ person }) => isOver || !waiting.includes(person));
  for (const { person, answer } of failed)
    run.faults.push({ line: person.row.line, what: `${person.row.account.login}: ${reasonOf(answer)}` });
  const without = failed.flatMap(({ person }) => (person.isNew ? [person] : []));
  return isOver || waiting.length === 0 ? without : [...without, ...(await savePeople(run, waiting))];
}

/** People about whom one call is. */
const batchSize = 500;

/** What follows from another first: somebody must manage the folder when others lose their role. */
const bodyOf = (changes: readonly RoleChange[]) => {
  const whose = (role: Role | undefined) =>
    changes.filter(({ after }) => after === role).map(({ login }) => login);
  return { managers: whose('manager'), writers: whose('writer'), removed: whose(undefined) };
};

async function saveFolder(
  { call, faults }: Run,
  folder: PlannedFolder,
  changes: RoleChange[],
): Promise<void> {
  const { name, line } = folder;
  const order = changes.toSorted((one, other) => rankOf(other.after) - rankOf(one.after));
  let { id } = folder;
  for (let start = 0; start < order.length; start += batchSize) {
    const place = id === undefined ? { name } : { folder: id };
    const body = { ...place, ...bodyOf(order.slice(start, start + batchSize)) };
    const answer = await call('POST', 'admin/import/roles', body);
    if (answer.error) {
      faults.push({ line, what: `folder “${name}”: ${reasonOf(answer)}` });
      return;
    }
    id = String(answer.folder);
  }
}

async function setActive({ call, faults }: Run, field: 'activate' | 'deactivate', logins: readonly string[]) {
  for (let start = 0; start < logins.length; start += batchSize) {
    const body = { [field]: logins.slice(start, start + batchSize) };
    const answer = await call('POST', 'admin/import/accounts', body);
    if (answer.error) faults.push({ line: 0, what: `accounts to ${field}: ${reasonOf(answer)}` });
  }
}

async function follow(run: Run, plan: Plan, mayTake: boolean): Promise<void> {
  const line = progressLine();
  let begun = 0;
  const failed = await savePeople(run, plan.people, () => line.show('People', begun++, plan.people.length));
  const without = new Set(failed.map(({ row }) => keyOf(row.account.login)));
  await setActive(run, 'activate', plan.activate);
  for (const [index, folder] of plan.folders.entries()) {
    line.show('Folders', index, plan.folders.length);
    const changes = folder.changes.filter(
      ({ login, isLoss }) => !without.has(keyOf(login)) && (mayTake || !isLoss),
    );
    await saveFolder(run, folder, changes);
  }
  if (mayTake) await setActive(run, 'deactivate', plan.deactivate);
  line.end();
}

/** Returns whether everything could be taken that was to be taken. */
export async function syncPeople(
  run: Run,
  rows: readonly PersonRow[],
  { limit, confirmed, hasFolders }: SyncOptions,
): Promise<boolean> {
  const plan = await planOf(run, rows, hasFolders);
  const invited = plan.people.find(({ isNew, row }) => isNew && row.account.password === undefined);
  await requireMail(run, async () => invited?.row);
  sayPlan(plan);
  const mayTake = confirmed || plan.taken.size <= limit;
  if (!run.dryRun) await untilNoAnswer(run, () => follow(run, plan, mayTake));
  if (mayTake) return true;
  say(
    `${plan.taken.size} people would lose a role or be deactivated, and the limit is ${limit}: nothing ${run.dryRun ? 'would be' : 'was'} taken from anyone. Check the plan, then run the command again with --confirm.`,
  );
  return false;
}
