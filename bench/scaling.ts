/**
 * One, two and four Etherpads on one PostgreSQL behind nginx: what coordination costs each call, and how much processor
 * time edits and calls take from each part. `EDITORS` (default 500) and `PROCESSES` (default `1,2,4`) choose the size.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { withinTime } from '../model/timeLimit';
import { answerOf, startChild } from './children';
import { countTo, Dataset, inParallel, type Person, pickOne, type SignedIn } from './dataset';
import { percentile, summarise, time } from './measure';
import { type Result, report } from './results';
import { type ScalingServer, type Setup, type Spent, startScalingServer } from './scalingServer';
import type { CrowdOptions, CrowdReport, Seat } from './soakEditors';

const { EDITORS = '500', PROCESSES = '1,2,4' } = process.env;
const editors = Number(EDITORS);
const perPad = 8;
const typing = 0.08;
/** Seconds between two changes of a person who types. */
const pace = 1;
const seconds = 30;
const callers = 4;
const signInEvery = 500;
/** Milliseconds until all editors must be open. */
const openLimit = 60_000 + 150 * editors;

const setups: readonly Setup[] = [
  { name: 'one process without Redis', processes: 1, withRedis: false },
  ...PROCESSES.split(',')
    .map(Number)
    .map((processes) => ({
      name: processes === 1 ? 'one process with Redis' : `${processes} processes`,
      processes,
      withRedis: true,
    })),
];

interface Content {
  data: Dataset;
  owner: SignedIn;
  pupils: Person[];
  group: string;
  pads: string[];
  seats: Seat[];
}

async function createContent({ target }: ScalingServer): Promise<Content> {
  const data = await Dataset.open(target);
  const [first] = await data.people(1);
  const owner = await data.signIn(first as Person);
  const pupils = await data.people(20);
  const group = await data.folder(owner, { name: 'Open', visibility: 'public' });
  await inParallel(countTo(40), () => data.filledFolder(owner, 5));
  const pads = await inParallel(countTo(Math.ceil(editors / perPad)), () => data.pad(group));
  const seats = countTo(editors).map((index) => ({
    pad: pads[index % pads.length] ?? '',
    cookie: undefined,
  }));
  return { data, owner, pupils, group, pads, seats };
}

const rename = ({ data, owner, pads }: Content, pad = pickOne(pads)): Promise<unknown> =>
  data.target.ask('PUT', `pad/${pad}`, { token: owner.token, body: { name: `Pad ${Math.random()}` } });
const list = ({ data, owner }: Content): Promise<unknown> =>
  data.target.ask('GET', 'group', { token: owner.token });

/** One call after another, while nothing else happens. */
async function measureCalls(server: ScalingServer, content: Content): Promise<Result[]> {
  const { data, owner, group } = content;
  const read = (): Promise<unknown> => data.target.ask('GET', `group/${group}`, { token: owner.token });
  const count = 200;
  await time(1, read);
  const start = await server.redisCounts();
  const reads = summarise(await time(count, read, 0));
  const before = await server.redisCounts();
  const changes = summarise(await time(count, () => rename(content), 0));
  const after = await server.redisCounts();
  const toRead = (before.roundTrips - start.roundTrips) / count;
  const toChange = (after.roundTrips - before.roundTrips) / count;
  const roundTrip = summarise(await server.redisRoundTrips()).median;
  return [
    { name: 'a folder is read, median', value: reads.median, unit: 'ms' },
    { name: 'a pad is renamed, median', value: changes.median, unit: 'ms' },
    { name: 'a pad is renamed, 95 of 100', value: changes.p95, unit: 'ms' },
    ...(toChange > 0
      ? [
          { name: 'round trips to Redis to rename', value: toChange, unit: '' as const },
          { name: 'round trips to Redis to read', value: toRead, unit: '' as const },
          { name: 'a round trip, median', value: roundTrip, unit: 'ms' as const },
          { name: 'coordination, at most', value: toChange * roundTrip, unit: 'ms' as const, goal: 1 },
        ]
      : []),
  ];
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);

