/**
 * Brings accounts and roles up to date with the directory (LDAP), each night and on request. A run that would take
 * roles or accounts from more people than the limit takes nothing, and waits until an administrator confirms it.
 */
import { MyPadsError } from '../errors';
import type { Events } from '../events';
import type { JobQueue, JobRun, Jobs } from '../jobs/types';
import { keys } from '../store/store';
import { DirectoryRun, type DirectoryRunContext, type SyncCounts, type SyncPlan } from './directoryRun';

export interface LastRun extends Partial<SyncCounts> {
  /** Milliseconds since 1970. */
  began: number;
  ended: number;
  /** Why it has failed. Then it has counted nothing. */
  error?: string;
}

/** A run that has taken nothing, because it is about too many people. */
export interface Waiting {
  /** What confirms it. */
  id: string;
  /** How many people would lose a role or be deactivated. */
  people: number;
}

interface StoredState {
  last?: LastRun;
  waiting?: Waiting;
}

export interface SyncState extends StoredState {
  running: boolean;
}

export interface DirectorySyncContext extends DirectoryRunContext {
  jobs: Pick<Jobs, 'define' | 'list' | 'signal'>;
  events: Pick<Events, 'emit'>;
  /** The settings `directorySync` and `directorySyncLimit`. */
  isOn: () => boolean;
  limit: () => number;
}

/** `asked`: when somebody last asked for a run. */
interface Facts {
  asked: number;
  confirm?: string | undefined;
}

const type = 'syncDirectory';
/** With the pauses of the jobs, a quarter of an hour. The next night begins another run. */
const maxAttempts = 5;

const reasonOf = (error: unknown): string =>
  (error instanceof MyPadsError ? error.key : error instanceof Error ? error.message : String(error)).slice(
    0,
    300,
  );

export class DirectorySync {
  private readonly queue: JobQueue<Facts>;
  private previewing: Promise<SyncPlan> | undefined;

  constructor(private readonly context: DirectorySyncContext) {
    this.queue = context.jobs.define<Facts>({
      type,
      run: (facts, run) => this.run(facts, run),
      maxAttempts,
      shared: {
        delay: 0,
        merge: (facts, more) => ({ ...facts, ...more, asked: Math.max(facts.asked + 1, more.asked) }),
        without: (facts, done) => (facts.asked > done.asked ? facts : undefined),
      },
    });
  }

  async state(): Promise<SyncState> {
    const { store, jobs } = this.context;
    const stored = (await store.get<StoredState>(keys.directorySync)) ?? {};
    const running = (await jobs.list()).some((job) => job.type === type && job.isRunning);
    return { ...stored, running };
  }

  /**
   * Begins a run in the background. `confirm`: the id of a plan; a run with this plan may take from any number of
   * people. Throws CONFIGURATION.SIGN_IN_NOT_CONFIGURED without LDAP.
   */
  async begin(confirm?: string): Promise<void> {
    this.mustBeOffered();
    await this.queue.begin({ asked: this.context.now(), ...(confirm !== undefined && { confirm }) });
    const what = confirm === undefined ? 'begun' : 'confirmed';
    this.context.events.emit({ about: 'directorySync', what });
  }

  /**
   * What a run would do now. Throws as `begin`, and CONFIGURATION.UNABLE_TO_BIND_TO_LDAP if the directory does not list
   * everybody.
   */
  preview(): Promise<SyncPlan> {
    this.mustBeOffered();
    const { signal } = this.context.jobs;
    // Each reads the whole directory.
    this.previewing ??= new DirectoryRun(this.context, { signal, progress: () => {} })
      .plan()
      .catch((error: unknown) => {
        if (error instanceof MyPadsError) throw error;
        const details = { reason: reasonOf(error) };
        throw new MyPadsError('BACKEND.ERROR.CONFIGURATION.UNABLE_TO_BIND_TO_LDAP', details);
      })
      .finally(() => {
        this.previewing = undefined;
      });
    return this.previewing;
  }

  /** Begins a run if the setting `directorySync` is on and none has begun since `night`, in milliseconds since 1970. */
  async nightly(night: number): Promise<void> {
    const { isOn, methods, now, store } = this.context;
    if (!isOn() || !methods.offers('ldap') || (await this.queue.open()).length > 0) return;
    const { last } = (await store.get<StoredState>(keys.directorySync)) ?? {};
    // Later than now: the clock was ahead then.
    if (last === undefined || last.began < night || last.began > now())
      await this.queue.begin({ asked: now() });
  }

  private mustBeOffered(): void {
    if (this.context.methods.offers('ldap')) return;
    throw new MyPadsError('BACKEND.ERROR.CONFIGURATION.SIGN_IN_NOT_CONFIGURED', {
      reason: 'LDAP is not among the ways to sign in',
    });
  }

  private async run({ confirm }: Facts, run: JobRun): Promise<void> {
    const { methods, limit, log, now } = this.context;
    if (!methods.offers('ldap')) return;
    const began = now();
    try {
      const directory = new DirectoryRun(this.context, run);
      const plan = await directory.plan();
      const people = plan.taken.size;
      const mayTake = people <= limit() || plan.id === confirm;
      const counts = await directory.apply(plan, mayTake);
      log.info('directory sync ended', { ...counts });
      if (!mayTake) log.warn('directory sync waits for an administrator', { people, limit: limit() });
      await this.note({
        last: { began, ended: now(), ...counts },
        ...(!mayTake && { waiting: { id: plan.id, people } }),
      });
    } catch (error) {
      run.signal.throwIfAborted();
      const last = { began, ended: now(), error: reasonOf(error) };
      const { waiting } = (await this.context.store.get<StoredState>(keys.directorySync)) ?? {};
      await this.note({ last, ...(waiting && { waiting }) });
      throw error;
    }
  }

  private note(state: StoredState): Promise<void> {
    const { store } = this.context;
    return store.locked([keys.directorySync], () => store.set(keys.directorySync, state));
  }
}
