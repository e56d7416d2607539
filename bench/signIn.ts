/**
 * Measures how long others wait while 50 people sign in at the same time, how long the last of the 50 takes, and how
 * long somebody else's sign-in takes while passwords are guessed.
 */
import { availableParallelism } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import type { RunningEtherpad } from '../test/support/etherpad';
import { countTo, Dataset, password } from './dataset';
import { compareLatencies, idleRows, latencyRows, startLatencyProbe } from './latency';
import { once, summarise, time } from './measure';
import { type Result, report } from './results';
import { openTarget, type Target } from './target';

const people = 50;
/** Threads that hash passwords. One core is left for editing. */
const threads = Math.max(1, availableParallelism() - 1);

/** Repeats a cheap call until the promise settles. Returns the milliseconds of each call. */
export async function listen(etherpad: RunningEtherpad, until: Promise<unknown>): Promise<number[]> {
  const delays: number[] = [];
  let going = true;
  until.then(
    () => (going = false),
    () => (going = false),
  );
  while (going) {
    delays.push(await once(() => etherpad.api('GET', 'cache/check')));
    await pause(2);
  }
  return delays;
}

export async function signIn(): Promise<void> {
  const target = await openTarget();
  try {
    const data = await Dataset.open(target);
    const everybody = await data.people(people);
    const [first] = everybody;
    if (first === undefined) throw new Error('no person was created');
    const probe = await startLatencyProbe(target, await data.publicPad(first));
    try {
      const alone = summarise(await time(5, () => data.signIn(first), 2)).median;
      const waits: number[] = [];
      const lasts: number[] = [];
      const { busy, base } = await compareLatencies(
        probe,
        async () => {
          const each = await Promise.all(everybody.map((person) => once(() => data.signIn(person))));
          waits.push(...each);
          lasts.push(Math.max(...each));
        },
        () => pause(lasts.at(-1) ?? (people * alone) / threads),
      );
      report(`signIn: ${people} people at once`, [
        ...idleRows(base),
        ...latencyRows('meanwhile', base, busy, 20),
        { name: 'one sign-in alone', value: alone, unit: 'ms' },
        { name: 'a sign-in, median', value: summarise(waits).median, unit: 'ms' },
        {
          name: 'the last sign-in',
          value: summarise(lasts).median,
          unit: 'ms',
          goal: (people * alone) / threads,
        },
      ]);
    } finally {
      probe.stop();
    }
  } finally {
    await target.close();
  }
}

/** Guesses that arrive at the same time: as many from each of so many addresses. */
const floods = [
  { addresses: 1, guesses: 12 },
  { addresses: 20, guesses: 10 },
];

/** Sends the guesses of a flood. Each address tries an account of its own, because one account is locked earlier. */
async function flood(target: Target, number: number, onAnswer: () => void): Promise<Record<number, number>> {
  const { addresses, guesses } = floods[number] ?? { addresses: 0, guesses: 0 };
  const statuses: Record<number, number> = {};
  const guess = async (address: number): Promise<void> => {
    const headers = { 'x-forwarded-for': `198.51.${100 + number}.${address}` };
    const body = { login: `guessed-${number}-${address}`, password: 'a guess' };
    const { status } = await target.call('POST', 'auth/login', { headers, body });
    statuses[status] = (statuses[status] ?? 0) + 1;
    onAnswer();
  };
  await Promise.all(countTo(addresses * guesses).map((each) => guess(each % addresses)));
  return statuses;
}

/** How long a sign-in takes from an address and with an account that nobody attacks, while others guess. */
export async function guesses(): Promise<void> {
  const target = await openTarget({ settings: { ep_mypads: { trustProxy: true } } });
  try {
    const data = await Dataset.open(target);
    const person = await data.person();
    const headers = { 'x-forwarded-for': '203.0.113.1' };
    const signInElsewhere = async (): Promise<void> => {
      const { status } = await target.call('POST', 'auth/login', {
        headers,
        body: { login: person.login, password },
      });
      if (status !== 200) console.log(`  the sign-in answers ${status}`);
    };
    const { median: alone, p95: aloneP95 } = summarise(await time(60, signInElsewhere, 2));
    for (const [number, { addresses, guesses: each }] of floods.entries()) {
      let going = true;
      const waits: number[] = [];
      let answered = 0;
      let overtakes = 0;
      // Until the first answer, the requests of the flood itself keep both this process and the server busy.
      const done = await new Promise<{ of: Promise<Record<number, number>> }>((begun) => {
        const of = flood(target, number, () => {
          answered += 1;
          begun({ of });
        }).finally(() => (going = false));
      });
      while (going) {
        const before = answered;
        waits.push(await once(signInElsewhere));
        overtakes = Math.max(overtakes, answered - before);
      }
      const statuses = await done.of;
      const { median, p95, max } = summarise(waits);
      report(`signIn: ${addresses * each} wrong passwords at once from ${addresses} addresses`, [
        { name: 'a sign-in, idle', value: alone, unit: 'ms' },
        { name: 'a sign-in, idle, p95', value: aloneP95, unit: 'ms' },
        { name: 'a sign-in from elsewhere, median', value: median, unit: 'ms' },
        { name: 'a sign-in from elsewhere, p95', value: p95, unit: 'ms', goal: 3 * alone },
        { name: 'a sign-in from elsewhere, longest', value: max, unit: 'ms' },
        // Hardly depends on other load: one whose answer is on its way, the one that runs, and every fourth turn.
        { name: 'guesses answered during one sign-in, most', value: overtakes, unit: '', goal: 3 },
        ...Object.entries(statuses).map(
          ([status, count]): Result => ({ name: `guesses answered ${status}`, value: count, unit: '' }),
        ),
      ]);
    }
  } finally {
    await target.close();
  }
}
