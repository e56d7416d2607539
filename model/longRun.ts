/** Work that may take longer than its callers wait: it continues, and they get the result of the run before it. */
import { setTimeout as pause } from 'node:timers/promises';

export class LongRun<Result> {
  private running: Promise<Result> | undefined;
  private last: Result | undefined;
  /** The last result is used until then. */
  private restsUntil = 0;

  /** `restAfter`: gets the milliseconds of a run, returns those in which its result is used. By default none. */
  constructor(
    private readonly work: () => Promise<Result>,
    private readonly restAfter: (took: number) => number = () => 0,
  ) {}

  /**
   * Begins a run, or joins the present one, and waits for at most `limit` milliseconds. `undefined` if there is no
   * result yet. Throws what the work throws.
   */
  async within(limit: number): Promise<Result | undefined> {
    if (performance.now() < this.restsUntil) return this.last;
    // Not `withinTime`: it is no error if the time is over.
    const tooLate = pause(limit, undefined, { ref: false });
    return (await Promise.race([this.joined(), tooLate])) ?? this.last;
  }

  /** The last result is not used any more. */
  forget(): void {
    this.last = undefined;
    this.restsUntil = 0;
  }

  private joined(): Promise<Result> {
    const begin = performance.now();
    this.running ??= this.work()
      .then((result) => {
        const now = performance.now();
        this.last = result;
        this.restsUntil = now + this.restAfter(now - begin);
        return result;
      })
      .finally(() => {
        this.running = undefined;
      });
    // The caller may have stopped waiting, and then nobody handles an error.
    this.running.catch(() => {});
    return this.running;
  }
}
