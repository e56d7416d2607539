/** The rows of the index for each kind of record. */

import { isObject } from '../fields';
import { fullName } from '../fullName';
import { plainText } from '../ids';
import type { SqlStatement, SqlValue } from '../ports';
import { handleOf, sha256 } from '../sha256';
import type { UserRecord } from '../store/entities';
import {
  groupsOf,
  hasFactor,
  readApiToken,
  readFactors,
  readGroup,
  readPad,
  readUser,
} from '../store/records';
import { factorsPrefix, keys, owner, shortId } from '../store/store';
import { readTrashedGroup, readTrashedPad } from '../store/trashNotes';

/** The kinds of records, in the order in which they are read: what lists leave out comes first. */
export const recordKinds = [
  'removals',
  'groupRemovals',
  'factors',
  'users',
  'groups',
  'pads',
  'apiTokens',
] as const;
export type RecordKind = (typeof recordKinds)[number];

export const prefixes: Readonly<Record<RecordKind, string>> = {
  removals: keys.deletePad(''),
  factors: factorsPrefix,
  groupRemovals: keys.deleteGroup(''),
  users: keys.user(''),
  groups: keys.group(''),
  pads: keys.pad(''),
  apiTokens: keys.apiToken(''),
};

export const tables: Readonly<Record<RecordKind, string>> = {
  removals: 'removals',
  factors: 'factors',
  groupRemovals: 'groupRemovals',
  users: 'accounts',
  groups: 'folders',
  pads: 'pads',
  apiTokens: 'apiTokens',
};

/** State of an account; see `UserRecord`. */
export interface AccountFacts {
  active: boolean;
  /** True when an administrator closed the account. */
  closed: boolean;
  /** True while the account is not confirmed. */
  unconfirmed: boolean;
  /** Its address belongs to another account. */
  addressTaken: boolean;
  /** A directory or single sign-on that is offered knows the person. */
  external: boolean;
}

const bits: Readonly<Record<Exclude<keyof AccountFacts, 'external'>, number>> = {
  active: 1,
  closed: 2,
  unconfirmed: 4,
  addressTaken: 8,
};

/** One for each service by which people sign in, because which of them are offered may change without the account. */
const serviceBits: Readonly<Record<string, number>> = { ldap: 16, cas: 32, oidc: 64, header: 128 };

const bitsOf = (methods: readonly string[]): number =>
  Object.entries(serviceBits).reduce((all, [name, bit]) => (methods.includes(name) ? all | bit : all), 0);

const factsOf = ({ active, closed, unconfirmedUntil, addressTaken, identities = [] }: UserRecord): number =>
  (active ? bits.active : 0) |
  (closed ? bits.closed : 0) |
  (unconfirmedUntil === undefined ? 0 : bits.unconfirmed) |
  (addressTaken ? bits.addressTaken : 0) |
  bitsOf(identities.map(({ method }) => method));

/** The facts in a row. */
export const factsIn = (facts: number, offered: readonly string[]): AccountFacts => ({
  active: (facts & bits.active) !== 0,
  closed: (facts & bits.closed) !== 0,
  unconfirmed: (facts & bits.unconfirmed) !== 0,
  addressTaken: (facts & bits.addressTaken) !== 0,
  external: (facts & bitsOf(offered)) !== 0,
});

/** A condition for the column `facts`; `undefined` if every account fits. */
export function factsCondition(
  { external, ...wanted }: Partial<AccountFacts>,
  offered: readonly string[],
): string | undefined {
  let [mask, value] = [external === false ? bitsOf(offered) : 0, 0];
  for (const [name, bit] of Object.entries(bits)) {
    const fact = wanted[name as keyof typeof bits];
    if (fact === undefined) continue;
    mask |= bit;
    value |= fact ? bit : 0;
  }
  const parts = mask === 0 ? [] : [`facts & ${mask} = ${value}`];
  if (external === true) parts.push(`facts & ${bitsOf(offered)} <> 0`);
  return parts.length === 0 ? undefined : parts.join(' AND ');
}

/** Ids of all records that an account refers to. */
function referencesOf(user: UserRecord): string[] {
  const { bookmarks, userlists, sharedPads = [], keptLinks = [] } = user;
  const kept = keptLinks.flatMap(({ group, pad }) => group ?? pad ?? []);
  const listed = Object.values(userlists).flatMap((list) => (Array.isArray(list?.uids) ? list.uids : []));
  const all = [...groupsOf(user), ...bookmarks.groups, ...bookmarks.pads, ...sharedPads, ...kept, ...listed];
  return [...new Set(all.filter((id) => typeof id === 'string'))];
}

/** As `plainText`, with numbers in the order of their values: `person 9` is before `person 10`. */
const placeOf = (text: string): string =>
  plainText(text).replace(/\d+/g, (digits) => {
    const number = digits.replace(/^0+(?=\d)/, '');
    return `${String(number.length).padStart(3, '0')}${number}`;
  });

/** A time as it can be read again: larger numbers, of another program, would end each question with an error. */
const timeOf = (stored: number): number =>
  Number.isSafeInteger(Math.trunc(stored)) ? Math.trunc(stored) : 0;

/** What a record is in the index. `statements` replace an earlier row. */
export interface Row {
  mark: string;
  statements: SqlStatement[];
}

const markOf = (values: readonly unknown[]): string => sha256(JSON.stringify(values)).slice(0, 20);

