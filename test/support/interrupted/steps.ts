/** Steps of work that wait before one of their writes (severalPlugin.ts), so that a process is killed exactly there. */
import { setTimeout as pause } from 'node:timers/promises';
import { checkEach } from '../cases';
import type { RunningEtherpad } from '../etherpad';
import { command, heldKeys, untilHeld } from '../severalEtherpads';

/** Where the work is done, and where people look at it after the end of that process. */
export interface Place {
  victim: RunningEtherpad;
  /** The other process, or the same one when it runs again. */
  after: RunningEtherpad;
  /** Keys of the database that contain one of these texts. */
  keysWith(texts: string[]): Promise<string[]>;
  /** Kills `victim`. Resolves when people can go on in `after`. */
  kill(): Promise<void>;
}

export interface Step {
  title: string;
  /**
   * Beginnings of keys. The step waits before its first write of the first one, then of the second, and so on. Without
   * any, the process is killed when the step was answered.
   */
  keys: string[];
  /** Resolves to the status of the answer. */
  begin(): Promise<number>;
  /** Throws if what is left is wrong. */
  check(): Promise<void>;
}

/** Steps on their way to the last of their keys. Another write of the same key is the next one. */
class Steps {
  /** The number of the key before which each of them waits. */
  private readonly reached: number[];
  private readonly answers: Promise<number | 'cut'>[];
  private readonly given: (number | 'cut')[] = [];

  constructor(
    private readonly victim: RunningEtherpad,
    private readonly steps: readonly Step[],
  ) {
    this.reached = steps.map(() => -1);
    this.answers = steps.map(async ({ begin }, index) => {
      const answer = await begin().catch(() => 'cut' as const);
      this.given[index] = answer;
      return answer;
    });
  }

  private async advance(held: readonly string[], index: number): Promise<void> {
    const { title, keys } = this.steps[index] as Step;
    const answer = this.given[index] ?? 200;
    if (answer !== 200) throw new Error(`${title} is answered ${answer}`);
    const next = (this.reached[index] ?? 0) + 1;
    const key = keys[next];
    if (key === undefined || !held.some((one) => one.startsWith(key))) return;
    this.reached[index] = next;
    const following = keys[next + 1];
    if (following === undefined) return;
    if (following === key) await command(this.victim, { do: 'letPass', key });
    else {
      await command(this.victim, { do: 'holdWrites', keys: [following] });
      await command(this.victim, { do: 'endWrites', keys: [key] });
    }
  }

  private missing(): string[] {
    return this.steps.flatMap(({ title, keys }, index) => {
      const next = (this.reached[index] ?? 0) + 1;
      const isDone = keys.length === 0 ? this.given[index] !== undefined : next === keys.length;
      return isDone ? [] : [`${title} (${keys[next] ?? 'its answer'})`];
    });
  }

  /** With one question for all of them: one for each would keep the process from working. */
  async reachAll(): Promise<void> {
    for (const end = performance.now() + 120_000; this.missing().length > 0; await pause(50)) {
      if (performance.now() > end) throw new Error(`Timed out waiting for ${this.missing().join(', ')}`);
      const held = await heldKeys(this.victim);
      for (const index of this.steps.keys()) await this.advance(held, index);
    }
  }

  ended = (): Promise<unknown> => Promise.all(this.answers);
}

/** `last`: a key that all steps write, before which all of them are stopped in the end. */
export async function interrupt(place: Place, steps: readonly Step[], last?: string): Promise<void> {
  const { victim } = place;
  await command(victim, { do: 'holdWrites', keys: steps.flatMap(({ keys }) => keys.slice(0, 1)) });
  const running = new Steps(victim, steps);
  await running.reachAll();
  if (last !== undefined) {
    await command(victim, { do: 'holdWrites', keys: [last] });
    await command(victim, { do: 'endWrites', keys: steps.flatMap(({ keys }) => keys.slice(-1)) });
    await untilHeld(victim, last);
  }
  await place.kill();
  await running.ended();
  await checkEach(
    steps.map(({ title, check }) => [title, check] as const),
    (check) => check(),
  );
}

/** What stands in a pad of these tests. */
export const textOf = (pad: string): string => `The text of ${pad}`;
