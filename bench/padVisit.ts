/**
 * What does a visit of a pad's page cost with the plugin? The same page of the same Etherpad with and without it, in turn, so that a
 * machine that changes its speed changes both.
 */
import { type RunningEtherpad, startEtherpad } from '../test/support/etherpad';
import { createWorld } from '../test/support/hostWorld';
import { ms, once, percent, print, summarise } from './measure';

const visits = 400;

async function visit(etherpad: RunningEtherpad, pad: string, cookie?: string): Promise<number> {
  return once(async () => {
    const { status } = await etherpad.get(`/p/${pad}`, { cookie, accept: 'text/html' });
    if (status !== 200) throw new Error(`the pad's page answers ${status}`);
  });
}

export async function padVisit(): Promise<void> {
  const [ours, bare] = [await startEtherpad(), await startEtherpad({ bare: true })];
  try {
    const world = createWorld(ours);
    const alice = await world.person('alice');
    const restricted = await world.pad(alice, await world.group(alice));
    const open = await world.pad(alice, await world.group(alice, { visibility: 'public' }));
    const samples = { bare: [] as number[], member: [] as number[], guest: [] as number[] };
    for (let round = -40; round < visits; round++) {
      const without = await visit(bare, 'some-pad');
      const member = await visit(ours, restricted, alice.cookie);
      const guest = await visit(ours, open);
      if (round < 0) continue;
      samples.bare.push(without);
      samples.member.push(member);
      samples.guest.push(guest);
    }
    const [without, member, guest] = [samples.bare, samples.member, samples.guest].map(
      (one) => summarise(one).median,
    ) as [number, number, number];
    print(`Page of a pad, median of ${visits} visits (aim: +5 %)`, [
      ['without the plugin', ms(without)],
      ['restricted pad, signed in', `${ms(member)}  ${percent(member / without)}`],
      ['public pad, guest', `${ms(guest)}  ${percent(guest / without)}`],
    ]);
  } finally {
    await ours.stop();
    await bare.stop();
  }
}
