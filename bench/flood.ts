/**
 * Measures how long others wait for their lists while one person asks for thousands of theirs, on one connection and on
 * many, and while an administrator asks for all accounts; and what memory this leaves.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { temporaryFolder } from '../test/support/app';
import { memoryOf } from '../test/support/processState';
import { writeFileDatabase } from './accountsDatabase';
import { answerOf, startChild } from './children';
import { countTo, Dataset, inParallel, type SignedIn } from './dataset';
import type { FloodOrder, FloodResult } from './floodLoad';
import { once, processorTime, summarise } from './measure';
import { type Result, report } from './results';
import { openTarget, type Target } from './target';

const accounts = 11_112;
const folders = 200;
/** Goal for others' longest wait, in milliseconds. */
const goal = 100;
/** Milliseconds of loops. */
const loopTime = 10_000;
/** Milliseconds after which memory must be given back. */
const afterwards = 60_000;

async function personWith(data: Dataset, count: number): Promise<SignedIn> {
  const people = await data.people(10);
  const owner = await data.person();
  const users = people.map(({ id }) => id);
  await inParallel(countTo(count), (number) =>
    data.filledFolder(owner, 10, { name: `Folder ${number}`, users }),
  );
  return data.signIn(owner);
}

/** Milliseconds of each list of `other` while `work` runs. */
async function waitsDuring(target: Target, other: SignedIn, work: Promise<unknown>): Promise<number[]> {
  const waits: number[] = [];
  let running = true;
  const ended = work.finally(() => {
    running = false;
  });
  while (running) {
    waits.push(await once(() => target.ask('GET', 'group', { token: other.token })));
    await pause(20);
  }
  await ended;
  return waits;
}

function waitRows(what: string, waits: readonly number[], ms: number | undefined): Result[] {
  const { median, p95, max } = summarise(waits);
  return [
    { name: `${what}: a list of others, median`, value: median, unit: 'ms' },
    { name: `${what}: a list of others, p95`, value: p95, unit: 'ms' },
    { name: `${what}: a list of others, longest`, value: max, unit: 'ms', goal: ms },
  ];
}

interface Flood {
  target: Target;
  pid: number;
  data: Dataset;
  greedy: SignedIn;
  other: SignedIn;
}

async function attack(
  flood: Flood,
  kind: FloodOrder['kind'],
  count: number,
  encoding: string,
): Promise<void> {
  const { target, pid, greedy, other } = flood;
  const child = startChild('floodLoad.ts');
  const url = `${target.url}/mypads/api/group`;
  const what = kind === 'pipelined' ? `${count} on one connection` : `${count} loops`;
  await target.longestTask();
  const before = memoryOf(pid);
  const cpu = processorTime(pid);
  let peak = before;
  const watch = setInterval(() => {
    peak = Math.max(peak, memoryOf(pid));
  }, 50);
  const work = answerOf<FloodResult>(child, {
    kind,
    count,
    encoding,
    url,
    token: greedy.token,
  } satisfies FloodOrder);
  if (kind === 'loops') setTimeout(() => child.send('stop'), loopTime);
  const waits = await waitsDuring(target, other, work);
  const { answered, refused } = await work;
  clearInterval(watch);
  child.disconnect();
  const used = processorTime(pid) - cpu;
  const longest = await target.longestTask();
  await pause(afterwards);
  report(`flood: ${what}, ${encoding}`, [
    ...waitRows('meanwhile', waits, goal),
    { name: 'longest work in one go', value: longest, unit: 'ms' },
    { name: 'processor time of the server', value: used / 1000, unit: 's' },
    { name: 'answered', value: answered, unit: '' },
    { name: 'refused', value: refused, unit: '' },
    { name: 'memory before', value: before, unit: 'MiB' },
    { name: 'memory at most', value: peak, unit: 'MiB' },
    { name: 'memory a minute later', value: memoryOf(pid), unit: 'MiB', goal: before + 60 },
  ]);
}

async function allAccounts({ target, data, other }: Flood): Promise<void> {
  for (const path of ['search-users/person1', 'all-users', 'search-users/person1?limit=50']) {
    await target.longestTask();
    const times: number[] = [];
    const work = async (): Promise<void> => {
      for (let count = 0; count < 20; count += 1) {
        const call = { token: data.adminToken, headers: { 'accept-encoding': 'br, gzip' } };
        times.push(await once(() => target.call('GET', path, call)));
        await pause(50);
      }
    };
    const waits = await waitsDuring(target, other, work());
    const longest = await target.longestTask();
    report(`flood: ${path} of ${accounts} accounts`, [
      ...waitRows('meanwhile', waits, goal),
      { name: 'longest work in one go', value: longest, unit: 'ms', goal: 20 },
      { name: 'the call, median', value: summarise(times).median, unit: 'ms' },
    ]);
  }
}

export async function flood(): Promise<void> {
  const folder = temporaryFolder();
  const target = await openTarget({ database: await writeFileDatabase(folder.path, accounts) });
  try {
    const pid = target.own.pid();
    const isReady = () => target.ask<{ userCacheReady: boolean }>('GET', 'cache/check');
    while (!(await isReady()).userCacheReady) await pause(100);
    const data = await Dataset.open(target);
    const [greedy, other] = [await personWith(data, folders), await personWith(data, 20)];
    const all: Flood = { target, pid, data, greedy, other };
    const idle = await waitsDuring(target, other, pause(3_000));
    report('flood: nobody else asks', waitRows('idle', idle, undefined));
    await allAccounts(all);
    await attack(all, 'loops', 40, 'br, gzip');
    await attack(all, 'pipelined', 1_000, 'gzip');
    await attack(all, 'pipelined', 3_000, 'identity');
  } finally {
    await target.close();
    folder.remove();
  }
}
