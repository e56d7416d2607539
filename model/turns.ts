/** A queue with a pause after each turn, so that editing stays responsive. */
import { setTimeout as pause } from 'node:timers/promises';
import pLimit from 'p-limit';

/** The returned function resolves at the caller's turn. The next turn begins `pauseAfter` milliseconds later. */
export function createTurns(): (pauseAfter: number) => Promise<void> {
  const queue = pLimit(1);
  return (pauseAfter) =>
    new Promise((begin) => {
      void queue(() => {
        begin();
        return pause(pauseAfter);
      });
    });
}
