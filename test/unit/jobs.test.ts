/** Jobs are stored before they run, repeated when they fail, and continued by the next start or another process. */
import { expect } from 'chai';
import { MyPadsError } from '../../model/errors';
import type { JobRun, Jobs, JobType } from '../../model/jobs/types';
import { keys } from '../../model/store/store';
import { JobServer } from '../support/jobServer';
import { heldWork, until } from '../support/waiting';

const minute = 60_000;

const keyOf = (error: unknown): string | undefined => (error instanceof MyPadsError ? error.key : undefined);

describe('a job', () => {
  let server: JobServer;
  let jobs: Jobs;

  beforeEach(() => {
    server = new JobServer();
    jobs = server.start();
  });
  afterEach(() => server.stop());

  /** A type of jobs whose run is noted, and then does `run`. */
  const typeOf = (
    run: (facts: string, run: JobRun) => Promise<void>,
    more: Partial<JobType<string>> = {},
  ): JobType<string> => ({
    type: 'work',
    async run(facts, context) {
      server.done.push(`${facts} ${context.reason}`);
      await run(facts, context);
    },
    ...more,
  });

  it('is stored before it runs, and gone when it has ended', async () => {
    const { held, release } = heldWork();
    const queue = jobs.define(typeOf(() => held));
    const { ended } = await queue.begin('one');
    expect(server.stored()).to.have.length(1);
    expect(await queue.open()).to.deep.equal(['one']);
    release();
    await ended;
    expect(server.values.has(keys.jobs)).to.equal(false);
    expect(server.done).to.deep.equal(['one begun']);
  });

  it('that cannot be stored does not run', async () => {
    const queue = jobs.define(typeOf(async () => {}));
    server.database.set = () => Promise.reject(new Error('the disk is full'));
    const refused = await queue.begin('one').catch((error: unknown) => String(error));
    expect(refused).to.include('the disk is full');
    expect(server.done).to.deep.equal([]);
  });

  it('answers its caller after the first part, and goes on', async () => {
    const { held, release } = heldWork();
    const queue = jobs.define<string, number>({
      type: 'work',
      first: async (facts) => facts.length,
      run: async (_facts, _run, result) => {
        await held;
        server.done.push(`result ${result}`);
      },
    });
    const { result, ended } = await queue.begin('three');
    expect(result).to.equal(5);
    expect(server.done).to.deep.equal([]);
    release();
    await ended;
    expect(server.done).to.deep.equal(['result 5']);
  });

  it('runs again when it has failed: after a minute, then after two, four and at most sixty', async () => {
    const queue = jobs.define(typeOf(() => Promise.reject(new Error('the mail server is away'))));
    await (await queue.begin('one')).ended;
    const pauses: number[] = [];
    for (let attempt = 1; attempt <= 8; attempt += 1) {
      const [job] = server.stored();
      expect(job?.attempts).to.equal(attempt);
      expect(job?.error).to.include('the mail server is away');
      const pause = (job?.next ?? 0) - server.time;
      pauses.push(pause / minute);
      server.time += pause - 1;
      await jobs.runDue();
      expect(server.done, 'too early').to.have.length(attempt);
      server.time += 1;
      await jobs.runDue();
    }
    expect(pauses).to.deep.equal([1, 2, 4, 8, 16, 32, 60, 60]);
    expect(new Set(server.done.slice(1))).to.deep.equal(new Set(['one again']));
  });

  it('is not tried more often than its type allows, but when somebody asks for it', async () => {
    let isBroken = true;
    const work = () => (isBroken ? Promise.reject(new Error('refused')) : Promise.resolve());
    const queue = jobs.define(typeOf(work, { maxAttempts: 2 }));
    await (await queue.begin('one')).ended;
    server.time += minute;
    await jobs.runDue();
    server.time += 24 * 60 * minute;
    await jobs.runDue();
    await jobs.resume();
    expect(server.done).to.have.length(2);
    expect(server.logged.map(([message]) => message)).to.deep.equal([
      'job failed, retrying later',
      'job failed, not retrying',
    ]);
    isBroken = false;
    const [{ id = '' } = {}] = await jobs.list();
    expect(await jobs.runNow(id)).to.equal(true);
    expect(server.stored()).to.deep.equal([]);
    expect(await jobs.runNow(id)).to.equal(false);
  });

  it('of a name that has failed for good is tried as often as at first when it is begun again', async () => {
    const queue = jobs.define(typeOf(() => Promise.reject(new Error('refused')), { maxAttempts: 2 }));
    const begin = async () => (await queue.begin('one', { name: 'same' })).ended;
    await begin();
    server.time += minute;
    await jobs.runDue();
    expect(await queue.open(), 'failed').to.deep.equal([]);
    await begin();
    expect(await queue.open(), 'begun again').to.deep.equal(['one']);
    server.time += minute;
    await jobs.runDue();
    expect(server.done).to.deep.equal(['one begun', 'one again', 'one begun', 'one again']);
    expect(await queue.open(), 'failed again').to.deep.equal([]);
  });

  it('of a name that has failed for good and is begun again is continued after a crash', async () => {
    let isBroken = true;
    const { held, release } = heldWork();
    const type = typeOf(() => (isBroken ? Promise.reject(new Error('refused')) : held), { maxAttempts: 1 });
    const queue = jobs.define(type);
    await (await queue.begin('one', { name: 'same' })).ended;
    isBroken = false;
    await queue.begin('one', { name: 'same' });
    // The lock of a process that has ended is free.
    const next = new JobServer();
    next.values.set(keys.jobs, structuredClone(server.values.get(keys.jobs)));
    const other = next.start();
    other.define(type);
    release();
    await other.runDue();
    expect(server.done).to.deep.equal(['one begun', 'one begun', 'one again']);
    expect(next.stored()).to.deep.equal([]);
    await next.stop();
  });

  it('ends when it is refused for good, and its caller gets the reason', async () => {
    const refusal = new MyPadsError('BACKEND.ERROR.CONFIGURATION.KEY_NOT_FOUND', { key: 'x' });
    const queue = jobs.define<string>({
      type: 'work',
      first: () => Promise.reject(refusal),
      run: async () => {},
    });
    expect(await queue.begin('one').catch((error: unknown) => error)).to.equal(refusal);
    await jobs.idle();
    expect(server.stored()).to.deep.equal([]);
  });

  it('keeps what is left to do, so that nothing is done twice', async () => {
    let isBroken = true;
    const queue = jobs.define<string[]>({
      type: 'work',
      async run(facts, { keep }) {
        for (const [index, fact] of facts.entries()) {
          if (fact === 'bad' && isBroken) throw new Error('failed');
          server.done.push(fact);
          await keep(facts.slice(index + 1));
        }
      },
    });
    await (await queue.begin(['good', 'bad', 'last'])).ended;
    isBroken = false;
    server.time += minute;
    await jobs.runDue();
    expect(server.done).to.deep.equal(['good', 'bad', 'last']);
  });

  it('shows how far it is, at most every five seconds, also after the clock was put back', async () => {
    const [first, second] = [heldWork(), heldWork()];
    const queue = jobs.define(
      typeOf(async (_facts, { progress }) => {
        for (let done = 1; done <= 3; done += 1) progress(done, 5);
        await first.held;
        progress(4, 5);
        await second.held;
      }),
    );
    const { ended } = await queue.begin('one');
    const shown = () => server.stored()[0]?.progress?.done;
    await until('it is shown', () => shown() !== undefined);
    expect(shown()).to.equal(1);
    server.time -= 60 * minute;
    first.release();
    await until('it is shown again', () => shown() === 4);
    second.release();
    await ended;
  });

  it('of a name that is begun twice has one first part, whose result both callers get', async () => {
    const { held, release } = heldWork();
    const queue = jobs.define<string, string>({
      type: 'work',
      async first(facts) {
        server.done.push(facts);
        await held;
        return `result of ${facts}`;
      },
      run: async () => {},
    });
    const first = queue.begin('one', { name: 'same' });
    await until('it runs', () => server.done.length > 0);
    const second = queue.begin('two', { name: 'same' });
    release();
    const results = (await Promise.all([first, second])).map(({ result }) => result);
    expect(results).to.deep.equal(['result of one', 'result of one']);
    expect(server.done).to.deep.equal(['one']);
  });

  it('of a name whose first part has failed is begun again by the next caller, and not said to be done', async () => {
    let isBroken = true;
    const queue = jobs.define<string, string>({
      type: 'work',
      async first(facts, { reason, isRepeated }) {
        if (isBroken) throw new Error('the database is away');
        return `${facts} ${reason} ${isRepeated}`;
      },
      run: async () => {},
    });
    const failure = await queue.begin('one', { name: 'same' }).catch((error: unknown) => String(error));
    expect(failure).to.include('the database is away');
    isBroken = false;
    const { result, ended } = await queue.begin('one', { name: 'same' });
    expect(result).to.equal('one begun true');
    await ended;
    expect(server.stored()).to.deep.equal([]);
  });

  it('of a name that finds nothing to do after a start is begun again by a caller, and not said to be done', async () => {
    const { held, release } = heldWork();
    let isReached = false;
    const defineIn = (inProcess: Jobs) =>
      inProcess.define<string, string | undefined>({
        type: 'work',
        async first(facts, { reason }) {
          if (reason === 'begun' && inProcess === jobs) throw new Error('killed before it did anything');
          if (reason === 'begun') return `${facts} begun`;
          isReached = true;
          await held;
          return undefined;
        },
        run: async () => {},
      });
    await defineIn(jobs)
      .begin('one', { name: 'same' })
      .catch(() => {});
    await jobs.stop();
    const later = server.start();
    const queue = defineIn(later);
    const resumed = later.resume();
    await until('it runs', () => isReached);
    const begun = queue.begin('two', { name: 'same' });
    release();
    expect((await begun).result).to.equal('two begun');
    await resumed;
  });

  it('without a first part is done again for a second caller of its name', async () => {
    const { held, release } = heldWork();
    const queue = jobs.define(typeOf(() => held));
    await queue.begin('one', { name: 'same' });
    const second = queue.begin('two', { name: 'same' });
    release();
    await (await second).ended;
    expect(server.done).to.deep.equal(['one begun', 'two begun']);
  });

  it('is not done again because its end could not be stored', async () => {
    const queue = jobs.define(
      typeOf(async () => {
        server.database.remove = () => Promise.reject(new Error('the disk is full'));
      }),
    );
    const other = server.start();
    other.define(typeOf(async () => {}));
    const { remove } = server.database;
    await (await queue.begin('one', { name: 'same' })).ended;
    expect(server.stored()).to.have.length(1);
    expect(await queue.begin('one', { name: 'same' }).catch(keyOf)).to.equal('BACKEND.ERROR.SERVER.BUSY');
    server.database.remove = remove;
    server.time += minute;
    await other.runDue();
    expect(server.stored()).to.have.length(1);
    await jobs.runDue();
    expect(server.stored()).to.deep.equal([]);
    expect(server.done).to.deep.equal(['one begun']);
  });

  it('that has failed for good is kept for a day, and does not count as open', async () => {
    const work = () => Promise.reject(new Error('refused'));
    const queue = jobs.define(typeOf(work, { maxAttempts: 1 }));
    await (await queue.begin('one')).ended;
    expect(await queue.open()).to.deep.equal([]);
    expect(server.stored()).to.have.length(1);
    server.time += 25 * 60 * minute;
    await jobs.runDue();
    expect(server.stored()).to.deep.equal([]);
  });

  it('is refused after the server has stopped', async () => {
    const queue = jobs.define(typeOf(async () => {}));
    await jobs.stop();
    expect(await queue.begin('one').catch(keyOf)).to.equal('BACKEND.ERROR.SERVER.BUSY');
    expect(server.done).to.deep.equal([]);
  });

  it('that another process has taken over stops here, and is left on the list for it', async () => {
    let taken = (_key: string): void => {};
    Object.assign(server.coordination, {
      onTaken: (listener: (key: string) => void) => {
        taken = listener;
      },
    });
    const signals: AbortSignal[] = [];
    const queue = server.start().define<string>({
      type: 'taken over',
      run: (_facts, { signal }) => {
        signals.push(signal);
        return new Promise((_, reject) =>
          signal.addEventListener('abort', () => reject(signal.reason), { once: true }),
        );
      },
    });
    const { ended } = await queue.begin('facts', { name: 'own' });
    await until('it runs', () => signals.length === 1);
    taken(keys.job('taken over:another'));
    expect(signals[0]?.aborted).to.equal(false);
    taken(keys.job('taken over:own'));
    await ended;
    expect(server.stored()).to.have.length(1);
    expect(server.stored()[0]).to.include({ attempts: 0 });
  });

  it('that is taken off the list stops, and stays away', async () => {
    const { held, release } = heldWork();
    let seen: AbortSignal | undefined;
    const queue = jobs.define(
      typeOf((_facts, { signal }) => {
        seen = signal;
        return held;
      }),
    );
    const { ended } = await queue.begin('one');
    await queue.end((facts) => facts === 'one');
    expect(seen?.aborted).to.equal(true);
    release();
    await ended;
    expect(server.stored()).to.deep.equal([]);
  });

  it('that another process takes off the list stops when it shows its progress', async () => {
    const { held, release } = heldWork();
    let run: JobRun | undefined;
    const type = typeOf((_facts, given) => {
      run = given;
      return held;
    });
    const { ended } = await jobs.define(type).begin('one');
    await until('it runs', () => run !== undefined);
    await server
      .start()
      .define(type)
      .end(() => true);
    expect(run?.signal.aborted).to.equal(false);
    run?.progress(1, 2);
    await until('it is aborted', () => run?.signal.aborted === true);
    release();
    await ended;
    expect(server.stored()).to.deep.equal([]);
  });

  it('is aborted when the server stops, and continued by the next start, which waits for its first part', async () => {
    const { held, fail } = heldWork();
    const queue = jobs.define(typeOf(() => held));
    await queue.begin('one');
    const stopped = jobs.stop();
    fail(new Error('aborted'));
    await stopped;
    expect(server.stored()[0]).to.deep.include({ attempts: 0, facts: 'one' });
    const next = server.start();
    next.define(
      typeOf(async () => {}, {
        first: async (facts, { reason }) => void server.done.push(`first of ${facts} ${reason}`),
      }),
    );
    await next.resume();
    expect(server.done).to.include('first of one resumed');
    await next.idle();
    expect(server.done.at(-1)).to.equal('one resumed');
    expect(server.stored()).to.deep.equal([]);
  });

  it('of an unknown type is left alone: a newer version may know it', async () => {
    const job = { type: 'newer', facts: 1, begun: 1, next: 1, attempts: 0 };
    server.values.set(keys.jobs, { 'newer:1': job, damaged: 'text' });
    await jobs.resume();
    await jobs.runDue();
    expect(server.stored()).to.deep.equal([job]);
  });

  it('that other facts are added to does them together, and what comes meanwhile afterwards', async () => {
    const first = heldWork();
    const second = heldWork();
    const held = [first, second];
    const queue = jobs.define<string[]>({
      type: 'work',
      async run(facts) {
        server.done.push(facts.join());
        await held[server.done.length - 1]?.held;
      },
      shared: {
        delay: 5_000,
        merge: (facts, more) => [...facts, ...more],
        without(facts, done) {
          const left = facts.filter((fact) => !done.includes(fact));
          return left.length === 0 ? undefined : left;
        },
      },
    });
    await queue.begin(['a']);
    await queue.begin(['b']);
    expect(server.done).to.deep.equal([]);
    const idle = jobs.idle();
    await until('it runs', () => server.done.length === 1);
    await queue.begin(['c']);
    expect(server.done).to.deep.equal(['a,b']);
    first.release();
    second.release();
    await idle;
    expect(server.done).to.deep.equal(['a,b', 'c']);
    expect(server.stored()).to.deep.equal([]);
  });

  it('runs in one process only, and another one takes it over', async () => {
    const { held, fail } = heldWork();
    const queue = jobs.define(typeOf(() => held));
    const other = server.start();
    other.define(typeOf(async () => {}));
    await queue.begin('one');
    await other.resume();
    expect(server.done).to.deep.equal(['one begun']);
    const stopped = jobs.stop();
    fail(new Error('ended'));
    await stopped;
    await other.resume();
    await until('it has run again', () => server.done.length === 2);
    await other.idle();
    expect(server.done).to.deep.equal(['one begun', 'one again']);
  });

  it('does not hold up others of its type', async () => {
    const { held, release } = heldWork();
    const queue = jobs.define(typeOf((facts) => (facts === 'slow' ? held : Promise.resolve())));
    const { ended } = await queue.begin('slow');
    await (await queue.begin('fast')).ended;
    expect(server.done).to.deep.equal(['slow begun', 'fast begun']);
    release();
    await ended;
  });

  it('that runs regularly is stored only when it fails, and is then tried again', async () => {
    let isBroken = true;
    jobs.regularly('clean', { first: minute, every: 60 * minute }, async () => {
      if (isBroken) throw new Error('unreadable');
      server.done.push('clean');
    });
    server.schedules[0]?.run('clean');
    await until('it has failed', () => server.stored().length === 1);
    isBroken = false;
    server.time += minute;
    await jobs.runDue();
    expect(server.done).to.deep.equal(['clean']);
    expect(server.stored()).to.deep.equal([]);
    const { set } = server.database;
    server.database.set = () => Promise.reject(new Error('written'));
    await jobs.runNow('clean');
    server.database.set = set;
    expect(server.done).to.have.length(2);
    expect(server.logged.map(([message]) => message)).to.deep.equal(['job failed, retrying later']);
  });
});
