/**
 * Shows in the database that a process without a lease is alive: it cannot reach Redis, but people go on writing in its
 * pads. Without this, another process that can reach Redis would take over these pads, and both would write.
 */
import { setTimeout as wait } from 'node:timers/promises';
import type { Database } from '../../model/ports';
import { leaseTimes } from './lease';

/** Milliseconds for which the answer about a process is reused. */
const answerExpiry = 10_000;

const key = (process: string): string => `mypads:alive:${process}`;

export type SignsDatabase = Pick<Database, 'get' | 'set' | 'remove'>;

export class SignsOfLife {
  readonly #database: SignsDatabase;
  readonly #process: () => string;
  readonly #answers = new Map<string, { alive: Promise<boolean>; until: number }>();
  #count = 0;
  #writing: Promise<void> | undefined;

  constructor(database: SignsDatabase, process: () => string) {
    this.#database = database;
    this.#process = process;
  }

  /** Call it at each renewal of the lease that fails. Never throws. */
  show(): void {
    this.#count += 1;
    const count = this.#count;
    this.#writing ??= this.#database
      .set(key(this.#process()), count)
      .catch(() => {
        // Changes of pads cannot be stored then either.
      })
      .finally(() => {
        this.#writing = undefined;
      });
  }

  /** Removes the sign, after the lease has been renewed. Never rejects. */
  async hide(): Promise<void> {
    if (this.#count === 0) return;
    this.#count = 0;
    await this.#writing;
    await this.#database.remove(key(this.#process())).catch(() => {});
  }

  /** Whether a process without a lease is alive. Takes some seconds if it was alive after it had lost Redis. */
  isAlive(process: string): Promise<boolean> {
    const now = performance.now();
    const known = this.#answers.get(process);
    if (known !== undefined && known.until > now) return known.alive;
    for (const [other, { until }] of this.#answers) if (until <= now) this.#answers.delete(other);
    const alive = this.#look(process);
    this.#answers.set(process, { alive, until: now + answerExpiry });
    alive.catch(() => this.#answers.delete(process));
    return alive;
  }

  async #look(process: string): Promise<boolean> {
    const first = await this.#database.get(key(process));
    if (typeof first !== 'number') return false;
    // Longer than between two signs.
    await wait(2 * leaseTimes.renewEvery);
    const second = await this.#database.get(key(process));
    if (second !== first) return true;
    await this.#database.remove(key(process));
    return false;
  }
}
