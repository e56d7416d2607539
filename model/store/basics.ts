import type { Events } from '../events';
import type { Log, Schedule } from '../ports';
import type { Store } from './store';

/** What most parts of the model work with. Each says which it needs: `Pick<Basics, 'store' | 'log'>`. */
export interface Basics {
  store: Store;
  events: Events;
  log: Log;
  /** Milliseconds since 1970. */
  now: () => number;
  schedule: Schedule;
}
