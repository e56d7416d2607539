/** Measures the export of a folder of 500 pads of 5 kB in all formats: time, size, and how long edits wait. */
import { setTimeout as pause } from 'node:timers/promises';
import { temporaryFolder } from '../test/support/app';
import { Dataset } from './dataset';
import { compareLatencies, latencyRows, startLatencyProbe } from './latency';
import { once, summarise } from './measure';
import { report } from './results';
import { openTarget, type Target } from './target';
import { writeTextPads } from './textPads';
import { signIn } from './texts';

const pads = 500;

interface Export {
  state: string;
  size?: number;
}

/** Resolves to the bytes of the file. */
async function exportFolder(target: Target, token: string, group: string): Promise<number> {
  const { key } = await target.ask<{ key: string }>('POST', 'exports', { token, body: { group } });
  for (;;) {
    const { value } = await target.ask<{ value: Export }>('GET', `exports/${key}`, { token });
    if (value.state === 'ready') return value.size ?? 0;
    if (value.state !== 'working') throw new Error(`the export is ${value.state}`);
    await pause(100);
  }
}

export async function exports(): Promise<void> {
  const folder = temporaryFolder();
  try {
    const written = await writeTextPads(folder.path, { pads, length: 5_000, inFolder: pads });
    const target = await openTarget({ database: written.file });
    try {
      const data = await Dataset.open(target);
      const open = await data.publicPad(await data.person());
      const token = await signIn(target, written);
      const [group = ''] = written.folders;
      const probe = await startLatencyProbe(target, open);
      const times: number[] = [];
      let bytes = 0;
      const { busy, base } = await compareLatencies(
        probe,
        async () => {
          times.push(
            await once(async () => {
              bytes = await exportFolder(target, token, group);
            }),
          );
        },
        () => pause(2_000),
      );
      probe.stop();
      report(`exports: a folder of ${pads} pads of 5 kB, in all formats`, [
        { name: 'until it is ready, median', value: summarise(times).median, unit: 'ms' },
        { name: 'size of the file', value: bytes / 1e6, unit: 'MB' },
        ...latencyRows('meanwhile', base, busy, 5),
      ]);
    } finally {
      await target.close();
    }
  } finally {
    folder.remove();
  }
}
