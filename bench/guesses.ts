/** Measures how long somebody else's sign-in takes while passwords are guessed. */
import { countTo, Dataset, password } from './dataset';
import { once, summarise, time } from './measure';
import { type Result, report } from './results';
import { openTarget, type Target } from './target';

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
      report(`guesses: ${addresses * each} wrong passwords at once from ${addresses} addresses`, [
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
