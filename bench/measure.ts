/** How the scripts of this folder measure and print: medians over many samples, ratios beside absolute numbers. */
import { readFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';

export interface Summary {
  median: number;
  p95: number;
  max: number;
}

/** Of numbers in any unit. Throws when there are none. */
export function summarise(samples: readonly number[]): Summary {
  const sorted = [...samples].sort((one, other) => one - other);
  const at = (share: number): number => {
    const value = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
    if (value === undefined) throw new Error('nothing was measured');
    return value;
  };
  return { median: at(0.5), p95: at(0.95), max: at(1) };
}

/** Milliseconds that `work` takes once. */
export async function once(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** Milliseconds of each of `count` runs, one after another, after `warmUp` that do not count. */
export async function time(count: number, work: () => Promise<unknown>, warmUp = 30): Promise<number[]> {
  const samples: number[] = [];
  for (let run = -warmUp; run < count; run++) {
    const sample = await once(work);
    if (run >= 0) samples.push(sample);
  }
  return samples;
}

/** Processor time of a process so far, user and system, in milliseconds (Linux: ticks of 10 ms). */
export function processorTime(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

export const ms = (value: number): string => `${value.toFixed(Math.abs(value) < 10 ? 3 : 1)} ms`;

export const percent = (ratio: number): string =>
  `${ratio >= 1 ? '+' : ''}${((ratio - 1) * 100).toFixed(1)} %`;

export function print(title: string, rows: readonly (readonly [string, string])[]): void {
  console.log(`\n${title}`);
  const width = Math.max(...rows.map(([name]) => name.length));
  for (const [name, value] of rows) console.log(`  ${name.padEnd(width)}  ${value}`);
}
