/** The stored list of jobs: work that has begun and not ended. */
import { keys, type Store } from '../store/store';

/** All times in milliseconds since 1970. */
export interface StoredJob {
  type: string;
  /** What the job's type needs to do or repeat the work. */
  facts: unknown;
  begun: number;
  /** When it runs next. It may be running now. */
  next: number;
  /** How often it has failed. */
  attempts: number;
  /** Of the last failure. */
  error?: string;
  /** It has failed as often as its type allows, and runs only if somebody asks for it. */
  failed?: true;
  progress?: { done: number; total: number };
}

/** By id. */
export type JobList = Readonly<Record<string, StoredJob>>;

const isTime = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);

function isJob(stored: unknown): stored is StoredJob {
  const { type, begun, next, attempts } = (stored ?? {}) as Partial<StoredJob>;
  return typeof type === 'string' && isTime(begun) && isTime(next) && isTime(attempts);
}

/** Damaged entries are left out. */
export function readJobs(stored: unknown): JobList {
  if (typeof stored !== 'object' || stored === null) return {};
  return Object.fromEntries(Object.entries(stored).filter(([, job]) => isJob(job)));
}

/** The list with another entry for this id; without one if it is `undefined`. */
export function withJob(jobs: JobList, id: string, job: StoredJob | undefined): JobList {
  const { [id]: before, ...others } = jobs;
  if (job !== undefined) return { ...jobs, [id]: job };
  return before === undefined ? jobs : others;
}

type Change = (now: JobList) => JobList;

/**
 * The record of the list, which many calls change at the same time. Changes that arrive during a write are written
 * together, because many databases need 100 ms for each write.
 */
export class JobListRecord {
  private waiting: Change[] = [];
  private next: Promise<void> | undefined;
  private last: Promise<void> = Promise.resolve();

  constructor(private readonly store: Store) {}

  async read(): Promise<JobList> {
    return readJobs(await this.store.get<unknown>(keys.jobs));
  }

  /** Resolves when the change is in the database. Nothing is written when `decide` returns the same object. */
  change(decide: Change): Promise<void> {
    this.waiting.push(decide);
    this.next ??= this.last.then(this.writeAll, this.writeAll);
    this.last = this.next;
    return this.next;
  }

  private takeAll(): Change[] {
    const changes = this.waiting;
    this.waiting = [];
    this.next = undefined;
    return changes;
  }

  private readonly writeAll = async (): Promise<void> => {
    const { store } = this;
    let isLocked = false;
    try {
      await store.locked([keys.jobs], async () => {
        isLocked = true;
        const changes = this.takeAll();
        const before = await this.read();
        let after = before;
        for (const change of changes) after = change(after);
        if (after === before) return;
        await (Object.keys(after).length === 0 ? store.remove(keys.jobs) : store.set(keys.jobs, after));
      });
    } catch (error) {
      // Without the lock these changes have failed. Later ones try to get it again.
      if (!isLocked) this.takeAll();
      throw error;
    }
  };
}
