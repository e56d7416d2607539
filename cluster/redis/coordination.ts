/**
 * Implements the `Coordination` port for several processes on one database, with Redis. docs/architecture.md says how
 * it works.
 */
import { RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible';
import { MyPadsError } from '../../model/errors';
import { adaptRateLimiter, maxRefused, type RefusedKeys } from '../../model/inProcessCoordination';
import type { Coordination, Log, Processes, RateLimiter, Schedule } from '../../model/ports';
import type { Shared } from '../exchange';
import { Lease } from './lease';
import { type Link, openLink } from './link';
import { Locks } from './locks';
import { lostMessage, Messages } from './messages';
import { createNames, type Names } from './names';
import type { RedisSettings } from './options';
import { PadClaims } from './padClaims';
import { countProcesses } from './processes';
import { type SignsDatabase, SignsOfLife } from './signsOfLife';

/** Maximum number of values that are kept for one requester. */
const maxKeptByRequester = 1_000;
/** Name of the lock that the leader holds. */
const leadership = 'mypads:leader';
/** Milliseconds between two attempts to become the leader, or as the leader to find processes that have ended. */
const leadershipInterval = 1_000;

export interface RedisCoordination extends Shared {
  /** Random, new at each start. */
  process: string;
  pads: PadClaims;
  processes: Processes;
  /** Asks another process, see `Messages`. */
  ask: Messages['ask'];
  answerWith: Messages['answerWith'];
  /** Releases everything that this process holds. Call it when its database is closed. Never rejects. */
  close(): Promise<void>;
}

interface Parts {
  link: Link;
  names: Names;
  lease: Lease;
  locks: Locks;
  log: Log;
  now: () => number;
}

const unavailable = (): MyPadsError => new MyPadsError('BACKEND.ERROR.SERVER.DATABASE_UNAVAILABLE');

function createKeeper({ link, names }: Parts): Pick<Coordination, 'keep' | 'take'> {
  return {
    async keep(name, value, { milliseconds, requester }) {
      const text = JSON.stringify(value);
      await link.commands
        .keepValue(
          names.kept(name),
          names.keptBy(requester),
          text,
          milliseconds,
          maxKeptByRequester,
          names.kept(''),
        )
        .catch(() => {
          throw unavailable();
        });
    },
    async take(name) {
      const text = await link.commands.getdel(names.kept(name)).catch(() => {
        throw unavailable();
      });
      return text === null ? undefined : JSON.parse(text);
    },
  };
}

/** The keys expire with the last of them. Rejects while Redis is unavailable. */
function createRefusedKeys(
  { link: { commands }, names, now }: Parts,
  name: string,
  seconds: number,
): RefusedKeys {
  const all = names.refused(name);
  return {
    add: (key) =>
      commands
        .multi()
        .zadd(all, now(), key)
        .zremrangebyrank(all, 0, -maxRefused - 1)
        .expire(all, seconds)
        .exec(),
    remove: (key) => commands.zrem(all, key),
    list: () =>
      commands.zrange(all, '0', '-1').catch(() => {
        throw unavailable();
      }),
  };
}

/** While Redis is unavailable, each process counts on its own. */
function createRateLimiter(
  parts: Parts,
  name: string,
  { points, seconds }: { points: number; seconds: number },
): RateLimiter {
  const { link, names } = parts;
  const terms = { keyPrefix: names.limit(name), points, duration: seconds };
  return adaptRateLimiter(
    new RateLimiterRedis({
      ...terms,
      storeClient: link.commands,
      rejectIfRedisNotReady: true,
      insuranceLimiter: new RateLimiterMemory(terms),
    }),
    createRefusedKeys(parts, name, seconds),
  );
}

/**
 * One process is the leader: it does the background work, also what other processes have left unfinished when they
 * ended, and holds a lock until it ends.
 */
class Leadership {
  private release: (() => void) | undefined;
  private closed = false;

  constructor(
    private readonly parts: Parts,
    private readonly schedule: Schedule,
  ) {}

  isLeader(): boolean {
    return this.release !== undefined && this.parts.lease.isValid();
  }

  async lead(begin: () => Promise<void>): Promise<void> {
    this.release = await this.parts.locks.tryLock(leadership);
    if (this.release) {
      await this.someHaveEnded();
      await begin();
    }
    void this.follow(begin);
  }

  /** Releases the lock. `follow` tries to get it again. */
  giveUp(): void {
    this.release?.();
    this.release = undefined;
  }

  /** Call it when it is known which locks were lost. While a lost lock is not released, nothing can be written. */
  giveUpIfLost(): void {
    if (this.parts.locks.isLost(leadership)) this.giveUp();
  }

  close(): void {
    this.closed = true;
    this.giveUp();
  }

  /** Tries to become the leader, again and again while this process is not. */
  private async follow(begin: () => Promise<void>): Promise<void> {
    const { lease, log } = this.parts;
    while (!this.closed) {
      if (lease.isValid()) {
        await this.checkLock().catch(() => {});
        if (await this.becomesLeader()) {
          log.info('this process does the background work from now on');
          await this.someHaveEnded().catch(() => {});
          await this.begin(begin);
        } else if (this.isLeader() && (await this.someHaveEnded().catch(() => false))) {
          log.info('another process has ended, continuing its removals');
          await this.begin(begin);
        }
      }
      await new Promise<void>((resolve) => {
        this.schedule.later('become the leader', leadershipInterval, resolve);
      });
    }
  }

  /** Redis may have removed the lock, and then another process leads too. */
  private async checkLock(): Promise<void> {
    if (this.release === undefined) return;
    await this.parts.locks.verify();
    this.giveUpIfLost();
  }

  private async becomesLeader(): Promise<boolean> {
    if (this.release !== undefined) return false;
    this.release = await this.parts.locks.tryLock(leadership).catch(() => undefined);
    return this.release !== undefined;
  }

  /**
   * Returns true if processes have ended since any process made this call last. One that has died may have written
   * records and not have told it, so all processes read everything again.
   */
  private async someHaveEnded(): Promise<boolean> {
    const { link, names } = this.parts;
    const { processes, sequence, messages } = names;
    const ended = await link.commands.forgetEnded(
      processes,
      sequence,
      messages,
      names.lease(''),
      lostMessage,
    );
    return ended > 0;
  }

  private async begin(begin: () => Promise<void>): Promise<void> {
    await begin().catch((error: unknown) =>
      this.parts.log.warn('resuming jobs failed, retrying later', { error: String(error) }),
    );
  }
}

/**
 * Rejects if Redis removes keys when its memory is full: without its locks, two processes would write the same record.
 */
async function requireAllKeysKept({ commands }: Link): Promise<void> {
  // A user of Redis with few rights may not ask.
  const info = await commands.info('memory').catch(() => '');
  const [, limit = '0'] = /^maxmemory:(\d+)/m.exec(info) ?? [];
  const [, policy = 'noeviction'] = /^maxmemory_policy:(\S+)/m.exec(info) ?? [];
  if (limit === '0' || policy === 'noeviction') return;
  throw new Error(
    `Redis removes keys when its memory is full (maxmemory-policy ${policy}); it must be noeviction, see docs/scaling.md`,
  );
}

export interface RedisCoordinationContext {
  /** For signs of life while Redis cannot be reached. */
  database: SignsDatabase;
  log: Log;
  schedule: Schedule;
  now: () => number;
}

function createWriteChecks({ lease, locks }: Parts): Pick<Coordination, 'isConnected' | 'writePermit'> {
  const isConnected = (): boolean => lease.isValid() && !locks.hasLost();
  return {
    isConnected,
    writePermit() {
      const term = lease.term();
      return () => isConnected() && lease.term() === term;
    },
  };
}

/** Opens the connections. Rejects when Redis cannot be reached or used. */
async function openUsableLink(options: RedisSettings['options'], log: Log): Promise<Link> {
  const link = await openLink(options, log);
  await requireAllKeysKept(link).catch((error: unknown) => {
    link.close();
    throw error;
  });
  return link;
}

/** Rejects when Redis cannot be reached. */
export async function createRedisCoordination(
  { options, prefix }: RedisSettings,
  { database, log, schedule, now }: RedisCoordinationContext,
): Promise<RedisCoordination> {
  const link = await openUsableLink(options, log);
  const names = createNames(prefix);
  // The lease verifies locks, pads and messages, and they read the lease.
  const locks = new Locks({ link, names, lease: () => lease });
  const signs = new SignsOfLife(database, () => lease);
  const pads = new PadClaims({ link, names, lease: () => lease, signs, now });
  const messages = new Messages({
    link,
    names,
    log,
    process: () => lease.process,
    granted: (token) => locks.granted(token),
  });
  const lease: Lease = new Lease({
    link,
    names,
    log,
    schedule,
    listen: (...found) => messages.listen(...found),
    renewed: () => locks.releaseLate(),
    async verify(wasValid) {
      if (!wasValid) leader.giveUp();
      await locks.verify();
      leader.giveUpIfLost();
      await pads.verify();
      await messages.flush();
    },
    shownAt: () => signs.shownAt(),
    unavailable() {
      signs.show();
      messages.unavailable();
    },
    restored: () => void signs.hide(),
  });
  const parts: Parts = { link, names, lease, locks, log, now };
  const leader = new Leadership(parts, schedule);
  await lease.renew();
  return {
    lock: (key) => locks.lock(key),
    tryLock: (key) => locks.tryLock(key),
    onTaken: (listener) => locks.onTaken(listener),
    ...createWriteChecks(parts),
    publish: (topic, content) => messages.publish(topic, content),
    subscribe: (receiver) => messages.subscribe(receiver),
    received: () => (lease.isValid() ? messages.received() : undefined),
    sent: () => messages.sent(),
    ...createKeeper(parts),
    rateLimiter: (name, limit) => createRateLimiter(parts, name, limit),
    lead: (begin) => leader.lead(begin),
    isLeader: () => leader.isLeader(),
    process: lease.process,
    pads,
    processes: { count: () => countProcesses(link, names), misroutedPads: () => pads.misroutedPads() },
    ask: (...question) => messages.ask(...question),
    answerWith: (answerer) => messages.answerWith(answerer),
    async close() {
      leader.close();
      await messages.flush();
      await lease.close({ hasUnsent: messages.hasUnsent() });
      link.close();
    },
  };
}
