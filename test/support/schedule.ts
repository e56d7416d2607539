/** The real timers, and a way to run the work of a timer now. */
import type { Schedule } from '../../model/ports';

export interface TestSchedule extends Schedule {
  /** Runs the work of this name now. Work that was planned once does not run again at its time. */
  run(name: string): void;
  isPlanned(name: string): boolean;
}

interface Timer {
  name: string;
  work: () => void;
  cancel(): void;
}

/** `real` starts the timers. */
export function createTestSchedule(real: Schedule): TestSchedule {
  const timers = new Set<Timer>();

  function add(timer: Timer): () => void {
    timers.add(timer);
    return () => {
      timers.delete(timer);
      timer.cancel();
    };
  }

  return {
    later(name, milliseconds, work) {
      const done = (): void => {
        end();
        work();
      };
      const end = add({ name, work: done, cancel: real.later(name, milliseconds, () => done()) });
      return end;
    },
    every: (name, milliseconds, work) => add({ name, work, cancel: real.every(name, milliseconds, work) }),
    isPlanned: (name) => [...timers].some((timer) => timer.name === name),
    run(name) {
      for (const timer of [...timers]) if (timer.name === name) timer.work();
    },
  };
}
