/**
 * Measures what the plugin adds to opening a pad and to each message of the editor. The same Etherpad without the
 * plugin does the same alternately, so that changes in the machine's speed affect both.
 */
import { type RunningEtherpad, startEtherpad } from '../test/support/etherpad';
import { createFixture } from '../test/support/hostFixture';
import { PadClient } from '../test/support/socketClient';
import { mainThreadTime, once, processorTime, summarise } from './measure';
import { type Result, report } from './results';
import { plainEtherpad } from './target';

const visits = 400;
const openings = 100;
const messages = 600;
const rounds = 5;
/** More and shorter ones for messages, so that what else the machine does affects both servers. */
const messageRounds = 15;
/** Until the code is compiled, on both sides. */
const warmMessages = 2_500;

/** Somebody with a pad. */
interface Visitor {
  name: string;
  etherpad: RunningEtherpad;
  pad: string;
  cookie?: string;
}

async function visit({ etherpad, pad, cookie }: Visitor): Promise<void> {
  const { status } = await etherpad.get(`/p/${pad}`, { cookie, accept: 'text/html' });
  if (status !== 200) throw new Error(`the pad's page answers ${status}`);
}

async function enter({ etherpad, pad, cookie }: Visitor): Promise<PadClient> {
  const client = await PadClient.connect(etherpad, cookie);
  const access = await client.join(pad);
  if (access !== 'write') throw new Error(`the visitor is ${access}`);
  return client;
}

const medianOf = (samples: readonly number[]): number => summarise(samples).median;

/** The medians, and those with the plugin as multiples of the first one, which is without. */
function rowsBesideFirst(
  what: string,
  visitors: readonly Visitor[],
  samples: readonly number[][],
  goal: number,
): Result[] {
  const medians = samples.map(medianOf);
  return visitors.flatMap(({ name }, index): Result[] => {
    const [without = 0, value = 0] = [medians[0], medians[index]];
    const row: Result = { name: `${what}, ${name}`, value, unit: 'ms' };
    if (index === 0) return [row];
    return [
      row,
      { name: `${row.name}: times that without the plugin`, value: value / without, unit: '', goal },
    ];
  });
}

/** How long the page of the pad takes. */
async function pages(visitors: readonly Visitor[]): Promise<Result[]> {
  const samples = visitors.map((): number[] => []);
  for (let round = -40; round < visits; round++) {
    // Each variant is first, second and last equally often, because the one after another server finds colder caches.
    for (let turn = 0; turn < visitors.length; turn++) {
      const index = (round + 40 + turn * (round % 2 === 0 ? 1 : 2)) % visitors.length;
      const sample = await once(() => visit(visitors[index] as Visitor));
      if (round >= 0) samples[index]?.push(sample);
    }
  }
  return rowsBesideFirst('page of the pad', visitors, samples, 1.05);
}

/** The processor time of a server for each run of `work`, in milliseconds. */
async function cost(
  { etherpad }: Visitor,
  count: number,
  work: () => Promise<unknown>,
  timeOf = processorTime,
): Promise<number> {
  const before = timeOf(etherpad.pid());
  for (let run = 0; run < count; run++) await work();
  return (timeOf(etherpad.pid()) - before) / count;
}

/** Processor time of the page and of joining the pad over the websocket. */
async function opening(visitors: readonly Visitor[]): Promise<Result[]> {
  const samples = visitors.map((): number[] => []);
  for (let round = -1; round < rounds; round++) {
    for (const [index, visitor] of visitors.entries()) {
      const sample = await cost(visitor, openings, async () => {
        await visit(visitor);
        (await enter(visitor)).close();
      });
      if (round >= 0) samples[index]?.push(sample);
    }
  }
  return rowsBesideFirst('opening a pad, processor time', visitors, samples, 1.1);
}

/** What the checks add to a change of one writer: time of the server's main thread, and waiting. */
async function checksOfMessages(bare: Visitor, member: Visitor): Promise<Result[]> {
  const clients = await Promise.all([bare, member].map(enter));
  const measured = { processor: [[], []] as number[][], wait: [[], []] as number[][] };
  for (const client of clients) for (let warm = 0; warm < warmMessages; warm++) await client.write('x');
  for (let round = 0; round < messageRounds; round++) {
    for (const [index, visitor] of [bare, member].entries()) {
      let processor = 0;
      const wait = await once(async () => {
        const write = () => (clients[index] as PadClient).write('x');
        processor = await cost(visitor, messages, write, mainThreadTime);
      });
      measured.processor[index]?.push(processor);
      measured.wait[index]?.push(wait / messages);
    }
  }
  for (const client of clients) client.close();
  const rows = ([without = [], withPlugin = []]: number[][], what: string, goal?: number): Result[] => [
    { name: `a message without the plugin, ${what}`, value: medianOf(without), unit: 'ms' },
    {
      name: `the plugin adds to a message, ${what}`,
      value: medianOf(withPlugin.map((value, round) => value - (without[round] ?? 0))),
      unit: 'ms',
      goal,
    },
  ];
  return [...rows(measured.processor, 'main thread', 0.04), ...rows(measured.wait, 'wait')];
}

export async function padVisit(): Promise<void> {
  const [etherpad, ours] = [await plainEtherpad(), await startEtherpad()];
  try {
    const fixture = createFixture(ours);
    const alice = await fixture.person('alice');
    const bare: Visitor = { name: 'without the plugin', etherpad, pad: 'some-pad' };
    const member: Visitor = {
      name: 'restricted pad, signed in',
      etherpad: ours,
      pad: await fixture.pad(alice, await fixture.group(alice)),
      cookie: alice.cookie,
    };
    const guest: Visitor = {
      name: 'public pad, guest',
      etherpad: ours,
      pad: await fixture.pad(alice, await fixture.group(alice, { visibility: 'public' })),
    };
    const visitors = [bare, member, guest];
    const rows = [...(await pages(visitors)), ...(await opening(visitors))];
    report('padVisit: a pad with and without the plugin', [
      ...rows,
      ...(await checksOfMessages(bare, member)),
    ]);
  } finally {
    await ours.stop();
  }
}
