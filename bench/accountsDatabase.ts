/** 100,000 accounts as ep_mypads 1.x stored them, in a file for the embedded database. */
import { open } from 'node:fs/promises';
import path from 'node:path';

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
