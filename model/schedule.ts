/** Implements the `Schedule` port with Node's timers. */
import type { Coordination, Schedule } from './ports';

/** With a longer time, Node's timer ends at once. */
const longestTimer = 2 ** 31 - 1;

/** Work that is due in more than 24 days begins after 24 days: it looks at the clock itself. */
export function createSchedule(): Schedule {
  return {
    later(_name, milliseconds, work) {
      const timer = setTimeout(work, Math.min(milliseconds, longestTimer)).unref();
      return () => clearTimeout(timer);
    },
    every(_name, milliseconds, work) {
      const timer = setInterval(work, milliseconds).unref();
      return () => clearInterval(timer);
    },
  };
}

/** The same schedule for background work that only the leader does. In other processes nothing runs. */
export function inLeader(schedule: Schedule, { isLeader }: Pick<Coordination, 'isLeader'>): Schedule {
  const guarded = (work: () => void) => (): void => {
    if (isLeader()) work();
  };
  return {
    later: (name, milliseconds, work) => schedule.later(name, milliseconds, guarded(work)),
    every: (name, milliseconds, work) => schedule.every(name, milliseconds, guarded(work)),
  };
}

/** Resolves after so many milliseconds, or as soon as `signal` aborts. */
export function pauseOn(
  schedule: Schedule,
  name: string,
  milliseconds: number,
  signal: AbortSignal,
): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const cancel = schedule.later(name, milliseconds, () => {
      signal.removeEventListener('abort', abort);
      resolve();
    });
    function abort(): void {
      cancel();
      resolve();
    }
    signal.addEventListener('abort', abort, { once: true });
  });
}
