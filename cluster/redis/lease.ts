/**
 * The lease of this process: a key in Redis that expires when the process does not renew it. When a process has no
 * lease, others may take its locks and pads.
 */
import { randomBytes } from 'node:crypto';
import type { Log, Schedule } from '../../model/ports';
import type { Link } from './link';
import type { Names } from './names';

/** In milliseconds. Others may take over after `expiry`; this process stops writing `margin` earlier. */
export const leaseTimes = {
  expiry: 15_000,
  renewEvery: 3_000,
  margin: 2_000,
  /** Between two checks of everything that is held, which also extend the expiry of its keys. */
  checkEvery: 30 * 60_000,
};

export interface LeaseContext {
  link: Link;
  names: Names;
  log: Log;
  schedule: Schedule;
  /**
   * Finds out what others have taken over. The lease becomes valid after it. `wasValid`: nobody can have taken anything
   * over, unless Redis has lost its data.
   */
  verify(wasValid: boolean): Promise<void>;
  /** Called at each renewal. */
  renewed(): Promise<void>;
  /** See `Messages`. */
  listen(sequence: number, generation: string): Promise<void>;
  /** Called at each renewal that fails, and every few seconds while the lease is not valid. */
  unavailable(): void;
  /** Called when the lease is valid again. */
  restored(): void;
  /** When this process last showed in the database that it is alive. */
  shownAt(): Moment | undefined;
}

/** A time on two clocks: `steady` is monotonic, `wall` also goes on while the machine is suspended. */
export interface Moment {
  steady: number;
  wall: number;
}

export const moment = (): Moment => ({ steady: performance.now(), wall: Date.now() });

/** True if others cannot have taken over since then. */
function isRecent(time: Moment | undefined): boolean {
  if (time === undefined) return false;
  const age = Math.max(performance.now() - time.steady, Date.now() - time.wall);
  return age < leaseTimes.expiry - leaseTimes.margin;
}

/** Calls `ready` when both connections are ready, `closed` when one of them has closed. */
function watchConnections({ commands, subscriber }: Link, on: { closed(): unknown; ready(): unknown }): void {
  for (const client of [commands, subscriber]) {
    client.on('close', on.closed);
    client.on('ready', () => {
      if (commands.status === 'ready' && subscriber.status === 'ready') on.ready();
    });
  }
}

const randomName = (): string => randomBytes(9).toString('base64url').replaceAll(/[-_]/g, 'x');

/** `generation`: the name of Redis' data that this process knows, or `''`. */
function renewInRedis(
  { link, names }: LeaseContext,
  process: string,
  generation: string,
): Promise<[hadLease: number, sequence: number, generation: string]> {
  const { expiry, margin } = leaseTimes;
  return link.commands.renewLease(
    names.lease(process),
    names.sequence,
    names.processes,
    names.generation,
    names.settling,
    expiry,
    process,
    generation,
    randomName(),
    // After this time, a process that could not claim its pads again no longer writes in them.
    expiry - margin,
    link.epoch(),
  );
}

/** Call `renew` once everything that `verify` needs exists. A timer renews the lease after that. */
export class Lease {
  /** Random, new at each start. */
  readonly process = randomName();
  private readonly context: LeaseContext;
  private readonly stopTimer: () => void;
  private available = false;
  private renewedAt: Moment | undefined;
  private checkedAt = Number.NEGATIVE_INFINITY;
  private isUnverified = false;
  private lastTerm = 0;
  private knownGeneration = '';
  private running: Promise<void> | undefined;

  constructor(context: LeaseContext) {
    this.context = context;
    const { link, schedule } = context;
    this.stopTimer = schedule.every('renew the lease', leaseTimes.renewEvery, () => void this.renew());
    watchConnections(link, {
      closed: () => this.available && this.fail(new Error('connection closed')),
      ready: () => void this.renew(),
    });
  }

  /** True while nobody can have taken over what this process holds, and messages arrive. Fast. */
  isValid(): boolean {
    this.renewAfterJump();
    return this.isRenewed();
  }

  /**
   * True when others may have taken over the pads of this process, because it could show neither in Redis nor in the
   * database that it is alive. Stays true until `verify` has found out what they have taken.
   */
  mayHaveLostPads(): boolean {
    this.renewAfterJump();
    return this.couldLosePads();
  }

  /** The data of Redis, as it was at the last renewal. */
  generation(): string {
    return this.knownGeneration;
  }

  /** Another number each time after others may have taken over something. */
  term(): number {
    return this.lastTerm;
  }

  /** Renews it now. Never rejects. */
  renew(): Promise<void> {
    const { link } = this.context;
    this.running ??= this.renewOnce()
      .catch((error: unknown) => {
        this.fail(error);
        if (link.commands.status === 'ready' || link.subscriber.status === 'ready') link.reconnect();
      })
      .finally(() => {
        this.running = undefined;
      });
    return this.running;
  }

  /**
   * Ends it, so that others can take over at once. `hasUnsent`: they do not know of some records that this process has
   * written.
   */
  async close({ hasUnsent }: { hasUnsent: boolean }): Promise<void> {
    const { link, names } = this.context;
    this.stopTimer();
    await this.running;
    this.available = false;
    const { commands } = link;
    const own = names.lease(this.process);
    await (hasUnsent ? commands.del(own) : commands.endLease(own, names.processes, this.process)).catch(
      () => {},
    );
  }

  private isRenewed(): boolean {
    return this.available && isRecent(this.renewedAt);
  }

  private couldLosePads(): boolean {
    return this.isUnverified || !(isRecent(this.renewedAt) || isRecent(this.context.shownAt()));
  }

  /** Renews it at once when only the clock of the machine says that it is over: that clock may have been corrected. */
  private renewAfterJump(): void {
    const renewedAt = this.renewedAt;
    if (!this.available || renewedAt === undefined || isRecent(renewedAt)) return;
    if (isRecent({ ...renewedAt, wall: Date.now() })) void this.renew();
  }

  private fail(error: unknown): void {
    const { link, log } = this.context;
    if (this.available) log.warn('connection to Redis lost', { reason: String(link.reason() ?? error) });
    this.available = false;
    this.context.unavailable();
  }

  private async renewOnce(): Promise<void> {
    const context = this.context;
    const { link, log } = context;
    const before = moment();
    this.isUnverified = this.couldLosePads();
    const [hadLease, sequence, found] = await renewInRedis(context, this.process, this.knownGeneration);
    const wasValid = this.isRenewed() && hadLease === 1 && found === this.knownGeneration;
    this.knownGeneration = found;
    if (!wasValid) {
      this.available = false;
      this.lastTerm += 1;
    }
    await Promise.all([link.subscriber.ping(), context.listen(sequence, found)]);
    await context.renewed();
    if (!wasValid || before.steady - this.checkedAt >= leaseTimes.checkEvery) {
      await context.verify(wasValid);
      this.checkedAt = before.steady;
    }
    if (!wasValid && this.renewedAt) log.info('connection to Redis restored');
    this.renewedAt = before;
    this.available = true;
    this.isUnverified = false;
    if (!wasValid) context.restored();
  }
}
