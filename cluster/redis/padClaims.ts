/**
 * Which process has a pad in memory. Etherpad does not notice when another process changes a pad, so a process claims a
 * pad before Etherpad loads it, and lets go of it some time after the last editor has left.
 */
import { MyPadsError } from '../../model/errors';
import type { Lease } from './lease';
import type { Link } from './link';
import { heldExpiry } from './locks';
import type { Names } from './names';
import { verifyHeld } from './scripts';
import type { SignsOfLife } from './signsOfLife';

/** Maximum number of reported pads that are stored, and for how many milliseconds. */
const maxMisrouted = 1_000;
const misroutedExpiry = 60 * 60 * 1_000;

interface Context {
  link: Link;
  names: Names;
  lease: () => Lease;
  signs: Pick<SignsOfLife, 'isAlive'>;
  now: () => number;
}

export class PadClaims {
  private readonly padIds = new Set<string>();
  private lost: (padId: string) => void = () => {};

  constructor(private readonly context: Context) {}

  /**
   * Claims the pad for this process. Returns the process that has it: `undefined` when it is this one now. Rejects when
   * Redis is unavailable, or has just lost its data, and this process has not claimed the pad before.
   */
  async claim(padId: string): Promise<string | undefined> {
    if (this.padIds.has(padId)) return undefined;
    const holder = await this.claimInRedis(padId);
    if (holder !== '' && holder !== this.context.lease().process) return holder;
    this.padIds.add(padId);
    return undefined;
  }

  /** True while no other process can have taken over the pad, also while Redis is unavailable. Fast. */
  has(padId: string): boolean {
    return this.padIds.has(padId) && !this.context.lease().mayHaveLostPads();
  }

  /** True while others may have taken over pads of this process, and it does not know yet which. Fast. */
  areUncertain(): boolean {
    return this.context.lease().mayHaveLostPads();
  }

  /** The living process that has the pad, this one included. */
  async holderOf(padId: string): Promise<string | undefined> {
    const { link, names, lease } = this.context;
    if (this.padIds.has(padId)) return lease().process;
    return (await link.commands.holderOfPad(names.pad(padId), names.lease(''))) || undefined;
  }

  /**
   * Lets other processes claim the pad. Call it when nothing of it is in memory any more. Rejects when Redis is
   * unavailable: then this process still has the pad.
   */
  async release(padId: string): Promise<void> {
    const { link, names, lease } = this.context;
    const wasHeld = this.padIds.delete(padId);
    try {
      // Also a pad that is not held here: Redis may have executed a claim whose answer was lost.
      const { process } = lease();
      await link.commands.releasePad(names.pad(padId), names.lease(process), process, link.epoch());
    } catch (error) {
      if (wasHeld) this.padIds.add(padId);
      throw error;
    }
  }

  held(): string[] {
    return [...this.padIds];
  }

  /** `listener` is called with pads that another process has taken over. */
  onLost(listener: (padId: string) => void): void {
    this.lost = listener;
  }

  /** Requests for this pad reach several processes. */
  async reportMisrouted(padId: string): Promise<void> {
    const { link, names, now } = this.context;
    await link.commands
      .multi()
      .zadd(names.misrouted, now(), padId)
      .zremrangebyrank(names.misrouted, 0, -maxMisrouted - 1)
      .pexpire(names.misrouted, misroutedExpiry)
      .exec();
  }

  /** How many pads were reported within the last hour. */
  async misroutedPads(): Promise<number> {
    const { link, names, now } = this.context;
    const { commands } = link;
    await commands.zremrangebyscore(names.misrouted, 0, now() - misroutedExpiry);
    return commands.zcard(names.misrouted);
  }

  /** Claims pads again that nobody has, because Redis has lost its data. */
  async verify(): Promise<void> {
    const { link, names, lease } = this.context;
    const held = [...this.padIds];
    const { process } = lease();
    const found = await verifyHeld(
      link.commands,
      held.map((padId) => [names.pad(padId), process] as const),
      heldExpiry,
    );
    for (const [index, padId] of held.entries()) {
      if (found[index] === 'mine' || !this.padIds.has(padId)) continue;
      const holder = await this.claimInRedis(padId, true);
      if (holder === '' || holder === process) continue;
      this.padIds.delete(padId);
      this.lost(padId);
    }
  }

  /**
   * Returns the process that had the pad: `''` for none. The script writes `?` before a process without a lease, which
   * has either ended or lost Redis: only then the database has to tell. `again`: this process has the pad.
   */
  private async claimInRedis(padId: string, again = false): Promise<string> {
    const { link, names, lease, signs } = this.context;
    const claim = async (ended: string): Promise<string> => {
      const own = lease();
      const { process } = own;
      const holder = await link.commands.claimPad(
        names.pad(padId),
        names.generation,
        names.settling,
        names.lease(process),
        process,
        names.lease(''),
        heldExpiry,
        ended,
        own.generation(),
        again ? '1' : '0',
        link.epoch(),
      );
      if (holder === '!') throw new MyPadsError('BACKEND.ERROR.SERVER.DATABASE_UNAVAILABLE');
      return holder;
    };
    const holder = await claim('');
    if (!holder.startsWith('?')) return holder;
    const withoutLease = holder.slice(1);
    if (await signs.isAlive(withoutLease)) return withoutLease;
    return (await claim(withoutLease)).replace('?', '');
  }
}
