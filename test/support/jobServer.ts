/** What background work runs in, for tests: a database that survives its processes, and a clock that tests move. */
import { createInProcessCoordination } from '../../model/inProcessCoordination';
import { readJobs } from '../../model/jobs/jobList';
import { createJobs } from '../../model/jobs/jobs';
import type { Jobs } from '../../model/jobs/types';
import type { Coordination, Database, Schedule } from '../../model/ports';
import { createSchedule, inLeader } from '../../model/schedule';
import { createStore, keys } from '../../model/store/store';
import { createTestSchedule } from './schedule';

/** A database that stays when the process ends, and the processes that use it. */
export class JobServer {
  readonly values = new Map<string, unknown>();
  time = Date.now();
  isLeader = true;
  readonly coordination: Coordination = {
    ...createInProcessCoordination({ now: () => this.time }),
    isLeader: () => this.isLeader,
  };
  readonly logged: [string, unknown][] = [];
  /** What the jobs have done, in order. */
  readonly done: string[] = [];
  readonly schedules: ReturnType<typeof createTestSchedule>[] = [];
  private readonly started: Jobs[] = [];

  readonly database: Database = {
    get: async (key) => structuredClone(this.values.get(key)),
    set: async (key, value) => void this.values.set(key, structuredClone(value)),
    remove: async (key) => void this.values.delete(key),
    findKeys: async () => [],
  };

  start(timers: Schedule = createSchedule()): Jobs {
    const schedule = createTestSchedule(timers);
    this.schedules.push(schedule);
    const note =
      (level: string) =>
      (message: string, facts?: object): void =>
        void this.logged.push([message, { level, ...facts }]);
    const log = { debug: note('debug'), info: note('info'), warn: note('warn'), error: note('error') };
    const jobs = createJobs({
      store: createStore(this.database, this.coordination, { checkLocks: true }),
      coordination: this.coordination,
      schedule,
      leaderSchedule: inLeader(schedule, this.coordination),
      log,
      now: () => this.time,
    });
    this.started.push(jobs);
    return jobs;
  }

  stored = () => Object.values(readJobs(this.values.get(keys.jobs)));
  stop = () => Promise.all(this.started.map((jobs) => jobs.stop()));
}

/** Timers by the clock of a server, which goes only while somebody waits. */
export class JobClock implements Schedule {
  private readonly timers = new Set<{ at: number; again: number | undefined; work: () => void }>();

  constructor(private readonly server: JobServer) {}

  private add(milliseconds: number, again: number | undefined, work: () => void): () => void {
    const timer = { at: this.server.time + milliseconds, again, work };
    this.timers.add(timer);
    return () => this.timers.delete(timer);
  }

  later: Schedule['later'] = (_name, milliseconds, work) => this.add(milliseconds, undefined, work);
  every: Schedule['every'] = (_name, milliseconds, work) => this.add(milliseconds, milliseconds, work);

  async waitUntil(end: number): Promise<void> {
    for (;;) {
      const [next] = [...this.timers].filter(({ at }) => at <= end).sort((one, other) => one.at - other.at);
      if (next === undefined) break;
      this.server.time = next.at;
      if (next.again === undefined) this.timers.delete(next);
      else next.at += next.again;
      next.work();
      await new Promise(setImmediate);
    }
    this.server.time = end;
  }
}
