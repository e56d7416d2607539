/**
 * Runs work that takes longer than a call, or must survive a crash. A job is stored before it runs and removed when it
 * has ended. One that fails runs again, later each time. The leader runs the jobs of processes that have ended.
 */

import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import pLimit, { type LimitFunction } from 'p-limit';
import { actingAs, byServer, currentOrigin } from '../actor';
import { isRefused, MyPadsError } from '../errors';
import type { Coordination, Schedule } from '../ports';
import type { Basics } from '../store/basics';
import { keys } from '../store/store';
import { JobListRecord, type StoredJob, withJob } from './jobList';
import type { Begun, Job, JobQueue, JobRun, Jobs, JobType, RunReason } from './types';

export interface JobsContext extends Pick<Basics, 'store' | 'log' | 'now' | 'schedule'> {
  coordination: Pick<Coordination, 'lock' | 'tryLock' | 'onTaken' | 'isLeader'>;
  leaderSchedule: Schedule;
}

const lookEvery = 60_000;
/** Milliseconds after which a process that did not lead looks again whether it has regular work to do. */
const lookAgain = 60 * 60_000;
/** Milliseconds until a failed job runs again: doubled with each failure. */
const firstPause = 60_000;
const longestPause = 60 * 60_000;
/** Milliseconds between two writes of a job's progress. */
const progressEvery = 5_000;
/** Milliseconds for which a job that has failed for good stays on the list. */
const keepFailed = 24 * 3600_000;
/** Jobs that are begun at the same time by `runDue`. */
const parallelStarts = 20;

const pauseAfter = (attempts: number): number => Math.min(firstPause * 2 ** (attempts - 1), longestPause);

/** Milliseconds until the job is due; 0 also if that is longer than any job waits: the clock was ahead then. */
function waitOf({ next }: StoredJob, now: number): number {
  const wait = Math.max(0, next - now);
  return wait > longestPause ? 0 : wait;
}

const hasSucceeded = (work: Promise<unknown>): Promise<boolean> =>
  work.then(
    () => true,
    () => false,
  );

/** A type whose facts are those that it has stored. */
type AnyType = JobType<unknown, unknown, unknown>;

interface Definition extends AnyType {
  limit: LimitFunction;
  /** What the server begins passes this limit before `limit`. So it never takes all places, and people get one soon. */
  limitOfServer: LimitFunction;
}

interface Running {
  reason: RunReason;
  aborting: AbortController;
  first: Promise<unknown>;
  /** Never rejects. */
  ended: Promise<void>;
}

/** Of a run. `store` may fail. */
interface Outcome {
  /** The type. */
  job: string;
  store(): Promise<void>;
  release(): void;
}

class StoredJobs implements Jobs {
  private readonly context: JobsContext;
  private readonly record: JobListRecord;
  private readonly types = new Map<string, Definition>();
  /** By type, how to run regular work now. */
  private readonly regular = new Map<string, () => Promise<void>>();
  private readonly running = new Map<string, Running>();
  /** By job: when it runs next in this process, and how to cancel that. */
  private readonly timers = new Map<string, { at: number; cancel(): void }>();
  /** Jobs that wait for more facts. */
  private readonly collecting = new Set<string>();
  /** By job, outcomes of runs that could not be stored. The locks are kept, so that nobody does the work again. */
  private readonly outcomes = new Map<string, Outcome>();
  private readonly endTimers: (() => void)[];
  private readonly stopping = new AbortController();

  constructor(context: JobsContext) {
    this.context = context;
    setMaxListeners(0, this.stopping.signal);
    this.record = new JobListRecord(context.store);
    // Another process has run the job again. An import that went on here too would make its pads twice.
    context.coordination.onTaken?.((key) => {
      for (const [id, { aborting }] of this.running) if (keys.job(id) === key) aborting.abort();
      for (const id of this.outcomes.keys()) if (keys.job(id) === key) this.dropOutcome(id);
    });
    this.endTimers = [context.leaderSchedule.every('run jobs', lookEvery, () => void this.runDue())];
  }

