/**
 * Reads the file of `ep-mypads import`: people as comma-separated values, one person per line, with column names in the
 * first line.
 */
import { CsvError, parse } from 'csv-parse/sync';
import { languageCodes, matchLanguage } from '../model/languages';
import { hasLoginCharacters, limits, looksLikeLink } from '../model/limits';
import { mailAddress } from '../model/mail/address';

const columns = [
  'login',
  'email',
  'firstname',
  'lastname',
  'organization',
  'lang',
  'password',
  'groups',
  'administers',
] as const;
type Column = (typeof columns)[number];

export interface PersonRow {
  /** Line in the file, counted from 1. */
  line: number;
  /** Fields for `POST user`, without empty cells. */
  account: Partial<Record<Column, string>> & { login: string; email: string };
  /** Names of folders. */
  groups: string[];
  administers: string[];
}

/** An error in the file, or an answer of the server about a line of it. */
export interface Fault {
  /** 0: it is about no line. */
  line: number;
  what: string;
}

const listOf = (cell = ''): string[] =>
  cell
    .split('|')
    .map((name) => name.trim())
    .filter((name) => name !== '');

function headerFaults(names: readonly string[]): Fault[] {
  const unknown = names.filter((name) => !columns.some((column) => column === name));
  const missing = ['login', 'email'].filter((name) => !names.includes(name));
  const repeated = columns.filter((name) => names.indexOf(name) !== names.lastIndexOf(name));
  return [
    ...unknown.map((name) => ({
      line: 1,
      what: `there is no column “${name}”; the columns are ${columns.join(', ')}`,
    })),
    ...missing.map((name) => ({ line: 1, what: `the column ${name} is missing` })),
    ...repeated.map((name) => ({ line: 1, what: `there are two columns “${name}”` })),
  ];
}

const tooLong = (what: string, most: number): string => `${what} has more than ${most} characters`;

/** What no server accepts. Its settings say how long passwords are. */
function valueFaults({ account, groups, administers }: PersonRow): string[] {
  const texts = (['firstname', 'lastname', 'organization'] as const).filter(
    (column) => (account[column] ?? '').length > limits.text,
  );
  const { lang, password = '' } = account;
  return [
    ...texts.map((column) => tooLong(column, limits.text)),
    ...(password.length > limits.password ? [tooLong('password', limits.password)] : []),
    ...(lang === undefined || matchLanguage([lang], languageCodes) ? [] : [`there is no language “${lang}”`]),
    ...[...groups, ...administers]
      .filter((name) => name.length > limits.text)
      .map((name) => tooLong(`the folder “${name.slice(0, limits.name)}…”`, limits.text)),
  ];
}

/** `lineOf`: the line of each login and address before this one. The names of this line are added. */
function faultsOf(row: PersonRow, lineOf: Map<string, number>): Fault[] {
  const { line, account } = row;
  const { login, email } = account;
  const faults: string[] = [];
  if (login === '' || login.length > limits.login || !hasLoginCharacters(login) || looksLikeLink(login))
    faults.push('the username is not valid');
  if (mailAddress(email) === undefined) faults.push('the email address is not valid');
  for (const name of new Set([login, email].map((one) => one.normalize().toLowerCase()))) {
    const before = lineOf.get(name);
    if (before !== undefined && name !== '') faults.push(`${name} is in line ${before} already`);
    else lineOf.set(name, line);
  }
  return [...faults, ...valueFaults(row)].map((what) => ({ line, what }));
}

interface Parsed {
  record: Partial<Record<Column, string>>;
  info: { lines: number };
}

/** In many languages, Excel separates columns by semicolons. The first line with text shows which one a file has. */
const delimiterOf = (text: string): string => (/^\s*[^\r\n]*;/.test(text) ? ';' : ',');

/** Throws the CsvError of csv-parse. `names` gets the names of the columns. */
function parseRows(text: string, names: string[], faults: Fault[]): PersonRow[] {
  const parsed: Parsed[] = parse(text, {
    bom: true,
    columns: (header: string[]) => {
      names.push(...header.map((name) => name.trim().toLowerCase()));
      faults.push(...headerFaults(names));
      return names;
    },
    delimiter: delimiterOf(text),
    info: true,
    skip_empty_lines: true,
    trim: true,
  });
  return parsed.map(({ record: { groups, administers, login = '', email = '', ...rest }, info }) => {
    const given = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== ''));
    const account = { ...given, login, email };
    return { line: info.lines, account, groups: listOf(groups), administers: listOf(administers) };
  });
}

/**
 * The text of a file in UTF-8. Otherwise its first line that is not: Excel, for example, writes the encoding of the
 * system, in which each letter with an accent would be lost.
 */
export function decode(bytes: Buffer): { text: string } | { fault: Fault } {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  for (let line = 1, from = 0; from < bytes.length; line += 1) {
    const end = bytes.indexOf('\n', from);
    const to = end === -1 ? bytes.length : end + 1;
    try {
      decoder.decode(bytes.subarray(from, to));
    } catch {
      return { fault: { line, what: 'this is not UTF-8; save the file as “CSV UTF-8”' } };
    }
    from = to;
  }
  return { text: bytes.toString('utf8') };
}

export interface People {
  rows: PersonRow[];
  /** Whether there is a column with folders. */
  hasFolders: boolean;
  /** All errors in the file. */
  faults: Fault[];
}

export function readPeople(text: string): People {
  const faults: Fault[] = [];
  const names: string[] = [];
  try {
    const rows = parseRows(text, names, faults);
    const lineOf = new Map<string, number>();
    if (faults.length === 0) faults.push(...rows.flatMap((row) => faultsOf(row, lineOf)));
    return { rows, hasFolders: names.includes('groups') || names.includes('administers'), faults };
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const line = Number(error.lines ?? 0);
    return { rows: [], hasFolders: false, faults: [{ line, what: error.message }] };
  }
}
