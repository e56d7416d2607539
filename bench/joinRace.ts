/**
 * `npx tsx bench/joinRace.ts --bare`: shows that Etherpad itself disconnects people who type while others join the pad,
 * with and without the plugin (soakLosses.ts says why). With `--joins 0`, only the people who type join.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startEtherpad } from '../test/support/etherpad';
import { Editor, type EditorPlace } from './editor';
import { explainLosses, type Loss } from './soakLosses';

const { values } = parseArgs({
  options: {
    bare: { type: 'boolean', default: false },
    joins: { type: 'string', default: '3' },
    typists: { type: 'string', default: '8' },
    seconds: { type: 'string', default: '20' },
  },
});
const losses: Loss[] = [];
let [accepted, joined] = [0, 0];

async function type(place: EditorPlace, shortens: boolean, end: number): Promise<void> {
  while (Date.now() < end) {
    try {
      const editor = await Editor.open(place, { lost: (reason, author) => losses.push({ reason, author }) });
      while (Date.now() < end) {
        await editor.insert('word ');
        accepted += 1;
        // One person only: two would remove the same text.
        if (shortens && editor.textLength > 3_000) await editor.remove(2_000);
        await pause(Math.random() * 30);
      }
      editor.close();
    } catch {
      // `lost` has reported it.
      await pause(100);
    }
  }
}

async function comeAndGo(place: EditorPlace, end: number): Promise<void> {
  while (Date.now() < end) {
    const editor = await Editor.open(place);
    joined += 1;
    await pause(Math.random() * 50);
    editor.close();
  }
}

async function run(): Promise<void> {
  const { bare, seconds, typists, joins } = values;
  const etherpad = await startEtherpad({ bare, settings: { loglevel: 'WARN' } });
  const { url, major } = etherpad;
  const place = { url, major, pad: 'race' };
  try {
    const end = Date.now() + Number(seconds) * 1_000;
    await Promise.all([
      ...Array.from({ length: Number(typists) }, (_, index) => type(place, index === 0, end)),
      ...Array.from({ length: Number(joins) }, () => comeAndGo(place, end)),
    ]);
    const { races, unexpected } = explainLosses(losses, etherpad.log());
    console.log(`${bare ? 'without' : 'with'} the plugin: ${accepted} changes accepted, ${joined} joins`);
    console.log(`disconnected by Etherpad's own race: ${races}, otherwise: ${unexpected.length}`);
    for (const text of new Set(unexpected)) console.log(`  ${text}`);
  } finally {
    await etherpad.stop();
  }
}

run().then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(error);
    process.exit(1);
  },
);
