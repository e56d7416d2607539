/** Runs one task at a time. Callers that wait for the same run share it. */
export class SharedRuns {
  private running: Promise<void> | undefined;
  private next: Promise<void> | undefined;

  constructor(private readonly work: () => Promise<void>) {}

  /** Resolves at the end of a run that begins after this call. Rejects when that fails. */
  run(): Promise<void> {
    if (this.next) return this.next;
    if (!this.running) return this.begin();
    const begin = (): Promise<void> => {
      this.next = undefined;
      return this.begin();
    };
    this.next = this.running.then(begin, begin);
    return this.next;
  }

  private begin(): Promise<void> {
    this.running = this.work().finally(() => {
      this.running = undefined;
    });
    return this.running;
  }
}
