/**
 * Runs work that takes longer than a call, or must survive a crash. A job is stored before it runs and removed when it
 * has ended. One that fails runs again, later each time. The leader runs the jobs of processes that have ended.
 */
import { randomUUID } from 'node:crypto';
import pLimit, { type LimitFunction } from 'p-limit';
import { actingAs, byServer } from '../actor';
import { MyPadsError } from '../errors';
import type { Coordination, Log, Schedule } from '../ports';
import type { SharedRecord } from '../store/sharedRecord';
import { keys, type Store } from '../store/store';
import { createJobList, type JobList, type StoredJob, withJob } from './jobList';

/**
 * `begun`: just now, by this process. `resumed`: after a start, or after another process has ended. `again`: after a
 * failure or a pause, or because somebody asked for it.
 */
export type RunReason = 'begun' | 'resumed' | 'again';

export interface JobRun {
  reason: RunReason;
  /** Aborted when the server stops, or when the job is taken off the list. */
  signal: AbortSignal;
  progress(done: number, total: number): void;
  /** Stores other facts for the next run: what is left to do. */
  keep(facts: unknown): Promise<void>;
  /** The job does not end with this run, but runs again so many milliseconds after it. */
  again(milliseconds: number): void;
}

/** Work of one kind. It can be interrupted anywhere and is then repeated from the beginning. */
export interface JobType<Facts, Result = void> {
  /** Also the name of its timers. */
  type: string;
  /** What the call waits for that begins the job. Repeated before each run. */
  first?(facts: Facts, run: JobRun): Promise<Result>;
  /**
   * What follows in the background. A `MyPadsError` below 500 of one of the two ends the job; after other errors it
   * runs again.
   */
  run(facts: Facts, run: JobRun, result: Result): Promise<void>;
  /** There is only one job of this type. `merge` adds facts to it, `without` takes away what a run has done. */
  shared?: {
    merge(facts: Facts, more: Facts): Facts;
    without(facts: Facts, done: Facts): Facts | undefined;
    /** Milliseconds in which more facts are collected. */
    delay: number;
  };
  /** Jobs that run at the same time in one process. Default: 5. */
  parallel?: number;
  /** After so many failures it runs only if somebody asks for it. Default: no limit. */
  maxAttempts?: number;
  /** It can be given up without harm. Other jobs leave half of something behind, so nobody can cancel them. */
  canCancel?: true;
}

export interface Begun<Result> {
  result: Result | undefined;
  /** Resolves when the run is over, also if it has failed. */
  ended: Promise<void>;
}

/** The jobs of one type. */
export interface JobQueue<Facts, Result = void> {
  /**
   * Stores a job and starts it. Resolves after `first`. If that fails, rejects; the job stays and runs again later.
   * `name`: there is only one job of this name. `result` is missing if somebody is running it.
   */
  begin(facts: Facts, name?: string): Promise<Begun<Result>>;
  /** Stores a job that `resume` is to run. */
  note(facts: Facts): Promise<void>;
  /** The facts of all jobs that have not ended. */
  open(): Promise<Facts[]>;
  /** Takes a job off the list. */
  end(name: string): Promise<void>;
}

export interface Job extends StoredJob {
  id: string;
  /** It runs in this process, or is due: another process runs it, or the leader does within a minute. */
  isRunning: boolean;
  canCancel: boolean;
}

