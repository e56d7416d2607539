/** What a kind of work says about itself (`JobType`), and what it gets from the runner in jobs.ts. */
import type { StoredJob } from './jobList';

/**
 * `begun`: just now, by this process. `resumed`: after a start, or after another process has ended. `again`: when its
 * time has come, or because somebody asked for it.
 */
export type RunReason = 'begun' | 'resumed' | 'again';

export interface JobRun {
  reason: RunReason;
  /** An earlier run has failed or was interrupted. */
  isRepeated: boolean;
  /** When it was begun, in milliseconds since 1970. */
  begun: number;
  /** Aborted when the server stops, or when the job is taken off the list. */
  signal: AbortSignal;
  progress(done: number, total: number): void;
  /**
   * Stores other facts for the next run: what is left to do. `isLess`: a part is done, so the failures before do not
   * count any more.
   */
  keep(facts: unknown, isLess?: boolean): Promise<void>;
  /** For a shared job: what this run has done. Default: all. */
  did(facts: unknown): void;
}

/** Work of one kind. It can be interrupted anywhere and is then repeated from the beginning. */
export interface JobType<Facts, Result = void, Given = never> {
  /** Also the name of its timers. */
  type: string;
  /**
   * What the call waits for that begins the job. Repeated before each run: if that finds nothing to do, it resolves to
   * `undefined`, so that no call takes it for what it has asked for. `given`: by that call, and not stored.
   */
  first?(facts: Facts, run: JobRun, given?: Given): Promise<Result>;
  /**
   * What follows in the background. A `MyPadsError` below 500 of one of the two ends the job; after other errors it
   * runs again.
   */
  run(facts: Facts, run: JobRun, result: Result): Promise<void>;
  /** There is only one job of this type. `merge` adds facts to it, `without` takes away what a run has done. */
  shared?: {
    merge(facts: Facts, more: Facts): Facts;
    without(facts: Facts, done: Facts): Facts | undefined;
    /** Milliseconds in which more facts are collected, and until what is left is done. */
    delay: number;
    /** The wait has another reason than collecting facts, so `idle` does not end it. */
    waits?: true;
  };
  /** Jobs that run at the same time in one process; half of them at most begun by the server. Default: 5. */
  parallel?: number;
  /** After so many failures it runs only if somebody asks for it. Default: no limit. */
  maxAttempts?: number;
  /** It can be given up without harm. Other jobs leave half of something behind, so nobody can cancel them. */
  canCancel?: true;
  /** Notes that somebody gives the job up, before it is taken off the list. */
  cancelled?(facts: Facts): Promise<void>;
}

export interface Begun<Result> {
  result: Result | undefined;
  /** Resolves when the run is over, also if it has failed. */
  ended: Promise<void>;
}

/** The jobs of one type. */
export interface JobQueue<Facts, Result = void, Given = never> {
  /**
   * Stores a job and starts it. Resolves after `first`. If that fails, rejects; the job stays and runs again later.
   * `name`: there is only one job of this name. If it is running, this call waits for it.
   */
  begin(facts: Facts, options?: { name?: string; given?: Given }): Promise<Begun<Result>>;
  /** Stores a job that `resume` is to run. */
  note(facts: Facts): Promise<void>;
  /** The facts of all jobs that have not ended or failed. */
  open(): Promise<Facts[]>;
  /** Takes the jobs with such facts off the list, and aborts their runs in this process. */
  end(isMeant: (facts: Facts) => boolean): Promise<void>;
}

export interface Job extends StoredJob {
  id: string;
  /** It runs in this process, or is due: another process runs it, or the leader does within a minute. */
  isRunning: boolean;
  canCancel: boolean;
}

export interface Jobs {
  /** Aborted when the jobs stop. */
  signal: AbortSignal;
  define<Facts, Result = void, Given = never>(
    type: JobType<Facts, Result, Given>,
  ): JobQueue<Facts, Result, Given>;
  /**
   * Runs `work` in the leader, `first` milliseconds after the start and then every so many. A function says how many
   * there are until the next run. It is stored as a job only when it has failed.
   */
  regularly(
    type: string,
    times: { first: number; every: number } | (() => number),
    work: (run: JobRun) => Promise<void>,
  ): void;
  /** All jobs that have not ended, the oldest first. */
  list(): Promise<Job[]>;
  /**
   * Runs a job, or regular work by its type, unless it is running. Resolves when it has run; to `false` if there is
   * none with this id.
   */
  runNow(id: string): Promise<boolean>;
  /**
   * Takes a job off the list and aborts its run in this process. Resolves to `false` if there is none with this id, or
   * if its type cannot be given up.
   */
  cancel(id: string): Promise<boolean>;
  /** Runs all jobs that no process runs. Resolves when `first` of each has ended. */
  resume(): Promise<void>;
  /** Runs jobs whose time has come. The leader calls it every minute. Resolves when they have run; never rejects. */
  runDue(): Promise<void>;
  /** Ends the wait for more facts. Resolves when nothing runs in this process. */
  idle(): Promise<void>;
  /** Aborts all runs; the next start resumes the jobs. Resolves when nothing runs. */
  stop(): Promise<void>;
}
