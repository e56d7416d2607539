/** Questions about accounts. */
import { wordsOf } from '../ids';
import type { SqlValue } from '../ports';
import type { AccountSorting } from '../sortings';
import type { UserRecord } from '../store/entities';
import { nextSlice, sliceUsed } from '../store/timeSlice';
import type { Indexing } from './indexing';
import { type AccountFacts, factsCondition, factsIn } from './rows';

export interface AccountEntry
  extends Pick<UserRecord, '_id' | 'login' | 'email' | 'firstname' | 'lastname' | 'ctime'>,
    AccountFacts {
  /** True when an older account has the same login. Sign-in with that login means the older account. */
  second: boolean;
  secondFactor: boolean;
  /** Of a folder. False until folders have been read for the first time. */
  manager: boolean;
}

type AccountFilter = Partial<AccountFacts & Pick<AccountEntry, 'secondFactor' | 'manager'>>;

export interface AccountQuery {
  /**
   * Parts of login, e-mail, first name or last name, each as a word, in any order. Letter case and accents do not
   * matter; `''` finds everybody.
   */
  text?: string;
  /** Only accounts in this state. */
  filter?: AccountFilter;
  /** Default: `login`. */
  sort?: AccountSorting;
  descending?: boolean;
  offset?: number;
  /** Default: all from `offset` on. */
  limit?: number;
}

/** One page of the matches, and the number of all. */
export interface AccountPage {
  entries: AccountEntry[];
  count: number;
}

/** Accounts that are asked for at once: more would make an answer that holds up others. */
const rowsAtOnce = 500;
const numbersAtOnce = 5_000;

interface AccountRow
  extends Omit<AccountEntry, '_id' | 'ctime' | 'second' | 'secondFactor' | 'manager' | keyof AccountFacts> {
  number: number;
  id: string;
  facts: number;
  created: number;
  second: number;
  secondFactor: number;
  manager: number;
}

const manages = 'EXISTS (SELECT 1 FROM members WHERE account = accounts.id AND isAdmin = 1)';

const columns = `number, id, login, email, firstname, lastname, facts, created, EXISTS (
  SELECT 1 FROM accounts older
  WHERE older.login = accounts.login AND (older.created, older.id) < (accounts.created, accounts.id)
) AS second, owner IN (SELECT id FROM factors) AS secondFactor, ${manages} AS manager`;

const entryOf = (
  { number: _, id, facts, created, second, secondFactor, manager, ...names }: AccountRow,
  offered: readonly string[],
): AccountEntry => ({
  _id: id,
  ...names,
  ctime: created,
  ...factsIn(facts, offered),
  second: second === 1,
  secondFactor: secondFactor === 1,
  manager: manager === 1,
});

interface Condition {
  sql: string;
  values: SqlValue[];
}

function conditionOf({ text = '', filter = {} }: AccountQuery, offered: readonly string[]): Condition {
  const words = wordsOf(text);
  const facts = factsCondition(filter, offered);
  const parts: Condition[] = facts === undefined ? [] : [{ sql: facts, values: [] }];
  if (filter.secondFactor !== undefined) {
    parts.push({ sql: `owner ${filter.secondFactor ? '' : 'NOT '}IN (SELECT id FROM factors)`, values: [] });
  }
  if (filter.manager !== undefined) {
    parts.push({ sql: `${filter.manager ? '' : 'NOT '}${manages}`, values: [] });
  }
  // SQLite takes NUL for the end of a question, and an error of the database counts as damage: everything would be read
  // again.
  if (words.some((word) => word.includes('\0'))) return { sql: 'WHERE 0', values: [] };
  // The table of texts knows no parts of fewer than three characters.
  const isLong = (word: string): boolean => Array.from(word).length >= 3;
  const long = words.filter(isLong);
  if (long.length > 0)
    parts.push({
      sql: 'number IN (SELECT rowid FROM accountTexts WHERE accountTexts MATCH ?)',
      values: [long.map((word) => `"${word.replaceAll('"', '""')}"`).join(' AND ')],
    });
  for (const word of words) if (!isLong(word)) parts.push({ sql: 'instr(plain, ?) > 0', values: [word] });
  if (parts.length === 0) return { sql: '', values: [] };
  return {
    sql: `WHERE ${parts.map(({ sql }) => sql).join(' AND ')}`,
    values: parts.flatMap(({ values }) => values),
  };
}