/** Updates a row that is there: what has not changed, such as the text of an account, is not indexed again. */
function replacement(table: string, columns: readonly string[], values: readonly SqlValue[]): SqlStatement {
  const changes = columns.slice(1).map((column) => `${column} = excluded.${column}`);
  return {
    sql: `INSERT INTO ${table}(${columns.join(', ')}) VALUES (${values.map(() => '?').join(', ')})
      ON CONFLICT(id) DO UPDATE SET ${changes.join(', ')}`,
    values,
  };
}

export const deletionOf = (kind: RecordKind, id: string): SqlStatement => ({
  sql: `DELETE FROM ${tables[kind]} WHERE id = ?`,
  values: [id],
});

function rowOf(kind: RecordKind, columns: string, values: readonly SqlValue[], more: readonly string[]): Row {
  const mark = markOf([values, more]);
  return {
    mark,
    statements: [replacement(tables[kind], [...columns.split(', '), 'mark'], [...values, mark])],
  };
}

function accountRow(id: string, stored: unknown): Row | undefined {
  const user = readUser(id, stored);
  if (user === undefined) return undefined;
  const { login, email, firstname, lastname, ctime } = user;
  // As the page shows it, so that a Chinese, Japanese or Korean name is found as it is written.
  const plain = [login, email, fullName(user)].map(plainText).join('\n');
  const references = referencesOf(user);
  const row = rowOf(
    'users',
    'id, login, email, firstname, lastname, plain, place, facts, created, owner',
    [id, login, email, firstname, lastname, plain, placeOf(login), factsOf(user), timeOf(ctime), owner(id)],
    references,
  );
  row.statements.push(
    {
      sql: `DELETE FROM accountReferences WHERE account = (SELECT number FROM accounts WHERE id = ?)
        AND target NOT IN (SELECT value FROM json_each(?))`,
      values: [id, JSON.stringify(references)],
    },
    {
      sql: `INSERT OR IGNORE INTO accountReferences(target, account)
        SELECT value, (SELECT number FROM accounts WHERE id = ?) FROM json_each(?)`,
      values: [id, JSON.stringify(references)],
    },
  );
  return row;
}

function folderRow(id: string, stored: unknown): Row | undefined {
  // Reading what rules give takes longest in a large group, and no row has it.
  const group = readGroup(id, isObject(stored) ? { ...stored, byRule: undefined } : stored);
  if (group === undefined) return undefined;
  const { name, visibility, archived, ctime, tags, admins, users, readers } = group;
  const plain = plainText([id, name, ...tags].join('\n'));
  const row = rowOf(
    'groups',
    'id, name, plain, place, visibility, archived, created',
    [id, name.normalize(), plain, plainText(name), visibility, archived ? 1 : 0, timeOf(ctime)],
    [...admins, '', ...users, '', ...readers],
  );
  for (const [people, isAdmin] of [
    [admins, 1],
    [[...users, ...readers], 0],
  ] as const) {
    const values = [id, isAdmin, JSON.stringify(people)];
    row.statements.push(
      {
        sql: `DELETE FROM members WHERE folder = ? AND isAdmin = ?
          AND account NOT IN (SELECT value FROM json_each(?))`,
        values,
      },
      {
        sql: 'INSERT OR IGNORE INTO members(folder, account, isAdmin) SELECT ?1, value, ?2 FROM json_each(?3)',
        values,
      },
    );
  }
  return row;
}

function padRow(id: string, stored: unknown): Row | undefined {
  const pad = readPad(id, stored);
  if (pad === undefined) return undefined;
  const { name, group, visibility, ctime, lastUpdate } = pad;
  const plain = plainText(`${id}\n${name}`);
  return rowOf(
    'pads',
    'id, short, name, plain, place, folder, visibility, changed',
    [
      id,
      shortId(id),
      name.normalize(),
      plain,
      plainText(name),
      group,
      visibility,
      timeOf(lastUpdate ?? ctime),
    ],
    [],
  );
}

function apiTokenRow(id: string, stored: unknown): Row | undefined {
  const token = readApiToken(id, stored);
  if (token === undefined) return undefined;
  const { created, ends } = token;
  return rowOf('apiTokens', 'id, handle, created, ends', [id, handleOf(token), created, ends], []);
}

const factorsRow = (id: string, stored: unknown): Row | undefined =>
  hasFactor(readFactors(stored)) ? rowOf('factors', 'id', [id], []) : undefined;

function removalRow(id: string, stored: unknown): Row | undefined {
  if (stored === undefined || stored === null) return undefined;
  const { record, at = null, by = null } = readTrashedPad(stored) ?? {};
  const [pad = null, folder = null] = [record?._id, record?.group];
  return rowOf('removals', 'id, pad, folder, deleted, account', [id, pad, folder, at, by], []);
}

function groupRemovalRow(id: string, stored: unknown): Row | undefined {
  if (stored === undefined || stored === null) return undefined;
  const { record, at = null } = readTrashedGroup(stored) ?? {};
  return rowOf('groupRemovals', 'id, folder, deleted', [id, record?._id ?? null, at], []);
}

/** The row of a record; `undefined` without a valid one. */
export const rowsOf: Readonly<Record<RecordKind, (id: string, stored: unknown) => Row | undefined>> = {
  removals: removalRow,
  factors: factorsRow,
  groupRemovals: groupRemovalRow,
  users: accountRow,
  groups: folderRow,
  pads: padRow,
  apiTokens: apiTokenRow,
};

/** The kind and the id of a key; `undefined` for records that the index does not hold. */
export function recordOf(key: string): { kind: RecordKind; id: string } | undefined {
  const kind = recordKinds.find((one) => key.startsWith(prefixes[one]));
  return kind && { kind, id: key.slice(prefixes[kind].length) };
}