  get signal(): AbortSignal {
    return this.stopping.signal;
  }

  define<Facts, Result = void, Given = never>(
    type: JobType<Facts, Result, Given>,
  ): JobQueue<Facts, Result, Given> {
    const { parallel = 5 } = type;
    const limits = { limit: pLimit(parallel), limitOfServer: pLimit(Math.ceil(parallel / 2)) };
    this.types.set(type.type, { ...(type as unknown as AnyType), ...limits });
    const idOf = (name: string): string => `${type.type}:${name}`;
    return {
      begin: (facts, { name = randomUUID(), given } = {}) => {
        const id = type.shared ? type.type : idOf(name);
        return this.begin(id, { type: type.type, facts, given }) as Promise<Begun<Result>>;
      },
      note: async (facts) => {
        await this.store(type.shared ? type.type : idOf(randomUUID()), type.type, facts);
      },
      open: async () =>
        Object.values(await this.record.read())
          .filter((job) => job.type === type.type && !job.failed)
          .map(({ facts }) => facts as Facts),
      end: async (isMeant) => {
        const own = Object.entries(await this.record.read()).filter(([, job]) => job.type === type.type);
        for (const [id, { facts }] of own) if (isMeant(facts as Facts)) await this.end(id);
      },
    };
  }

  regularly: Jobs['regularly'] = (type, times, work) => {
    this.define({ type, run: (_facts, run) => work(run) });
    const { schedule, coordination, now } = this.context;
    const runNow = async (): Promise<void> => {
      const job = { type, facts: null, begun: now(), next: now(), attempts: 0 };
      const release = await coordination.tryLock(keys.job(type)).catch(() => undefined);
      if (release === undefined) return;
      if (this.signal.aborted) release();
      else await this.execute(type, job, { reason: 'begun', isRepeated: false }, release).ended;
    };
    this.regular.set(type, runNow);
    // A process that becomes the leader soon, and stops within a day, would do nothing of each day.
    const pause = ({ every }: { every: number }): number =>
      coordination.isLeader() ? every : Math.min(every, lookAgain);
    const untilNext = typeof times === 'function' ? times : () => pause(times);
    let cancel = (): void => {};
    // Every process plans, so that one that becomes the leader later has the next run.
    const plan = (milliseconds: number): void => {
      cancel = schedule.later(type, milliseconds, () => {
        plan(untilNext());
        if (coordination.isLeader()) void runNow();
      });
    };
    plan(typeof times === 'function' ? times() : times.first);
    this.endTimers.push(() => cancel());
  };

  async list(): Promise<Job[]> {
    const now = this.context.now();
    const jobs = Object.entries(await this.record.read()).map(([id, job]) => {
      const type = this.types.get(job.type);
      const isDue = type !== undefined && !job.failed && waitOf(job, now) === 0;
      const isRunning = this.running.has(id) || isDue;
      return { ...job, id, isRunning, canCancel: type?.canCancel ?? false };
    });
    return jobs.sort((one, other) => one.begun - other.begun);
  }

  async runNow(id: string): Promise<boolean> {
    const regular = this.regular.get(id);
    if (regular !== undefined) {
      await regular();
      return true;
    }
    if ((await this.record.read())[id] === undefined) return false;
    await (await this.runStored(id, 'again'))?.ended;
    return true;
  }

  async cancel(id: string): Promise<boolean> {
    const job = (await this.record.read())[id];
    const type = job && this.types.get(job.type);
    if (!type?.canCancel) return false;
    await type.cancelled?.(job?.facts);
    await this.end(id);
    return true;
  }

  async resume(): Promise<void> {
    const { now } = this.context;
    for (const [id, job] of Object.entries(await this.record.read())) {
      if (job.failed || this.running.has(id)) continue;
      if (this.types.get(job.type)?.first === undefined) this.runLater(id, waitOf(job, now()));
      // A failure is logged where it happens, and must not keep the server from starting.
      else await this.runStored(id, 'resumed').then((running) => running?.first.catch(() => {}));
    }
  }

