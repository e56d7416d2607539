/**
 * Measures 100,000 accounts: memory compared with Etherpad without the plugin, time of the first and later starts, and
 * how long searches take and block the server. `BENCH_ACCOUNTS=20000` uses fewer.
 */
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { temporaryFolder } from '../test/support/app';
import { type RunningEtherpad, startEtherpad } from '../test/support/etherpad';
import { count, writeFileDatabase } from './accountsDatabase';
import { createProbe, once, type ProbeValues, summarise } from './measure';
import { type Result, report } from './results';

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

/** Milliseconds until a server that has started does nothing more. */
const quiet = 30_000;

const mebibytes = (bytes: number): number => bytes / 1024 / 1024;

function probeIn(folder: string) {
  const probe = createProbe(folder);
  return {
    env: probe.env,
    memory: (etherpad: RunningEtherpad) => probe.ask(etherpad.pid(), 'SIGWINCH'),
    /** Milliseconds of the longest work in one go since the last question. */
    longestTask: async (etherpad: RunningEtherpad) => (await probe.ask(etherpad.pid())).work.max,
  };
}

type Probe = ReturnType<typeof probeIn>;

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
const untilReady = (etherpad: RunningEtherpad): Promise<number> =>
  once(async () => {
    while (!(await isReady(etherpad))) await pause(5);
  });

/** Milliseconds of a stop and a start: the median of five, because single ones differ by half a second. */
async function restartTime(etherpad: RunningEtherpad): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < 5; round += 1) {
    // A stop takes longer while a start still works in the background.
    await pause(5_000);
    times.push(await once(() => etherpad.restart()));
  }
  return summarise(times).median;
}

/** Etherpad without the plugin, to compare with. */
interface Bare {
  start: number;
  memory: ProbeValues;
}

async function measureBare(database: string, probe: Probe): Promise<Bare> {
  const etherpad = await startEtherpad({ database, env: probe.env, bare: true });
  try {
    const start = await restartTime(etherpad);
    await pause(quiet);
    return { start, memory: await probe.memory(etherpad) };
  } finally {
    await etherpad.stop();
  }
}

async function measureStarts(
  etherpad: RunningEtherpad,
  { probe, bare }: { probe: Probe; bare: Bare },
): Promise<Result[]> {
  await probe.longestTask(etherpad);
  const built = await untilReady(etherpad);
  await pause(quiet);
  const firstPeak = peak(etherpad);
  const firstTask = await probe.longestTask(etherpad);
  const start = await restartTime(etherpad);
  const ready = await untilReady(etherpad);
  await pause(quiet);
  const { rss, heapUsed, external } = await probe.memory(etherpad);
  const live = heapUsed + external - bare.memory.heapUsed - bare.memory.external;
  return [
    { name: 'first start: until accounts are found', value: built, unit: 'ms', goal: 10_000 },
    { name: 'first start: longest work in one go', value: firstTask, unit: 'ms' },
    { name: 'first start: peak memory', value: mebibytes(firstPeak), unit: 'MiB' },
    {
      name: 'first start: peak memory, times that of a later start',
      value: firstPeak / peak(etherpad),
      unit: '',
      goal: 1.3,
    },
    { name: 'later start: longer than Etherpad alone', value: start - bare.start, unit: 'ms', goal: 200 },
    { name: 'later start: until accounts are found', value: ready, unit: 'ms' },
    {
      name: 'later start: longest work in one go',
      value: await probe.longestTask(etherpad),
      unit: 'ms',
    },
    {
      name: 'memory: more than Etherpad alone, live',
      value: mebibytes(live),
      unit: 'MiB',
      goal: 40,
    },
    {
      name: 'memory: more than Etherpad alone, process',
      value: mebibytes(rss - bare.memory.rss),
      unit: 'MiB',
    },
  ];
}

/** Calls as an administrator; a status other than 200 throws. */
async function administrator(etherpad: RunningEtherpad) {
  const { name: login, password } = etherpad.admin;
  const { body } = await etherpad.api('POST', 'auth/admin/login', { body: { login, password } });
  const { token } = body as { token: string };
  return async (method: string, place: string, input?: object): Promise<void> => {
    const { status } = await etherpad.api(method, place, { token, body: input });
    if (status !== 200) throw new Error(`${method} ${place} answers ${status}`);
  };
}

async function measureSearches(etherpad: RunningEtherpad, probe: Probe): Promise<Result[]> {
  const call = await administrator(etherpad);
  const search = (text: string) =>
    once(() => call('GET', `search-users/${encodeURIComponent(text)}?limit=50`));
  for (let round = 0; round < 30; round += 1) await search(`nobody ${round}`);
  await probe.longestTask(etherpad);
  const emptyCalls: number[] = [];
  for (let round = 0; round < 20; round += 1) {
    emptyCalls.push(await once(() => call('GET', 'stats/stats.json')));
  }
  const times = new Map<string, number[]>(needles.map((needle) => [needle, []]));
  for (let round = 0; round < 7; round += 1) {
    // Other searches make the server drop kept results, so that it runs each search again.
    for (let other = 0; other < 16; other += 1) await search(`nobody ${round} ${other}`);
    // A change must not make searches slower.
    await call('PUT', 'user/person1', { firstname: `Round${round}` });
    for (const [needle, samples] of times) samples.push(await search(needle));
  }
  return [
    { name: 'a call that does nothing', value: summarise(emptyCalls).median, unit: 'ms' },
    ...[...times].flatMap(([needle, samples]): Result[] => [
      { name: `search “${needle}”, median`, value: summarise(samples).median, unit: 'ms', goal: 5 },
      { name: `search “${needle}”, worst`, value: summarise(samples).max, unit: 'ms' },
    ]),
    { name: 'searches: longest work in one go', value: await probe.longestTask(etherpad), unit: 'ms' },
  ];
}

export async function accounts(): Promise<void> {
  const folder = temporaryFolder();
  try {
    const database = await writeFileDatabase(folder.path);
    const probe = probeIn(folder.path);
    const bare = await measureBare(database, probe);
    const etherpad = await startEtherpad({ database, env: probe.env });
    try {
      const starts = await measureStarts(etherpad, { probe, bare });
      report(`accounts: ${count} on dirty`, [...starts, ...(await measureSearches(etherpad, probe))]);
    } finally {
      await etherpad.stop();
    }
  } finally {
    folder.remove();
  }
}
