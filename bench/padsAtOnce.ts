/**
 * Measures changes of several pads that arrive at the same time, on a database server: they must not wait for each
 * other, which the plugin arranges on 1.8.14 (hooks/editorMessages.ts).
 */
import { databaseServers } from '../test/support/databases';
import { startEtherpad } from '../test/support/etherpad';
import { createFixture } from '../test/support/hostFixture';
import { PadClient } from '../test/support/socketClient';
import { once, summarise } from './measure';
import { report } from './results';

const pads = 8;
const rounds = 5;

export async function padsAtOnce(): Promise<void> {
  const [kind] = databaseServers;
  if (!kind) throw new Error('there is no database server here');
  const database = await kind.create();
  const etherpad = await startEtherpad({ settings: database.hostSettings() });
  try {
    const fixture = createFixture(etherpad);
    const owner = await fixture.person('owner');
    const group = await fixture.group(owner);
    const editors: PadClient[] = [];
    for (let count = 0; count < pads; count++) {
      const editor = await PadClient.connect(etherpad, owner.cookie);
      await editor.join(await fixture.pad(owner, group));
      await editor.write('the first change ');
      editors.push(editor);
    }
    const together: number[] = [];
    const apart: number[] = [];
    for (let round = 0; round < rounds; round++) {
      together.push(await once(() => Promise.all(editors.map((editor) => editor.write('at once ')))));
      apart.push(
        await once(async () => {
          for (const editor of editors) await editor.write('one after the other ');
        }),
      );
    }
    for (const editor of editors) editor.close();
    const [all, each] = [summarise(together).median, summarise(apart).median];
    report(`Changes of ${pads} pads on ${kind.name}, median of ${rounds}`, [
      { name: 'one after the other', value: each, unit: 'ms' },
      { name: 'at once', value: all, unit: 'ms', goal: each / 2.5 },
    ]);
  } finally {
    await etherpad.stop();
    await database.drop();
  }
}