  async runDue(): Promise<void> {
    const { now, log } = this.context;
    try {
      const all = Object.entries(await this.record.read());
      const isOld = (job: StoredJob): boolean => job.failed === true && now() - job.next > keepFailed;
      for (const [id, job] of all) if (isOld(job)) await this.end(id);
      const isDue = ([id, job]: [string, StoredJob]) =>
        !job.failed && waitOf(job, now()) === 0 && !this.running.has(id);
      const limit = pLimit(parallelStarts);
      const run = async (id: string) => (await this.runStored(id, 'again', { onlyDue: true }))?.ended;
      await Promise.all(all.filter(isDue).map(([id]) => limit(() => run(id))));
    } catch (error) {
      log.warn('jobs not read, retrying in a minute', { error: String(error) });
    }
  }

  async idle(): Promise<void> {
    while (this.running.size + this.collecting.size > 0) {
      await Promise.all([...this.collecting].map((id) => this.runStored(id, 'again')));
      await Promise.all([...this.running.values()].map(({ ended }) => ended));
    }
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    for (const end of this.endTimers) end();
    for (const { cancel } of this.timers.values()) cancel();
    for (const { aborting } of this.running.values()) aborting.abort();
    while (this.running.size > 0) {
      await Promise.all([...this.running.values()].map(({ ended }) => ended));
    }
    for (const id of this.outcomes.keys()) this.dropOutcome(id);
  }

  /** Adds the job to the list, or its facts to those of the shared one. */
  private async store(id: string, type: string, facts: unknown): Promise<{ job: StoredJob; isNew: boolean }> {
    const { now } = this.context;
    const shared = this.types.get(type)?.shared;
    const next = now() + (shared?.delay ?? 0);
    let before: StoredJob | undefined;
    let job: StoredJob = { type, facts, begun: now(), next, attempts: 0 };
    await this.record.change((jobs) => {
      before = jobs[id];
      if (before !== undefined) {
        // Somebody asks for it again, so it is tried as often as at first.
        const { failed, ...left } = before;
        const again = { next: Math.min(before.next, next), ...(failed && { attempts: 0 }) };
        if (shared) job = { ...left, ...again, facts: shared.merge(before.facts, facts) };
        else job = failed ? { ...left, ...again } : before;
      }
      return job === before ? jobs : withJob(jobs, id, job);
    });
    return { job, isNew: before === undefined };
  }

  private async begin(
    id: string,
    asked: { type: string; facts: unknown; given: unknown },
  ): Promise<Begun<unknown>> {
    const { type, facts, given } = asked;
    const shared = this.types.get(type)?.shared;
    if (this.signal.aborted) throw new MyPadsError('BACKEND.ERROR.SERVER.BUSY');
    if (shared !== undefined) {
      await this.store(id, type, facts);
      this.runLater(id, shared.delay);
      return { result: undefined, ended: Promise.resolve() };
    }
    const running = this.running.get(id);
    if (running !== undefined) {
      const hasFirst = this.types.get(type)?.first !== undefined;
      if (hasFirst && (await hasSucceeded(running.first))) {
        const result = await running.first;
        if (running.reason === 'begun' || result !== undefined) return { result, ended: running.ended };
      }
      // What it has looked at may have changed since.
      await running.ended;
      return this.begin(id, asked);
    }
    await this.storeOutcome(id);
    if (this.outcomes.has(id)) throw new MyPadsError('BACKEND.ERROR.SERVER.BUSY');
    // Before it is stored, so that the leader does not run it too.
    const release = await this.context.coordination.lock(keys.job(id));
    const { job, isNew } = await this.store(id, type, facts).catch((error: unknown) => {
      release();
      throw error;
    });
    if (this.signal.aborted) {
      release();
      throw new MyPadsError('BACKEND.ERROR.SERVER.BUSY');
    }
    const { first, ended } = this.execute(id, job, { reason: 'begun', isRepeated: !isNew, given }, release);
    return { result: await first, ended };
  }

