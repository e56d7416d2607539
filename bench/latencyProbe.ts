/**
 * Measures latency continuously: an edit from one editor to another, and a cheap request. Started by latency.ts as a
 * separate process, so that the process that makes the load does not delay the measurement.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { Editor, type EditorPlace } from './editor';
import { send } from './http';
import { once } from './measure';

/** Milliseconds of each, since the last report. */
export interface LatencySamples {
  edits: number[];
  requests: number[];
}

const between = 4;
let samples: LatencySamples = { edits: [], requests: [] };

async function edit(place: EditorPlace): Promise<never> {
  let arrived: (() => void) | undefined;
  const reader = await Editor.open(place, { inserted: () => arrived?.() });
  const writer = await Editor.open(place);
  for (;;) {
    const there = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    const start = performance.now();
    const taken = writer.insert('x');
    await there;
    samples.edits.push(performance.now() - start);
    await taken;
    if (writer.textLength > 500) await writer.remove(400);
    if (reader.busy) throw new Error('the reader has lost the connection');
    await pause(between);
  }
}

async function request(url: string): Promise<never> {
  for (;;) {
    samples.requests.push(await once(() => send(`${url}/mypads/api/cache/check`)));
    await pause(between);
  }
}

function fail(error: unknown): void {
  console.error('The latency probe:', error);
  process.exit(1);
}

process.on('message', (message: EditorPlace | 'take') => {
  if (message === 'take') {
    process.send?.(samples);
    samples = { edits: [], requests: [] };
    return;
  }
  edit(message).catch(fail);
  request(message.url).catch(fail);
});
process.on('disconnect', () => process.exit(0));