/** Processor time between two moments, in percent of a core. */
function shares(before: Spent, after: Spent, milliseconds: number): Result[] {
  const share = (spent: number): number => (100 * spent) / milliseconds;
  const each = after.mainThreads.map((spent, index) => spent - (before.mainThreads[index] ?? 0));
  const row = (name: string, spent: number): Result => ({ name, value: share(spent), unit: '' });
  return [
    row('main threads of Etherpad together, % of a core', sum(each)),
    row('the busiest of them', Math.max(...each)),
    row('PostgreSQL', Math.max(0, after.postgres - before.postgres)),
    row('nginx', after.nginx - before.nginx),
    row('Redis', after.redis - before.redis),
  ];
}

interface Load {
  calls: number;
  signIns: number;
}

/** Lists, changes and sign-ins until the time is over. */
async function callFor(content: Content, milliseconds: number): Promise<Load> {
  const end = performance.now() + milliseconds;
  const load: Load = { calls: 0, signIns: 0 };
  const call = async (): Promise<void> => {
    while (performance.now() < end) {
      await (load.calls % 4 === 0 ? rename(content) : list(content));
      load.calls += 1;
    }
  };
  const signIn = async (): Promise<void> => {
    while (performance.now() < end) {
      await content.data.signIn(pickOne(content.pupils));
      load.signIns += 1;
      await pause(signInEvery);
    }
  };
  await Promise.all([...countTo(callers).map(call), signIn()]);
  return load;
}

/** What happens in some seconds, with all editors open. */
async function measureLoad(
  server: ScalingServer,
  crowd: ReturnType<typeof startChild>,
  work: (milliseconds: number) => Promise<Load>,
): Promise<Result[]> {
  await answerOf<CrowdReport>(crowd, 'report');
  const [before, redisBefore, start] = [server.spent(), await server.redisCounts(), performance.now()];
  const { calls, signIns } = await work(seconds * 1_000);
  const milliseconds = performance.now() - start;
  const [after, redisAfter] = [server.spent(), await server.redisCounts()];
  const { arrivals, vanished, lost, late } = await answerOf<CrowdReport>(crowd, 'report');
  const perSecond = (count: number): number => (1_000 * count) / milliseconds;
  const main = sum(after.mainThreads) - sum(before.mainThreads);
  return [
    { name: 'edits that arrived', value: perSecond(arrivals.length), unit: 'per s' },
    { name: 'an edit arrives after, median', value: percentile(arrivals, 0.5), unit: 'ms' },
    { name: 'an edit arrives after, 99 of 100', value: percentile(arrivals, 0.99), unit: 'ms' },
    { name: 'of that, this machine’s clients late, 99 of 100', value: late, unit: 'ms' },
    { name: 'edits or connections lost', value: vanished + lost.length, unit: '', goal: 0 },
    ...(calls > 0
      ? [
          { name: 'lists and changes', value: perSecond(calls), unit: 'per s' as const },
          { name: 'sign-ins', value: perSecond(signIns), unit: 'per s' as const },
          {
            name: 'events',
            value: perSecond(redisAfter.events - redisBefore.events),
            unit: 'per s' as const,
          },
        ]
      : [{ name: 'main thread for an arrived edit', value: main / arrivals.length, unit: 'ms' as const }]),
    ...shares(before, after, milliseconds),
  ];
}

async function measureSetup(setup: Setup): Promise<void> {
  const server = await startScalingServer(setup);
  const crowd = startChild('soakEditors.ts');
  try {
    const content = await createContent(server);
    report(`${setup.name}: calls`, await measureCalls(server, content));
    const { url, major } = server.target;
    const open: CrowdOptions = { url, major, seats: content.seats, typing, pace, reloadInterval: 10 };
    const tooMany = (): Error => new Error(`${editors} editors are too many: they do not open in time`);
    await withinTime(answerOf(crowd, { open }), openLimit, tooMany);
    await pause(5_000);
    const title = `${setup.name}, ${editors} editors`;
    const onlyEdits = async (milliseconds: number): Promise<Load> => {
      await pause(milliseconds);
      return { calls: 0, signIns: 0 };
    };
    report(`${title}: edits alone`, await measureLoad(server, crowd, onlyEdits));
    report(`${title}: edits and calls`, await measureLoad(server, crowd, (time) => callFor(content, time)));
  } finally {
    if (crowd.connected) crowd.disconnect();
    await server.stop();
  }
}

/** Compares one process with several. A setup that fails, such as with too many editors, does not end the others. */
export async function scaling(): Promise<void> {
  for (const setup of setups) {
    await measureSetup(setup).catch((error: unknown) => {
      console.error(`${setup.name}:`, error);
      process.exitCode = 1;
    });
  }
}
