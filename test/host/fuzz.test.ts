/** Random messages to a public pad do not stop others from writing, and do not make the server need more memory. */
import { expect } from 'chai';
import fc from 'fast-check';
import { useAttackedEtherpad } from '../support/attackedEtherpad';
import { hostileMessages } from '../support/hostileMessages';
import { memoryOf } from '../support/processState';
import { PadClient } from '../support/socketClient';

describe('random messages to the editor', function () {
  this.timeout(300_000);
  const { etherpad, fixture, owner } = useAttackedEtherpad();

  const publicPad = async () => fixture.pad(owner, await fixture.group(owner, { visibility: 'public' }));

  const enter = (pad: string): Promise<PadClient> => PadClient.writer(etherpad, '', pad);

  it('do not disturb others who write, in other pads and in the same', async () => {
    const [attacked, other] = [await publicPad(), await publicPad()];
    const [writer, witness] = [await enter(other), await enter(other)];
    const printedBefore = etherpad.log().length;
    let memory: number | undefined;
    let round = 0;

    async function othersWrite(): Promise<void> {
      round += 1;
      await writer.write(`round ${round}. `);
      await witness.sees(`round ${round}. `);
      if (round % 10 !== 0) return;
      // The text of the attacked pad may be anything by now, but people can open the pad and write in it.
      const [one, two] = [await enter(attacked), await enter(attacked)];
      await one.write(`still here ${round}. `);
      await two.sees(`still here ${round}. `);
      for (const client of [one, two]) client.close();
    }

    const attack = fc.asyncProperty(hostileMessages, async (messages) => {
      const attacker = await enter(attacked);
      for (const send of messages) send(attacker);
      await othersWrite();
      attacker.close();
      if (round === 50) memory = memoryOf(etherpad.pid());
    });
    await fc.assert(attack, { numRuns: 200, endOnFailure: true });
    expect(memoryOf(etherpad.pid()) - (memory ?? 0), 'MiB more').to.be.below(150);
    expect(etherpad.log().slice(printedBefore)).not.to.match(
      /unhandledRejection|uncaughtException|Exiting|message handler of Etherpad failed/i,
    );
    const { status } = await etherpad.api('GET', 'cache/check');
    expect(status).to.equal(200);
    writer.close();
    witness.close();
  });
});
