/**
 * Measures how long an edit of others takes while somebody sends hostile messages to a public pad, and the memory it
 * costs.
 */
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import fc from 'fast-check';
import { temporaryFolder } from '../test/support/app';
import { type RunningEtherpad, startEtherpad } from '../test/support/etherpad';
import { createFixture } from '../test/support/hostFixture';
import { hostileMessages } from '../test/support/hostileMessages';
import { memoryOf } from '../test/support/memory';
import { PadClient } from '../test/support/socketClient';
import { longTasks, once, summarise } from './measure';
import { type Result, report } from './results';

const attackers = 4;
const seconds = 30;

async function enter(etherpad: RunningEtherpad, pad: string): Promise<PadClient> {
  const client = await PadClient.connect(etherpad);
  const access = await client.join(pad);
  if (access !== 'write') throw new Error(`${access} in ${pad}`);
  return client;
}

/** Sends messages until `end`, each on a new connection. Returns their number. */
async function attack(etherpad: RunningEtherpad, pad: string, seed: number, end: number): Promise<number> {
  let sent = 0;
  for (let turn = 0; performance.now() < end; turn++) {
    const [messages = []] = fc.sample(hostileMessages, { numRuns: 1, seed: seed + attackers * turn });
    const client = await enter(etherpad, pad);
    for (const send of messages) send(client);
    sent += messages.length;
    await pause(20);
    client.close();
  }
  return sent;
}

export async function hostile(): Promise<void> {
  const folder = temporaryFolder();
  const file = path.join(folder.path, 'longTasks.json');
  const probe = path.join(__dirname, 'stallProbe.cjs');
  const etherpad = await startEtherpad({
    settings: { socketIo: { maxHttpBufferSize: 1_000_000 } },
    env: { NODE_OPTIONS: `--require ${probe}`, STALL_FILE: file },
  });
  try {
    const fixture = createFixture(etherpad);
    const owner = await fixture.person('owner');
    const publicPad = async () => fixture.pad(owner, await fixture.group(owner, { visibility: 'public' }));
    const [attacked, other] = [await publicPad(), await publicPad()];
    const [writer, witness] = [await enter(etherpad, other), await enter(etherpad, other)];
    let number = 0;
    const edit = async (): Promise<void> => {
      number += 1;
      const arrived = witness.sees(`edit ${number}. `);
      await writer.write(`edit ${number}. `);
      await arrived;
    };
    for (let warm = 0; warm < 200; warm++) await edit();
    const memory = memoryOf(etherpad.pid());
    await longTasks(etherpad, file);
    const end = performance.now() + seconds * 1_000;
    const attacks = Array.from({ length: attackers }, (_, seed) => attack(etherpad, attacked, seed, end));
    const delays: number[] = [];
    while (performance.now() < end) {
      delays.push(await once(edit));
      await pause(20);
    }
    const sent = (await Promise.all(attacks)).reduce((sum, count) => sum + count, 0);
    const { median, p95, max } = summarise(delays);
    const [longest = 0] = await longTasks(etherpad, file);
    const results: Result[] = [
      { name: 'messages sent', value: sent, unit: '' },
      { name: 'an edit of somebody else, median', value: median, unit: 'ms' },
      { name: 'an edit of somebody else, p95', value: p95, unit: 'ms' },
      { name: 'an edit of somebody else, longest', value: max, unit: 'ms', goal: 200 },
      { name: 'longest work in one go', value: longest, unit: 'ms', goal: 200 },
      { name: 'memory before', value: memory, unit: 'MiB' },
      { name: 'memory after', value: memoryOf(etherpad.pid()), unit: 'MiB' },
    ];
    report(`Somebody tries out messages, ${attackers} at a time for ${seconds} s`, results);
    writer.close();
    witness.close();
  } finally {
    await etherpad.stop();
    folder.remove();
  }
}
