/** Functions for measuring: times, medians over many samples, and the probe in a measured server. */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';

export interface Summary {
  median: number;
  p95: number;
  p99: number;
  max: number;
}

/** Median, percentiles and largest value. Throws if there are no samples. */
export function summarise(samples: readonly number[]): Summary {
  const sorted = [...samples].sort((one, other) => one - other);
  const at = (share: number): number => {
    const value = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
    if (value === undefined) throw new Error('nothing was measured');
    return value;
  };
  return { median: at(0.5), p95: at(0.95), p99: at(0.99), max: at(1) };
}

/** The value below which this share (0 to 1) of the samples is; 0 without samples. */
export function percentile(samples: readonly number[], share: number): number {
  const sorted = [...samples].sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

/** Milliseconds that one run of `work` takes. */
export async function once(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** Milliseconds of each of `count` runs, one after another. The first `warmUp` runs are not measured. */
export async function time(count: number, work: () => Promise<unknown>, warmUp = 30): Promise<number[]> {
  const samples: number[] = [];
  for (let run = -warmUp; run < count; run++) {
    const sample = await once(work);
    if (run >= 0) samples.push(sample);
  }
  return samples;
}

/** Processor time of a process so far, user and system, in milliseconds. Linux only, in steps of 10 ms. */
export function processorTime(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/**
 * Processor time of a process's main thread so far, in milliseconds. Linux only. In a Node server this is the time in
 * which nothing else ran, and other load on the machine hardly changes it.
 */
export function mainThreadTime(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
}

interface Delays {
  p99: number;
  max: number;
}

/** From probe.cjs in the server: memory in bytes, delays in milliseconds since the last question. */
export interface ProbeValues {
  rss: number;
  /** Live objects, after a garbage collection. */
  heapUsed: number;
  /** What V8 has reserved for objects, used or not. */
  heapTotal: number;
  /** Buffers outside of the heap. */
  external: number;
  /** How late timers were. */
  late: Delays;
  /** How long the main thread worked in one go. */
  work: Delays;
}

/** The probe of a server that is started with `env`. It answers in a file of this folder. */
export function createProbe(folder: string) {
  const file = path.join(folder, 'probe.json');
  return {
    env: { NODE_OPTIONS: `--require ${path.join(__dirname, 'probe.cjs')}`, PROBE_FILE: file },
    /** `SIGWINCH`: collects garbage before. Rejects if there is no answer within a minute. */
    async ask(pid: number, signal: 'SIGUSR2' | 'SIGWINCH' = 'SIGUSR2'): Promise<ProbeValues> {
      rmSync(file, { force: true });
      process.kill(pid, signal);
      for (let tries = 0; !existsSync(file); tries++) {
        if (tries === 6_000) throw new Error('the probe in the server does not answer');
        await pause(10);
      }
      return JSON.parse(readFileSync(file, 'utf8')) as ProbeValues;
    },
  };
}
