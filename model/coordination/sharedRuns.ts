/** Work that everybody who asks at the same time shares. One run at a time. */
export class SharedRuns {
  readonly #work: () => Promise<void>;
  #running: Promise<void> | undefined;
  #next: Promise<void> | undefined;

  constructor(work: () => Promise<void>) {
    this.#work = work;
  }

  /** Resolves at the end of a run that begins after this call. Rejects when that fails. */
  run(): Promise<void> {
    if (this.#next) return this.#next;
    if (!this.#running) return this.#begin();
    const begin = (): Promise<void> => {
      this.#next = undefined;
      return this.#begin();
    };
    this.#next = this.#running.then(begin, begin);
    return this.#next;
  }

  #begin(): Promise<void> {
    this.#running = this.#work().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }
}
