/**
 * Finds out from the requests for pads to which process the proxy sends people. A pad that people have open here moves
 * to another process when the proxy sends all new visitors there: that process was down before, or it is new.
 */

/** In milliseconds. */
export const routingTimes = {
  /** A pad moves when nobody has opened it here for this long, while another process has asked for it. */
  moved: 10_000,
  /** A question that comes this long after the one before counts as the first. */
  forgotten: 60_000,
  /** After a move a pad stays for this long, so that a wrongly configured proxy cannot move it back and forth. */
  settled: 10 * 60_000,
};

/** What a process that has a pad does when another one asks for it: keeps it, lets it go, or reports the proxy. */
export type Routing = 'keep' | 'letGo' | 'misrouted';

export class PadRouting {
  /** When another process has asked for a pad, since the last time that somebody opened it here. */
  private readonly questions = new Map<string, { first: number; last: number }>();
  private readonly arrivals = new Map<string, number>();

  /** `now`: milliseconds of a monotonic clock. */
  constructor(private readonly now: () => number = () => performance.now()) {}

  /** Somebody opens a pad that this process has. Returns true if the proxy sends others to another process. */
  opened(padId: string): boolean {
    const asked = this.questions.get(padId);
    this.questions.delete(padId);
    return asked !== undefined && this.now() - asked.last < routingTimes.forgotten;
  }

  /** Another process asks for a pad that people have open here, because the proxy has sent somebody there. */
  asked(padId: string): Routing {
    const now = this.now();
    const movedAt = this.arrivals.get(padId);
    if (movedAt !== undefined && now - movedAt < routingTimes.settled) return 'misrouted';
    const before = this.questions.get(padId);
    const first = before && now - before.last < routingTimes.forgotten ? before.first : now;
    this.questions.set(padId, { first, last: now });
    return now - first < routingTimes.moved ? 'keep' : 'letGo';
  }

  /** Another process has let go of a pad that people had open there. */
  movedHere(padId: string): void {
    this.arrivals.set(padId, this.now());
  }

  /** The pad is not here any more. */
  gone(padId: string): void {
    this.questions.delete(padId);
    this.arrivals.delete(padId);
  }
}
