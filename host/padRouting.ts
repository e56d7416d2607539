/**
 * Concludes from the requests for pads where the proxy sends people. A pad that people have open here moves to another
 * process when the proxy sends them there and nobody here any more: the other process was down, or is new.
 */

/** In milliseconds. */
const times = {
  /** So long nobody has opened the pad here, while another process has asked for it. */
  moved: 10_000,
  /** A process that has not asked for so long asks for the first time again. */
  forgotten: 60_000,
  /** So long a pad stays where it has moved, so that a wrong proxy does not send it back and forth. */
  settled: 10 * 60_000,
};

/** What a process that has a pad does when another one asks for it: keeps it, lets it go, or reports the proxy. */
export type Routing = 'keep' | 'letGo' | 'misrouted';

export class PadRouting {
  readonly #now: () => number;
  /** When another process has asked for a pad of this one, since somebody has opened it here. */
  readonly #asked = new Map<string, { first: number; last: number }>();
  readonly #movedHere = new Map<string, number>();

  /** `now`: milliseconds of a monotonic clock. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Somebody opens a pad that this process has. Returns true if the proxy sends others to another process. */
  opened(padId: string): boolean {
    const asked = this.#asked.get(padId);
    this.#asked.delete(padId);
    return asked !== undefined && this.#now() - asked.last < times.forgotten;
  }

  /** Another process has been sent somebody who wants a pad that people have open here. */
  asked(padId: string): Routing {
    const now = this.#now();
    const movedAt = this.#movedHere.get(padId);
    if (movedAt !== undefined && now - movedAt < times.settled) return 'misrouted';
    const before = this.#asked.get(padId);
    const first = before && now - before.last < times.forgotten ? before.first : now;
    this.#asked.set(padId, { first, last: now });
    return now - first < times.moved ? 'keep' : 'letGo';
  }

  /** Another process has let go of a pad that people had open there. */
  movedHere(padId: string): void {
    this.#movedHere.set(padId, this.#now());
  }

  /** The pad is not here any more. */
  gone(padId: string): void {
    this.#asked.delete(padId);
    this.#movedHere.delete(padId);
  }
}
