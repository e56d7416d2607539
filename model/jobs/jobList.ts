/** The stored list of jobs: work that has begun and not ended. */
import { createSharedRecord, type SharedRecord } from '../store/sharedRecord';
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

export const createJobList = (store: Store): SharedRecord<JobList> =>
  createSharedRecord<JobList>(store, keys.jobs, {
    read: readJobs,
    isEmpty: (jobs) => Object.keys(jobs).length === 0,
  });

/** The list with another entry for this id; without one if it is `undefined`. */
export function withJob(jobs: JobList, id: string, job: StoredJob | undefined): JobList {
  const { [id]: before, ...others } = jobs;
  if (job !== undefined) return { ...jobs, [id]: job };
  return before === undefined ? jobs : others;
}
