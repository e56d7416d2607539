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

export interface Lease {
  /** Random, new at each start. */
  process: string;
  /** True while nobody can have taken over what this process holds, and messages arrive. Fast. */
  isValid(): boolean;
  /**
   * True when this process could not show that it is alive, neither in Redis nor in the database, for so long that
   * others may have taken over its pads. Stays true until `verify` has found out what they have taken.
   */
  wasSilent(): boolean;
  /** The data of Redis, as it was at the last renewal. */
  generation(): string;
  /** Renews it now. Never rejects. */
  renew(): Promise<void>;
  /**
   * Ends it, so that others can take over at once. `hasUnsent`: they do not know of some records that this process has
   * written.
   */
  close(left: { hasUnsent: boolean }): Promise<void>;
}

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
export function createLease(context: LeaseContext): Lease {
  const { link, names, log, schedule } = context;
  const process = randomName();
  let available = false;
  let renewedAt: Moment | undefined;
  let checkedAt = Number.NEGATIVE_INFINITY;
  let isUnverified = false;
  let generation = '';
  let running: Promise<void> | undefined;

  const isValid = (): boolean => available && isRecent(renewedAt);
  const wasSilent = (): boolean => isUnverified || !(isRecent(renewedAt) || isRecent(context.shownAt()));

  function fail(error: unknown): void {
    if (available) log.warn('connection to Redis lost', { reason: String(error) });
    available = false;
    context.unavailable();
  }

  async function renewOnce(): Promise<void> {
    const before = moment();
    isUnverified = wasSilent();
    const [hadLease, sequence, found] = await renewInRedis(context, process, generation);
    const wasValid = isValid() && hadLease === 1 && found === generation;
    generation = found;
    if (!wasValid) available = false;
    await Promise.all([link.subscriber.ping(), context.listen(sequence, found)]);
    await context.renewed();
    if (!wasValid || before.steady - checkedAt >= leaseTimes.checkEvery) {
      await context.verify(wasValid);
      checkedAt = before.steady;
    }
    if (!wasValid && renewedAt) log.info('connection to Redis restored');
    renewedAt = before;
    available = true;
    isUnverified = false;
    if (!wasValid) context.restored();
  }

  function renew(): Promise<void> {
    running ??= renewOnce()
      .catch((error: unknown) => {
        fail(error);
        if (link.commands.status === 'ready' || link.subscriber.status === 'ready') link.reconnect();
      })
      .finally(() => {
        running = undefined;
      });
    return running;
  }

  const stopTimer = schedule.every('renew the lease', leaseTimes.renewEvery, () => void renew());
  watchConnections(link, {
    closed: () => available && fail(new Error('connection closed')),
    ready: () => void renew(),
  });
  async function close({ hasUnsent }: { hasUnsent: boolean }): Promise<void> {
    stopTimer();
    await running;
    available = false;
    const { commands } = link;
    const own = names.lease(process);
    await (hasUnsent ? commands.del(own) : commands.endLease(own, names.processes, process)).catch(() => {});
  }

  return { process, isValid, wasSilent, generation: () => generation, renew, close };
}