  private async end(id: string): Promise<void> {
    this.cancelTimer(id);
    await this.record.change((jobs) => withJob(jobs, id, undefined));
    this.running.get(id)?.aborting.abort();
    this.dropOutcome(id);
  }

  private cancelTimer(id: string): void {
    this.timers.get(id)?.cancel();
    this.timers.delete(id);
    this.collecting.delete(id);
  }

  private runLater(id: string, delay: number): void {
    const at = this.context.now() + delay;
    if (this.signal.aborted || (this.timers.get(id)?.at ?? Number.POSITIVE_INFINITY) <= at) return;
    this.cancelTimer(id);
    const type = id.split(':', 1)[0] ?? id;
    const shared = this.types.get(type)?.shared;
    if (shared && !shared.waits) this.collecting.add(id);
    const run = (): void => void this.runStored(id, 'again').catch(() => {});
    this.timers.set(id, { at, cancel: this.context.schedule.later(type, delay, run) });
  }

  /** `undefined` if somebody runs it, or if it has ended. */
  private async runStored(
    id: string,
    reason: RunReason,
    { onlyDue = false } = {},
  ): Promise<Running | undefined> {
    this.cancelTimer(id);
    const before = this.running.get(id);
    // What was merged during the run is left when it ends.
    if (before !== undefined && id.includes(':')) return undefined;
    await before?.ended;
    if (this.signal.aborted || this.running.has(id) || (await this.storeOutcome(id))) return undefined;
    const release = await this.context.coordination.tryLock(keys.job(id));
    if (release === undefined) return undefined;
    try {
      const job = (await this.record.read())[id];
      const isMeant = job !== undefined && (!onlyDue || waitOf(job, this.context.now()) === 0);
      if (isMeant && this.types.has(job.type) && !this.signal.aborted && !this.running.has(id))
        return this.execute(id, job, { reason, isRepeated: true }, release);
    } catch (error) {
      release();
      throw error;
    }
    release();
    return undefined;
  }

  private execute(
    id: string,
    stored: StoredJob,
    { reason, isRepeated, given }: Pick<JobRun, 'reason' | 'isRepeated'> & { given?: unknown },
    release: () => void,
  ): Running {
    const type = this.types.get(stored.type);
    if (type === undefined) throw new Error(`no job type ${stored.type}`);
    const aborting = new AbortController();
    const { signal } = aborting;
    // Each removal of a pad listens; this turns off Node's warning about a leak.
    setMaxListeners(0, signal);
    let job = stored;
    let done: unknown;
    const change = (fields: Partial<StoredJob>): Promise<void> =>
      this.record.change((jobs) => {
        const now = jobs[id];
        if (now !== undefined) return withJob(jobs, id, { ...now, ...fields });
        // Another process has taken it off the list. Regular work is not on it.
        if (!this.regular.has(id)) aborting.abort();
        return jobs;
      });
    const run: JobRun = {
      reason,
      isRepeated,
      begun: stored.begun,
      signal,
      did: (facts) => {
        done = facts;
      },
      progress: this.progressOf(change),
      keep: async (facts, isLess = false) => {
        const kept = { facts, ...(isLess && { attempts: 0 }) };
        await change(kept);
        job = { ...job, ...kept };
      },
    };
    const start = async () => type.first?.(job.facts, run, given);
    // It is done by whoever begins the job, all else by the server.
    const first = reason === 'begun' ? start() : actingAs(byServer, start);
    const isServers = reason !== 'begun' || currentOrigin().by.kind === 'server';
    const work = first.then((result) => {
      const atItsTurn = () =>
        type.limit(() => {
          signal.throwIfAborted();
          return actingAs(byServer, () => type.run(job.facts, run, result));
        });
      return isServers ? type.limitOfServer(atItsTurn) : atItsTurn();
    });
    const note = (store: () => Promise<void>) => this.note(id, { job: job.type, store, release });
    const ended = work
      .then(
        () => note(() => this.settle(id, done ?? job.facts)),
        (error: unknown) => (signal.aborted ? undefined : note(() => this.fail(id, job, error))),
      )
      .finally(() => {
        this.running.delete(id);
        if (!this.outcomes.has(id)) release();
      });
    const running = { reason, aborting, first, ended };
    this.running.set(id, running);
    if (this.signal.aborted) aborting.abort();
    return running;
  }