export interface Jobs {
  define<Facts, Result = void>(type: JobType<Facts, Result>): JobQueue<Facts, Result>;
  /**
   * Runs `work` in the leader, `first` milliseconds after the start and then every so many. It is stored as a job only
   * when it has failed.
   */
  regularly(
    type: string,
    times: { first: number; every: number },
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

export interface JobsContext {
  store: Store;
  coordination: Pick<Coordination, 'tryLock'>;
  schedule: Schedule;
  leaderSchedule: Schedule;
  log: Log;
  now: () => number;
}

const lookEvery = 60_000;
/** Milliseconds until a failed job runs again: doubled with each failure. */
const firstPause = 60_000;
const longestPause = 60 * 60_000;
/** Milliseconds between two writes of a job's progress. */
const progressEvery = 5_000;

const pauseAfter = (attempts: number): number => Math.min(firstPause * 2 ** (attempts - 1), longestPause);

const isRefusal = (error: unknown): boolean => error instanceof MyPadsError && error.status < 500;

/** A type whose facts are those that it has stored. */
type AnyType = JobType<unknown, unknown>;

interface Definition extends AnyType {
  limit: LimitFunction;
}

interface Running {
  aborting: AbortController;
  first: Promise<unknown>;
  /** Never rejects. */
  ended: Promise<void>;
}

class StoredJobs implements Jobs {
  readonly #context: JobsContext;
  readonly #list: SharedRecord<JobList>;
  readonly #types = new Map<string, Definition>();
  /** By type, how to run regular work now. */
  readonly #regular = new Map<string, () => Promise<void>>();
  readonly #running = new Map<string, Running>();
  /** By job, how to cancel its next run in this process. */
  readonly #timers = new Map<string, () => void>();
  /** Jobs that wait for more facts. */
  readonly #collecting = new Set<string>();
  readonly #endTimers: (() => void)[];
  #isStopped = false;

  constructor(context: JobsContext) {
    this.#context = context;
    this.#list = createJobList(context.store);
    this.#endTimers = [context.leaderSchedule.every('run jobs', lookEvery, () => void this.runDue())];
  }

  define<Facts, Result = void>(type: JobType<Facts, Result>): JobQueue<Facts, Result> {
    this.#types.set(type.type, { ...(type as unknown as AnyType), limit: pLimit(type.parallel ?? 5) });
    const idOf = (name: string): string => `${type.type}:${name}`;
    return {
      begin: (facts, name = randomUUID()) =>
        this.#begin(type.shared ? type.type : idOf(name), type.type, facts) as Promise<Begun<Result>>,
      note: async (facts) => {
        await this.#store(type.shared ? type.type : idOf(randomUUID()), type.type, facts);
      },
      open: async () =>
        Object.values(await this.#list.read())
          .filter((job) => job.type === type.type)
          .map(({ facts }) => facts as Facts),
      end: (name) => this.#end(idOf(name)),
    };
  }

  regularly: Jobs['regularly'] = (type, { first, every }, work) => {
    this.define({ type, run: (_facts, run) => work(run) });
    const { leaderSchedule, now } = this.#context;
    const runNow = async (): Promise<void> => {
      const job = { type, facts: null, begun: now(), next: now(), attempts: 0 };
      const release = await this.#context.coordination.tryLock(keys.job(type)).catch(() => undefined);
      if (release === undefined) return;
      if (this.#isStopped) release();
      else await this.#execute(type, job, 'begun', release).ended;
    };
    this.#regular.set(type, runNow);
    this.#endTimers.push(
      leaderSchedule.later(type, first, () => void runNow()),
      leaderSchedule.every(type, every, () => void runNow()),
    );
  };

  async list(): Promise<Job[]> {
    const now = this.#context.now();
    const jobs = Object.entries(await this.#list.read()).map(([id, job]) => {
      const type = this.#types.get(job.type);
      const isDue = type !== undefined && !job.failed && job.next <= now;
      const isRunning = this.#running.has(id) || isDue;
      return { ...job, id, isRunning, canCancel: type?.canCancel ?? false };
    });
    return jobs.sort((one, other) => one.begun - other.begun);
  }

  async runNow(id: string): Promise<boolean> {
    const regular = this.#regular.get(id);
    if (regular !== undefined) {
      await regular();
      return true;
    }
    if ((await this.#list.read())[id] === undefined) return false;
    await (await this.#runStored(id, 'again'))?.ended;
    return true;
  }

  async cancel(id: string): Promise<boolean> {
    const job = (await this.#list.read())[id];
    if (job === undefined || !this.#types.get(job.type)?.canCancel) return false;
    await this.#end(id);
    return true;
  }

  async resume(): Promise<void> {
    for (const [id, { failed }] of Object.entries(await this.#list.read())) {
      // A failure is logged where it happens, and must not keep the server from starting.
      if (!failed) await (await this.#runStored(id, 'resumed'))?.first.catch(() => {});
    }
  }

  async runDue(): Promise<void> {
    const { now, log } = this.#context;
    try {
      const due = Object.entries(await this.#list.read()).filter(
        ([, job]) => !job.failed && job.next <= now(),
      );
      await Promise.all(due.map(async ([id]) => (await this.#runStored(id, 'again'))?.ended));
    } catch (error) {
      log.warn('jobs not read, retrying in a minute', { error: String(error) });
    }
  }

  async idle(): Promise<void> {
    while (this.#running.size + this.#collecting.size > 0) {
      await Promise.all([...this.#collecting].map((id) => this.#runStored(id, 'again')));
      await Promise.all([...this.#running.values()].map(({ ended }) => ended));
    }
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    for (const end of [...this.#endTimers, ...this.#timers.values()]) end();
    for (const { aborting } of this.#running.values()) aborting.abort();
    while (this.#running.size > 0) {
      await Promise.all([...this.#running.values()].map(({ ended }) => ended));
    }
  }

  /** Adds the job to the list, or its facts to those of the shared one. */
  async #store(id: string, type: string, facts: unknown): Promise<{ job: StoredJob; isNew: boolean }> {
    const { now } = this.#context;
    const shared = this.#types.get(type)?.shared;
    const next = now() + (shared?.delay ?? 0);
    let before: StoredJob | undefined;
    let job: StoredJob = { type, facts, begun: now(), next, attempts: 0 };
    await this.#list.change((jobs) => {
      before = jobs[id];
      if (before !== undefined)
        job = shared ? { ...before, facts: shared.merge(before.facts, facts) } : before;
      return job === before ? jobs : withJob(jobs, id, job);
    });
    return { job, isNew: before === undefined };
  }

  async #begin(id: string, type: string, facts: unknown): Promise<Begun<unknown>> {
    const shared = this.#types.get(type)?.shared;
    if (shared !== undefined) {
      await this.#store(id, type, facts);
      this.#runLater(id, shared.delay);
      return { result: undefined, ended: Promise.resolve() };
    }
    // Before it is stored, so that the leader does not run it too.
    const release = await this.#context.coordination.tryLock(keys.job(id));
    if (release === undefined) return { result: undefined, ended: Promise.resolve() };
    const { job, isNew } = await this.#store(id, type, facts).catch((error: unknown) => {
      release();
      throw error;
    });
    const { first, ended } = this.#execute(id, job, isNew ? 'begun' : 'again', release);
    return { result: await first, ended };
  }

  async #end(id: string): Promise<void> {
    this.#cancelTimer(id);
    await this.#list.change((jobs) => withJob(jobs, id, undefined));
    this.#running.get(id)?.aborting.abort();
  }

  #cancelTimer(id: string): void {
    this.#timers.get(id)?.();
    this.#timers.delete(id);
    this.#collecting.delete(id);
  }

  #runLater(id: string, delay: number): void {
    if (this.#isStopped || this.#timers.has(id)) return;
    const type = id.split(':', 1)[0] ?? id;
    if (this.#types.get(type)?.shared) this.#collecting.add(id);
    const run = (): void => void this.#runStored(id, 'again').catch(() => {});
    this.#timers.set(id, this.#context.schedule.later(type, delay, run));
  }

  /** `undefined` if somebody runs it, or if it has ended. */
  async #runStored(id: string, reason: RunReason): Promise<Running | undefined> {
    this.#cancelTimer(id);
    const before = this.#running.get(id);
    // What was merged during the run is left when it ends.
    if (before !== undefined && id.includes(':')) return undefined;
    await before?.ended;
    if (this.#isStopped || this.#running.has(id)) return undefined;
    const release = await this.#context.coordination.tryLock(keys.job(id));
    if (release === undefined) return undefined;
    try {
      const job = (await this.#list.read())[id];
      if (job !== undefined && this.#types.has(job.type)) return this.#execute(id, job, reason, release);
    } catch (error) {
      release();
      throw error;
    }
    release();
    return undefined;
  }

  #execute(id: string, stored: StoredJob, reason: RunReason, release: () => void): Running {
    const type = this.#types.get(stored.type);
    if (type === undefined) throw new Error(`no job type ${stored.type}`);
    const aborting = new AbortController();
    const { signal } = aborting;
    let job = stored;
    let pause: number | undefined;
    const change = (fields: Partial<StoredJob>): Promise<void> =>
      this.#list.change((jobs) => {
        const now = jobs[id];
        return now ? withJob(jobs, id, { ...now, ...fields }) : jobs;
      });
    const run: JobRun = {
      reason,
      signal,
      progress: this.#progressOf(change),
      keep: async (facts) => {
        await change({ facts });
        job = { ...job, facts };
      },
      again: (milliseconds) => {
        pause = milliseconds;
      },
    };
    const start = async () => type.first?.(job.facts, run);
    // It is done by whoever begins the job, all else by the server.
    const first = reason === 'begun' ? start() : actingAs(byServer, start);
    const work = first.then((result) =>
      type.limit(() => {
        signal.throwIfAborted();
        return actingAs(byServer, () => type.run(job.facts, run, result));
      }),
    );
    const ended = work
      .then(
        () => this.#settle(id, job, pause),
        (error: unknown) => (signal.aborted ? undefined : this.#fail(id, job, error)),
      )
      .catch((error: unknown) =>
        this.#context.log.warn('job not taken off the list, running it again later', {
          job: job.type,
          error: String(error),
        }),
      )
      .finally(() => {
        this.#running.delete(id);
        release();
      });
    const running = { aborting, first, ended };
    this.#running.set(id, running);
    if (this.#isStopped) aborting.abort();
    return running;
  }

  #progressOf(change: (fields: Partial<StoredJob>) => Promise<void>): JobRun['progress'] {
    let written = 0;
    return (done, total) => {
      const now = this.#context.now();
      if (now - written < progressEvery) return;
      written = now;
      // It does no harm if this one is not written.
      void change({ progress: { done, total } }).catch(() => {});
    };
  }

  /** The job has done its work, or pauses. */
  async #settle(id: string, job: StoredJob, pause: number | undefined): Promise<void> {
    const shared = this.#types.get(job.type)?.shared;
    let wait: number | undefined;
    await this.#list.change((jobs) => {
      const now = jobs[id];
      if (now === undefined) return jobs;
      const facts = pause === undefined ? shared?.without(now.facts, job.facts) : now.facts;
      if (facts === undefined) return withJob(jobs, id, undefined);
      wait = pause ?? shared?.delay ?? 0;
      const { type, begun } = now;
      return withJob(jobs, id, { type, facts, begun, next: this.#context.now() + wait, attempts: 0 });
    });
    if (wait !== undefined) this.#runLater(id, wait);
  }

  async #fail(id: string, job: StoredJob, failure: unknown): Promise<void> {
    const { log, now } = this.#context;
    if (isRefusal(failure)) {
      log.warn('job refused, not retrying', { job: job.type, error: String(failure) });
      return this.#list.change((jobs) => withJob(jobs, id, undefined));
    }
    const maxAttempts = this.#types.get(job.type)?.maxAttempts ?? Number.POSITIVE_INFINITY;
    const attempts = job.attempts + 1;
    const error = String(failure);
    const failed = attempts >= maxAttempts;
    if (failed) log.error('job failed, not retrying', { job: job.type, attempts, error });
    else log.error('job failed, retrying later', { job: job.type, attempts, error });
    const pause = pauseAfter(attempts);
    await this.#list.change((jobs) => {
      // Regular work is stored only now. Any other job that is missing was cancelled in another process.
      const before = jobs[id] ?? (this.#regular.has(id) ? job : undefined);
      if (before === undefined) return jobs;
      return withJob(jobs, id, {
        ...before,
        next: now() + pause,
        attempts,
        error,
        ...(failed && { failed }),
      });
    });
    if (!failed) this.#runLater(id, pause);
  }
}

export const createJobs = (context: JobsContext): Jobs => new StoredJobs(context);