function orderOf({ sort = 'login', descending = false }: AccountQuery): string {
  const fields = sort === 'login' ? ['place', 'login', 'created', 'id'] : ['created', 'number'];
  return `ORDER BY ${fields.map((field) => `${field} ${descending ? 'DESC' : 'ASC'}`).join(', ')}`;
}

type Ask = <Row extends object>(sql: string, values?: readonly SqlValue[]) => Promise<Row[]>;

/** All matches from `offset` on, in parts. */
async function listAll(
  { ask, read }: { ask: Ask; read: (row: AccountRow) => AccountEntry },
  { sql, values }: Condition,
  order: string,
  offset: number,
): Promise<AccountEntry[]> {
  const numbers: number[] = [];
  for (let start = offset; ; start += numbersAtOnce) {
    const rows = await ask<{ number: number }>(
      `SELECT number FROM accounts ${sql} ${order} LIMIT ${numbersAtOnce} OFFSET ?`,
      [...values, start],
    );
    for (const { number } of rows) numbers.push(number);
    if (rows.length < numbersAtOnce) break;
  }
  const entries: AccountEntry[] = [];
  for (let start = 0; start < numbers.length; start += rowsAtOnce) {
    const part = numbers.slice(start, start + rowsAtOnce);
    const rows = await ask<AccountRow>(
      `SELECT ${columns} FROM accounts WHERE number IN (SELECT value FROM json_each(?))`,
      [JSON.stringify(part)],
    );
    const byNumber = new Map(rows.map((row) => [row.number, row]));
    for (const number of part) {
      const row = byNumber.get(number);
      if (row) entries.push(read(row));
    }
    if (sliceUsed()) await nextSlice();
  }
  return entries;
}

/** `offered`: the ways to sign in, at each question. */
export function accountQuestions(index: Indexing, offered: () => readonly string[]) {
  const read = (row: AccountRow): AccountEntry => entryOf(row, offered());
  const ask: Ask = (sql, values) => index.ask(['factors', 'users'], sql, values);

  async function count({ sql, values }: Condition): Promise<number> {
    const [row] = await ask<{ count: number }>(`SELECT count(*) AS count FROM accounts ${sql}`, values);
    return row?.count ?? 0;
  }

  return {
    async accounts(query: AccountQuery): Promise<AccountPage> {
      // Throws SERVER.BUSY while folders are being read for the first time.
      if (query.filter?.manager !== undefined) await index.ask(['groups'], 'SELECT 1');
      const condition = conditionOf(query, offered());
      const order = orderOf(query);
      const { offset = 0, limit } = query;
      const found = await count(condition);
      if (limit === undefined || limit > rowsAtOnce) {
        const entries = await listAll({ ask, read }, condition, order, offset);
        return { entries: limit === undefined ? entries : entries.slice(0, limit), count: found };
      }
      const rows = await ask<AccountRow>(
        `SELECT ${columns} FROM accounts ${condition.sql} ${order} LIMIT ? OFFSET ?`,
        [...condition.values, limit, offset],
      );
      return { entries: rows.map(read), count: found };
    },

    countAccounts: (filter: AccountFilter = {}) => count(conditionOf({ filter }, offered())),

    /** Ids of the accounts that refer to one of these groups, pads or accounts. Waits until all have been read. */
    async referring(ids: Iterable<string>, signal: AbortSignal): Promise<string[]> {
      await index.whenVerified(signal);
      const rows = await ask<{ id: string }>(
        `SELECT id FROM accounts WHERE number IN (
          SELECT account FROM accountReferences WHERE target IN (SELECT value FROM json_each(?))
        )`,
        [JSON.stringify([...ids])],
      );
      return rows.map(({ id }) => id);
    },
  };
}