  private progressOf(change: (fields: Partial<StoredJob>) => Promise<void>): JobRun['progress'] {
    let written = 0;
    return (done, total) => {
      const now = this.context.now();
      // Also when the clock was put back.
      if (Math.abs(now - written) < progressEvery) return;
      written = now;
      // It does no harm if this one is not written.
      void change({ progress: { done, total } }).catch(() => {});
    };
  }

  /** Stores the outcome of a run. If that fails, it is repeated instead of the run. Never rejects. */
  private async note(id: string, outcome: Outcome): Promise<void> {
    try {
      await outcome.store();
    } catch (error) {
      this.outcomes.set(id, outcome);
      this.runLater(id, firstPause);
      const facts = { job: outcome.job, error: String(error) };
      this.context.log.warn('outcome of a job not stored, retrying later', facts);
    }
  }

  /** Returns whether there was one that had not been stored. */
  private async storeOutcome(id: string): Promise<boolean> {
    const outcome = this.outcomes.get(id);
    if (outcome === undefined) return false;
    this.outcomes.delete(id);
    await this.note(id, outcome);
    if (!this.outcomes.has(id)) outcome.release();
    return true;
  }

  private dropOutcome(id: string): void {
    this.outcomes.get(id)?.release();
    this.outcomes.delete(id);
  }

  /** The job has done its work. What others have added to it meanwhile is done later. */
  private async settle(id: string, done: unknown): Promise<void> {
    let wait: number | undefined;
    await this.record.change((jobs) => {
      const now = jobs[id];
      if (now === undefined) return jobs;
      const shared = this.types.get(now.type)?.shared;
      const facts = shared?.without(now.facts, done);
      if (facts === undefined) return withJob(jobs, id, undefined);
      wait = shared?.delay ?? 0;
      const { type, begun } = now;
      return withJob(jobs, id, { type, facts, begun, next: this.context.now() + wait, attempts: 0 });
    });
    if (wait !== undefined) this.runLater(id, wait);
  }

  private async fail(id: string, job: StoredJob, failure: unknown): Promise<void> {
    const { log, now } = this.context;
    if (isRefused(failure)) {
      log.warn('job refused, not retrying', { job: job.type, error: String(failure) });
      return this.record.change((jobs) => withJob(jobs, id, undefined));
    }
    const maxAttempts = this.types.get(job.type)?.maxAttempts ?? Number.POSITIVE_INFINITY;
    const attempts = job.attempts + 1;
    const error = String(failure);
    const failed = attempts >= maxAttempts;
    if (failed) log.error('job failed, not retrying', { job: job.type, attempts, error });
    else log.error('job failed, retrying later', { job: job.type, attempts, error });
    const pause = pauseAfter(attempts);
    await this.record.change((jobs) => {
      // Regular work is stored only now. Any other job that is missing was cancelled in another process.
      const before = jobs[id] ?? (this.regular.has(id) ? job : undefined);
      if (before === undefined) return jobs;
      return withJob(jobs, id, {
        ...before,
        next: now() + pause,
        attempts,
        error,
        ...(failed && { failed }),
      });
    });
    if (!failed) this.runLater(id, pause);
  }
}

export const createJobs = (context: JobsContext): Jobs => new StoredJobs(context);
