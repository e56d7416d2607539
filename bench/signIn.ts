/** Measures how long others wait while 50 people sign in at the same time, and how long the last of the 50 takes. */
import { availableParallelism } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import type { RunningEtherpad } from '../test/support/etherpad';
import { Dataset } from './dataset';
import { compareLatencies, idleRows, latencyRows, startLatencyProbe } from './latency';
import { once, summarise, time } from './measure';
import { report } from './results';
import { openTarget } from './target';

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
