/** Measures how long others wait while the server does something. */
import { setTimeout as pause } from 'node:timers/promises';
import { answerOf, startChild } from './children';
import type { LatencySamples } from './latencyProbe';
import { type Summary, summarise } from './measure';
import type { Result } from './results';
import type { Target } from './target';

export interface Latencies {
  /** Edits from one editor to another, in milliseconds. */
  edits: Summary;
  /** Cheap requests, in milliseconds. */
  requests: Summary;
  /** The longest task of the server's main thread in milliseconds of processor time. */
  longest: number;
}

export interface LatencyProbe {
  /** While `work` runs, which should take at least a second. */
  during(work: () => Promise<unknown>): Promise<Latencies>;
  stop(): void;
}

/**
 * Starts the probe: two editors in a pad that is open to everybody, and cheap requests. Nobody else should use `pad`.
 */
export async function startLatencyProbe(target: Target, pad: string): Promise<LatencyProbe> {
  const child = startChild('latencyProbe.ts');
  const take = (): Promise<LatencySamples> => answerOf(child, 'take');
  child.send({ url: target.url, major: target.major, pad });
  // The first seconds are slower: cold code and new connections.
  await pause(3_000);
  return {
    async during(work) {
      await target.longestTask();
      await take();
      await work();
      const { edits, requests } = await take();
      const longest = await target.longestTask();
      return { edits: summarise(edits), requests: summarise(requests), longest };
    },
    stop: () => void child.disconnect(),
  };
}

const rounds = 7;

const medianOf = (numbers: readonly number[]): number => summarise(numbers).median;

/** The median of several measurements: a single worst value depends on what else the machine did at that moment. */
function typical(measured: readonly Latencies[]): Latencies {
  const of = (kind: 'edits' | 'requests'): Summary => ({
    median: medianOf(measured.map((one) => one[kind].median)),
    p95: medianOf(measured.map((one) => one[kind].p95)),
    p99: medianOf(measured.map((one) => one[kind].p99)),
    max: medianOf(measured.map((one) => one[kind].max)),
  });
  return {
    edits: of('edits'),
    requests: of('requests'),
    longest: Math.max(...measured.map((one) => one.longest)),
  };
}

/**
 * How long others wait while the server does `work`, and while the same clients do `control`, which is the same work
 * for them and none for the server. Measured alternately, several times.
 */
export async function compareLatencies(
  probe: LatencyProbe,
  work: () => Promise<unknown>,
  control: () => Promise<unknown>,
): Promise<{ busy: Latencies; base: Latencies }> {
  const busy: Latencies[] = [];
  const base: Latencies[] = [];
  for (let round = 0; round < rounds; round += 1) {
    base.push(await probe.during(control));
    busy.push(await probe.during(work));
  }
  return { busy: typical(busy), base: typical(base) };
}

/**
 * Rows of a table: how much longer others waited than in `base`, worst case against worst case. `goal`: for the longest
 * wait and the longest task, in milliseconds.
 */
export function latencyRows(what: string, base: Latencies, busy: Latencies, goal?: number): Result[] {
  const longer = (kind: 'edits' | 'requests', of: keyof Summary): number =>
    Math.max(0, busy[kind][of] - base[kind][of]);
  return [
    { name: `${what}: an edit waits longer, p95`, value: longer('edits', 'p95'), unit: 'ms' },
    { name: `${what}: an edit waits longer, p99`, value: longer('edits', 'p99'), unit: 'ms' },
    { name: `${what}: an edit waits longer, worst`, value: longer('edits', 'max'), unit: 'ms', goal },
    { name: `${what}: a request waits longer, p95`, value: longer('requests', 'p95'), unit: 'ms' },
    { name: `${what}: a request waits longer, worst`, value: longer('requests', 'max'), unit: 'ms', goal },
    { name: `${what}: longest work in one go`, value: busy.longest, unit: 'ms', goal },
  ];
}
