/**
 * Measures the page of a pad with and without the plugin in the same Etherpad, alternately, so that changes in the
 * machine's speed affect both.
 */
import { type RunningEtherpad, startEtherpad } from '../test/support/etherpad';
import { createFixture } from '../test/support/hostFixture';
import { ms, once, percent, print, summarise } from './measure';
import { plainEtherpad } from './target';

const visits = 400;

async function visit(etherpad: RunningEtherpad, pad: string, cookie?: string): Promise<number> {
  return once(async () => {
    const { status } = await etherpad.get(`/p/${pad}`, { cookie, accept: 'text/html' });
    if (status !== 200) throw new Error(`the pad's page answers ${status}`);
  });
}

export async function padVisit(): Promise<void> {
  const [bare, ours] = [await plainEtherpad(), await startEtherpad()];
  try {
    const fixture = createFixture(ours);
    const alice = await fixture.person('alice');
    const restricted = await fixture.pad(alice, await fixture.group(alice));
    const open = await fixture.pad(alice, await fixture.group(alice, { visibility: 'public' }));
    const kinds = [
      { samples: [] as number[], go: () => visit(bare, 'some-pad') },
      { samples: [] as number[], go: () => visit(ours, restricted, alice.cookie) },
      { samples: [] as number[], go: () => visit(ours, open) },
    ];
    for (let round = -40; round < visits; round++) {
      // Each variant is first, second and last equally often, because the one after another server finds colder caches.
      for (let turn = 0; turn < kinds.length; turn++) {
        const kind = kinds[(round + 40 + turn * (round % 2 === 0 ? 1 : 2)) % kinds.length];
        const sample = await kind?.go();
        if (round >= 0 && sample !== undefined) kind?.samples.push(sample);
      }
    }
    const [without = 0, member = 0, guest = 0] = kinds.map(({ samples }) => summarise(samples).median);
    print(`Page of a pad, median of ${visits} visits (aim: +5 %)`, [
      ['without the plugin', ms(without)],
      ['restricted pad, signed in', `${ms(member)}  ${percent(member / without)}`],
      ['public pad, guest', `${ms(guest)}  ${percent(guest / without)}`],
    ]);
  } finally {
    await ours.stop();
  }
}
