/**
 * Measures the processor time that the plugin's checks add to each websocket message: the whole server with and without
 * the plugin, divided by the number of messages. The messages are changes of one writer, one at a time.
 */
import { type RunningEtherpad, startEtherpad } from '../test/support/etherpad';
import { createFixture } from '../test/support/hostFixture';
import { PadClient } from '../test/support/socketClient';
import { ms, once, print, processorTime, summarise } from './measure';
import { plainEtherpad } from './target';

const messages = 1_500;
const rounds = 5;

async function writer(etherpad: RunningEtherpad, pad: string, cookie?: string): Promise<PadClient> {
  const client = await PadClient.connect(etherpad, cookie);
  const access = await client.join(pad);
  if (access !== 'write') throw new Error(`the writer is ${access}`);
  for (let warm = 0; warm < 300; warm++) await client.write('x');
  return client;
}

interface Cost {
  /** Milliseconds of processor time and of waiting, per message. */
  processor: number;
  wait: number;
}

async function cost(etherpad: RunningEtherpad, client: PadClient): Promise<Cost> {
  const before = processorTime(etherpad.pid());
  const wait = await once(async () => {
    for (let sent = 0; sent < messages; sent++) await client.write('x');
  });
  return { processor: (processorTime(etherpad.pid()) - before) / messages, wait: wait / messages };
}

export async function messageCheck(): Promise<void> {
  const [bare, ours] = [await plainEtherpad(), await startEtherpad()];
  try {
    const fixture = createFixture(ours);
    const alice = await fixture.person('alice');
    const guarded = await writer(ours, await fixture.pad(alice, await fixture.group(alice)), alice.cookie);
    const free = await writer(bare, 'some-pad');
    const differences: Cost[] = [];
    const base: Cost[] = [];
    for (let round = 0; round < rounds; round++) {
      const without = await cost(bare, free);
      const withPlugin = await cost(ours, guarded);
      base.push(without);
      differences.push({
        processor: withPlugin.processor - without.processor,
        wait: withPlugin.wait - without.wait,
      });
    }
    guarded.close();
    free.close();
    const median = (of: Cost[], what: keyof Cost): string => ms(summarise(of.map((one) => one[what])).median);
    print(`Checks of a message, median of ${rounds} × ${messages} messages (aim: under 0.1 ms)`, [
      [
        'one message without the plugin',
        `${median(base, 'processor')} processor, ${median(base, 'wait')} wait`,
      ],
      [
        'the plugin adds',
        `${median(differences, 'processor')} processor, ${median(differences, 'wait')} wait`,
      ],
    ]);
  } finally {
    await ours.stop();
  }
}
