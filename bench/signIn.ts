/**
 * How long does the event loop that carries everybody's keystrokes stall while 50 people sign in at once? A cheap call goes out every few
 * milliseconds and its answer's delay, less what it takes on a quiet server, is the stall.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { type RunningEtherpad, startEtherpad } from '../test/support/etherpad';
import { createWorld, password } from '../test/support/hostWorld';
import { ms, once, print, summarise } from './measure';

const people = 50;

/** Milliseconds that a cheap call takes, again and again until something is over. */
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
  const etherpad = await startEtherpad();
  try {
    const world = createWorld(etherpad);
    const logins: string[] = [];
    for (let made = 0; made < people; made++) logins.push((await world.person('person')).login);
    const quiet = summarise(await listen(etherpad, pause(2_000)));
    const all = Promise.all(
      logins.map((login) =>
        once(async () => {
          const { status } = await etherpad.api('POST', 'auth/login', { body: { login, password } });
          if (status !== 200) throw new Error(`sign-in answers ${status}`);
        }),
      ),
    );
    const busy = summarise(await listen(etherpad, all));
    const waits = summarise(await all);
    print(`${people} people sign in at once (aim: no stall of 20 ms)`, [
      ['a cheap call, quiet server', `${ms(quiet.median)} median, ${ms(quiet.max)} worst`],
      ['a cheap call meanwhile', `${ms(busy.median)} median, ${ms(busy.p95)} p95, ${ms(busy.max)} worst`],
      ['stall', `${ms(busy.p95 - quiet.median)} p95, ${ms(busy.max - quiet.median)} worst`],
      ['a sign-in takes', `${ms(waits.median)} median, ${ms(waits.max)} the last`],
    ]);
  } finally {
    await etherpad.stop();
  }
}
