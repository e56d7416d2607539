/** Work that goes on after the answer has been sent. Not p-limit: it cannot tell when nothing is left. */
export class BackgroundWork {
  private readonly running = new Set<Promise<void>>();
  private last: Promise<void> = Promise.resolve();

  get isIdle(): boolean {
    return this.running.size === 0;
  }

  /** `idle` waits for this work too. It must not fail. */
  track(work: Promise<void>): void {
    const settled = work.finally(() => this.running.delete(settled));
    this.running.add(settled);
  }

  /** Runs after all work that was queued before. It must not fail. */
  queue(work: () => Promise<void>): void {
    this.last = this.last.then(work);
    this.track(this.last);
  }

  /** Resolves when no work is left. */
  async idle(): Promise<void> {
    while (!this.isIdle) await Promise.all(this.running);
  }
}
