/** A queue with a pause after each turn, so that editing stays responsive. */
import { setTimeout as pause } from 'node:timers/promises';

interface Turn {
  pauseAfter: number;
  begin(): void;
}

/**
 * The returned function resolves at the caller's turn. The next turn begins `pauseAfter` milliseconds later. Callers
 * alternate, so that nobody keeps others waiting with many requests.
 */
export function createTurns(): (pauseAfter: number, caller?: string) => Promise<void> {
  /** The caller whose turn is next comes first. */
  const waiting = new Map<string, Turn[]>();
  let isRunning = false;

  async function run(): Promise<void> {
    isRunning = true;
    for (let [next] = waiting; next !== undefined; [next] = waiting) {
      const [caller, turns] = next;
      const turn = turns.shift();
      turn?.begin();
      await pause(turn?.pauseAfter);
      // Behind the others now.
      waiting.delete(caller);
      if (turns.length > 0) waiting.set(caller, turns);
    }
    isRunning = false;
  }

  return (pauseAfter, caller = '') =>
    new Promise((begin) => {
      const own = waiting.get(caller);
      if (own) own.push({ pauseAfter, begin });
      else waiting.set(caller, [{ pauseAfter, begin }]);
      if (!isRunning) void run();
    });
}
