/** How long does the server work on the folder list of a person with 200 groups of 10 pads? Processor time of the server per call. */
import { startEtherpad } from '../test/support/etherpad';
import { createWorld } from '../test/support/hostWorld';
import { ms, print, processorTime, summarise, time } from './measure';

const [groups, padsOfEach, calls] = [200, 10, 100];

export async function folderList(): Promise<void> {
  const etherpad = await startEtherpad();
  try {
    const world = createWorld(etherpad);
    const alice = await world.person('alice');
    const { name: login, password } = etherpad.admin;
    const { body: admin } = await etherpad.api('POST', 'auth/admin/login', { body: { login, password } });
    // So many in one hour only an administrator makes.
    const maker = { ...alice, token: (admin as { token: string }).token };
    for (let group = 0; group < groups; group++) {
      const id = await world.group(alice, { name: `Group ${group}`, tags: ['one', 'two'] });
      await Promise.all(
        Array.from({ length: padsOfEach }, (_, pad) => world.pad(maker, id, { name: `Pad ${pad}` })),
      );
    }
    let bytes = 0;
    const list = async (): Promise<void> => {
      const { status, body } = await etherpad.api('GET', 'group', { token: alice.token });
      if (status !== 200) throw new Error(`the list answers ${status}`);
      bytes = JSON.stringify(body).length;
    };
    await time(30, list);
    const before = processorTime(etherpad.pid());
    const waits = summarise(await time(calls, list, 0));
    const processor = (processorTime(etherpad.pid()) - before) / calls;
    print(`Folder list: ${groups} groups of ${padsOfEach} pads (aim: 30 ms of server time)`, [
      ['server, processor time per call', ms(processor)],
      ['answer at the client, parsed', `${ms(waits.median)} median, ${ms(waits.p95)} p95`],
      ['size of the answer', `${Math.round(bytes / 1024)} kB of JSON`],
    ]);
  } finally {
    await etherpad.stop();
  }
}
