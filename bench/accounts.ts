/**
 * Measures 100,000 accounts: memory compared with Etherpad without the plugin, time of the first and later starts, and
 * how long searches take and block the server. `BENCH_ACCOUNTS=20000` uses fewer, `BENCH_POSTGRES=1` also PostgreSQL.
 */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { temporaryFolder } from '../test/support/app';
import { type EtherpadOptions, type RunningEtherpad, startEtherpad } from '../test/support/etherpad';
import { ms, print, summarise } from './measure';

const count = Number(process.env.BENCH_ACCOUNTS ?? 100_000);
const needles = [
  'm',
  'ma',
  'mar',
  'mari',
  'maria',
  'xq',
  'school',
  '@school.ex',
  'person99',
  'n1234',
  'zzzz',
  'maria lee',
  'erson',
  'n99@s',
];

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
const numbers = (): number[] => Array.from({ length: count }, (_, number) => (number * 7919) % count);

async function writeFileDatabase(folder: string): Promise<string> {
  const file = path.join(folder, 'accounts.db');
  const handle = await open(file, 'w');
  const lines: string[] = [];
  for (const number of numbers()) {
    const [key, val] = account(number);
    lines.push(`${JSON.stringify({ key, val })}\n`);
    if (lines.length === 5_000) await handle.write(lines.splice(0).join(''));
  }
  await handle.write(lines.join(''));
  await handle.close();
  return file;
}

const postgres = { host: '127.0.0.1', port: 5432, user: 'postgres', password: '', database: 'mypads_bench' };

async function inPostgres(database: string, work: (client: Client) => Promise<unknown>): Promise<void> {
  const client = new Client({ ...postgres, database });
  await client.connect();
  await work(client).finally(() => client.end());
}

async function writePostgres(): Promise<void> {
  await dropPostgres();
  await inPostgres('postgres', (client) => client.query(`CREATE DATABASE ${postgres.database}`));
  await inPostgres(postgres.database, async (client) => {
    await client.query(
      'CREATE TABLE store (key character varying(100) NOT NULL PRIMARY KEY, value text NOT NULL)',
    );
    const all = numbers();
    for (let start = 0; start < all.length; start += 5_000) {
      const part = all.slice(start, start + 5_000).map(account);
      const values = [part.map(([key]) => key), part.map(([, record]) => JSON.stringify(record))];
      await client.query('INSERT INTO store SELECT * FROM unnest($1::text[], $2::text[])', values);
    }
  });
}

const dropPostgres = (): Promise<void> =>
  inPostgres('postgres', (client) =>
    client.query(`DROP DATABASE IF EXISTS ${postgres.database} WITH (FORCE)`),
  );

interface Memory {
  rss: number;
  heapUsed: number;
  external: number;
}

