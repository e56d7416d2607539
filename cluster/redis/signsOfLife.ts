/**
 * Shows in the database that a process without a lease is alive: it cannot reach Redis, but people go on writing in its
 * pads. Without this, another process that can reach Redis would take over these pads, and both would write.
 */
import { setTimeout as wait } from 'node:timers/promises';
import type { Database } from '../../model/ports';
import { type Lease, leaseTimes, type Moment, moment } from './lease';

/** Milliseconds for which the answer about a process is reused. */
const answerExpiry = 10_000;

const key = (process: string): string => `mypads:alive:${process}`;

export type SignsDatabase = Pick<Database, 'get' | 'set' | 'remove'>;

export class SignsOfLife {
  private readonly answers = new Map<string, { alive: Promise<boolean>; until: number }>();
  private count = 0;
  private writing: Promise<void> | undefined;
  private lastSign: Moment | undefined;

  /** `lease`: read at each use, because the lease needs the signs too. */
  constructor(
    private readonly database: SignsDatabase,
    private readonly lease: () => Pick<Lease, 'process' | 'mayHaveLostPads'>,
  ) {}

  /** Call it at each renewal of the lease that fails. Never throws. */
  show(): void {
    this.count += 1;
    this.writing ??= this.write(this.count).finally(() => {
      this.writing = undefined;
    });
  }

  private async write(count: number): Promise<void> {
    const before = moment();
    try {
      await this.database.set(key(this.lease().process), count);
      // After a long silence, others may have taken the pads over. This process must find that out before it goes on.
      if (!this.lease().mayHaveLostPads()) this.lastSign = before;
    } catch {
      // Without the database, changes of pads cannot be stored either: nothing is lost.
    }
  }

  /** When the last sign that is in the database was made. `undefined`: none. */
  shownAt(): Moment | undefined {
    return this.lastSign;
  }

  /** Removes the sign, after the lease has been renewed. Never rejects. */
  async hide(): Promise<void> {
    if (this.count === 0) return;
    this.count = 0;
    await this.writing;
    await this.database.remove(key(this.lease().process)).catch(() => {});
  }

  /**
   * Whether a process without a lease is alive. Answers at once if it has shown no sign, within seconds if it goes on
   * showing signs, and after the time of a lease if the signs have ended.
   */
  isAlive(process: string): Promise<boolean> {
    const now = performance.now();
    const known = this.answers.get(process);
    if (known !== undefined && known.until > now) return known.alive;
    for (const [other, { until }] of this.answers) if (until <= now) this.answers.delete(other);
    const alive = this.watch(process);
    const answer = { alive, until: Number.POSITIVE_INFINITY };
    this.answers.set(process, answer);
    alive.then(
      () => {
        answer.until = performance.now() + answerExpiry;
      },
      () => this.answers.delete(process),
    );
    return alive;
  }

  private async watch(process: string): Promise<boolean> {
    const first = await this.database.get(key(process));
    if (typeof first !== 'number') return false;
    // After its last sign, a process may write in its pads for this long.
    const end = performance.now() + leaseTimes.expiry;
    while (performance.now() < end) {
      await wait(leaseTimes.renewEvery);
      if ((await this.database.get(key(process))) !== first) return true;
    }
    await this.database.remove(key(process));
    return false;
  }
}
