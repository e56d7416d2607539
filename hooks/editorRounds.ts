/** Collects open editors about which something has changed, and handles them together in rounds. */
import type { Schedule } from '../model/ports';
import type { Connection } from './openEditors';

export interface RoundOptions {
  schedule: Schedule;
  /** The name of the timer. */
  name: string;
  /** Milliseconds from the first editor that is added to the round. */
  delay: number;
  /** Must not reject. Editors that are added meanwhile are in the next round. `round` may be changed. */
  handle(round: Set<Connection>): Promise<void>;
}

/** Returns the function that adds editors to the next round. */
export function createRounds({ schedule, name, delay, handle }: RoundOptions) {
  let waiting = new Set<Connection>();
  let scheduled = false;

  async function run(): Promise<void> {
    const round = waiting;
    waiting = new Set();
    await handle(round);
    scheduled = false;
    begin();
  }

  function begin(): void {
    if (scheduled || waiting.size === 0) return;
    scheduled = true;
    schedule.later(name, delay, () => void run());
  }

  return (connections: Iterable<Connection>): void => {
    for (const connection of connections) waiting.add(connection);
    begin();
  };
}