const megabytes = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(1)} MiB`;

/** Sends a signal to a probe in the server and reads its answer. */
async function ask<T>(etherpad: RunningEtherpad, signal: NodeJS.Signals, file: string): Promise<T> {
  rmSync(file, { force: true });
  process.kill(etherpad.pid(), signal);
  while (!existsSync(file)) await pause(10);
  return JSON.parse(readFileSync(file, 'utf8')) as T;
}

/** The peak memory of the process in bytes. */
function peak(etherpad: RunningEtherpad): number {
  const status = readFileSync(`/proc/${etherpad.pid()}/status`, 'utf8');
  return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) * 1024;
}

async function isReady(etherpad: RunningEtherpad): Promise<boolean> {
  const { body } = await etherpad.api('GET', 'cache/check');
  return (body as { userCacheReady?: boolean }).userCacheReady === true;
}

/** Milliseconds until the index of accounts is complete. */
async function untilReady(etherpad: RunningEtherpad): Promise<number> {
  const start = performance.now();
  while (!(await isReady(etherpad))) await pause(5);
  return performance.now() - start;
}

async function measure(name: string, options: EtherpadOptions, quiet: number): Promise<void> {
  const folder = temporaryFolder();
  const memoryFile = path.join(folder.path, 'memory.json');
  const stallFile = path.join(folder.path, 'stalls.json');
  const probes = ['memoryProbe.cjs', 'stallProbe.cjs'].map(
    (probe) => `--require ${path.join(__dirname, probe)}`,
  );
  const env = { NODE_OPTIONS: probes.join(' '), MEMORY_FILE: memoryFile, STALL_FILE: stallFile };
  const memory = (etherpad: RunningEtherpad) => ask<Memory>(etherpad, 'SIGWINCH', memoryFile);
  const stall = async (etherpad: RunningEtherpad): Promise<number> =>
    (await ask<{ longest: number[] }>(etherpad, 'SIGUSR2', stallFile)).longest[0] ?? 0;
  const rows: [string, string][] = [];

  const startOf = async (start: () => Promise<unknown>): Promise<number> => {
    const began = performance.now();
    await start();
    return performance.now() - began;
  };

  let bare: RunningEtherpad | undefined;
  await startOf(async () => {
    bare = await startEtherpad({ ...options, env, bare: true });
  });
  if (bare === undefined) throw new Error('no Etherpad');
  const alone = bare;
  const bareStart = await startOf(() => alone.restart());
  await pause(quiet);
  const bareMemory = await memory(alone);
  const barePeak = peak(alone);
  await alone.stop();

  const etherpad = await startEtherpad({ ...options, env });
  try {
    const began = performance.now();
    await stall(etherpad);
    await untilReady(etherpad);
    const built = performance.now() - began;
    await pause(quiet);
    rows.push(
      ['first start: until accounts are found', ms(built)],
      ['  most memory', `${megabytes(peak(etherpad))} (Etherpad alone ${megabytes(barePeak)})`],
      ['  longest work in one go', ms(await stall(etherpad))],
    );
    const firstPeak = peak(etherpad);
    const later = await startOf(() => etherpad.restart());
    const ready = await untilReady(etherpad);
    await pause(quiet);
    const { rss, heapUsed, external } = await memory(etherpad);
    const more = heapUsed + external - bareMemory.heapUsed - bareMemory.external;
    rows.push(
      [
        'later start',
        `${ms(later - bareStart)} more than Etherpad alone, ${ms(ready)} until accounts are found`,
      ],
      [
        '  memory',
        `${megabytes(rss - bareMemory.rss)} more than Etherpad alone, ${megabytes(more)} of it live`,
      ],
      [
        '  most memory',
        `${megabytes(peak(etherpad))}, of the first start ${(firstPeak / peak(etherpad)).toFixed(2)}`,
      ],
      ['  longest work in one go', ms(await stall(etherpad))],
    );
    const { name: login, password } = etherpad.admin;
    const { body } = await etherpad.api('POST', 'auth/admin/login', { body: { login, password } });
    const { token } = body as { token: string };
    const search = async (text: string): Promise<number> => {
      const start = performance.now();
      const answer = await etherpad.api('GET', `search-users/${encodeURIComponent(text)}?limit=50`, {
        token,
      });
      if (answer.status !== 200) throw new Error(`the search answers ${answer.status}`);
      return performance.now() - start;
    };
    for (let round = 0; round < 30; round += 1) await search(`nobody ${round}`);
    await stall(etherpad);
    const quietCalls: number[] = [];
    for (let round = 0; round < 20; round += 1) {
      const start = performance.now();
      await etherpad.api('GET', 'stats/stats.json', { token });
      quietCalls.push(performance.now() - start);
    }
    rows.push(['a call that does nothing', ms(summarise(quietCalls).median)]);
    const times = new Map<string, number[]>();
    for (let round = 0; round < 7; round += 1) {
      // Other searches make the server forget the results, so that each is made anew.
      for (let other = 0; other < 16; other += 1) await search(`nobody ${round} ${other}`);
      // A change must not make searches slower.
      const { status } = await etherpad.api('PUT', 'user/person1', {
        token,
        body: { firstname: `Round${round}` },
      });
      if (status !== 200) throw new Error(`a change answers ${status}`);
      for (const needle of needles) times.set(needle, [...(times.get(needle) ?? []), await search(needle)]);
    }
    for (const [needle, samples] of times) {
      const { median, max } = summarise(samples);
      rows.push([`  search “${needle}”`, `${ms(median)} median, ${ms(max)} worst`]);
    }
    rows.push(['searches: longest work in one go', ms(await stall(etherpad))]);
    print(
      `${count} accounts on ${name} (aim: 40 MiB, a start 0.2 s longer, first one 10 s, 5 ms a search)`,
      rows,
    );
  } finally {
    await etherpad.stop();
    folder.remove();
  }
}

export async function accounts(): Promise<void> {
  const folder = temporaryFolder();
  try {
    const database = await writeFileDatabase(folder.path);
    await measure('dirty', { database }, 30_000);
  } finally {
    folder.remove();
  }
  if (!process.env.BENCH_POSTGRES) return;
  await writePostgres();
  try {
    await measure('PostgreSQL', { settings: { dbType: 'postgres', dbSettings: postgres } }, 60_000);
  } finally {
    await dropPostgres();
  }
}
