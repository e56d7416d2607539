/** 100,000 accounts as ep_mypads 1.x stored them, in a file or in PostgreSQL. */
import { open } from 'node:fs/promises';
import path from 'node:path';
import { Client } from 'pg';

/** How many accounts; `BENCH_ACCOUNTS=20000` makes fewer. */
export const count = Number(process.env.BENCH_ACCOUNTS ?? 100_000);

const firstNames = [
  'Maria',
  'Jürgen',
  'Ada',
  'Noor',
  'Wei',
  'Olga',
  'Peter',
  'Zoë',
  'Amélie',
  'Tom',
  'Ines',
  'Kofi',
];
const lastNames = [
  'Lee',
  'Müller',
  'Lovelace',
  'Okafor',
  'Petrova',
  'García',
  'Smith',
  'Rossi',
  'Nowak',
  'Sato',
];

function account(number: number): [string, object] {
  const id = `person${number}-${(number * 7919).toString(36).padStart(7, '0')}`;
  const record = {
    _id: id,
    login: `person${number}`,
    email: `person${number}@school.example.org`,
    password: { salt: 'a'.repeat(20), hash: 'b'.repeat(128) },
    firstname: firstNames[number % firstNames.length],
    lastname: `${lastNames[number % lastNames.length]}${number % 97}`,
    organization: 'A school',
    color: '',
    padNickname: '',
    eplAuthorToken: '',
    groups: [`class-${number % 3_000}`, `course-${number % 900}`],
    bookmarks: { groups: [], pads: number % 10 === 0 ? [`pad-${number % 500}`] : [] },
    userlists: {},
    active: true,
    useLoginAndColorInPads: true,
    hideHelp: false,
    lang: 'en',
    ctime: 1_600_000_000_000 + number,
  };
  return [`mypads:user:${id}`, record];
}

/** In another order than by login, as in a real database. */
const numbers = (of: number): number[] => Array.from({ length: of }, (_, number) => (number * 7919) % of);

/** Returns the file's path. */
export async function writeFileDatabase(folder: string, accounts = count): Promise<string> {
  const file = path.join(folder, 'accounts.db');
  const handle = await open(file, 'w');
  const lines: string[] = [];
  for (const number of numbers(accounts)) {
    const [key, val] = account(number);
    lines.push(`${JSON.stringify({ key, val })}\n`);
    if (lines.length === 5_000) await handle.write(lines.splice(0).join(''));
  }
  await handle.write(lines.join(''));
  await handle.close();
  return file;
}

export const postgres = {
  host: '127.0.0.1',
  port: 5432,
  user: 'postgres',
  password: '',
  database: 'mypads_bench',
};

async function inPostgres(database: string, work: (client: Client) => Promise<unknown>): Promise<void> {
  const client = new Client({ ...postgres, database });
  await client.connect();
  await work(client).finally(() => client.end());
}

export async function writePostgres(): Promise<void> {
  await dropPostgres();
  await inPostgres('postgres', (client) => client.query(`CREATE DATABASE ${postgres.database}`));
  await inPostgres(postgres.database, async (client) => {
    await client.query(
      'CREATE TABLE store (key character varying(100) NOT NULL PRIMARY KEY, value text NOT NULL)',
    );
    const all = numbers(count);
    for (let start = 0; start < all.length; start += 5_000) {
      const part = all.slice(start, start + 5_000).map(account);
      const values = [part.map(([key]) => key), part.map(([, record]) => JSON.stringify(record))];
      await client.query('INSERT INTO store SELECT * FROM unnest($1::text[], $2::text[])', values);
    }
  });
}

export const dropPostgres = (): Promise<void> =>
  inPostgres('postgres', (client) =>
    client.query(`DROP DATABASE IF EXISTS ${postgres.database} WITH (FORCE)`),
  );
